"""Does counting a layer's parameters initialise them?"""

from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Count the parameters of a layer that has not made them yet."""
    del variant
    layer = nn.LazyLinear(8)

    observe("initialized.at_first", not layer.has_uninitialized_params())
    observe("num_params", sum(parameter.numel() for parameter in layer.parameters()))
    observe("initialized.counted", not layer.has_uninitialized_params())
    observe("names", ", ".join(name for name, _ in layer.named_parameters()))
    observe("initialized.named", not layer.has_uninitialized_params())
