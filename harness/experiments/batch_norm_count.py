"""Do the running statistics of batch normalization count as parameters?"""

from torch import nn

from harness.experiments.support import observe


def run(variant: str) -> None:
    """List what BatchNorm1d(8) holds; gamma and beta are called weight and bias here."""
    del variant

    norm = nn.BatchNorm1d(8)

    parameters, buffers = dict(norm.named_parameters()), dict(norm.named_buffers())
    observe("names", ", ".join(parameters))
    observe("num_params", sum(p.numel() for p in parameters.values()))
    observe("num_trainable", sum(p.numel() for p in parameters.values() if p.requires_grad))
    observe("buffers", ", ".join(f"{name} {list(b.shape)}" for name, b in buffers.items()))
    observe("requires_grad.gamma", norm.weight.requires_grad)
    observe("requires_grad.beta", norm.bias.requires_grad)
    observe("requires_grad.running_mean", buffers["running_mean"].requires_grad)
    observe("requires_grad.running_var", buffers["running_var"].requires_grad)
    observe("running_mean", buffers["running_mean"])
    observe("running_var", buffers["running_var"])
