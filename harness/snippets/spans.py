"""Where the pieces of a half begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Where a piece begins and ends (in Python: lines from 1), and whether all other variants take it.
Span = tuple[int, int, bool]


def named_first(spans: Iterable[Span]) -> list[Span]:
    """Return the pieces in order, those for all other variants only where there is nothing else."""
    found = sorted(spans)
    return [span for span in found if not span[2]] or found
