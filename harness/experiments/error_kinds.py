"""Which exception does an operation that is not defined raise, and what does it say?"""

import torch
from torch import Tensor, nn

from harness.experiments.support import literal, observe


def run(variant: str) -> None:
    """Apply an operation to what it is not defined for."""
    operands: dict[str, list[Tensor]] = {
        "mm_shapes": [literal(2, 3), literal(2, 3)],
        "mm_vector": [literal(3), literal(3, 2)],
        "linear_shapes": [literal(2, 5)],
        "negative_bool": [torch.tensor(True)],
        "bool_difference": [torch.tensor([True, False]), torch.tensor([False, True])],
        "int_mean": [torch.tensor([1, 2])],
    }
    given = operands[variant]
    observe("operands", ", ".join(f"{it.dtype} {list(it.shape)}" for it in given))

    match variant:
        case "mm_shapes" | "mm_vector":
            observe("product", torch.mm(*given))
        case "linear_shapes":
            observe("product", nn.Linear(4, 3)(*given))
        case "negative_bool":
            observe("negative", -given[0])
        case "bool_difference":
            observe("difference", given[0] - given[1])
        case "int_mean":
            observe("mean", given[0].mean().float())
        case _:
            raise ValueError(variant)
