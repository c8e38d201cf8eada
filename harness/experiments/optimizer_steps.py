"""Which losses does an optimizer give when every setting is stated?"""

import torch
from torch.nn import functional

from harness.experiments.support import Mlp, a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Train A1 by four steps."""
    x, y = a1_batch()

    model = a1_model()
    optimizer = make(variant, model)

    losses = []
    for _ in range(4):
        loss = functional.cross_entropy(model(x), y)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    observe("losses", torch.tensor(losses))


def make(variant: str, model: Mlp) -> torch.optim.Optimizer:
    """Return the variant's optimizer; Muon takes matrices alone."""
    parameters = list(model.parameters())
    match variant:
        case "sgd":
            return torch.optim.SGD(parameters, lr=0.01)
        case "momentum" | "nesterov":
            return torch.optim.SGD(
                parameters, lr=0.01, momentum=0.9, nesterov=variant == "nesterov"
            )
        case "adam":
            return torch.optim.Adam(parameters, lr=0.01, eps=1e-8)
        case "adamw" | "adamw_decay":
            decay = 0.01 if variant == "adamw" else 0.5
            return torch.optim.AdamW(parameters, lr=0.01, eps=1e-8, weight_decay=decay)
        case "rmsprop":
            return torch.optim.RMSprop(parameters, lr=0.01, momentum=0.0, eps=1e-8)
        case "adagrad":
            return torch.optim.Adagrad(parameters, lr=0.01, eps=1e-10)
        case "muon":
            matrices = [model.fc1.weight, model.fc2.weight]
            return torch.optim.Muon(matrices, lr=0.01, weight_decay=0.0)
        case _:
            raise ValueError(variant)
