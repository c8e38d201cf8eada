"""Does the clone of a layer that holds no numbers yet draw the same ones?"""

import copy

from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Clone a layer, whose weights are drawn at once in torch, and compare the two."""
    del variant
    layer = nn.Linear(4, 8)
    clone = copy.deepcopy(layer)

    observe("same_weight", layer.weight.equal(clone.weight))
    observe("same_bias", layer.bias.equal(clone.bias))
