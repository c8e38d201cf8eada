"""Has a copy of batch normalization running statistics of its own?"""

import copy

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Give one batch to a copy, and look at the original."""
    del variant
    x = torch.tensor([[1.0, 2.0], [2.0, 4.0]])

    norm = nn.BatchNorm1d(2)
    copied = copy.deepcopy(norm)
    copied(x)

    observe("running_mean.copy", copied.get_buffer("running_mean"))
    observe("running_mean.original", norm.get_buffer("running_mean"))
