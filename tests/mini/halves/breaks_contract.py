"""Is an observation held against its contract?"""

from support import observe, write


def run(variant):
    """Observe what the contract does not say, or write what is no observation."""
    observe("before", 1)
    match variant:
        case "wrong_type":
            observe("after", "two")
        case "extra":
            observe("after", 2)
            observe("unheard_of", 3)
        case "wrong_dtype":
            observe("after", 2)
            observe("tensor", ("float64", [1], [1.0]))
        case "wrong_shape":
            observe("after", 2)
            observe("tensor", ("float32", [2], [1.0, 2.0, 3.0]))
        case "wide_nothing":
            observe("tensor", ("float32", [10**9, 0], []))
            observe("after", 2)
        case "many_axes":
            observe("tensor", ("float32", [1] * 2000, [1.0]))
            observe("after", 2)
        case "no_event":
            write(b"\xff this is no event\n")
            observe("after", 2)
        case "nan_literal":
            write(b'{"name":"tensor","tensor":{"dtype":"float32","shape":[1],"values":[NaN]}}\n')
