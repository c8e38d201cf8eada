"""What every torch half shares: `observe`, and the literal model and batch A1."""

from __future__ import annotations

import importlib
import json
import math
import os
import sys
import traceback
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

torch.set_num_threads(1)  # before the first operation, or every forked child deadlocks

# --- events -------------------------------------------------------------------------------------


def emit(event: dict[str, Any]) -> None:
    """Write one event as one line, at once, so that a crash loses nothing seen before it."""
    line = json.dumps(event, allow_nan=False) + "\n"
    path = os.environ.get("EMBERWATCH_EVENTS")
    if path is None:
        sys.stdout.write(line)
        return
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        data = memoryview(line.encode())
        while data:
            data = data[os.write(file, data) :]
    finally:
        os.close(file)


def run(experiment: str, variant: str) -> int:
    """Run one half, state how it ended, and return the exit status."""
    use_threads()
    emit({"ran": versions()})
    try:
        importlib.import_module(f"{__package__}.{experiment}").run(variant)
    except BaseException as error:  # SystemExit and KeyboardInterrupt are behaviour too
        emit({"raised": {"type": type(error).__qualname__, "text": str(error)}})
        traceback.print_exc()
        return 101
    emit({"done": True})
    return 0


def use_threads() -> None:
    """Raise the threads to OMP_NUM_THREADS, in the child alone: its parent must stay at one."""
    wanted = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    if wanted.isdecimal() and int(wanted) > 1:
        torch.set_num_threads(int(wanted))


def versions() -> dict[str, str | int]:
    """Return what is really running."""
    return {
        "torch": torch.__version__,
        "commit": torch.version.git_version,
        "numpy": np.__version__,
        "python": sys.version.split()[0],
        "threads": torch.get_num_threads(),
        "isa": torch.backends.cpu.get_cpu_capability(),
    }


def warm_up() -> None:
    """Import what the first optimizer imports, by one neutral step; forked children inherit it."""
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    model(torch.zeros(1, 1)).sum().backward()
    optimizer.step()
    torch.manual_seed(0)


def observe(name: str, value: Tensor | bool | float | str) -> None:
    """State one observation; the newest value under a name stands."""
    emit({"name": name, **_event(value)})


def observe_ids(name: str, values: list[object]) -> None:
    """State the identities of objects; the harness keeps only which of them are the same."""
    emit({"name": name, "ids": [str(id(value)) for value in values]})


def _event(value: Tensor | bool | float | str) -> dict[str, Any]:
    match value:
        case bool():
            return {"flag": value}
        case int():
            return {"count": value}
        case str():
            return {"text": value}
        case float():
            return {"tensor": {"dtype": "float64", "shape": [], "values": [_number(value)]}}
        case Tensor():
            return {
                "tensor": {
                    "dtype": str(value.dtype).removeprefix("torch."),
                    "shape": list(value.shape),
                    "values": [_number(x) for x in value.detach().reshape(-1).tolist()],
                }
            }


def _number(value: float) -> float | str:
    """Return a number that JSON can hold; NaN and the infinities as tagged strings."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


# --- A1: the model and the batch that the experiments share, literal in both languages ----------


class Mlp(nn.Module):
    """The MLP 4 → 8 → 3 with a ReLU between its two layers."""

    def __init__(self) -> None:
        """Make both layers; their weights are to be set."""
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 3)

    def forward(self, x: Tensor) -> Tensor:
        """Map `[batch, 4]` to logits `[batch, 3]`."""
        logits: Tensor = self.fc2(torch.relu(self.fc1(x)))
        return logits


def a1_model() -> Mlp:
    """Return the MLP with the weights A1; formulas in burn's layout `[in, out]`, in float32.

    fc1.bias alone is computed in float64 and then rounded, as a Python list is: it differs from
    burn's float32 product at index 5, by one ulp (3.73e-9). That is a fact worth observing.
    """
    model = Mlp()
    fc1 = 0.1 * (_index(32) * 7 % 13 - 6) / 3
    fc2 = 0.1 * (_index(24) * 5 % 11 - 5) / 2
    with torch.no_grad():
        model.fc1.weight.copy_(fc1.reshape(4, 8).T)
        model.fc1.bias.copy_(torch.tensor([0.01 * o for o in range(8)]))
        model.fc2.weight.copy_(fc2.reshape(8, 3).T)
        model.fc2.bias.copy_(0.02 * _index(3))
    return model


def a1_batch() -> tuple[Tensor, Tensor]:
    """Return the batch A1: x `[6, 4]` and the classes y `[6]`."""
    x = (_index(24) * 3 % 7 - 3) / 3
    return x.reshape(6, 4), torch.tensor([0, 1, 2, 0, 1, 2])


def _index(n: int) -> Tensor:
    """Return 0, 1, …, n − 1 as float32."""
    return torch.arange(n, dtype=torch.float32)
