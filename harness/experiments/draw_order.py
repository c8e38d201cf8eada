"""Does no_grad() on one layer change what a seed gives the whole model?"""

import torch
from torch.nn import functional

from harness.experiments.support import Mlp, a1_batch, observe


def run(variant: str) -> None:
    """Train a seeded model, once untouched and once treated the variant's way."""
    observe("first_loss_as_untouched", training(variant)[0] == training("untouched")[0])


def training(variant: str) -> list[float]:
    """Return the losses of three SGD steps."""
    x, y = a1_batch()

    torch.manual_seed(77)
    model = Mlp()
    if variant != "untouched":
        model.fc2.requires_grad_(requires_grad=False)

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        loss = functional.cross_entropy(model(x), y)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses
