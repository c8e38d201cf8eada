"""What the verbs work on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.engines import machine
from harness.github.clock import Clock
from harness.model import Framework

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.engines import Engine
    from harness.engines.clients import Clients
    from harness.project import Project


def real_clients() -> Clients:
    """Return the package clients of this machine."""
    from harness.engines.clients import PackageClients  # noqa: PLC0415 (most verbs ask nobody)

    return PackageClients()


@dataclass(frozen=True)
class Setting:
    """What a verb works on; tests give a project, engines and a machine of their own."""

    project: Project
    engines: Callable[[], Mapping[Framework, Engine]]
    clients: Callable[[], Clients] = real_clients
    clock: Clock = field(default_factory=Clock)
    machine: Callable[[], Mapping[str, str]] = machine.fingerprint


def real_engines() -> Mapping[Framework, Engine]:
    """Return the engines of the two frameworks."""
    from harness.engines.burn import BurnEngine  # noqa: PLC0415 (most verbs run nothing)
    from harness.engines.torch import TorchEngine  # noqa: PLC0415

    return {Framework.TORCH: TorchEngine(), Framework.BURN: BurnEngine()}
