"""Which rank and solution does least squares give by each of its drivers?"""

import torch

from harness.experiments.support import literal, observe


def run(variant: str) -> None:
    """Solve twelve equations of full rank, or in one batch three of rank 3 and three of rank 2."""
    matrix = torch.eye(12, 5) * 4 + literal(12, 5)
    right = literal(12, 2, step=5)
    driver = variant.removesuffix("_batch")
    if variant.endswith("_batch"):
        matrix = torch.stack([torch.eye(3), torch.ones(3, 3).triu(1).tril(1)])
        right = torch.ones(2, 3, 1)

    out = torch.linalg.lstsq(matrix, right, driver=driver)

    observe("rank", out.rank)
    observe("solution", out.solution)
