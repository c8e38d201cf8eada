"""Is a stack overflow told from another crash?"""

import ctypes
import os

from support import observe


def run(variant):
    """Overflow the C stack, or say and do what Rust does when it overflowed its own."""
    observe("before", 1)
    if variant == "as_rust_says":
        os.write(
            2, b"thread 'main' has overflowed its stack\nfatal runtime error: stack overflow\n"
        )
        os.abort()
    ctypes.CDLL(None).regcomp(ctypes.create_string_buffer(4096), b"(" * 1_000_000, 1)
