"""Does a sequential schedule keep its rates inside another one?"""

import torch
from torch import nn
from torch.optim.lr_scheduler import ConstantLR, SequentialLR

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Follow two constant rates for four steps, by one SequentialLR or by one inside another."""
    optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1)
    first = ConstantLR(optimizer, factor=0.5, total_iters=2)
    second = ConstantLR(optimizer, factor=0.2, total_iters=10)
    scheduler = SequentialLR(optimizer, [first, second], milestones=[2])
    if variant == "nested":
        scheduler = SequentialLR(optimizer, [scheduler], milestones=[])

    rates = []
    for _ in range(4):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    observe("rates", torch.tensor(rates, dtype=torch.float64))
