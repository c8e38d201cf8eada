"""Does a distribution draw its samples from a generator of one's own?"""

from typing import Any

import torch
from torch import distributions

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Draw twice from generators of one seed, and once from none."""
    one = torch.tensor(1.0)
    distribution: Any = {
        "gamma": distributions.Gamma(one, one),
        "normal": distributions.Normal(one, one),
        "bernoulli": distributions.Bernoulli(one / 2),
    }[variant]

    first, second = (
        distribution.sample((2,), generator=torch.Generator().manual_seed(1)) for _ in range(2)
    )

    observe("same_from_one_seed", torch.equal(first, second))
    observe("shape", str(list(first.shape)))
