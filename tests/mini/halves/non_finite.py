"""Do NaN, the infinities and −0 survive?"""

from support import observe


def run(variant):
    """Observe what JSON has no words for."""
    observe("before", 1)
    observe("tensor", ("float32", [5], ["NaN", "Infinity", "-Infinity", -0.0, 0.0]))
    observe("after", 2)
