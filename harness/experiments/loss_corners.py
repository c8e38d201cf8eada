"""What does a loss give at the edge of its domain?"""

import torch
from torch import Tensor
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Compute one loss, and its gradient by the input that stands at the edge."""
    if variant == "kl_default_reduction":
        kl_reductions()
        return
    leaf, loss = at_edge(variant)
    observe("loss", loss)
    loss.sum().backward()
    assert leaf.grad is not None
    observe("gradient", leaf.grad)


def at_edge(variant: str) -> tuple[Tensor, Tensor]:
    """Return the input that stands at the edge, and the loss without a reduction."""
    match variant:
        case "kl_target_above_one":
            leaf = torch.tensor([-1.0, 0.0], requires_grad=True)
            loss = functional.kl_div(leaf, torch.tensor([2.0, 3.0]), reduction="none")
        case "gaussian_small_variance":
            leaf = torch.tensor([1e-9, 0.5], requires_grad=True)
            mean, target = torch.tensor([1.0, 1.0]), torch.tensor([1.001, 2.0])
            loss = functional.gaussian_nll_loss(mean, target, leaf, reduction="none")
        case "soft_margin_large_score":
            leaf = torch.tensor([100.0, -100.0, 1.0], requires_grad=True)
            target = torch.tensor([-1.0, -1.0, 1.0])
            loss = functional.soft_margin_loss(leaf, target, reduction="none")
        case "smooth_l1_beta_zero":
            leaf = torch.tensor([7.5, -2.0], requires_grad=True)
            target = torch.tensor([1.0, -2.5])
            loss = functional.smooth_l1_loss(leaf, target, reduction="none", beta=0.0)
        case _:
            raise ValueError(variant)
    return leaf, loss


def kl_reductions() -> None:
    """Reduce one KL divergence in each way."""
    value = torch.tensor([[-1.0, -0.5], [-2.0, -0.2]])
    target = torch.tensor([[0.4, 0.6], [0.1, 0.9]])
    observe("reduced.default", functional.kl_div(value, target))
    observe("reduced.mean", functional.kl_div(value, target, reduction="mean"))
    observe("reduced.batch_mean", functional.kl_div(value, target, reduction="batchmean"))
