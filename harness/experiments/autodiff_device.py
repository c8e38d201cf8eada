"""Which devices go together, and which of them records?"""

import torch
from torch import nn

from harness.experiments.support import a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Bring a tensor that records and one that does not together; torch's device is one."""
    match variant:
        case "mixed":
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            out = x + torch.ones(2)
            observe("out", out)
            out.sum().backward()
            if x.grad is not None:
                observe("gradient", x.grad)
        case "plain_input":
            x, _ = a1_batch()
            observe("logits", a1_model()(x))
        case "valid_plain_input":
            x, _ = a1_batch()
            with torch.no_grad():
                observe("logits", a1_model().eval()(x))
        case "integer":
            index = torch.tensor([3.0, 5.0], requires_grad=True).argmax(0, keepdim=True)
            observe("index", index.float())
        case "to_plain":
            layer = nn.Linear(2, 2).to("cpu")
            observe("requires_grad", layer.weight.requires_grad)
        case _:
            raise ValueError(variant)
