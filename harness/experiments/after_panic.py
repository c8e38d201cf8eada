"""After a mistake was caught, does the process still compute as before?"""

from collections.abc import Callable
from threading import Thread

import torch
from torch import Tensor

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Make the variant's mistake, then do the same thing rightly."""
    x = leaf()
    match variant:
        case "random":
            observe("raised", raises(lambda: torch.empty(2).uniform_(1.0, 0.0)))
            observe("drawn", len(torch.rand(2)))
        case "untracked":
            observe("raised", raises(torch.ones(2).sum().backward))
            observe_gradient(x)
        case "consumed":
            observe("raised", consumed(x))
            observe_gradient(x)
        case "consumed_often":
            observe("raised", all(consumed(x) for _ in range(200)))
            observe_gradient(x)
        case "other_thread":
            observe("raised", consumed(x))
            thread = Thread(target=observe_gradient, args=(leaf(),))
            thread.start()
            thread.join()
        case _:
            raise ValueError(variant)


def leaf() -> Tensor:
    """Return a tensor that requires a gradient."""
    return torch.tensor([1.0, 2.0], requires_grad=True)


def consumed(x: Tensor) -> bool:
    """Go backward twice from one loss; did the second one raise?"""
    loss = (x * 3.0).sum()
    loss.backward()
    return raises(loss.backward)


def observe_gradient(x: Tensor) -> None:
    """Observe the gradient of x * x."""
    (gradient,) = torch.autograd.grad((x * x).sum(), x)
    observe("gradient", gradient)


def raises(mistake: Callable[[], object]) -> bool:
    """Does the mistake raise?"""
    try:
        mistake()
    except RuntimeError:
        return True
    return False
