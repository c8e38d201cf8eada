"""After a weight is scaled by hand, does the parameter still train?"""

import torch
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Halve fc1.weight, or a clone of it, in place, then train five SGD steps."""
    x, y = a1_batch()

    model = a1_model()
    with torch.no_grad():
        (model.fc1.weight.clone() if variant == "clone" else model.fc1.weight).mul_(0.5)
    weight = model.fc1.weight
    observe("requires_grad", weight.requires_grad)

    before = weight.detach().clone()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for step in range(5):
        loss = functional.cross_entropy(model(x), y)
        losses.append(loss.item())
        observe("losses", torch.tensor(losses))
        optimizer.zero_grad()
        loss.backward()
        if step == 0:
            observe("gradients_len", sum(p.grad is not None for p in model.parameters()))
        optimizer.step()

    moved = (weight.detach() - before).abs().max()
    observe("moved", bool(moved > 0))
    observe("max_abs_change", moved)
    for name, parameter in model.named_parameters():
        observe(name, parameter)
