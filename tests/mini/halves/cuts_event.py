"""Is a line that was cut off taken for an event?"""

import os

from support import observe, write


def run(variant):
    """Die in the middle of a line."""
    observe("before", 1)
    write(b'{"name":"after","cou')
    os._exit(0)
