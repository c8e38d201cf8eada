"""What does a head that trains on a frozen body see of it?"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from harness.experiments.support import a1_batch, a1_model, observe


class Net(nn.Module):
    """4 → 8, batch normalization, dropout, and the head 8 → 3."""

    def __init__(self, prob: float) -> None:
        """Take the Linear layers of A1, whose weights are literal."""
        super().__init__()
        a1 = a1_model()
        self.enc = a1.fc1
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(prob)
        self.head = a1.fc2

    def forward(self, x: Tensor) -> Tensor:
        """Map `[batch, 4]` to logits `[batch, 3]`."""
        features = torch.relu(self.norm(self.enc(x)))
        logits: Tensor = self.head(self.drop(features))
        return logits


def run(variant: str) -> None:
    """Freeze all but the head, and train four SGD steps."""
    match variant:
        case "batch_norm":
            observe("losses", torch.tensor(training(0.0)))
        case "dropout":
            observe("repeatable", training(0.5) == training(0.5))
        case _:
            raise ValueError(variant)


def training(prob: float) -> list[float]:
    """Return the losses of a training that starts from the same literal weights each time."""
    x, y = a1_batch()

    model = Net(prob)
    for path in ("enc", "norm", "drop"):
        model.get_submodule(path).requires_grad_(requires_grad=False).eval()

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(4):
        loss = functional.cross_entropy(model(x), y)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses
