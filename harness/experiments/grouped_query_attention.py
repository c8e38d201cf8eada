"""Do several query heads share one key and value head?"""

import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Attend with four query heads to two key and value heads."""
    query = ((torch.arange(16.0) * 3 % 7 - 3) / 3).reshape(1, 4, 1, 4)
    key = ((torch.arange(16.0) * 5 % 11 - 5) / 5).reshape(1, 2, 2, 4)
    value = ((torch.arange(16.0) * 7 % 13 - 6) / 6).reshape(1, 2, 2, 4)
    query.requires_grad_(variant == "autodiff")

    out = functional.scaled_dot_product_attention(query, key, value, enable_gqa=True)

    observe("out", out)
