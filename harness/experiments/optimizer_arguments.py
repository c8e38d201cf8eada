"""Which parameters and options does an optimizer take?"""

from typing import Any

import torch
from torch import nn

from harness.experiments.support import literal, observe, observe_warnings


def run(variant: str) -> None:
    """Make an optimizer the variant's way and take one step on a sum of squares."""
    weight = nn.Parameter(literal(4))

    optimizer: Any  # by its annotations the closure returns a float
    with observe_warnings():
        match variant:
            case "list":
                optimizer = torch.optim.SGD([weight], lr=0.1)
            case "set":
                optimizer = torch.optim.SGD({weight}, lr=0.1)
            case "empty_list":
                optimizer = torch.optim.SGD([], lr=0.1)
            case "lbfgs":
                optimizer = torch.optim.LBFGS([weight], lr=0.1)
            case "lbfgs_maximize":
                optimizer = torch.optim.LBFGS([weight], lr=0.1, maximize=True)
            case "lbfgs_empty_group":
                optimizer = torch.optim.LBFGS([{"params": []}])
            case _:
                raise ValueError(variant)
    observe("options", ", ".join(sorted(optimizer.defaults)))

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = weight.square().sum()
        loss.backward()
        return loss

    observe("loss", optimizer.step(closure))
    observe("weight", weight)
