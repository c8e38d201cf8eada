"""Errors that a user can act on, and the exit codes."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class ExitCode(IntEnum):
    """What the process's exit status says; documented in docs/exit-codes.md and stable."""

    SAME = 0
    BUG = 1
    USAGE = 2
    CHANGED = 10
    TO_ACCEPT = 11
    INCONCLUSIVE = 12
    INTERRUPTED = 130


#: Which code is said where several hold: the first of these.
_ORDER = (
    ExitCode.INTERRUPTED,
    ExitCode.BUG,
    ExitCode.USAGE,
    ExitCode.CHANGED,
    ExitCode.INCONCLUSIVE,
    ExitCode.TO_ACCEPT,
    ExitCode.SAME,
)


def gravest(codes: Iterable[ExitCode]) -> ExitCode:
    """Return the code that is said of several; of none, that nothing was selected."""
    return min(codes, key=_ORDER.index, default=ExitCode.USAGE)


class HarnessError(Exception):
    """A mistake outside the harness, in the words of the person who can mend it.

    `message` names the file and the key; `advice` names the command or the allowed values.
    """

    code = ExitCode.USAGE

    def __init__(self, message: str, advice: str = "") -> None:
        """Keep both sentences; `advice` may be empty."""
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        """Return both sentences, a line each."""
        return f"{self.message}\n{self.advice}" if self.advice else self.message


class UnavailableError(HarnessError):
    """A cell that could not be prepared: its cases are `unavailable`, never green."""

    code = ExitCode.INCONCLUSIVE


class BuildError(UnavailableError):
    """A cell whose sources do not compile: it is not the connection, and stays so."""
