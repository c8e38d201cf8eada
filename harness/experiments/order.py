"""In which order do the largest elements come, and equal ones?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Order the elements the variant's way."""
    match variant:
        case "topk_of_all":
            observe("values", torch.tensor([1.0, 3.0, 2.0]).topk(3, 0).values)
        case "topk_of_equal":
            values, indices = torch.tensor([1.0, 2.0, 2.0, 2.0]).topk(2, 0)
            observe("values", values)
            observe("indices", indices)
        case "argsort_of_zeros":
            observe("indices", torch.tensor([0.0, -0.0, 0.0]).argsort(0))
        case "max_of_zeros":
            observe("values", torch.tensor([-0.0, 0.0]).max().reshape(1))
        case _:
            raise ValueError(variant)
