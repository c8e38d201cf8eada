"""Which elements does the gradient of a selection reach?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Select the variant's way, and go back from a weighted sum of the selected."""
    x = torch.tensor([[3.0, 1.0, 2.0]], requires_grad=True)

    match variant:
        case "topk":
            selected = x.topk(2, 1).values
        case "max_dim":
            selected = x.max(1, keepdim=True).values
        case "gather":
            selected = x.gather(1, torch.tensor([[2, 2, 0]]))
        case "select":
            selected = x.index_select(1, torch.tensor([1, 1, 2]))
        case "scatter":
            selected = torch.zeros(1, 3).scatter_add(1, torch.tensor([[1, 1, 2]]), x)
        case "broadcast":
            selected = x * torch.tensor([[1.0], [10.0]])
        case _:
            raise ValueError(variant)
    weights = torch.tensor([[1.0, 2.0, 4.0]])[:, : selected.shape[1]]
    (gradient,) = torch.autograd.grad((selected * weights).sum(), x)

    observe("out", selected)
    observe("gradient", gradient)
