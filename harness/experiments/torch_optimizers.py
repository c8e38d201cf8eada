"""Where do five steps of an optimizer lead, also in its fused and its foreach form?"""

from typing import Any

import torch
from torch import optim
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe

MAKERS = {
    "adadelta": lambda it: optim.Adadelta(it, lr=1.0),
    "adafactor": lambda it: optim.Adafactor(it, lr=0.01),
    "adamax": lambda it: optim.Adamax(it, lr=0.01),
    "asgd": lambda it: optim.ASGD(it, lr=0.1),
    "nadam": lambda it: optim.NAdam(it, lr=0.01),
    "radam": lambda it: optim.RAdam(it, lr=0.01),
    "rprop": lambda it: optim.Rprop(it, lr=0.01),
    "lbfgs": lambda it: optim.LBFGS(it, lr=0.05, max_iter=1),
    "sgd_foreach": lambda it: optim.SGD(it, lr=0.1, momentum=0.9, foreach=True),
    "sgd_fused": lambda it: optim.SGD(it, lr=0.1, momentum=0.9, fused=True),
    "adam_foreach": lambda it: optim.Adam(it, lr=0.01, foreach=True),
    "adam_fused": lambda it: optim.Adam(it, lr=0.01, fused=True),
    "adamw_foreach": lambda it: optim.AdamW(it, lr=0.01, foreach=True),
    "adamw_fused": lambda it: optim.AdamW(it, lr=0.01, fused=True),
}


def run(variant: str) -> None:
    """Train A1 for five steps."""
    x, y = a1_batch()
    model = a1_model()
    optimizer: Any = MAKERS[variant](model.parameters())

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        return loss

    losses = [optimizer.step(closure).detach() for _ in range(5)]

    observe("losses", torch.stack(losses))
    for name, parameter in model.named_parameters():
        observe(name, parameter)
