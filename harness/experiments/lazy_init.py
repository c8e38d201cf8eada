"""Which calls on a module initialise parameters that it has not made yet?"""

from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Make the variant's call on a layer that nobody has used yet."""
    layer = nn.LazyLinear(8)
    observe("initialized.at_first", not layer.has_uninitialized_params())

    match variant:
        case "mapper":
            layer.apply(lambda _: None)
        case "devices":
            observe("devices", len({parameter.device for parameter in layer.parameters()}))
        case "no_grad":
            layer.requires_grad_(requires_grad=False)
        case "freeze":
            layer.requires_grad_(requires_grad=False).eval()
        case "modes":
            layer.requires_grad_(requires_grad=False).eval().train()
        case _:
            raise ValueError(variant)

    observe("initialized.called", not layer.has_uninitialized_params())
    observe("requires_grad", layer.weight.requires_grad)
