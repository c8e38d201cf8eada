"""What is the reduction of nothing?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Reduce an empty axis, or over no axes, the variant's way."""
    rows = torch.zeros(2, 0)

    match variant:
        case "sum":
            observe("out", rows.sum(1, keepdim=True))
        case "prod":
            observe("out", rows.prod(1, keepdim=True))
        case "mean_dim":
            observe("out", rows.mean(1, keepdim=True))
        case "mean":
            observe("value", rows.mean())
        case "max":
            observe("out", rows.max(1, keepdim=True).values)
        case "argmax":
            observe("indices", rows.argmax(1, keepdim=True))
        case "max_abs_over_no_axes":
            observe("out", torch.tensor([[-3.0, 2.0]]).abs().amax((), keepdim=True))
        case _:
            raise ValueError(variant)
