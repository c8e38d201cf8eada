"""What a terminal shows of accepted differences: those that hold, and those that hold no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model import title
from harness.report import columns, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.report.view import AcceptedLine, Report

_SHOWN = 50


def sections(report: Report) -> Iterator[str]:
    """Yield a section for what is accepted and one for the entries that hold no longer."""
    if report.accepted:
        head = ["experiment / variant", "observation", "expected", "observed", "class", "since", ""]
        groups: dict[tuple[str, str], list[AcceptedLine]] = {}
        for line in report.accepted:
            groups.setdefault((line.cell, line.against), []).append(line)
        for (cell, against), lines in groups.items():
            rows = [_row(line) for line in lines[:_SHOWN]]
            table = columns.table(rows, head, [(6,), (2, 3, 6)])
            baseline = "its baseline" if against == cell else against
            more = [f"… and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
            yield "\n".join([f"ACCEPTED  {cell} against {baseline}", *table, *more])
    if report.outdated:
        rows = [
            [
                alarm.state.value,
                alarm.entry.place,
                title(alarm.entry.experiment, alarm.entry.variant),
                alarm.entry.observation,
                f"{alarm.entry.where}: {alarm.advice}",
            ]
            for alarm in report.outdated
        ]
        table = columns.aligned(rows)
        yield "\n".join(["OUTDATED  accepted differences that hold no longer", *table])


def _row(line: AcceptedLine) -> list[str]:
    entry = line.entry
    expected, observed = text.sides(line.change)
    until = f" (until {entry.expires})" if entry.expires else ""
    where = f"on {entry.os}:" if entry.os else ""
    why = " ".join(filter(None, [where, text.shortened(entry.reason) + until, entry.link]))
    kind = line.change.kind.value
    return [line.title, line.change.observation, expected, observed, kind, entry.since, why]
