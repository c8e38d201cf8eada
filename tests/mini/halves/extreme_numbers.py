"""Can a case's numbers be too large for the harness?"""

from support import observe


def run(variant):
    """Observe numbers whose sum, and whose squares, no float64 holds."""
    observe("before", 1)
    observe("tensor", ("float64", [5000], [1.5e308, -1.5e308, 1.5e308, 1.5e308, 0.0] * 1000))
    observe("after", 2)
