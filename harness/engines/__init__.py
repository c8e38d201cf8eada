"""What prepares a cell and runs its cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from harness.engines import caches

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from harness.engines.process import Launch
    from harness.model import Cell


class Progress(Protocol):
    """Where long work says how far it is; the terminal or a log."""

    def say(self, text: str) -> None:
        """State one finished step, on a line of its own."""

    def update(self, text: str, done: int = 0, total: int | None = None) -> None:
        """State what is going on now; the newest statement replaces the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A cell that is ready to run: what it really consists of, and how its cases start."""

    cell: Cell
    launch: Launch
    #: Content hash of everything but the half that decides what a case observes.
    identity: str
    versions: Mapping[str, str]
    #: Experiment → the compiler's words, where a half does not compile against this cell.
    not_built: Mapping[str, str] = field(default_factory=dict)

    @property
    def program(self) -> str:
        """Return the program that runs a half by hand: the halves' binary, or torch's Python."""
        return self.launch.argv[0] if self.launch.argv else str(self.launch.python)

    def place(self) -> dict[str, Any]:
        """Return the cell, its program and what is not built, as JSON holds them."""
        return {
            "cell": self.cell.id,
            "framework": self.cell.framework.value,
            "program": self.program,
            "cache": str(caches.root()),
            "not_built": dict(self.not_built),
        }


class Engine(Protocol):
    """One framework's way of preparing cells."""

    def half(self, experiment: str) -> Path:
        """Return the file that holds this framework's half of an experiment."""

    def prepare(self, cell: Cell, progress: Progress, left_out: Collection[str] = ()) -> Prepared:
        """Make the cell ready but for some halves; an UnavailableError says why it cannot be."""

    def lock(self, cell: Cell) -> str:
        """Return the lock that a published version is built with; empty where there is none."""
