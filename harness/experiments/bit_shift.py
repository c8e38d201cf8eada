"""What does a shift give at the edge of an integer's width?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Shift integers of the variant's width."""
    match variant:
        case "i32_left_by_33":
            x = torch.tensor([1, -8], dtype=torch.int32)
            observe("i32", x << 33)
        case "i64_left_by_64":
            x = torch.tensor([1, -8], dtype=torch.int64)
            observe("i64", x << 64)
        case "u8_left_by_8":
            x = torch.tensor([255, 1], dtype=torch.uint8)
            observe("i32", (x << 8).to(torch.int32))
        case "i32_right_by_1":
            x = torch.tensor([7, -8], dtype=torch.int32)
            observe("i32", x >> 1)
        case "u64_right_by_1":
            x = torch.tensor([2**64 - 1], dtype=torch.uint64)
            observe("shifted", str((x >> 1).item()))
        case _:
            raise ValueError(variant)
