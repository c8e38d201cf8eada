"""Which limits a system lacks: what `server.py` cannot enforce there, in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model import Limit, platforms

if TYPE_CHECKING:
    from collections.abc import Mapping

#: A system → what it lacks. Linux counts all private memory as RLIMIT_DATA, and hands its orphans
#: to the server. Python's `resource` is of Unix alone, as are process groups.
_LACKING: Mapping[str, tuple[Limit, ...]] = {
    "linux": (),
    "macos": (Limit.MEMORY, Limit.PROCESSES),
    "windows": (Limit.MEMORY, Limit.OUTPUT, Limit.PROCESSES),
}


def lacking(platform: str) -> tuple[Limit, ...]:
    """Return the limits that cannot be enforced on a platform; all, where it is not known."""
    return _LACKING.get(platforms.system(platform), tuple(Limit))
