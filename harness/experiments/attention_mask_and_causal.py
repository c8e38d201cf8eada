"""What does scaled dot product attention do with a mask, with causality, and with both?"""

import torch
from torch.nn import functional

from harness.experiments.support import literal, observe


def run(variant: str) -> None:
    """Attend from three queries to three keys in two heads, restricted the variant's way."""
    query, key, value = (literal(1, 2, 3, 4, step=step) for step in (7, 5, 3))
    attended = torch.tensor([[True, False, True], [True, True, False], [False, True, True]])
    bias = literal(3, 3)

    attention = functional.scaled_dot_product_attention
    match variant:
        case "plain":
            out = attention(query, key, value)
        case "causal":
            out = attention(query, key, value, is_causal=True)
        case "boolean_mask":
            out = attention(query, key, value, attn_mask=attended)
        case "float_mask":
            out = attention(query, key, value, attn_mask=bias)
        case "mask_and_causal":
            out = attention(query, key, value, attn_mask=attended, is_causal=True)
        case "grouped":
            query = literal(1, 4, 3, 4)
            out = attention(query, key, value, enable_gqa=True)
        case "grouped_unevenly":
            query = literal(1, 3, 3, 4)
            out = attention(query, key, value, enable_gqa=True)
        case _:
            raise ValueError(variant)
    observe("out", out)
