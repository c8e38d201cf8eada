"""Does a seed draw the same numbers as in other versions?"""

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Draw by seed."""
    torch.manual_seed(2)
    match variant:
        case "normal":
            observe("drawn", torch.randn(4))
        case "dropout":
            observe("drawn", nn.Dropout(0.5)(torch.ones(16)))
        case "linear":
            observe("drawn", nn.Linear(3, 2)(torch.ones(1, 3)))
        case "gru":
            observe("drawn", nn.GRU(2, 2, batch_first=True)(torch.ones(1, 2, 2))[0])
        case "orthogonal":
            matrix = nn.init.orthogonal_(torch.empty(3, 3))
            observe("orthogonal", matrix)
            observe("product", matrix @ matrix.T)
        case _:
            raise ValueError(variant)
