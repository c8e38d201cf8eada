"""Which dropout probabilities are accepted, and what comes out?"""

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Drop out two numbers in training."""
    x = torch.tensor([1.0, 2.0])

    dropout = nn.Dropout({"zero": 0.0, "one": 1.0, "negative": -1.0}[variant])

    observe("out", dropout(x))
