"""What is kept of a half that aborts?"""

import os

from support import observe


def run(variant):
    """Abort."""
    observe("before", 1)
    os.abort()
