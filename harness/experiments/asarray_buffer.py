"""As which numbers does asarray read raw bytes?"""

import array

import numpy as np
import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Make a tensor of the four bytes "abcd", held the variant's way."""
    held = {
        "bytearray": bytearray(b"abcd"),
        "memoryview": memoryview(bytearray(b"abcd")),
        "array": array.array("B", b"abcd"),
        "numpy": np.array([97, 98, 99, 100], dtype=np.uint8),
        "numbers": [97, 98, 99, 100],
    }

    out = torch.asarray(held[variant])

    observe("dtype", str(out.dtype).removeprefix("torch."))
    observe("values", out.double())
