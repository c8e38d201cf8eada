"""Is a layer's training flag one of its parameters?"""

from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Look for the training flags, plain attributes, among parameters and buffers."""
    del variant
    norm, drop = nn.BatchNorm1d(8), nn.Dropout(0.5)
    model = nn.Sequential(norm, drop)

    observe("names", ", ".join(name for name, _ in model.named_parameters()))
    observe("buffers", ", ".join(name for name, _ in model.named_buffers()))
    observe("training.norm", norm.training)
    observe("training.drop", drop.training)
