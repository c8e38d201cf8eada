"""Does binary cross entropy refuse a target that is no class?"""

import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Compute the loss of two probabilities."""
    probabilities = torch.tensor([0.5, 0.5])
    targets = torch.tensor([0.0, 1.0] if variant == "in_range" else [0.0, 2.0])

    observe("loss", functional.binary_cross_entropy(probabilities, targets))
