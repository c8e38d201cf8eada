"""The columns of the dashboard: which cells there are, what is shown of each, and which pair up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from harness import versions
from harness.diff import Source
from harness.model import Framework
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from harness.diff import Side
    from harness.model import Cell
    from harness.records import CellRun

#: Days after which a run says little of what a cell does today.
FRESH = 7


class State(StrEnum):
    """What is known of a cell's last run, as words that follow a number of cells."""

    FRESH = f"ran in the last {FRESH} days"
    OLD = "ran longer ago"
    UNAVAILABLE = "unavailable in the last run"
    NO_RUN = "without a run at hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One cell: what is shown of it, and how its last run fared."""

    side: Side
    #: None where no run of it is at hand.
    run: CellRun | None
    today: date

    @property
    def cell(self) -> Cell:
        """Return the cell."""
        return self.side.cell

    @property
    def id(self) -> str:
        """Return the cell's id."""
        return self.side.cell.id

    @property
    def label(self) -> str:
        """Return the id without its framework, which stands above it: `0.22.1-ndarray`."""
        return self.id.removeprefix(f"{self.cell.framework}-")

    @property
    def ran(self) -> str:
        """Return the day of its last run, as YYYY-MM-DD; empty where none is known."""
        return self.run.at[:10] if self.run else ""

    @property
    def state(self) -> State:
        """Return what is known of its last run."""
        if self.run is None or not self.ran:
            return State.NO_RUN
        if self.run.unavailable:
            return State.UNAVAILABLE
        return State.OLD if self._days > FRESH else State.FRESH

    @property
    def stale(self) -> str:
        """Return why the column may not say what the cell does today; empty where it is fresh."""
        match self.state:
            case State.NO_RUN:
                baselines = self.side.source is Source.BASELINES
                return f"no run is at hand; {'its baselines are shown' if baselines else 'empty'}"
            case State.UNAVAILABLE:
                return f"{State.UNAVAILABLE}: {self.run.unavailable if self.run else ''}"
            case State.OLD:
                return f"last run {self._days} days ago"
            case State.FRESH:
                return ""

    @property
    def _days(self) -> int:
        return (self.today - date.fromisoformat(self.ran)).days


def ordered(cells: Iterable[Cell]) -> list[Cell]:
    """Return cells by framework and lineage, the oldest version first, then the moving heads."""
    cells = list(cells)
    lineages = versions.lineages(cells)
    found: list[Cell] = []
    for framework in Framework:
        ours = [one for one in lineages if one.framework is framework]
        found += [cell for lineage in ours for cell in lineage.cells]
        found += [cell for cell in cells if cell.framework is framework and not cell.released]
    return found


def states(columns: Sequence[Column]) -> str:
    """Return how many cells there are, and how many in each state: `14 cells: 2 …, 12 …`."""
    found = Counter(column.state for column in columns)
    total = text.count(len(columns), "cell")
    if len(found) == 1:
        return f"{total}, all {next(iter(found))}"
    return f"{total}: " + ", ".join(f"{found[state]} {state}" for state in State if found[state])


def pairs(columns: Sequence[Column]) -> Iterator[tuple[Column, Column]]:
    """Yield (old, new) for every two columns of one framework, in the columns' order."""
    for number, new in enumerate(columns):
        for old in columns[:number]:
            if old.cell.framework is new.cell.framework:
                yield old, new


def before(columns: Sequence[Column]) -> dict[str, str]:
    """Return for each cell the one that it follows: its reference, else the version before."""
    found: dict[str, str] = {}
    for lineage in versions.lineages(column.cell for column in columns):
        ids = [cell.id for cell in lineage.cells]
        found |= dict(zip(ids[1:], ids, strict=False))
    shown = {column.id for column in columns}
    heads = ((column.id, column.cell.reference) for column in columns)
    return found | {head: name for head, name in heads if name is not None and name in shown}


def of(
    cells: Iterable[Cell],
    side: Callable[[Cell], Side],
    run: Callable[[Cell], CellRun | None],
    today: date,
) -> list[Column]:
    """Return the columns of cells, given what is shown of one and how its last run fared."""
    return [Column(side=side(cell), run=run(cell), today=today) for cell in ordered(cells)]
