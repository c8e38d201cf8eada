"""Does a frozen layer get no gradient, stay as it was, and stay frozen?"""

import torch
from torch.nn import functional

from harness.experiments.support import Mlp, a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Freeze fc1 the variant's way, take one SGD step, then change modes and back."""
    x, y = a1_batch()

    model = a1_model()
    loss = functional.cross_entropy(model(x), y)
    freeze(model, variant)
    for name, parameter in model.named_parameters():
        observe(f"requires_grad.{name}", parameter.requires_grad)

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if variant != "after_forward":
        loss = functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    for name, parameter in model.named_parameters():
        observe(f"has_gradient.{name}", parameter.grad is not None)
        if parameter.grad is not None:
            observe(f"gradient.{name}", parameter.grad)
    observe("gradients_len", sum(p.grad is not None for p in model.parameters()))

    before = model.fc1.weight.clone()
    optimizer.step()
    observe("fc1_unchanged", torch.equal(model.fc1.weight, before))

    model.eval()
    model.train()
    for name, parameter in model.named_parameters():
        observe(f"requires_grad_again.{name}", parameter.requires_grad)
    for name, parameter in model.named_parameters():
        observe(f"params_after.{name}", parameter)


def freeze(model: Mlp, variant: str) -> None:
    """Freeze fc1 the variant's way."""
    match variant:
        case "field" | "after_forward":
            model.fc1.requires_grad_(False)
        case "layer":
            model.fc1.requires_grad_(False).eval()
        case "group":
            for name, parameter in model.named_parameters():
                if "fc1" in name:
                    parameter.requires_grad_(False)
        case "unfrozen":
            model.fc1.requires_grad_(False).eval()
            model.fc1.requires_grad_(True).train()
        case _:
            raise ValueError(variant)
