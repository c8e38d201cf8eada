"""Which epsilon does a normalisation add, and where?"""

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Normalise three small numbers, or four about a large mean."""
    small = torch.tensor([[1e-3, 2e-3, 3e-3]])
    large = torch.tensor([[10000.0, 10001.0, 10002.0, 10003.0]])

    match variant:
        case "rms_default":
            out = nn.RMSNorm(3)(small)
        case "rms_stated":
            out = nn.RMSNorm(3, eps=1e-6)(small)
        case "layer_default":
            out = nn.LayerNorm(3)(small)
        case "layer_large_mean":
            out = nn.LayerNorm(4)(large)
        case _:
            raise ValueError(variant)

    observe("out", out)
