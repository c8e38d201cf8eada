"""Does an optimizer step move the running statistics of batch normalization?"""

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Step once, with gradients from a loss or set by hand; gamma is weight, beta is bias here."""
    x = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
    scale = torch.tensor([[1.0, 2.0], [2.0, 5.0]])

    norm = nn.BatchNorm1d(2)
    mean, var = norm.get_buffer("running_mean"), norm.get_buffer("running_var")
    targets = [norm.weight, norm.bias, mean, var]
    optimizer = torch.optim.SGD(targets, lr=0.5)

    if variant != "by_hand":
        output = norm(x)
        if variant == "step":
            (output * scale).sum().backward()
    if variant != "step":
        for target in targets:
            target.grad = torch.ones(2)
    observe("gradients_len", sum(target.grad is not None for target in targets))
    before = None
    if variant != "by_hand_unread":
        before = mean.clone()
        observe("running_mean.before", before)
    optimizer.step()

    if before is not None:
        observe("running_mean_moved", not torch.equal(mean, before))
    observe("running_mean", mean)
    observe("running_var", var)
    observe("gamma", norm.weight)
    observe("beta", norm.bias)
