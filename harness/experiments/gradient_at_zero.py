"""What is a gradient at a point where its formula divides by zero?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Compute the variant's operation at such a point; observe the gradient of one argument."""
    base = torch.tensor([0.0, -2.0, 2.0, 0.0], requires_grad=True)
    exponent = torch.tensor([2.0, 2.0, 3.0, 0.0], requires_grad=True)

    match variant:
        case "atan2":
            x = torch.tensor([0.0, 1.0], requires_grad=True)
            out = x.atan2(torch.tensor([0.0, 2.0]))
        case "atan2_left_out":
            x = torch.tensor([1.0, 0.0, 2.0, 3.0], requires_grad=True)
            angles = torch.tensor([2.0, 0.0, 0.0, 0.0]).atan2(x)
            out = angles[[0, 2, 3]] / 3.0
        case "pow_base":
            x, out = base, base.pow(exponent)
        case "pow_exponent":
            x, out = exponent, base.pow(exponent)
        case _:
            raise ValueError(variant)
    (gradient,) = torch.autograd.grad(out.sum(), x)

    observe("gradient", gradient)
