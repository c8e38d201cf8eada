"""What accepting does not settle, each with the step to take; pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.accepted import State
from harness.model import title
from harness.parity import Status
from harness.report import advice, text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from harness.parity import Side
    from harness.report.view import CaseLine, Report

#: (cell, experiment, variant).
Key = tuple[str, str, str]
_REGRESS = "nox -s regress --"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing, why it is there, and what to do about it."""

    kind: str
    cells: str
    why: str
    step: str
    good_for: str
    #: Empty where it is of a whole cell.
    experiment: str = ""
    variant: str = ""

    @property
    def title(self) -> str:
        """Return `experiment / variant`; empty where it is of a whole cell."""
        return title(self.experiment, self.variant) if self.experiment else ""


def of(report: Report, explained: Mapping[Key, Collection[str]]) -> Iterator[Item]:
    """Yield what is left when all that is acceptable is accepted, the worst first.

    `explained` names the observations that entries of accepted.yaml would explain, by case.
    """
    for line in report.invalid:
        step = f"{_REGRESS} {line.experiment} {line.cell} --no-cache"
        yield _case("invalid", line, step, "run it again")
    closed = (side for side in report.sides if side.status is Status.CLOSED)
    pending = {(line.cell, line.experiment, line.variant) for line in report.acceptable}
    for side in (*report.alarms, *closed):
        pair = side.torch, side.burn
        known = {
            name
            for cell in pair
            for name in explained.get((cell, side.experiment, side.variant), ())
        }
        if not _apart(side) or _apart(side) - known:
            item = _parity(report, side)
            if any((cell, item.experiment, item.variant) in pending for cell in pair):
                item = replace(item, good_for=f"where the change is accepted: {item.good_for}")
            yield item
    for alarm in report.outdated:
        if alarm.state is State.VANISHED:  # of the other states the difference itself is pending
            entry = alarm.entry
            yield Item(
                kind="outdated acceptance",
                cells=entry.cell,
                experiment=entry.experiment,
                variant=entry.variant,
                why=f"{entry.observation}: no such difference any more",
                step=f"edit {entry.where}",
                good_for=alarm.advice,
            )
    for cell in report.unavailable:
        step = f"{_REGRESS} {cell.cell} --keep-going"
        what = "missing" if cell.missing else "unavailable"
        yield Item(
            kind=what, cells=cell.cell, why=cell.unavailable, step=step, good_for="run it again"
        )
    for line in report.inconclusive:
        step = f"{_REGRESS} {line.experiment} {line.cell}"
        yield _case("inconclusive", line, step, "run it again")
    for flaky in report.flaky:
        one = flaky.flaky
        values = f"{text.value(one.first)}, {text.value(one.other)}"
        yield Item(
            kind="flaky",
            cells=flaky.cell,
            experiment=flaky.experiment,
            variant=flaky.variant,
            why=f"{flaky.observation}: {one.agreed} of {one.runs} runs agree: {values}",
            step=f"{_REGRESS} {flaky.experiment} {flaky.cell} --repeat 20",
            good_for="see how often it disagrees with itself",
        )
    for line in report.new:
        if line.missing:
            step, why = advice.of_missing(report, line)
            yield _case(f"new, and without a baseline of {line.missing}", line, step, why)


def _case(kind: str, line: CaseLine, step: str, good_for: str) -> Item:
    return Item(
        kind=kind,
        cells=line.cell,
        experiment=line.experiment,
        variant=line.variant,
        why=line.text,
        step=step,
        good_for=good_for,
    )


def _apart(side: Side) -> set[str]:
    """Return on which observations torch and burn differ beyond what the contract lists."""
    rows = (row for row in side.rows if row.change is not None)
    return {row.observation for row in rows} - {*side.listed}


def _parity(report: Report, side: Side) -> Item:
    known = side.status is Status.CLOSED
    words = [] if not known else [f"{name}: torch and burn agree now" for name in side.closed]
    apart = set() if known else _apart(side)
    for row in side.rows:
        if row.change is not None and row.observation in apart:
            torch, burn = text.sides(row.change)
            exact = report.holder(side, row)
            has = f" (exact: {exact})" if exact else ""
            words.append(f"{row.observation}: {torch} in torch, {burn} in burn{has}")
    step, good_for = advice.of_parity(report, side)
    return Item(
        kind="known divergence gone" if known else "parity alarm",
        cells=f"{side.torch}, {side.burn}",
        experiment=side.experiment,
        variant=side.variant,
        why="; ".join(words) or str(side.status),
        step=step,
        good_for=good_for,
    )
