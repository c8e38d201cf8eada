"""Do padded zeros take part in the arithmetic?"""

import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Pad on the way into a convolution or an average."""
    match variant:
        case "infinite_weight":
            x = torch.tensor([[[1.0, 2.0]]])
            weight = torch.full((1, 1, 3), torch.inf)
            observe("convolved", functional.conv1d(x, weight, padding=1))
        case "one_sided_average":
            # avg_pool2d pads both sides alike: pad by hand, and divide by the share of real cells.
            x = torch.arange(1.0, 26.0).reshape(1, 1, 5, 5)
            sides = (0, 1, 0, 1)
            share = functional.avg_pool2d(functional.pad(torch.ones_like(x), sides), 2)
            observe("averaged", functional.avg_pool2d(functional.pad(x, sides), 2) / share)
        case _:
            raise ValueError(variant)
