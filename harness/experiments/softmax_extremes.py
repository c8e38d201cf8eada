"""What does softmax give where every score is masked, or very large?"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Apply one softmax along the last axis; a quiet one has one more score, which is 0."""
    masked = torch.tensor([[-torch.inf, -torch.inf], [0.0, 1.0]])
    large = torch.tensor([[10000.0, 10001.0, 10002.0], [-781.0, -1043.0, 890.0]])

    match variant:
        case "masked_softmax":
            out = torch.softmax(masked, dim=1)
        case "masked_quiet_softmax":
            out = torch.softmax(torch.cat([masked, torch.zeros(2, 1)], dim=1), dim=1)[:, :-1]
        case "large_log_softmax":
            out = torch.log_softmax(large, dim=1)
        case _:
            raise ValueError(variant)

    observe("out", out)
