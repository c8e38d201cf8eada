"""In which states does dropout drop?"""

import torch
from torch import Tensor, nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Put a dropout into the variant's state and give it ones of each kind."""
    drop = nn.Dropout(0.5)
    match variant:
        case "plain":
            pass
        case "no_grad":
            drop.requires_grad_(requires_grad=False)
        case "valid":
            drop.eval()
        case "freeze" | "freeze_group":
            drop.requires_grad_(requires_grad=False).eval()
        case "unfreeze_group":
            drop.requires_grad_(requires_grad=False).eval()
            drop.requires_grad_(requires_grad=True).train()
        case _:
            raise ValueError(variant)

    observe("active", active(drop, torch.ones(64, 64)))
    observe("active_requires_grad", active(drop, torch.ones(64, 64, requires_grad=True)))
    with torch.no_grad():
        observe("active_unrecorded", active(drop, torch.ones(64, 64)))


def active(drop: nn.Dropout, ones: Tensor) -> bool:
    """Is about half of the ones zeroed?"""
    zeros: float = (drop(ones) == 0).float().mean().item()
    return 0.4 < zeros < 0.6
