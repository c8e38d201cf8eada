"""How much attention does a masked key get?"""

import torch
from torch import nn
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Mask a key or a whole row of keys, and look at what comes out."""
    if variant == "function_all_masked":
        function()
        return
    x = torch.tensor([[[0.01, 0.02, 0.03, 0.04], [0.0, 0.01, 0.0, 0.01]]], requires_grad=True)
    mask = torch.tensor([[variant == "all_masked", True]])

    attention = nn.MultiheadAttention(4, 1, batch_first=True)
    for parameter in attention.parameters():
        nn.init.ones_(parameter)
    context, weights = attention(x, x, x, key_padding_mask=mask)

    observe("weights", weights)
    observe("out", context)
    context.sum().backward()
    assert x.grad is not None
    observe("gradient_is_finite", bool(x.grad.isfinite().all()))


def function() -> None:
    """Attend without a layer, the first query's keys all masked; True attends, unlike in burn."""
    x = torch.tensor([[[0.5, -1.0, 0.2, 0.0], [0.3, 0.1, -0.4, 1.0], [-0.6, 0.9, 0.7, -0.2]]])
    query = x.clone().requires_grad_()
    mask = torch.tensor([[True, True, True], [False, True, True], [False, False, True]])

    out = functional.scaled_dot_product_attention(query, x, x, attn_mask=~mask)

    observe("out", out)
    out.sum().backward()
    assert query.grad is not None
    observe("gradient_is_finite", bool(query.grad.isfinite().all()))
