"""What happens when a gradient is asked for where nothing was recorded?"""

import torch
from torch import Tensor

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Ask the variant's tensor for a gradient; one made in inference mode is never recorded."""
    match variant:
        case "require_grad_plain":
            with torch.inference_mode():
                x = torch.ones(2)
            x.requires_grad_()
            observe("requires_grad", x.requires_grad)
        case "backward_plain":
            with torch.inference_mode():
                x = torch.ones(2)
            observe_gradient(x, x.sum())
        case "backward_untracked":
            x = torch.ones(2)
            observe_gradient(x, x.sum())
        case "power_zero":
            x = torch.tensor([0.0, 2.0], requires_grad=True)
            observe_gradient(x, (x**0).sum())
        case _:
            raise ValueError(variant)


def observe_gradient(x: Tensor, loss: Tensor) -> None:
    """Go backward from the loss and observe what x gets."""
    loss.backward()
    observe("has_gradient", x.grad is not None)
    if x.grad is not None:
        observe("gradient", x.grad)
