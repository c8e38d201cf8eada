"""A run in one sentence, and in one of numbers."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from harness.model import Difference, Severity
from harness.parity import Status
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from harness.parity import Side
    from harness.report.roots import Root
    from harness.report.view import Report

    #: Gives a cell's name the form in which a name stands in a sentence.
    Quoted = Callable[[str], str]

#: More cells than so many are counted, not named.
_NAMED = 3


def sentence(
    report: Report, roots: Sequence[Root], already: int = 0, quoted: Quoted = text.shortened
) -> str:
    """Return what changed, and what cannot be said; `already` counts what others changed."""
    changed = _changed(report, roots, quoted)
    parts = [changed, *_besides(report), *_unknown(report, quoted)]
    if already:
        parts.append(f"{text.count(already, 'difference')} not from this change")
    return "; ".join(parts)


def _changed(report: Report, roots: Sequence[Root], quoted: Quoted) -> str:
    if roots:
        cells = named(dict.fromkeys(cell for root in roots for cell in root.cells), quoted)
        return f"{text.count(len(roots), 'behaviour')} changed in {cells}: {_counted(roots)}"
    if not report.compared:
        return "nothing was compared"
    compared = f"{text.count(report.compared, 'case')} in {text.count(_compared(report), 'cell')}"
    return f"nothing changed: {compared} compared"


def _counted(roots: Sequence[Root]) -> str:
    found = dict.fromkeys(Severity, 0)
    for root in roots:
        found[root.severity] += 1
    return ", ".join(text.count(n, severity) for severity, n in found.items() if n)


def brief(report: Report, roots: Sequence[Root]) -> str:
    """Return the gravest of what the sentence says, in a few words."""
    if roots:
        return _counted(roots)
    others = chain(_besides(report), _unknown(report, text.shortened))
    same = f"same: {text.count(report.compared, 'case')}"
    return next(others, same if report.compared else "nothing was compared")


def named(cells: Iterable[str], quoted: Quoted) -> str:
    """Return the names of a few cells, or how many there are."""
    names = list(cells)
    if len(names) > _NAMED:
        return text.count(len(names), "cell")
    return ", ".join(map(quoted, names))


def _compared(report: Report) -> int:
    return sum(not cell.unavailable for cell in report.cells)


def unexplained(report: Report) -> list[Side]:
    """Return where torch and burn differ beyond what is known, without a change that says so."""
    return [side for side in report.alarms if side.status is not Status.LOST]


def _besides(report: Report) -> Iterator[str]:
    for word, lines in (
        ("invalid record", report.invalid),
        ("parity alarm", unexplained(report)),
        ("outdated acceptance", report.outdated),
        ("new case", report.new),
    ):
        if lines:
            yield text.count(len(lines), word)


def _unknown(report: Report, quoted: Quoted) -> Iterator[str]:
    missing = [cell.cell for cell in report.unavailable if cell.missing]
    unavailable = [cell.cell for cell in report.unavailable if not cell.missing]
    for cells, word in ((missing, "missing"), (unavailable, "unavailable")):
        if cells:
            yield f"{named(cells, quoted)} {word}"
    for lines, word in ((report.inconclusive, "inconclusive"), (report.flaky_cases, "flaky")):
        if lines:
            yield f"{text.count(len(lines), 'case')} {word}"


def compared(report: Report) -> str:
    """Return how much was compared, and what of it agreed."""
    return f"{cases(report)}; {parity(report)}."


def cases(report: Report) -> str:
    """Return how many cases were held against baselines."""
    number = text.count(report.compared, "case")
    same, unsupported = report.same, report.unsupported
    return f"{number} compared with baselines, {same} the same, {unsupported} unsupported"


def parity(report: Report) -> str:
    """Return on how much torch and burn agree, and where they are known not to."""
    known = sum(side.status is Status.KNOWN for side in report.sides)
    return f"torch and burn agree on {report.agreeing}, {text.count(known, 'known divergence')}"


def rounding(report: Report) -> int:
    """Return how many values differ in their bits, within the tolerance."""
    return sum(line.change.kind is Difference.ROUNDING for line in report.changes)
