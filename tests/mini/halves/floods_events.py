"""What becomes of a half that observes without end?"""

from support import observe


def run(variant):
    """Observe one thing again and again."""
    observe("before", 1)
    while True:
        observe("flood", "flood " * 10_000)
