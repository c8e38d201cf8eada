"""The report that a person reads in a terminal or a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.parity import Status
from harness.report import accepted, advice, columns, sides, text, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.report.view import CaseLine, Report

    Paint = Callable[[str, str], str]

#: Of cases that are alike in kind so many are shown.
_SHOWN = 50
#: What goes on below a line has this indent.
_MORE = 4
_COLOURS = {
    "break": "red",
    "change": "yellow",
    "note": "cyan",
}


def unpainted(words: str, _colour: str) -> str:
    """Return the words as they are."""
    return words


def render(report: Report, paint: Paint = unpainted) -> str:
    """Return the report as text; `paint(words, colour)` may colour it."""
    parts = [
        _cells(report),
        *_changes(report, paint),
        *accepted.sections(report),
        *_flaky(report),
        *_case_lines(report),
        *sides.sections(report, paint),
        *_unreferenced(report),
        _summary(report, paint),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _cells(report: Report) -> str:
    here = report.machine
    rows = []
    for cell in report.cells:
        versions = " ".join(f"{name} {value}" for name, value in cell.versions.items())
        if cell.unavailable:
            rows.append([cell.cell, "unavailable", "", "", "", versions])
        else:
            same = f"{report.same_in.get(cell.cell, 0)} of {report.compared_in(cell.cell)} same"
            time = f"{cell.seconds:.1f} s" if cell.ran else ""
            times = f" × {cell.repeat}" if cell.repeat > 1 else ""
            ran = f"{cell.ran} run{times}"
            rows.append([cell.cell, same, ran, f"{cell.cached} cached", time, versions])
    head = f"emberwatch on {here['cpu']} ({here['isa']}), {here['platform']}"
    lines = [columns.wrapped(head, _MORE), *columns.aligned(rows)]
    for cell in report.unavailable:
        first, *more = cell.unavailable.split("\n")
        lines.append(columns.wrapped(f"{cell.cell} is unavailable: {first}", _MORE))
        lines += [columns.wrapped(line, _MORE) for line in more]
    for cell in report.unlimited:
        lines.append(columns.wrapped(f"{cell.cell} {text.unlimited(cell.lacking)}", _MORE))
    return "\n".join(lines)


def _changes(report: Report, paint: Paint) -> Iterator[str]:
    head = [
        "severity",
        "experiment / variant",
        "observation",
        "expected",
        "observed",
        "class",
        "",
    ]
    for (cell, against), lines in report.by_cell().items():
        rows = []
        for line in lines:
            expected, observed = text.sides(line.change)
            kind = line.change.kind.value
            told = (text.measured(line.change.measure), report.movement(line))
            measured = "; ".join(filter(None, told))
            name = line.change.observation
            rows.append([str(line.severity), line.title, name, expected, observed, kind, measured])
        baseline = "its baseline" if against == cell else against
        table = [_painted(line, paint) for line in columns.table(rows, head, [(6,), (3, 4, 6)])]
        yield "\n".join([f"CHANGED  {cell} against {baseline}", *table])


def _painted(line: str, paint: Paint) -> str:
    """Return a line of a table with the severity that it begins with in its colour."""
    word, blank, rest = line.partition(" ")
    return f"{paint(word, _COLOURS[word])}{blank}{rest}" if word in _COLOURS else line


def _flaky(report: Report) -> Iterator[str]:
    rows = []
    for line in report.flaky[:_SHOWN]:
        one = line.flaky
        first, other = text.value(one.first), text.value(one.other)
        if isinstance(one.first, str) and isinstance(one.other, str):
            first, other = text.from_first_difference(one.first, one.other)
        agree = f"{one.agreed} of {one.runs} agree"
        measured = text.measured(one.measure)
        rows.append([line.cell, line.title, line.observation, agree, first, other, measured])
    if rows:
        head = ["cell", "experiment / variant", "observation", "runs", "first", "other", ""]
        table = columns.table(rows, head, [(6,), (4, 5, 6)])
        heading = "FLAKY  what disagrees with itself; left out of the comparisons"
        yield "\n".join([heading, *table, *_more(report.flaky)])


def _case_lines(report: Report) -> Iterator[str]:
    for name, lines in (
        ("INVALID  records that break their contract", report.invalid),
        ("INCONCLUSIVE", report.inconclusive),
        ("NEW  cases without a baseline", report.new),
    ):
        if lines:
            rows = [[line.cell, line.title, text.shortened(line.text)] for line in lines[:_SHOWN]]
            yield "\n".join([name, *columns.aligned(rows), *_more(lines)])


def _more(lines: Sequence[CaseLine]) -> Iterator[str]:
    if len(lines) > _SHOWN:
        yield f"… and {len(lines) - _SHOWN} more"


def _unreferenced(report: Report) -> Iterator[str]:
    if report.unreferenced:
        lines = [columns.wrapped(line, _MORE) for line in report.unreferenced]
        yield "\n".join(["UNREFERENCED  baselines that nothing names any more", *lines])


def _summary(report: Report, paint: Paint) -> str:
    counts = report.counts()
    found = [paint(text.count(n, s), _COLOURS[s]) for s, n in counts.items() if n]
    total = sum(counts.values())
    extra = [
        text.count(len(lines), word)
        for word, lines in (
            ("invalid record", report.invalid),
            ("parity alarm", report.alarms),
            ("unavailable cell", report.unavailable),
            ("flaky case", report.flaky_cases),
            ("inconclusive case", report.inconclusive),
            ("new case", report.new),
            ("accepted difference", report.accepted),
            ("outdated acceptance", report.outdated),
            ("unreferenced baseline", report.unreferenced),
        )
        if lines
    ]
    differences = f"{text.count(total, 'difference')}" + (f": {', '.join(found)}" if found else "")
    hint = "; --verbose shows each" if _hidden(report) else ""
    lines = [
        f"{verdict.cases(report)}.",
        f"{verdict.parity(report)}{hint}.",
        columns.wrapped(", ".join([differences, *extra]) + f".  exit {report.code:d}", _MORE),
        *_next(report),
    ]
    return "\n".join(lines)


def _hidden(report: Report) -> bool:
    """Is there anything that agrees or is known, and not shown?"""
    known = any(side.status is Status.KNOWN for side in report.sides)
    return not report.verbose and bool(known or report.agreeing)


def _next(report: Report) -> Iterator[str]:
    """Yield the commands to type next."""
    rows = [["" if number else "next", *step] for number, step in enumerate(advice.steps(report))]
    if rows:
        yield from columns.aligned(rows, 2 * _MORE)
