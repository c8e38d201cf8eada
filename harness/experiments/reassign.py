"""When a parameter is given another value, is it still the same parameter?"""

import torch
from torch import nn

from harness.experiments.support import a1_model, observe, observe_ids


def run(variant: str) -> None:
    """Halve fc1.weight the variant's way, with an optimizer that was made before."""
    model = a1_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    before = model.fc1.weight
    match variant:
        case "in_place":
            with torch.no_grad():
                model.fc1.weight.mul_(0.5)
        case "new_parameter":
            model.fc1.weight = nn.Parameter((model.fc1.weight * 0.5).detach())
        case "non_leaf":
            model.fc1.weight = nn.Parameter(model.fc1.weight * 0.5)
        case _:
            raise ValueError(variant)

    weight = model.fc1.weight
    held = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    observe_ids("identity", [before, weight])
    observe("is_leaf", weight.is_leaf)
    observe("requires_grad", weight.requires_grad)
    observe("in_optimizer", any(parameter is weight for parameter in held))
    observe("fc1.weight", weight)
