"""What is worth keeping of prepared cells between the runs of a workflow, and under which key."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from harness.engines import caches, process
from harness.model import Framework

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Folders outside the checkout, and the key under which they mean the same."""

    key: str
    folders: tuple[str, ...]


def of(locks: Mapping[Cell, str]) -> Kept:
    """Return what to keep of cells: another version, lock, tool or machine is another key.

    A moving head is another one tomorrow, so that its key holds the day.
    """
    frameworks = {cell.framework for cell in locks}
    parts = [platform.platform(terse=True), platform.machine()]
    for cell, lock in locks.items():
        parts += [repr(cell), lock]
    if not all(cell.released for cell in locks):
        parts.append(datetime.now(tz=UTC).date().isoformat())
    folders: list[Path] = []
    if Framework.TORCH in frameworks:
        folders.append(caches.root() / "torch")
        parts += [sys.version, sys.executable, os.environ.get("UV_TORCH_BACKEND", "")]
    if Framework.BURN in frameworks:
        cargo = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
        folders += [caches.root() / name for name in ("burn", "target")]
        folders += [cargo / "registry" / name for name in ("index", "cache")]
        parts += [process.output_of(["rustc", "-vV"])]
    first, *more = [cell.id for cell in locks]
    name = f"{first}-and-{len(more)}" if more else first
    return Kept(
        key=f"emberwatch-{name}-{caches.digest(*parts)[:16]}", folders=tuple(map(str, folders))
    )
