"""Which warnings does a user see, and which do Python's filters hide?"""

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from harness.experiments.support import literal, observe_warnings


class Square(nn.Module):
    """The sum of squares."""

    def forward(self, x: Tensor) -> Tensor:
        """Map any shape to one number."""
        return x.square().sum()


def run(variant: str) -> None:
    """Do what is warned of, once under Python's own filters and once without any."""
    with observe_warnings("shown", hidden=False):
        act(variant)
    with observe_warnings("warned"):
        act(variant)


def act(variant: str) -> None:
    """Use what the variant names."""
    x = literal(3).requires_grad_()
    match variant:
        case "script":
            torch.jit.script(Square())
        case "script_in_hessian":
            torch.func.hessian(scripted)(x)
        case "trace":
            torch.jit.trace(Square(), x)
        case "checkpoint":
            checkpoint(torch.sin, x).sum().backward()
        case "checkpoint_told":
            checkpoint(torch.sin, x, use_reentrant=False).sum().backward()
        case _:
            raise ValueError(variant)


def scripted(x: Tensor) -> Tensor:
    """Script the module only where it is used."""
    out: Tensor = torch.jit.script(Square())(x)
    return out
