"""Which values and gradients does an activation give?"""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional

from harness.experiments.support import observe

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "celu": partial(functional.celu, alpha=0.5),
    "elu": partial(functional.elu, alpha=0.5),
    "gelu": functional.gelu,
    "gelu_tanh": partial(functional.gelu, approximate="tanh"),
    "hard_shrink": partial(functional.hardshrink, lambd=0.5),
    "hard_sigmoid": functional.hardsigmoid,
    "hard_swish": functional.hardswish,
    "hard_tanh": functional.hardtanh,
    "leaky_relu": partial(functional.leaky_relu, negative_slope=0.1),
    "log_sigmoid": functional.logsigmoid,
    "mish": functional.mish,
    "relu": functional.relu,
    "relu6": functional.relu6,
    "selu": functional.selu,
    "sigmoid": functional.sigmoid,
    "silu": functional.silu,
    "soft_shrink": partial(functional.softshrink, lambd=0.5),
    "softplus": functional.softplus,
    "softsign": functional.softsign,
    "tanh": functional.tanh,
    "tanh_shrink": functional.tanhshrink,
    "threshold": partial(functional.threshold, threshold=0.5, value=-1.0),
}


def run(variant: str) -> None:
    """Apply the activation to numbers on both sides of its bends, none of them on one."""
    numbers = [-7.0, -3.25, -1.75, -0.8, -0.3, -0.05, 0.05, 0.3, 0.8, 1.75, 3.25, 7.0]

    for dtype in (torch.float32, torch.bfloat16):
        x = torch.tensor(numbers, dtype=dtype, requires_grad=True)
        out = ACTIVATIONS[variant](x)
        out.sum().backward()
        name = str(dtype).removeprefix("torch.")
        observe(f"out.{name}", out)
        if x.grad is not None:
            observe(f"gradient.{name}", x.grad)
