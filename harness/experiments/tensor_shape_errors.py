"""What is said when shapes do not fit?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Compute with the variant's shapes, which no operation can take."""
    of = torch.ones

    match variant:
        case "add":
            observe("out", of(2, 2) + of(2, 3))
        case "matmul":
            observe("out", of(2, 3) @ of(2, 3))
        case "reshape":
            observe("out", of(2, 3).reshape(4, 2))
        case "cat":
            observe("out", torch.cat([of(1, 2), of(1, 3)], 0))
        case "into_scalar":
            observe("value", of(1, 2).item())
        case _:
            raise ValueError(variant)
