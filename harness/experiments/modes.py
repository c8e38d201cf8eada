"""Which way of stopping training stops what?"""

import contextlib

import torch
from torch import Tensor, nn
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe


class Body(nn.Module):
    """The layers that are acted on: 4 → 8, batch normalization, dropout."""

    def __init__(self, fc: nn.Linear) -> None:
        """Take the Linear, whose weights are literal."""
        super().__init__()
        self.fc = fc
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(0.5)

    def forward(self, x: Tensor) -> Tensor:
        """Map `[batch, 4]` to features `[batch, 8]`."""
        features: Tensor = self.drop(self.norm(self.fc(x)))
        return features


def run(variant: str) -> None:
    """Act on the body the variant's way, then train one step under a head that always trains."""
    x, y = a1_batch()

    a1 = a1_model()
    body, head = Body(a1.fc1), a1.fc2
    optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)

    scope: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
    match variant:
        case "no_grad" | "set_require_grad":
            body.requires_grad_(requires_grad=False)
        case "freeze" | "freeze_group":
            body.requires_grad_(requires_grad=False).eval()
        case "unfreeze":
            body.requires_grad_(requires_grad=False).eval()
            body.requires_grad_(requires_grad=True).train()
        case "valid":
            body.eval()
        case "valid_train":
            body.eval()
            body.train()
        case "no_grad_scope":
            scope = torch.no_grad()
        case "plain":
            pass
        case _:
            raise ValueError(variant)
    observe("requires_grad", body.fc.weight.requires_grad)
    mean = body.norm.get_buffer("running_mean")
    observe("running_mean_requires_grad", mean.requires_grad)

    before = body.fc.weight.detach().clone()
    with scope:
        features = body(x)
        zeros = (body.drop(torch.ones(64, 64)) == 0).float().mean().item()
    observe("dropout_active", 0.4 < zeros < 0.6)
    observe("running_stats_written", bool(mean.any()))
    functional.cross_entropy(head(features), y).backward()
    optimizer.step()
    observe("moved", not torch.equal(body.fc.weight, before))
