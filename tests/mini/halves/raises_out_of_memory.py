"""Is running out of memory a crash even as an exception?"""

from support import observe


def run(variant):
    """Ask for more than there is; a framework words it as an exception of its own."""
    observe("before", 1)
    try:
        bytearray(1 << 40)
    except MemoryError:
        if variant == "as_python":
            raise
        raise RuntimeError("[enforce fail at alloc_cpu.cpp:127] can't allocate memory") from None
