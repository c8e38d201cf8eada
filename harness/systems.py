"""The names of cell artifacts, and which system's are read where a run has those of several."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Collection

#: How the name of a cell's artifact begins; then `<cell>-<system>-<shard>`.
PREFIX = "observed-"
#: A system's name, as schemas/matrix.json has it.
NAME = r"[a-z][a-z0-9_]*"
#: A cell's, as schemas/record.json has it. A system's has no dash, so that there is one reading.
_CELL = r"(?:torch|burn)-[A-Za-z0-9][A-Za-z0-9._+-]*"
_ARTIFACT = re.compile(rf"{PREFIX}({_CELL})-({NAME})-[1-9][0-9]{{0,3}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What an artifact's name says that it is of."""

    cell: str
    system: str


def origin(name: str) -> Origin | None:
    """Return what an artifact is of; None where it is no cell's."""
    read = _ARTIFACT.fullmatch(name)
    return read and Origin(cell=read[1], system=read[2])


def chosen(there: Collection[str], asked: str, usual: str) -> str:
    """Return the system whose artifacts are read: the one asked for, the usual one, the only one.

    Empty where there is none; a HarnessError where it cannot be told.
    """
    listed = ", ".join(sorted(there))
    if asked:
        if asked not in there:
            raise HarnessError(
                f"--system {asked}: no artifact is of it", f"There are those of: {listed or 'none'}"
            )
        return asked
    if usual in there or len(there) < 2:
        return usual if usual in there else "".join(there)
    raise HarnessError(
        f"the artifacts are of several systems: {listed}", f"Say which: --system {min(there)}"
    )
