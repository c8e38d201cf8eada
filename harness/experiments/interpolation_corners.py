"""Are the corners aligned when an image is resized?"""

import torch
from torch.nn import functional

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Resize an image of 4 × 4 to 6 × 6."""
    image = (torch.arange(16.0) * 7 % 17 - 8).reshape(1, 1, 4, 4)

    mode = "bicubic" if variant.startswith("cubic") else "bilinear"
    match variant.partition("_")[2]:
        case "default":
            out = functional.interpolate(image, size=(6, 6), mode=mode)
        case aligned:
            out = functional.interpolate(
                image, size=(6, 6), mode=mode, align_corners=aligned == "aligned"
            )

    observe("out", out.reshape(6, 6))
