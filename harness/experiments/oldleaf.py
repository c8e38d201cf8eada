"""When a weight becomes its old self times one half, which of the two gets the gradient?"""

from torch.func import functional_call
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Compute with half of fc1.weight, and keep the history of the product."""
    x, y = a1_batch()

    model = a1_model()
    old = model.fc1.weight
    new = old * 0.5
    match variant:
        case "functional":
            logits = functional_call(model, {"fc1.weight": new}, (x,))
        case "assigned":
            del model.fc1.weight
            model.fc1.weight = new  # a plain tensor, which torch takes once the parameter is gone
            logits = model(x)
        case _:
            raise ValueError(variant)
    functional.cross_entropy(logits, y).backward()

    observe("old.has_gradient", old.grad is not None)
    if old.grad is not None:
        observe("old.gradient", old.grad)
    observe("new.has_gradient", new.grad is not None)
    observe("gradients_len", sum(p.grad is not None for p in model.parameters()))
