"""Does Adam's momentum survive when a parameter is rebuilt between two steps?"""

import torch
from torch import nn
from torch.nn import functional

from harness.experiments.support import Mlp, a1_batch, a1_model, observe, observe_ids


def run(variant: str) -> None:
    """Take three Adam steps, halve fc1.weight the variant's way, and take a fourth."""
    model = a1_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, eps=1e-8)
    for _ in range(3):
        step(model, optimizer)

    before = model.fc1.weight
    if variant == "same":
        with torch.no_grad():
            model.fc1.weight.mul_(0.5)
    else:
        model.fc1.weight = nn.Parameter((model.fc1.weight * 0.5).detach())
    if variant == "rebuilt_registered":
        optimizer.param_groups[0]["params"] = list(model.parameters())

    weight = model.fc1.weight
    observe_ids("identity", [before, weight])
    start = weight.detach().clone()
    step(model, optimizer)
    if weight.grad is not None:
        observe("gradient", weight.grad)
    update = weight.detach() - start
    observe("states", len(optimizer.state))
    observe("moved", bool((update != 0).any()))
    observe("update", update)
    observe("update_max_abs", update.abs().max())
    observe("update_min_abs", update.abs().min())
    observe("fc1.weight", weight)


def step(model: Mlp, optimizer: torch.optim.Optimizer) -> None:
    """Take one step on the batch A1."""
    x, y = a1_batch()
    optimizer.zero_grad()
    functional.cross_entropy(model(x), y).backward()
    optimizer.step()
