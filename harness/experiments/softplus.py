"""Does softplus stay finite where its exponential overflows?"""

import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Apply softplus to large numbers, and differentiate it."""
    match variant:
        case "beta_one":
            x, beta = torch.tensor([100.0, 0.0, 25.0]), 1.0
        case "beta_five":
            x, beta = torch.tensor([20.0, 100.0, -1.0]), 5.0
        case _:
            raise ValueError(variant)
    x.requires_grad_()

    out = functional.softplus(x, beta=beta)

    observe("out", out)
    out.sum().backward()
    assert x.grad is not None
    observe("gradient", x.grad)
