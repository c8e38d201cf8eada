"""Which rates does one of the schedulers of torch give over ten steps?"""

import torch
from torch import nn
from torch.optim import lr_scheduler as schedulers

from harness.experiments.support import observe

MAKERS = {
    "step": lambda it: schedulers.StepLR(it, step_size=3, gamma=0.5),
    "multi_step": lambda it: schedulers.MultiStepLR(it, milestones=[2, 5], gamma=0.5),
    "constant": lambda it: schedulers.ConstantLR(it, factor=0.5, total_iters=4),
    "linear": lambda it: schedulers.LinearLR(it, start_factor=0.25, total_iters=6),
    "exponential": lambda it: schedulers.ExponentialLR(it, gamma=0.9),
    "polynomial": lambda it: schedulers.PolynomialLR(it, total_iters=8, power=2.0),
    "cosine": lambda it: schedulers.CosineAnnealingLR(it, T_max=6, eta_min=0.01),
    "cosine_restarts": lambda it: schedulers.CosineAnnealingWarmRestarts(it, T_0=3, T_mult=2),
    "cyclic": lambda it: schedulers.CyclicLR(it, base_lr=0.02, max_lr=0.1, step_size_up=4),
    "one_cycle": lambda it: schedulers.OneCycleLR(it, max_lr=0.2, total_steps=12),
    "plateau": lambda it: schedulers.ReduceLROnPlateau(it, factor=0.5, patience=1),
    "lambda": lambda it: schedulers.LambdaLR(it, lambda epoch: 0.95**epoch),
    "multiplicative": lambda it: schedulers.MultiplicativeLR(it, lambda _: 0.8),
    "sequential": lambda it: schedulers.SequentialLR(
        it, [schedulers.ConstantLR(it, 0.1, 3), schedulers.ExponentialLR(it, 0.9)], milestones=[3]
    ),
    "chained": lambda it: schedulers.ChainedScheduler(
        [schedulers.ConstantLR(it, 0.1, 3), schedulers.ExponentialLR(it, 0.9)]
    ),
}


def run(variant: str) -> None:
    """Let SGD, whose momentum some schedulers turn too, take ten steps."""
    optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1, momentum=0.9)
    scheduler = MAKERS[variant](optimizer)

    rates = []
    for _ in range(10):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if isinstance(scheduler, schedulers.ReduceLROnPlateau):
            scheduler.step(1.0)  # a loss that never falls
        else:
            scheduler.step()
    observe("rates", torch.tensor(rates, dtype=torch.float64))
