"""What does a wrong shape raise?"""

import torch
from torch.nn import functional

from harness.experiments.support import a1_model, observe


def run(variant: str) -> None:
    """Hand over one tensor of a wrong shape."""
    match variant:
        case "linear_width":
            observe("out", a1_model()(torch.ones(2, 5)))
        case "cross_entropy_rows":
            loss = functional.cross_entropy(torch.ones(3, 2), torch.tensor([0, 1]))
            observe("loss", loss)
        case _:
            raise ValueError(variant)
