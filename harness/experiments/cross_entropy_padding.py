"""Does cross entropy leave padded rows out of its mean?"""

import torch
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Compute the loss of two rows of which one or both are padding, or train with padding."""
    if variant == "training":
        train()
        return
    logits = torch.tensor([[2.0, -1.0, 0.5], [0.1, 1.5, -0.7]], requires_grad=True)
    targets = torch.tensor([0, 0] if variant == "all_padded" else [0, 2])

    smoothing = 0.1 if variant.startswith("smoothed") else 0.0
    weights = torch.tensor([0.5, 1.0, 2.0]) if variant.endswith("weighted") else None

    loss = functional.cross_entropy(
        logits, targets, weight=weights, ignore_index=0, label_smoothing=smoothing
    )
    observe("loss", loss)
    loss.backward()
    assert logits.grad is not None
    observe("gradient", logits.grad)


def train() -> None:
    """Train A1 by four SGD steps, class 2 being padding."""
    x, y = a1_batch()
    model = a1_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(4):
        loss = functional.cross_entropy(model(x), y, ignore_index=2)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    observe("losses", torch.tensor(losses))
