"""Which settings does an optimizer have where none is stated?"""

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Take a few steps with the settings that the optimizer has by itself."""
    x = torch.tensor([[1.0, -2.0, 0.5]])
    target = torch.tensor([[0.7, -1.1]])

    model = nn.Linear(3, 2)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[0.5, -0.3, 0.2], [0.8, -0.6, 0.1]]))
        model.bias.copy_(torch.tensor([0.1, -0.2]))
    steps, scale = (3, 1e-6) if variant == "adam_tiny_gradient" else (5, 1.0)
    optimizer = make(variant, model)

    for _ in range(steps):
        loss = (model(x) - target).square().sum() * scale
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    observe("weight", model.weight)
    observe("bias", model.bias)


def make(variant: str, model: nn.Linear) -> torch.optim.Optimizer:
    """Return the variant's optimizer."""
    parameters = model.parameters()
    match variant:
        case "sgd_momentum":
            return torch.optim.SGD(parameters, lr=0.05, momentum=0.9)
        case "adam" | "adam_tiny_gradient":
            return torch.optim.Adam(parameters, lr=0.05)
        case "adamw":
            return torch.optim.AdamW(parameters, lr=0.05)
        case "rmsprop":
            return torch.optim.RMSprop(parameters, lr=0.01)
        case _:
            raise ValueError(variant)
