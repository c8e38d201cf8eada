"""After one weight was changed, which parameters still require a gradient?"""

import torch
from torch import nn
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe, observe_ids


def run(variant: str) -> None:
    """Halve fc1.weight the variant's way, then go through all parameters."""
    x, y = a1_batch()

    model = a1_model()
    before = list(model.parameters())
    match variant:
        case "detach":
            with torch.no_grad():
                model.fc1.weight.mul_(0.5)
        case "from_tensor":
            model.fc1.weight = nn.Parameter((model.fc1.weight * 0.5).detach())
        case "from_tensor_non_leaf":
            model.fc1.weight = nn.Parameter(model.fc1.weight * 0.5)
        case _:
            raise ValueError(variant)

    observe("names", ", ".join(name for name, _ in model.named_parameters()))
    for name, parameter in model.named_parameters():
        observe(f"requires_grad.{name}", parameter.requires_grad)
    observe_ids("identity", [*before, *model.parameters()])
    functional.cross_entropy(model(x), y).backward()
    observe("gradients_len", sum(p.grad is not None for p in model.parameters()))
