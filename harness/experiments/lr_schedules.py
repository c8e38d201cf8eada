"""Which learning rates does a schedule go through?"""

import torch
from torch import nn
from torch.optim import lr_scheduler

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Take the rates of ten steps."""
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.5)

    scheduler = make(variant, optimizer)

    rates = []
    for _ in range(10):
        rates.append(scheduler.get_last_lr()[0])
        optimizer.step()
        scheduler.step()
    observe("rates", torch.tensor(rates))


def make(variant: str, optimizer: torch.optim.Optimizer) -> lr_scheduler.LRScheduler:
    """Return the variant's schedule."""
    match variant:
        case "cosine":
            return lr_scheduler.CosineAnnealingLR(optimizer, 4, eta_min=0.1)
        case "linear":
            return lr_scheduler.LinearLR(optimizer, 1.0, 0.2, total_iters=4)
        case "exponential":
            return lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
        case "step":
            return lr_scheduler.StepLR(optimizer, 2, gamma=0.1)
        case "sequential":
            schedulers = [make("linear", optimizer), make("cosine", optimizer)]
            return lr_scheduler.SequentialLR(optimizer, schedulers, milestones=[3])
        case _:
            raise ValueError(variant)
