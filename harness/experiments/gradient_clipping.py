"""What does clipping a gradient by its norm leave of it?"""

import torch
from torch import nn

from harness.experiments.support import observe

GRADIENTS = {
    "float32": torch.tensor([3.0, 4.0]),
    "float16": torch.tensor([200.0, 200.0, 200.0, 200.0], dtype=torch.float16),
    "float16_single": torch.tensor([300.0], dtype=torch.float16),
    "nan": torch.tensor([torch.nan, 1.0]),
    "infinity": torch.tensor([torch.inf, 1.0]),
    "overflow": torch.tensor([3e20, 4e20]),
}


def run(variant: str) -> None:
    """Clip one gradient to the norm 1, or train one step with clipping."""
    if variant == "two_parameters":
        step()
        return
    gradient = GRADIENTS[variant]
    parameter = nn.Parameter(torch.zeros_like(gradient))
    parameter.grad = gradient.clone()

    nn.utils.clip_grad_norm_([parameter], max_norm=1.0)

    observe("clipped.float16" if variant.startswith("float16") else "clipped", parameter.grad)


def step() -> None:
    """Take one step, the gradients clipped to the norm 0.5."""
    x = torch.tensor([[1.0, -2.0, 0.5]])
    target = torch.tensor([[0.7, -1.1]])

    model = nn.Linear(3, 2)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[0.5, -0.3, 0.2], [0.8, -0.6, 0.1]]))
        model.bias.copy_(torch.tensor([0.1, -0.2]))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    (model(x) - target).square().sum().backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
    optimizer.step()

    observe("weight", model.weight)
    observe("bias", model.bias)
