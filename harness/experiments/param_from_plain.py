"""Does a parameter made of a tensor that records nothing train?"""

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Make a layer of a plain tensor, and take one SGD step after train()."""
    x = torch.tensor([[1.0, 2.0]])

    layer = nn.Linear(2, 2, bias=False)
    layer.weight = nn.Parameter(torch.ones(2, 2))
    if variant == "train":
        layer.train()

    observe("requires_grad", layer.weight.requires_grad)
    if variant == "train":
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
        layer(x).sum().backward()
        observe("gradients_len", sum(p.grad is not None for p in layer.parameters()))
        optimizer.step()
        observe("moved", not torch.equal(layer.weight, torch.ones(2, 2)))
        observe("weight", layer.weight)
