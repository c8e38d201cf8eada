"""What does a loss give for a few plain numbers?"""

import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Compute the mean of one loss, and its gradient by the input."""
    x = torch.tensor([[0.3, -1.2, 2.5], [1.1, 0.4, -0.6]], requires_grad=True)
    target = torch.tensor([[1.0, -1.0, 0.5], [-1.0, 2.0, 0.0]])
    count = torch.tensor([[1.0, 0.0, 3.0], [2.0, 5.0, 1.0]])
    sign = torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
    classes = torch.tensor([2, 0])

    match variant:
        case "huber":
            loss = functional.huber_loss(x, target, delta=1.0)
        case "smooth_l1":
            loss = functional.smooth_l1_loss(x, target, beta=0.5)
        case "poisson":
            loss = functional.poisson_nll_loss(x, count)
        case "margin_ranking":
            loss = functional.margin_ranking_loss(x, target, sign, margin=0.5)
        case "hinge_embedding":
            loss = functional.hinge_embedding_loss(x, sign)
        case "soft_margin":
            loss = functional.soft_margin_loss(x, sign)
        case "multi_margin":
            loss = functional.multi_margin_loss(x, classes)
        case _:
            raise ValueError(variant)

    observe("loss", loss)
    loss.backward()
    assert x.grad is not None
    observe("gradient", x.grad)
