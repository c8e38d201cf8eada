"""What is kept of a half that panics?"""

from support import observe


def run(variant):
    """Panic half-way, or with a text that differs from run to run."""
    observe("before", 1)
    if variant == "with_address":
        raise RuntimeError(f"<object at {hex(id(object()))}> is not a leaf")
    raise RuntimeError("the second backward")
