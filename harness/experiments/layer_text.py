"""What does a layer print of itself?"""

from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Print one layer."""
    layer = {"linear": nn.Linear(4, 8), "softplus": nn.Softplus()}[variant]
    observe("text", str(layer))
