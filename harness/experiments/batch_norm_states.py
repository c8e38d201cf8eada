"""In which states does batch normalization use the batch, and in which its running statistics?"""

import contextlib

import torch
from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Put a batch normalization into the variant's state and give it one batch."""
    x = torch.tensor([[1.0, 2.0], [2.0, 4.0]])

    norm = nn.BatchNorm1d(2)
    scope: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
    if "unrecorded" in variant:
        scope = torch.no_grad()
    match variant:
        case "plain" | "unrecorded":
            pass
        case "no_grad":
            norm.requires_grad_(requires_grad=False)
        case "valid" | "valid_unrecorded" | "unrecorded_valid":
            norm.eval()
        case "freeze" | "freeze_group":
            norm.requires_grad_(requires_grad=False).eval()
        case "unfreeze_group":
            norm.requires_grad_(requires_grad=False).eval()
            norm.requires_grad_(requires_grad=True).train()
        case _:
            raise ValueError(variant)

    observe("requires_grad.gamma", norm.weight.requires_grad)
    observe("requires_grad.beta", norm.bias.requires_grad)
    mean, var = norm.get_buffer("running_mean"), norm.get_buffer("running_var")
    observe("requires_grad.running_mean", mean.requires_grad)
    observe("requires_grad.running_var", var.requires_grad)
    with scope:
        observe("out", norm(x))
    observe("running_mean", mean)
