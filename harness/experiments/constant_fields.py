"""May a module hold a constant beside its layers?"""

from torch import nn

from harness.experiments.support import observe


class Labelled(nn.Module):
    """A layer with a label."""

    def __init__(self) -> None:
        """Make the layer 4 → 8, labelled A."""
        super().__init__()
        self.fc = nn.Linear(4, 8)
        self.label = "A"


def run(variant: str) -> None:
    """Count the parameters, and look for the constant after a change of modes."""
    del variant

    model = Labelled()

    observe("num_params", sum(parameter.numel() for parameter in model.parameters()))
    model = model.eval().train()
    observe("kept", model.label == "A")
