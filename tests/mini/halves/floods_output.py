"""What becomes of a half that prints without end?"""

import os

from support import observe


def run(variant):
    """Print without end."""
    observe("before", 1)
    while True:
        os.write(1, b"flood " * 10_000)
