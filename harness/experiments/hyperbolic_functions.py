"""Which values do the hyperbolic functions give?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Compute one function on the eighths from −4 to 4, moved into its domain."""
    x = (torch.arange(65, dtype=torch.float32) - 32) / 8

    match variant:
        case "sinh":
            out = x.sinh()
        case "cosh":
            out = x.cosh()
        case "tanh":
            out = x.tanh()
        case "asinh":
            out = x.asinh()
        case "acosh":
            out = (x + 5).acosh()
        case "atanh":
            out = (x / 5).atanh()
        case _:
            raise ValueError(variant)
    observe("out", out)
