"""What does raising to an integer power give?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Raise floats or integers to the variant's power."""
    of = torch.tensor

    match variant:
        case "cube":
            observe("out", of([1.1, -2.3, 1e10]).pow(3))
        case "inverse_cube":
            observe("out", of([1.1, 3.0]).pow(-3))
        case "zeroth":
            observe("out", of([0.0, 2.0]).pow(0))
        case "integers_inverse":
            observe("ints", of([2, 1, -1]).pow(torch.tensor(-1)))
        case "integers_overflow":
            observe("ints", of([10]).pow(19))
        case _:
            raise ValueError(variant)
