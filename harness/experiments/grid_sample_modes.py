"""Which modes of grid_sample work on images, and which on volumes?"""

from torch.nn import functional

from harness.experiments.support import literal, observe


def run(variant: str) -> None:
    """Sample a literal image or volume at literal places."""
    kind, mode = variant.split("_")
    if kind == "image":
        image, grid = literal(1, 1, 4, 4), literal(1, 2, 3, 2, step=5)
    else:
        image, grid = literal(1, 1, 4, 4, 4), literal(1, 2, 2, 2, 3, step=5)

    observe("out", functional.grid_sample(image, grid, mode=mode, align_corners=False))
