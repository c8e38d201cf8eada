"""Which parameters does a module list, under which names?"""

from torch import nn

from harness.experiments.support import a1_model, observe, observe_ids


class Containers(nn.Module):
    """A layer of one parameter in each place that a container has."""

    def __init__(self) -> None:
        """Register every layer; a plain list or tuple would hide it."""
        super().__init__()
        self.list = nn.ModuleList([unit(), unit()])
        self.some = unit()
        self.none = None
        self.pair = nn.ModuleList([unit(), unit()])
        self.array = nn.ModuleList([unit(), unit()])


def run(variant: str) -> None:
    """List the parameters of the variant's module."""
    {"mlp": mlp, "containers": containers}[variant]()


def mlp() -> None:
    """List name, shape, training state and identity of each parameter of A1."""
    model = a1_model()
    observe("names", names(model))
    visited = 0
    for name, parameter in model.named_parameters():
        observe(f"shape.{name}", str(list(parameter.shape)))
        observe(f"requires_grad.{name}", parameter.requires_grad)
        visited += parameter.numel()
    observe("visited", visited)
    observe("num_params", num_params(model))
    observe_ids("ids", list(model.parameters()))


def containers() -> None:
    """List the path of each layer in its container."""
    model = Containers()
    observe("names", names(model))
    observe("num_params", num_params(model))


def unit() -> nn.Linear:
    """Return a layer of one parameter."""
    return nn.Linear(1, 1, bias=False)


def names(module: nn.Module) -> str:
    """Return the names of the parameters."""
    return ", ".join(name for name, _ in module.named_parameters())


def num_params(module: nn.Module) -> int:
    """Return the number of elements of all parameters."""
    return sum(parameter.numel() for parameter in module.parameters())
