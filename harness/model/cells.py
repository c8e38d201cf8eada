"""Cells, what names several of them, and the matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from packaging.version import Version

from harness.model import platforms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model.words import Framework, Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One framework at one pin and backend."""

    id: str
    framework: Framework
    group: Group
    version: str | None = None
    backend: str | None = None
    git: str | None = None
    ref: str | None = None
    index: str | None = None
    reference: str | None = None
    #: Is it in matrix.yaml? One that is not needs no committed lock.
    listed: bool = True

    @property
    def released(self) -> bool:
        """Is the cell a published version, and not a moving head?"""
        return self.version is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A framework's cells, or those from one version on, or before one."""

    framework: Framework
    since: str | None = None
    before: str | None = None

    def covers(self, cell: Cell) -> bool:
        """Return whether a cell belongs to it; a moving head is newer than any version."""
        if cell.framework is not self.framework:
            return False
        if cell.version is None:
            return self.before is None
        version = Version(cell.version)
        return (self.since is None or version >= Version(self.since)) and (
            self.before is None or version < Version(self.before)
        )

    @property
    def whole(self) -> bool:
        """Does it cover every cell of the framework?"""
        return self.since is None and self.before is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one case may use before it is ended."""

    seconds: float
    memory_mib: int
    output_mib: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """`matrix.yaml`: cells and policy."""

    cells: Mapping[str, Cell]
    pinned: Mapping[Framework, str]
    limits: Limits
    settings: Mapping[str, str]
    #: The platform whose records alone become baselines.
    baselines_from: str = platforms.USUAL
    #: What a workflow runs on: a system's name → the label of its runner.
    runners: Mapping[str, str] = field(default_factory=lambda: {"ubuntu": "ubuntu-latest"})
