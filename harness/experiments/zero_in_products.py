"""What is the gradient of a product in which a factor is zero?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Multiply the factors the variant's way and go back from the product."""
    factors = [2.0, 0.0, 0.0, 4.0] if variant == "two_zeros" else [2.0, 0.0, 3.0, 4.0]
    x = torch.tensor(factors, requires_grad=True)

    match variant:
        case "prod" | "two_zeros":
            product = x.prod()
        case "prod_dim":
            product = x.prod(0)
        case "cumprod":
            product = x.cumprod(0).sum()
        case _:
            raise ValueError(variant)
    (gradient,) = torch.autograd.grad(product, x)

    observe("gradient", gradient)
