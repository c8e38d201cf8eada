"""Which values do normalizations, softmax and the variance give?"""

from functools import partial

import torch
from torch.nn import functional

from harness.experiments.support import literal, observe

FUNCTIONS = {
    "layer_norm": partial(functional.layer_norm, normalized_shape=(8,)),
    "rms_norm": partial(functional.rms_norm, normalized_shape=(8,), eps=1e-5),
    "group_norm": partial(functional.group_norm, num_groups=2),
    "softmax": partial(functional.softmax, dim=1),
    "log_softmax": partial(functional.log_softmax, dim=1),
    "var": partial(torch.var, dim=1, keepdim=True),
    "std": partial(torch.std, dim=1, correction=0, keepdim=True),
    "logsumexp": partial(torch.logsumexp, dim=1, keepdim=True),
    "cumsum": partial(torch.cumsum, dim=1),
}


def run(variant: str) -> None:
    """Apply the function to three rows, and ask for the gradient of a weighted sum."""
    for dtype in (torch.float32, torch.bfloat16):
        x = literal(3, 8).to(dtype).requires_grad_()
        out = FUNCTIONS[variant](x)
        (out * literal(*out.shape, step=5)).sum().backward()
        name = str(dtype).removeprefix("torch.")
        observe(f"out.{name}", out)
        if x.grad is not None:
            observe(f"gradient.{name}", x.grad)
