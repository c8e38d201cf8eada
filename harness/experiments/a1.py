"""Do both halves start from the same numbers?"""

import numpy as np

from harness.experiments.support import a1_batch, a1_model, observe


def run(variant: str) -> None:
    """Echo the model and the batch A1, bit by bit."""
    del variant
    x, y = a1_batch()

    model = a1_model()

    for name, parameter in model.named_parameters():
        observe(name, parameter)
    bias = model.fc1.bias.tolist()
    off = [str(i) for i, value in enumerate(bias) if value != np.float32(0.01 * i)]
    observe("fc1.bias.not_nearest", ", ".join(off) or "none")
    observe("x", x)
    observe("y", y.float())
