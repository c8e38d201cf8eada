"""Does a tensor of float64 stay one?"""

import numpy as np
import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Put a tensor of float64 through the variant's operation."""
    x = torch.tensor([180.0, 2.0], dtype=torch.float64)

    match variant:
        case "empty_slice":
            observe("out", x[1:1])
        case "pad":
            observe("out", functional.pad(x.reshape(1, 2), (1, 1, 0, 0)))
        case "deg2rad":
            observe("out", x.deg2rad())
        case "sum":
            observe("out", x.sum(0, keepdim=True))
        case "from_data":
            observe("out", torch.from_numpy(np.array([0.1, 2.0])))
        case "added_to_float32":
            observe("out", x + torch.ones(2))
        case "mean_of_integers":
            observe("out", torch.tensor([-1, -2, -2]).mean(0, keepdim=True))
        case _:
            raise ValueError(variant)
