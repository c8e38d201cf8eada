"""Which dtype comes out of two that meet?"""

from typing import Any

import torch
from torch import Tensor

from harness.experiments.support import observe

DTYPES = [
    torch.bool,
    torch.uint8,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
]


def run(variant: str) -> None:
    """Let every dtype meet every other, or a number, and state what comes out as a table."""
    if variant == "bfloat16_times_complex":
        out = torch.ones(2, dtype=torch.bfloat16) * 1j
        observe("bfloat16", f"1j {name(out.dtype)}")
        return
    numbers: dict[str, list[Any]] = {"numbers": [True, 1, 1.0], "complex_number": [1j]}
    others = numbers.get(variant, DTYPES)
    for left in DTYPES:
        a = torch.ones(2, dtype=left)
        cells = [f"{name(it)} {name(met(variant, a, it))}" for it in others]
        observe(name(left), ", ".join(cells))


def met(variant: str, a: Tensor, other: Any) -> torch.dtype:
    """Return the dtype of a vector's product or quotient with another dtype or a number."""
    match variant:
        case "product":
            out = a * torch.ones(2, dtype=other)
        case "zero_dimensional":
            out = a * torch.ones((), dtype=other)
        case "quotient":
            out = a / torch.ones(2, dtype=other)
        case "numbers":
            out = a * other
        case "complex_number":
            return torch.result_type(a, other)
        case _:
            raise ValueError(variant)
    return out.dtype


def name(dtype: object) -> str:
    """Return a dtype's own name, or a number's type."""
    return str(dtype).removeprefix("torch.") if isinstance(dtype, torch.dtype) else repr(dtype)
