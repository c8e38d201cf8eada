"""Which operations let a NaN through?"""

import math

import torch
from torch.nn import functional

from harness.experiments.support import observe

NAN = math.nan


def run(variant: str) -> None:
    """Compute the variant's operation, or its gradient, where one element is NaN."""
    x = torch.tensor([NAN, -2.0, 0.0, 5.0])

    match variant:
        case "relu":
            out = functional.relu(x)
        case "clamp":
            out = x.clamp(0.0, 1.0)
        case "clamp_min":
            out = x.clamp_min(0.0)
        case "clamp_max":
            out = x.clamp_max(1.0)
        case "sign":
            out = x.sign()
        case "relu_gradient":
            x.requires_grad_()
            (out,) = torch.autograd.grad(functional.relu(x).sum(), x)
        case "sign_gradient":
            x = torch.tensor([-0.5], requires_grad=True)
            (out,) = torch.autograd.grad(x.log().abs().sum(), x)
        case "max_pool":
            image = torch.tensor([[[[1.0, NAN], [5.0, 6.0]]]])
            out = functional.max_pool2d(image, 2).reshape(1)
        case "median":
            out = torch.tensor([4.0, NAN, 3.0]).median(0, keepdim=True).values
        case "median_even":
            out = torch.tensor([1.0, NAN, 3.0, 4.0]).median(0, keepdim=True).values
        case _:
            raise ValueError(variant)

    observe("out", out)
