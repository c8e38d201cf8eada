"""What a terminal shows of torch beside burn: each comparison, or what asks for somebody."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from harness.model import title
from harness.parity import Status
from harness.report import columns, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.parity import Row, Side
    from harness.report.view import Report

#: The names of cases have a column of this width; what goes on below stands to the right of it.
_NAME = 34
_MORE = _NAME + 3
#: Of the contracts' reasons for comparing nothing so many are told, the most frequent first.
_REASONS = 5
#: What is as the contracts say, and asks for nobody.
_QUIET = frozenset({Status.SAME, Status.KNOWN, Status.NOT_COMPARED})
_COLOURS = {"OK": "green", "KNOWN": "cyan", "MISMATCH": "red"}


def sections(report: Report, paint: Callable[[str, str], str]) -> Iterator[str]:
    """Yield a section for each pair of cells, and one for what was not compared."""
    groups: dict[tuple[str, str], list[Side]] = {}
    for side in report.sides:
        if report.verbose or side.status not in _QUIET:
            groups.setdefault((side.burn, side.torch), []).append(side)
    for (burn, torch), sides in groups.items():
        lines = [f"PARITY  {burn} with {torch}"]
        for side in sides:
            lines += _side(report, side, paint)
        yield "\n".join(lines)
    if not report.verbose:
        yield from _not_compared(report)


def _not_compared(report: Report) -> Iterator[str]:
    """Yield how often each reason holds: all that a run gave, the most frequent of contracts."""
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for side in report.sides:
        if side.status is Status.NOT_COMPARED:
            known = report.contracts[side.experiment].variants[side.variant].unsupported
            (theirs if side.reason in known.values() else ours)[side.reason] += 1
    found = theirs.most_common()
    shown = found if len(found) <= _REASONS + 1 else found[:_REASONS]
    others = [number for _, number in found[len(shown) :]]
    found = [*ours.most_common(), *shown]
    if others:
        found.append((f"for {len(others)} other reasons; --verbose gives them", sum(others)))
    if found:
        lines = ["NOT COMPARED  torch with burn"]
        for reason, number in found:
            lines.append(columns.wrapped(f"{number:>5}  {' '.join(reason.split())}", 7))
        yield "\n".join(lines)


def _side(report: Report, side: Side, paint: Callable[[str, str], str]) -> Iterator[str]:
    name = f"{title(side.experiment, side.variant):<{_NAME}}"
    if side.status is Status.NOT_COMPARED:
        yield columns.wrapped(f"{name} not compared: {side.reason}", _MORE)
        return
    for row in side.rows:
        if row.measure is None and row.change is None:
            continue  # of what agrees, tensors alone tell how nearly
        measured, values = _row(report, side, row)
        if columns.wide(f"{name} {measured} {values}"):
            yield columns.wrapped(f"{name} {measured}", _MORE)
            yield columns.wrapped(f"{' ' * _MORE}{values}", _MORE)
        else:
            yield f"{name} {measured} {values}".rstrip()
        name = " " * _NAME
    word, more = _verdict(side)
    why = list(_why(report, side))
    if side.status is Status.KNOWN and why:
        more = f": {why.pop(0)}"
    line = columns.wrapped(f"{name} {_worst(side)}{word}{more}", _MORE)
    yield line.replace(word, paint(word, _COLOURS[word]), 1) if word else line
    for words in why:
        yield columns.wrapped(f"{' ' * _NAME} {words}", _MORE)


def _row(report: Report, side: Side, row: Row) -> tuple[str, str]:
    """Return an observation's name with how far apart it is, and its values where they differ."""
    far, values = "", ""
    if row.measure is not None:
        far = f"n={row.measure.n:>3} max|diff|={row.measure.max_abs:.2e}"
    if row.change is not None:
        torch, burn = text.sides(row.change)
        place = f" at {list(row.measure.index)}" if row.measure and row.measure.index else ""
        exact = report.holder(side, row)
        holder = f"; exact: {exact}" if exact else ""
        values = f"{torch} in torch, {burn} in burn{place}{holder}"
    return f"{row.observation:<24} {far}".rstrip().ljust(24), values


def _worst(side: Side) -> str:
    worst = side.worst
    if worst is None or worst.measure is None:
        return ""
    head = f"worst={worst.measure.max_abs:.2e} "
    asked = text.tolerance(worst.tolerance)
    return head + (f"tol={asked} " if asked else "")


def _verdict(side: Side) -> tuple[str, str]:
    """Return a word that has a colour, and what is to be said besides."""
    match side.status:
        case Status.SAME:
            return "OK", ""
        case Status.KNOWN:
            return "KNOWN", ""
        case Status.CLOSED:
            verb = "agrees" if len(side.closed) == 1 else "agree"
            return "", f"closed: {', '.join(side.closed)} {verb} now"
        case Status.EXPIRED:
            return "MISMATCH", ", and what was known has expired"
        case Status.LOST:
            return "MISMATCH", ", where the baselines agree"
        case _:
            return "MISMATCH", ", beyond what is known" if side.reason else ""


def _why(report: Report, side: Side) -> Iterator[str]:
    """Yield the contract's reason with its source, and what accepted differences explain."""
    if side.reason:
        source = report.contracts[side.experiment].source[0]
        known = "" if side.status is Status.KNOWN else "known: "
        yield f"{known}{side.reason} ({source.document}, {source.section})"
    yield from side.explained
