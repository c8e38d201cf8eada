"""What is kept of a half that takes all the memory there is?"""

import ctypes
import os

from support import observe


def run(variant):
    """Take memory until there is none, then end as a Rust program does."""
    observe("before", 1)
    allocate = ctypes.CDLL(None).malloc
    allocate.restype = ctypes.c_void_p
    taken = 0
    while allocate(16 << 20):
        taken += 16
    observe("within_limit", taken <= 512)
    os.write(2, b"memory allocation of 16777216 bytes failed\n")
    os.abort()
