"""Where do a maximum, a minimum and a sort put a NaN?"""

import math

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Ask the variant's question of values of which one is NaN."""
    x = torch.tensor([1.0, math.nan, 2.0])
    unsorted = torch.tensor([2.0, math.nan, 1.0, -math.inf, math.inf])

    match variant:
        case "max":
            observe("value", x.max())
        case "min":
            observe("value", x.min())
        case "max_dim":
            observe("out", x.max(0, keepdim=True).values)
        case "min_dim":
            observe("out", x.min(0, keepdim=True).values)
        case "argmax":
            observe("index", int(x.argmax(0)))
        case "argmin":
            observe("index", int(x.argmin(0)))
        case "cummax":
            observe("out", x.cummax(0).values)
        case "sort":
            observe("out", unsorted.sort(0).values)
        case "topk":
            observe("out", unsorted.topk(2, 0).values)
        case _:
            raise ValueError(variant)
