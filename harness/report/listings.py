"""The tables of a page: what differs by root, what was not compared, what is accepted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.effects import Effect
from harness.model import title
from harness.parity import Status
from harness.report import text, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.accepted import Alarm
    from harness.parity import Side
    from harness.report.context import Context
    from harness.report.roots import Root
    from harness.report.view import AcceptedLine, CaseLine, Report

#: Of cells, variants and cases so many are named within one cell of a table.
_NAMED = 8
_NAME = 100
_CASE = "experiment / variant"
_DIFFERENCES = (_CASE, "class", "observation", "expected", "observed", "", "parity", "cells")
_ACCEPTED = (_CASE, "cell", "observation", "expected", "observed", "class", "since", "why")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row; a severity stands before its cells, and a link below the one that it is of."""

    cells: tuple[str, ...]
    severity: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One table; its rows hold foreign text, its heading and heads do not."""

    title: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    #: A sentence of numbers below the heading.
    note: str = ""
    #: Are the rows' severities shown, in a column of their own?
    severe: bool = False
    #: How much of a page short of room it gets beside others.
    weight: int = 2
    #: May it be shown folded?
    folded: bool = False


def findings(report: Report, found: Sequence[Root], context: Context) -> Iterator[Listing]:
    """Yield what asks for somebody: differences, alarms, invalid records, new cases."""
    if found:
        yield _differences("Differences", found, context, weight=10)
    alarms = tuple(_alarm(report, side, context) for side in verdict.unexplained(report))
    if alarms:
        head: tuple[str, ...] = (_CASE, "torch", "burn", "what differs", "")
        yield Listing(title="Torch beside burn, beyond what is known", head=head, rows=alarms)
    for heading, lines in (
        ("Records that break their contract", report.invalid),
        ("New cases, without a baseline", report.new),
    ):
        if lines:
            head = (_CASE, "cells", "what")
            yield Listing(title=heading, head=head, rows=tuple(_by_text(lines, context)))


def rest(report: Report, already: Sequence[Root], context: Context) -> Iterator[Listing]:
    """Yield what was not compared and why, what is accepted, and what is not of this change."""
    yield from _not_compared(report)
    without = tuple(Row(cells=(one.cell, text.unlimited(one.lacking))) for one in report.unlimited)
    if without:
        yield Listing(title="Not fully checked", head=("cell", "why"), rows=without)
    if report.accepted:
        rows = tuple(_accepted(line, context) for line in report.accepted)
        yield Listing(title="Accepted differences", head=_ACCEPTED, rows=rows, folded=True)
    if report.outdated:
        head: tuple[str, ...] = (_CASE, "cell", "observation", "state", "what to do")
        rows = tuple(map(_outdated, report.outdated))
        yield Listing(title="Acceptances that hold no longer", head=head, rows=rows)
    if context.accepted_here:
        head = (_CASE, "cell", "what changes", "why")
        rows = tuple(_accepted_here(context))
        yield Listing(title="Accepted in this pull request", head=head, rows=rows, folded=True)
    if already:
        listing = _differences("Not from this change", already, context)
        yield replace(listing, note="The merge base shows them as well.", folded=True)
    if report.unreferenced:
        rows = tuple(Row(cells=(short(one),)) for one in report.unreferenced)
        heading = "Baselines that nothing names any more"
        yield Listing(title=heading, head=("baseline",), rows=rows, folded=True)


def _outdated(alarm: Alarm) -> Row:
    entry = alarm.entry
    cells = (
        short(title(entry.experiment, entry.variant)),
        entry.place,
        short(entry.observation),
        str(alarm.state),
        short(f"{entry.where}: {alarm.advice}"),
    )
    return Row(cells=cells)


def _differences(
    heading: str, found: Sequence[Root], context: Context, *, weight: int = 2
) -> Listing:
    rows = []
    for root in found:
        expected, observed = text.sides(root.change)
        measured = text.measured(root.change.measure)
        effect = "" if root.effect is Effect.UNKNOWN else str(root.effect)
        cells = (
            _titles(root.experiment, root.variants),
            ", ".join(root.kinds),
            short(root.change.observation),
            expected,
            observed,
            measured,
            effect,
            listed(root.cells),
        )
        href = context.link(f"schemas/experiments/{root.experiment}.json")
        rows.append(Row(cells=cells, severity=str(root.severity), href=href))
    shown = [
        number for number in range(len(_DIFFERENCES)) if any(row.cells[number] for row in rows)
    ]
    return Listing(
        title=heading,
        head=tuple(_DIFFERENCES[number] for number in shown),
        rows=tuple(replace(row, cells=tuple(row.cells[n] for n in shown)) for row in rows),
        severe=True,
        weight=weight,
    )


def _alarm(report: Report, side: Side, context: Context) -> Row:
    differing = [row for row in side.rows if row.change and row.observation not in side.listed]
    words = []
    for row in differing[:_NAMED]:
        torch, burn = text.sides(row.change) if row.change else ("", "")
        exact = report.holder(side, row)
        has = f" (exact: {exact})" if exact else ""
        words.append(f"{short(row.observation)}: {torch} in torch, {burn} in burn{has}")
    more = len(differing) - len(words)
    words += [f"and {more} more"] if more else []
    state = "known, but expired" if side.status is Status.EXPIRED else ""
    name = short(title(side.experiment, side.variant))
    href = context.link(f"schemas/experiments/{side.experiment}.json")
    return Row(cells=(name, side.torch, side.burn, "; ".join(words), state), href=href)


def _not_compared(report: Report) -> Iterator[Listing]:
    rows = [
        Row(cells=(cell.cell, "missing" if cell.missing else "unavailable", _why(cell.unavailable)))
        for cell in report.unavailable
    ]
    groups: dict[tuple[str, str], list[str]] = {}
    for line in report.inconclusive:
        groups.setdefault((line.cell, line.text), []).append(line.title)
    rows += [Row(cells=(cell, listed(t), _why(why))) for (cell, why), t in groups.items()]
    for flaky in report.flaky:
        one = flaky.flaky
        said = f"{text.value(one.first)}, {text.value(one.other)}"
        why = f"flaky: {one.agreed} of {one.runs} runs agree: {said}"
        what = f"{short(flaky.title)} {short(flaky.observation)}"
        rows.append(Row(cells=(flaky.cell, what, why)))
    note = ""
    if report.unsupported:
        cases = text.count(report.unsupported, "case")
        verb = "is" if report.unsupported == 1 else "are"
        note = f"{cases} {verb} unsupported: the contracts say why."
    if rows or note:
        head = ("cell", "what", "why") if rows else ()
        yield Listing(title="Not compared", head=head, rows=tuple(rows), note=note, weight=4)


def _accepted(line: AcceptedLine, context: Context) -> Row:
    entry = line.entry
    expected, observed = text.sides(line.change)
    until = f" until {entry.expires}" if entry.expires else ""
    cells = (
        short(line.title),
        entry.place,
        short(line.change.observation),
        expected,
        observed,
        str(line.change.kind),
        f"{entry.since}{until}",
        " ".join(filter(None, (_why(entry.reason), _why(entry.link)))),
    )
    href = context.link(f"schemas/experiments/{line.experiment}.json")
    return Row(cells=cells, href=href)


def _accepted_here(context: Context) -> Iterator[Row]:
    for line in context.accepted_here:
        words = [line.text] if line.text else []
        for change in line.changes[:_NAMED]:
            expected, observed = text.sides(change)
            words.append(f"{short(change.observation)}: {expected} → {observed}")
        more = len(line.changes) - _NAMED
        words += [f"and {more} more"] if more > 0 else []
        href = context.link(f"baselines/{line.experiment}/{line.cell}.json")
        cells = (short(line.title), line.cell, "; ".join(words), _why(line.reason))
        yield Row(cells=cells, href=href)


def _by_text(lines: Iterable[CaseLine], context: Context) -> Iterator[Row]:
    """Yield one row for the same words of one case in many cells."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for line in lines:
        groups.setdefault((line.experiment, line.title, line.text), []).append(line.cell)
    for (experiment, name, words), cells in groups.items():
        href = context.link(f"schemas/experiments/{experiment}.json")
        yield Row(cells=(short(name), listed(cells), _why(words)), href=href)


def _titles(experiment: str, variants: Sequence[str]) -> str:
    if len(variants) == 1:
        return short(title(experiment, variants[0]))
    return f"{short(experiment)} / {listed(variants)}"


def listed(names: Sequence[str]) -> str:
    """Return a few names, and how many there are besides."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(short, names[:_NAMED])) + more


def short(words: str) -> str:
    """Return a name that is short, as names are."""
    words = " ".join(words.split())
    return words if len(words) <= _NAME else words[: _NAME - 1] + "…"


def _why(words: str) -> str:
    """Return a reason: a sentence or two, said to be longer where it is."""
    words = " ".join(words.split())
    return words if len(words) <= 2 * _NAME else words[: 2 * _NAME - 1] + "…"
