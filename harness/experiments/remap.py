"""Which ways of mapping a parameter leave it a leaf that requires a gradient?"""

import torch
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe, observe_ids


def run(variant: str) -> None:
    """Halve fc1.weight in place, whatever burn's variant is, then one forward and backward."""
    del variant
    x, y = a1_batch()

    model = a1_model()
    before = model.fc1.weight
    with torch.no_grad():
        model.fc1.weight.mul_(0.5)

    weight = model.fc1.weight
    observe_ids("identity", [before, weight])
    observe("is_leaf", weight.is_leaf)
    observe("requires_grad", weight.requires_grad)
    observe("fc1.weight", weight)
    functional.cross_entropy(model(x), y).backward()
    observe("gradients_len", sum(p.grad is not None for p in model.parameters()))
