"""What happens to an index, a bound or a value that is out of range?"""

import math

import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Go out of range the variant's way."""
    x = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])

    match variant:
        case "select":
            observe("out", x[0:2].index_select(0, torch.tensor([5])))
        case "slice_end":
            observe("out", x[4:100])
        case "slice_backwards":
            observe("out", x[0:5:-1])
        case "slice_backwards_by_two":
            observe("out", x[1:6:-2])
        case "clamp_inverted":
            observe("out", torch.tensor([0.0, 5.0, 10.0]).clamp(7.0, 3.0))
        case "one_hot":
            observe("ints", functional.one_hot(torch.tensor([-1, 1]), 3))
        case "cast":
            values = torch.tensor([2.7, -2.7, math.nan, math.inf, -math.inf, 1e20])
            observe("ints", values.to(torch.int32).to(torch.int64))
        case "nan_as_index":
            observe("out", (x + 10.0).index_select(0, torch.tensor([math.nan]).int()))
        case _:
            raise ValueError(variant)
