"""Does the display of a module say that it is not training?"""

from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Display the variant's module as it is made, and after eval()."""
    norm, drop = nn.BatchNorm1d(2), nn.Dropout(0.1)
    module: nn.Module
    match variant:
        case "dropout":
            module = drop
        case "batch_norm":
            module = norm
        case "model":
            module = nn.Sequential(nn.Linear(2, 2), norm, drop)
        case _:
            raise ValueError(variant)

    made, valid = str(module), str(module.eval())
    observe("display.made", made)
    observe("display.valid", valid)
    observe("told_apart", made != valid)
