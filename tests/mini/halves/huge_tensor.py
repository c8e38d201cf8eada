"""Is a large tensor stored in a few lines?"""

from support import observe


def run(variant):
    """Observe a million elements."""
    observe("before", 1)
    observe("tensor", ("float32", [1000, 1000], [0, 1, 2, 3] * 250_000))
    observe("after", 2)
