"""What does cross entropy make of the targets, weights and probabilities at the edge?"""

import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Compute one loss at the variant's edge; the logarithms of probabilities are logits."""
    logits = torch.tensor([[2.0, -1.0, 0.5], [0.1, 1.5, -0.7]])
    match variant:
        case "zero_probability":
            probabilities = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
            loss = functional.cross_entropy(probabilities.log(), torch.tensor([0, 0]))
        case "zero_probability_smoothed":
            probabilities = torch.tensor([[1.0, 0.0], [0.5, 0.5]])
            loss = functional.cross_entropy(
                probabilities.log(), torch.tensor([0, 1]), label_smoothing=0.1
            )
        case "zero_weight":
            weights = torch.tensor([0.0, 1.0, 3.0])
            loss = functional.cross_entropy(logits, torch.tensor([1, 2]), weight=weights)
        case "ignored_target":
            loss = functional.cross_entropy(logits, torch.tensor([-100, 0]))
        case _:
            raise ValueError(variant)
    observe("loss", loss)
