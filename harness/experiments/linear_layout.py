"""Does a Linear work alike when its weight is stored by columns?"""

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Make a layer, and use it; torch has one layout, which stores the weight by outputs."""
    match variant:
        case "plain" | "autodiff":
            layer = ones()
            if variant == "autodiff":
                observe("requires_grad", layer.weight.requires_grad)
            observe("weight", layer.weight)
            observe("out", layer(torch.tensor([[1.0, 2.0]])))
        case "initial_range":
            largest = nn.Linear(100, 4).weight.abs().max()
            observe("within_fan_in", bool(largest <= 0.1))
        case "record_into_rows":
            layer = nn.Linear(2, 3, bias=False)
            layer.load_state_dict(ones().state_dict())
            observe("weight", layer.weight)
        case _:
            raise ValueError(variant)


def ones() -> nn.Linear:
    """Return the layer 2 → 3 whose weights are 1."""
    layer = nn.Linear(2, 3, bias=False)
    nn.init.ones_(layer.weight)
    return layer
