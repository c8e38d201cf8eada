"""Which arguments does a layer refuse when it is made?"""

from typing import Any

from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Make a layer, and do not use it."""
    softmax: Any = nn.Softmax  # whose annotations forbid half of these
    log_softmax: Any = nn.LogSoftmax
    make = {
        "softmax": lambda: softmax(dim=1),
        "softmax_none": softmax,
        "softmax_text": lambda: softmax(dim="a"),
        "softmax_float": lambda: softmax(dim=1.0),
        "softmax_bool": lambda: softmax(dim=True),
        "log_softmax_text": lambda: log_softmax(dim="a"),
        "log_softmax_float": lambda: log_softmax(dim=1.0),
        "dropout": lambda: nn.Dropout(p=1.5),
        "group_norm": lambda: nn.GroupNorm(3, 8),
    }[variant]

    layer = make()
    observe("made", repr(layer))
