"""Where entries go that are added to `baselines/accepted.yaml`, so that a page can make a patch."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from harness import amend
from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_CONTEXT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One hunk of a unified diff, without the entries; every text is one line."""

    #: Is there a file to be patched?
    exists: bool
    #: The number of the hunk's first line.
    line: int
    before: tuple[str, ...]
    removed: tuple[str, ...]
    #: What is added before the first entry, between two, and behind the last.
    lead: tuple[str, ...]
    between: tuple[str, ...]
    trail: tuple[str, ...]
    after: tuple[str, ...]
    #: What stands before each line of an entry.
    indent: str


def place(path: Path) -> Place | None:
    """Return where accepting adds entries to the file; None where its form has no room for any."""
    text = path.read_bytes().decode() if path.exists() else amend.HEAD
    probes = [
        {"cell": f"probe-{name}", "experiment": "", "variant": "", "observation": ""}
        for name in ("one", "two")
    ]
    grown = [text]
    try:
        for probe in probes:
            grown.append(amend.extended(path, grown[-1], probe))
    except HarnessError:
        return None
    if "\r" in text or not all(one.endswith("\n") or not one for one in grown):
        return None  # a patch would have to say how lines end
    old, one, two = (each.split("\n")[:-1] for each in grown)
    at, then = _line(one, "probe-one"), _line(two, "probe-two")
    height = len(probes[0])
    head, tail = one[:at], one[at + height :]
    old = old if path.exists() else []
    start = _common(old, head)
    rest = _common(old[start:][::-1], tail[::-1])
    end, stop = len(old) - rest, len(tail) - rest
    first = max(0, start - _CONTEXT)
    return Place(
        exists=path.exists(),
        line=first + 1,
        before=tuple(old[first:start]),
        removed=tuple(old[start:end]),
        lead=tuple(head[start:]),
        between=tuple(two[at + height : then]),
        trail=tuple(tail[:stop]),
        after=tuple(old[end : end + _CONTEXT]),
        indent=one[at].partition("-")[0],
    )


def _line(lines: Sequence[str], cell: str) -> int:
    return next(n for n, line in enumerate(lines) if line.strip() == f"- cell: {cell}")


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
