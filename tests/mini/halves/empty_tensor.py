"""Do tensors without elements keep their shape?"""

from support import observe


def run(variant):
    """Observe three kinds of nothing, and one thing without axes."""
    observe("before", 1)
    observe("none", ("float32", [0], []))
    observe("no_rows", ("float32", [0, 3], []))
    observe("no_columns", ("float32", [3, 0], []))
    observe("scalar", ("int64", [], [7]))
    observe("after", 2)
