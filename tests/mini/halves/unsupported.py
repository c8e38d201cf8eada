"""Is what a framework cannot express left out?"""

from support import observe


def run(variant):
    """Observe what only torch can."""
    observe("before", 1)
    observe("after", 2)
