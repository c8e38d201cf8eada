"""Does a distribution that was expanded still know its entropy and its probabilities?"""

import torch
from torch import distributions

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Expand a distribution from no batch to a batch of three, then ask both."""
    weights = torch.tensor([0.2, 0.3, 0.5])
    plain, value = {
        "multinomial": (distributions.Multinomial(4, weights), torch.tensor([1.0, 1.0, 2.0])),
        "categorical": (distributions.Categorical(weights), torch.tensor(2)),
        "dirichlet": (distributions.Dirichlet(weights), weights),
        "normal": (distributions.Normal(0.5, 2.0), torch.tensor(1.0)),
    }[variant]
    observe("entropy", plain.entropy())

    expanded = plain.expand((3,))
    observe("log_prob.expanded", expanded.log_prob(value))
    observe("entropy.expanded", expanded.entropy())
