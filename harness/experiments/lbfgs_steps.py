"""Which losses does L-BFGS evaluate in one step?"""

import torch
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Train A1 by one step of at most five iterations, without a line search."""
    del variant
    x, y = a1_batch()

    model = a1_model()
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=5)

    losses = []

    def closure() -> float:
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        losses.append(loss.item())
        loss.backward()
        return losses[-1]

    returned = optimizer.step(closure)

    observe("evaluations", len(losses))
    observe("losses", torch.tensor(losses[:5]))
    observe("returned", torch.tensor(returned))
    observe("fc2.bias", model.fc2.bias)
