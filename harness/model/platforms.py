"""Platforms, in words: where a record was made, and what an accepted difference is of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.model.records import Record

#: The platform that baselines come from unless matrix.yaml names another. Records of any other are
#: held against them, and become none.
USUAL = "linux-x86_64"
#: What Python's `platform.system()` says, in lower case → the word for it.
_NAMES = {"linux": "linux", "darwin": "macos", "windows": "windows"}
#: What Python's `platform.machine()` says on these systems, in lower case → the word for it.
_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}
#: Every word that `os` may be: an operating system on any machine, or a platform.
WORDS = tuple(
    word
    for name in _NAMES.values()
    for word in (name, *(f"{name}-{machine}" for machine in dict.fromkeys(_MACHINES.values())))
)


def named(platform: str) -> str:
    """Return the word for a record's platform: `macos-arm64` for `darwin arm64`.

    A system or machine without a word keeps its own, as far as it is letters; a platform that says
    nothing is an `unknown platform`.
    """
    said = re.findall(r"[a-z0-9_]+", platform.lower())
    if not said:
        return "unknown platform"
    name, machine = said[0], "".join(said[1:]) or "unknown"
    return f"{_NAMES.get(name, name)}-{_MACHINES.get(machine, machine)}"


def of(record: Record) -> str:
    """Return the platform that a record was made on, by its own provenance."""
    machine = record.provenance.get("machine")
    platform = machine.get("platform") if isinstance(machine, dict) else None
    return named(platform[:100] if isinstance(platform, str) else "")


def system(platform: str) -> str:
    """Return a platform without its machine: `macos` for `macos-arm64`."""
    return platform.partition("-")[0]
