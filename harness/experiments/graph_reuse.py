"""What happens when a second backward meets what the first one has used?"""

import torch
from torch import Tensor
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Go backward more than once, through graphs that share what the variant says."""
    {
        "same_loss": same_loss,
        "hidden_kept": hidden_kept,
        "hidden_state": hidden_state,
        "shared_leaf": shared_leaf,
    }[variant]()


def same_loss() -> None:
    """One loss, twice."""
    x = leaf([1.0, 2.0])
    loss = (x * x).sum()

    observe_gradient("first", loss, x)
    observe_gradient("second", loss, x)


def hidden_kept() -> None:
    """Two losses of one intermediate result."""
    w = leaf([2.0, 3.0])
    hidden = w * 2.0
    first = hidden.sum()
    second = (hidden * hidden).sum()

    observe_gradient("first", first, w)
    observe_gradient("second", second, w)


def hidden_state() -> None:
    """Carry a state from step to step of a training and never detach it."""
    x, y = a1_batch()
    model = a1_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    state = torch.zeros(6, 3)
    losses = []
    for _ in range(3):
        state = model(x) + state * 0.5
        loss = functional.cross_entropy(state, y)
        losses.append(loss.item())
        observe("losses", torch.tensor(losses))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def shared_leaf() -> None:
    """Two losses that share a leaf alone."""
    w = leaf([2.0, 3.0])
    u = leaf([1.0, 1.0])
    first = (w * 2.0).sum()
    second = (w * u).sum()

    first.backward()
    observe_gradient("second", second, u)


def leaf(values: list[float]) -> Tensor:
    """Return a tensor that requires a gradient."""
    return torch.tensor(values, requires_grad=True)


def observe_gradient(name: str, loss: Tensor, leaf: Tensor) -> None:
    """Go backward from the loss and observe the leaf's gradient of this backward alone."""
    (gradient,) = torch.autograd.grad(loss, leaf, allow_unused=True)
    observe(f"{name}.has_gradient", gradient is not None)
    if gradient is not None:
        observe(f"{name}.gradient", gradient)
