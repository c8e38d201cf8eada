"""Are the decompositions that torch.linalg replaced still there?"""

from typing import Any

import torch

from harness.experiments.support import observe, observe_warnings


def run(variant: str) -> None:
    """Decompose a symmetric matrix by the old function, the old method, or the new function."""
    matrix = torch.tensor([[4.0, 2.0, 0.0], [2.0, 5.0, 2.0], [0.0, 2.0, 5.0]])

    old: Any = torch  # whose annotations no longer have these
    with observe_warnings():
        match variant:
            case "cholesky":
                out = old.cholesky(matrix)
            case "cholesky_method":
                out = matrix.cholesky()
            case "cholesky_linalg":
                out = torch.linalg.cholesky(matrix)
            case "qr":
                out = old.qr(matrix).R
            case "qr_method":
                out = matrix.qr()[1]
            case "qr_linalg":
                out = torch.linalg.qr(matrix).R
            case _:
                raise ValueError(variant)
    observe("out", out)
