"""Is what stays the same reported as the same?"""

from support import observe


def run(variant):
    """Observe one of each kind."""
    observe("before", 1)
    observe("flag", True)
    observe("text", "the same words")
    observe("ids", ["a", "b", "a"])
    observe("tensor", ("float32", [2, 2], [0.1, 0.2, 0.3, 0.4]))
    observe("after", 2)
