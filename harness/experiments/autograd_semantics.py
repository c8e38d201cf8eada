"""Which rules of automatic differentiation are not the same everywhere?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Ask for the gradient that the variant says."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    match variant:
        case "non_scalar":
            (x * 3.0).backward()
            of = x
        case "two_backwards":
            (x * 3.0).sum().backward()
            (x * 5.0).sum().backward()
            of = x
        case "non_leaf":
            of = x * 3.0
            of.retain_grad()
            (of * of).sum().backward()
        case "detached":
            of = (x * 3.0).detach().requires_grad_()
            (of * of).sum().backward()
            observe("reached_x", x.grad is not None)
        case _:
            raise ValueError(variant)
    if of.grad is not None:
        observe("gradient", of.grad)
