"""The report that a person reads in a terminal or a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabulate import tabulate

from harness.model import title
from harness.parity import Status
from harness.report import accepted, advice, text, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.parity import Row, Side
    from harness.report.view import Report

    Paint = Callable[[str, str], str]

_COLOURS = {
    "break": "red",
    "change": "yellow",
    "note": "cyan",
    "MISMATCH": "red",
    "OK": "green",
}


def unpainted(words: str, _colour: str) -> str:
    """Return the words as they are."""
    return words


def render(report: Report, paint: Paint = unpainted, *, verbose: bool = False) -> str:
    """Return the report as text; `paint(words, colour)` may colour it."""
    parts = [
        _cells(report),
        *_changes(report, paint),
        *accepted.sections(report),
        *_flaky(report),
        *_case_lines(report),
        *_parity(report, paint, verbose=verbose),
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
            rows.append([cell.cell, "unavailable", "", "", versions])
        else:
            time = f"{cell.seconds:.1f} s" if cell.ran else ""
            times = f" × {cell.repeat}" if cell.repeat > 1 else ""
            ran = f"{cell.ran} run{times}"
            rows.append([cell.cell, ran, f"{cell.cached} cached", time, versions])
    head = f"emberwatch on {here['cpu']} ({here['isa']}), {here['platform']}"
    lines = [head, tabulate(rows, tablefmt="plain")]
    for cell in report.unavailable:
        lines += [f"{cell.cell} is unavailable: {cell.unavailable}"]
    return "\n".join(lines)


def _changes(report: Report, paint: Paint) -> Iterator[str]:
    for (cell, against), lines in report.by_cell().items():
        rows = []
        for line in lines:
            expected, observed = text.sides(line.change)
            kind = line.change.kind.value
            severity = paint(line.severity, _COLOURS[line.severity])
            told = (text.measured(line.change.measure), report.movement(line))
            measured = "; ".join(filter(None, told))
            rows.append(
                [severity, line.title, line.change.observation, expected, observed, kind, measured]
            )
        head = [
            "severity",
            "experiment / variant",
            "observation",
            "expected",
            "observed",
            "class",
            "",
        ]
        if not any(row[-1] for row in rows):
            head, rows = head[:-1], [row[:-1] for row in rows]
        baseline = "its baseline" if against == cell else against
        table = tabulate(rows, headers=head, tablefmt="simple", disable_numparse=True)
        yield f"CHANGED  {cell} against {baseline}\n{table}"


def _flaky(report: Report) -> Iterator[str]:
    rows = []
    for line in report.flaky[:50]:
        one = line.flaky
        first, other = text.value(one.first), text.value(one.other)
        if isinstance(one.first, str) and isinstance(one.other, str):
            first, other = text.from_first_difference(one.first, one.other)
        agree = f"{one.agreed} of {one.runs} agree"
        measured = text.measured(one.measure)
        rows.append([line.cell, line.title, line.observation, agree, first, other, measured])
    if rows:
        head = ["cell", "experiment / variant", "observation", "runs", "first", "other", ""]
        if not any(row[-1] for row in rows):
            head, rows = head[:-1], [row[:-1] for row in rows]
        more = f"\n… and {len(report.flaky) - 50} more" if len(report.flaky) > 50 else ""
        table = tabulate(rows, headers=head, tablefmt="simple", disable_numparse=True)
        yield f"FLAKY  what disagrees with itself; left out of the comparisons\n{table}{more}"


def _case_lines(report: Report) -> Iterator[str]:
    for name, lines in (
        ("INVALID  records that break their contract", report.invalid),
        ("INCONCLUSIVE", report.inconclusive),
        ("NEW  cases without a baseline", report.new),
    ):
        if lines:
            rows = [[line.cell, line.title, text.shortened(line.text)] for line in lines[:50]]
            more = f"\n… and {len(lines) - 50} more" if len(lines) > 50 else ""
            yield f"{name}\n{tabulate(rows, tablefmt='plain', disable_numparse=True)}{more}"


def _parity(report: Report, paint: Paint, *, verbose: bool) -> Iterator[str]:
    groups: dict[tuple[str, str], list[Side]] = {}
    for side in report.sides:
        groups.setdefault((side.burn, side.torch), []).append(side)
    for (burn, torch), sides in groups.items():
        lines = [f"PARITY  {burn} with {torch}"]
        for side in sides:
            lines += _side(report, side, paint, verbose=verbose)
        yield "\n".join(lines)


def _side(report: Report, side: Side, paint: Paint, *, verbose: bool) -> Iterator[str]:
    name = f"{title(side.experiment, side.variant):<34}"
    if side.status is Status.NOT_COMPARED:
        yield f"{name} not compared: {side.reason}"
        return
    agrees = side.status is Status.SAME
    rows = [row for row in side.rows if _worth_a_line(row, all_of_them=not agrees or verbose)]
    for row in rows:
        exact = report.holder(side, row)
        yield f"{name} {_row(row)}" + (f"; exact: {exact}" if exact else "")
        name = " " * 34
    yield f"{name} {_verdict(side, paint)}"
    if side.reason:
        source = report.contracts[side.experiment].source[0]
        yield f"{' ' * 34} known: {side.reason} ({source.document}, {source.section})"
    for words in side.explained:
        yield f"{' ' * 34} {words}"


def _worth_a_line(row: Row, *, all_of_them: bool) -> bool:
    """Of what agrees, tensors alone tell how nearly; of what does not, every observation does."""
    return row.measure is not None or (all_of_them and row.change is not None)


def _row(row: Row) -> str:
    torch, burn = text.sides(row.change) if row.change else ("", "")
    values = f" {torch} in torch, {burn} in burn" if row.change else ""
    if row.measure is None:
        return f"{row.observation:<24}{values}"
    place = f" at {list(row.measure.index)}" if row.change and row.measure.index else ""
    far = f"n={row.measure.n:>3} max|diff|={row.measure.max_abs:.2e}"
    return f"{row.observation:<24} {far}{values}{place}"


def _verdict(side: Side, paint: Paint) -> str:
    ok = side.status is Status.SAME
    word = paint("OK", _COLOURS["OK"]) if ok else paint("MISMATCH", _COLOURS["MISMATCH"])
    worst = side.worst
    head = ""
    if worst is not None and worst.measure is not None:
        head = f"worst={worst.measure.max_abs:.2e} "
        if worst.tolerance is not None:
            rtol, atol = worst.tolerance.rtol, worst.tolerance.atol
            head += f"tol={atol:.0e} " if not rtol else f"tol={atol:.0e}+{rtol:.1e}·|x| "
    match side.status:
        case Status.CLOSED:
            verb = "agrees" if len(side.closed) == 1 else "agree"
            return f"{head}closed: {', '.join(side.closed)} {verb} now"
        case Status.EXPIRED:
            return f"{head}{word}, and what was known has expired"
        case Status.LOST:
            return f"{head}{word}, where the baselines agree"
        case Status.MISMATCH if side.reason:
            return f"{head}{word}, beyond what is known"
        case _:
            return f"{head}{word}"


def _unreferenced(report: Report) -> Iterator[str]:
    if report.unreferenced:
        yield "UNREFERENCED  baselines that nothing names any more\n" + "\n".join(
            report.unreferenced
        )


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
    lines = [
        verdict.compared(report),
        ", ".join([differences, *extra]) + f".  exit {report.code:d}",
        *_next(report),
    ]
    return "\n".join(lines)


def _next(report: Report) -> Iterator[str]:
    """Yield the commands to type next."""
    steps = advice.steps(report)
    rows = [["next" if not number else "", *step] for number, step in enumerate(steps)]
    if rows:
        yield tabulate(rows, tablefmt="plain", disable_numparse=True)
