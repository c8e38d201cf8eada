"""What does the new release do otherwise?"""

import os

from support import RELEASE, observe

NEW = RELEASE == "new"


def run(variant):
    """Do what the variant names when the release is new."""
    observe("before", 1)
    match variant:
        case "flag":
            observe("flag", not NEW)
        case "no_op":
            observe("moved", not NEW)
        case "count":
            observe("count", 4 if NEW else 3)
        case "text":
            observe("text", "new words" if NEW else "old words")
        case "ids":
            observe("ids", ["a", "b", "b"] if NEW else ["a", "b", "a"])
        case "value":
            observe("tensor", ("float32", [3], [1.0, 2.5 if NEW else 2.0, 3.0]))
        case "rounding":
            observe("tensor", ("float32", [3], [1.0, 2.0000002 if NEW else 2.0, 3.0]))
        case "shape":
            observe("tensor", ("float32", [1, 3] if NEW else [3], [1.0, 2.0, 3.0]))
        case "non_finite":
            observe("tensor", ("float32", [3], [1.0, "NaN" if NEW else 2.0, 3.0]))
        case "gone" if not NEW:
            observe("count", 3)
        case "added" if NEW:
            observe("count", 3)
        case "panics" if NEW:
            raise RuntimeError("new panic")
        case "fixed" if not NEW:
            raise RuntimeError("old panic")
        case "error_type":
            raise (TypeError if NEW else ValueError)("the same words")
        case "error_text":
            raise ValueError("new words" if NEW else "old words")
        case "far_apart":
            observe("far", ("float64", [1], [-1.7e308 if NEW else 1.7e308]))
        case "crashes" if NEW:
            os.abort()
    observe("after", 2)
