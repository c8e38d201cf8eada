"""Is a half that does not compile a behaviour?"""

from support import observe


def run(variant):
    """Never run."""
    observe("before", 1)
    observe("after", 2)
