"""What is kept of a half that reads where nothing is?"""

import ctypes

from support import observe


def run(variant):
    """Read address 0."""
    observe("before", 1)
    ctypes.string_at(0)
