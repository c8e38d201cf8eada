"""What remains of a division that does not come out even?"""

import math

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Take the variant's remainder: fmod has the dividend's sign, remainder the divisor's."""
    of = torch.tensor

    match variant:
        case "fmod":
            observe("out", of([5.3, -5.3, 1.0]).fmod(of([2.0, 2.0, math.inf])))
        case "fmod_small_divisor":
            observe("out", of([5.3, -5.3, 1e20]).fmod(0.1))
        case "fmod_large_quotient":
            observe("out", of([1e10, -5.0]).fmod(of([3.0, 3.0])))
        case "fmod_by_infinity":
            observe("out", of([1.0, math.inf]).fmod(math.inf))
        case "tiny_dividend":
            observe("out", of([-1e-9]).remainder(1.0))
        case "large":
            observe("out", of([3e38]).remainder(3.2e38))
        case "infinite_divisor":
            observe("out", of([-1e-20, -1.0, 5.0]).remainder(of([1.0, math.inf, -3.0])))
        case "integers":
            observe("ints", ints(10, 20, -30).remainder(ints(7, -7, 7)))
        case "integers_broadcast":
            observe("ints", ints(10, 20, 30).remainder(ints(7)))
        case "integers_by_zero":
            observe("ints", ints(10, 20).remainder(ints(7, 0)))
        case _:
            raise ValueError(variant)


def ints(*values: int) -> torch.Tensor:
    """Return integers of 32 bits."""
    return torch.tensor(values, dtype=torch.int32)
