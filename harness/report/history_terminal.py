"""The history of an experiment that a person reads in a terminal or a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabulate import tabulate

from harness.history import Statement
from harness.model import title
from harness.report import terminal, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.history import CaseHistory, Stage, Timeline
    from harness.report.terminal import Paint


def render(histories: Iterable[CaseHistory], paint: Paint = terminal.unpainted) -> str:
    """Return the history, a table for each variant and lineage; `paint` may colour it."""
    return "\n\n".join(_case(one, paint) for one in histories) + "\n"


def _case(history: CaseHistory, paint: Paint) -> str:
    contract, lineage = history.contract, history.lineage
    cells = ", ".join(cell.id for cell in lineage.cells)
    lines = [
        f"{title(contract.id, history.variant.name)}  {contract.question}",
        f"{lineage.id}: {cells}",
    ]
    if history.newest is None:
        return "\n".join([*lines, paint("unknown: no record of any of these cells", "yellow")])
    if history.missing:
        lines.append(paint(f"no record: {', '.join(history.missing)}", "yellow"))
    rows = [list(_row(timeline)) for timeline in history.timelines]
    head = ["observation", f"in {history.newest}", "since", "before"]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    table = tabulate(rows, headers=head, tablefmt="simple", disable_numparse=True)
    return "\n".join([*lines, table])


def _row(timeline: Timeline) -> Iterator[str]:
    yield timeline.observation
    if not timeline.stages:
        yield "–"
        yield str(Statement.UNKNOWN)
        yield ""
        return
    values = text.stages(timeline)
    yield values[-1]
    yield since(timeline.stages[-1])
    earlier = zip(values[-2::-1], timeline.stages[-2::-1], strict=True)
    yield ", before ".join(f"{value} {since(stage)}" for value, stage in earlier)


def since(stage: Stage) -> str:
    """Return `burn-0.22.1` where it is exact, and `≤ burn-0.22.1` where it may be older."""
    return stage.since if stage.statement is Statement.EXACT else f"≤ {stage.since}"
