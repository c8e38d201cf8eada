"""What was measured, as one table for people and as JSON for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.measure import Measured

_HEAD = ["part", "what", "work", "seconds", "each", "ratio", "of cpu", "to", "note"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line: how long a piece of work took, and how many times that is of another line."""

    part: str
    name: str
    work: str = ""
    seconds: float | None = None
    #: Seconds for each case or record.
    each: float | None = None
    ratio: float | None = None
    #: The same of processor time, which other load on the machine hardly touches.
    cpu_ratio: float | None = None
    to: str = ""
    note: str = ""


def sized(
    of: tuple[str, str],
    name: str,
    size: int,
    one: Measured,
    floor: Measured | None = None,
    note: str = "",
) -> Row:
    """Return the row of a part's work of some size, in its unit, beside a floor if it has one."""
    part, unit = of
    return Row(
        part=part,
        name=name,
        work=f"{size:,} {unit}",
        seconds=one.seconds,
        each=one.seconds / size,
        ratio=one.times(floor) if floor else None,
        cpu_ratio=one.cpu_times(floor) if floor else None,
        to="floor" if floor else "",
        note=note,
    )


def document(rows: Sequence[Row], machine: dict[str, str]) -> dict[str, object]:
    """Return the table as JSON holds it."""
    return {"machine": machine, "rows": [asdict(row) for row in rows]}


def text(rows: Sequence[Row], *, markdown: bool = False) -> str:
    """Return the table; a part's name stands once."""
    cells = []
    part = ""
    for row in rows:
        cells.append(
            [
                "" if row.part == part else row.part,
                row.name,
                row.work,
                "" if row.seconds is None else f"{row.seconds:.2f}",
                "" if row.each is None else _small(row.each),
                _ratio(row.ratio),
                _ratio(row.cpu_ratio),
                row.to,
                row.note,
            ]
        )
        part = row.part
    align = ("left", "left", "left", "right", "right", "right", "right", "left", "left")
    form = "github" if markdown else "simple"
    return tabulate(cells, _HEAD, tablefmt=form, disable_numparse=True, colalign=align)


def _ratio(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}" if number < 10 else f"{number:.0f}"


def _small(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"
