"""What people read of a run, in its order, before a renderer gives it a form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.errors import ExitCode
from harness.model import title
from harness.report import advice, heartbeat, listings, roots, text, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model import Value
    from harness.report.context import Context
    from harness.report.listings import Listing
    from harness.report.view import ChangeLine, Report

#: A value longer than what a table shows is given whole, up to so many characters a line.
WIDTH = 400
_LINES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One change as one cell saw it."""

    severity: str
    kind: str
    title: str
    observation: str
    expected: str
    observed: str
    #: How far apart, and where that is beside the exact value.
    measured: str
    #: Expected and observed in full, where a line does not hold them.
    whole: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDetails:
    """Everything that changed in one cell, against one other."""

    cell: str
    against: str
    versions: str
    details: tuple[Detail, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A run, in the order in which it is read."""

    code: ExitCode
    verdict: str
    counts: str
    #: When the moving heads were last watched; empty where that is not known.
    watched: tuple[heartbeat.Piece, ...]
    #: What is wrong, by root.
    findings: tuple[Listing, ...]
    cells: tuple[CellDetails, ...]
    #: What was not compared, and what is explained.
    rest: tuple[Listing, ...]
    steps: tuple[advice.Step, ...]
    #: The run whose observations a workflow can accept; empty where there is nothing to.
    run: str


def of(report: Report, context: Context, quoted: verdict.Quoted = text.shortened) -> Page:
    """Return the page of a run; `quoted` gives a name its form within a sentence."""
    ours: list[ChangeLine] = []
    already: list[ChangeLine] = []
    for line in report.changes:
        known = context.already and roots.key(line) in context.already
        (already if known else ours).append(line)
    found, others = roots.grouped(ours), roots.grouped(already)
    return Page(
        code=report.code,
        verdict=verdict.sentence(report, found, len(others), quoted),
        counts=_counts(report, context),
        watched=tuple(heartbeat.pieces(context.watched)),
        findings=tuple(listings.findings(report, found, context)),
        cells=tuple(_cells(report, ours)),
        rest=tuple(listings.rest(report, others, context)),
        steps=tuple(_steps(report, context)),
        run=context.run if _acceptable(report) else "",
    )


def _counts(report: Report, context: Context) -> str:
    rounded = verdict.rounding(report)
    parts = [verdict.compared(report)]
    if rounded:
        parts.append(f"{text.count(rounded, 'value')} within rounding.")
    for lines, word in (
        (report.accepted, "accepted difference"),
        (context.accepted_here, "baseline"),
    ):
        if lines:
            here = " changed here" if lines is context.accepted_here else ""
            parts.append(f"{text.count(len(lines), word)}{here}.")
    return " ".join([*parts, f"Exit {report.code:d}."])


def _steps(report: Report, context: Context) -> list[advice.Step]:
    """Return how to accept: from the run's artifacts where it is known, else on this machine."""
    if not context.run or report.code is ExitCode.SAME:
        return advice.steps(report)
    own = advice.of_run(context.run, context.system) if _acceptable(report) else []
    return [*own, *advice.edits(report)]


def _acceptable(report: Report) -> bool:
    return any(not line.missing for line in report.acceptable)


def _cells(report: Report, lines: Sequence[ChangeLine]) -> list[CellDetails]:
    versions = {
        cell.cell: " ".join(f"{name} {one}" for name, one in cell.versions.items())
        for cell in report.cells
    }
    groups: dict[tuple[str, str], list[ChangeLine]] = {}
    for line in sorted(lines, key=lambda line: roots.SEVERITIES.index(line.severity)):
        if line.change.kind is not roots.ROUNDING:
            groups.setdefault((line.cell, line.against), []).append(line)
    return [
        CellDetails(
            cell=cell,
            against=against,
            versions=versions.get(cell, ""),
            details=tuple(_detail(report, line) for line in found),
        )
        for (cell, against), found in groups.items()
    ]


def _detail(report: Report, line: ChangeLine) -> Detail:
    change = line.change
    expected, observed = text.sides(change)
    told = (text.measured(change.measure), report.movement(line))
    return Detail(
        severity=str(line.severity),
        kind=str(change.kind),
        title=title(line.experiment, line.variant),
        observation=change.observation,
        expected=expected,
        observed=observed,
        measured="; ".join(filter(None, told)),
        whole=_whole(change.expected, change.observed),
    )


def _whole(expected: Value | None, observed: Value | None) -> tuple[tuple[str, str], ...]:
    """Return both texts, where either is longer than a table shows; numbers have a measure."""
    sides = (("expected", expected), ("observed", observed))
    texts = tuple((name, value) for name, value in sides if isinstance(value, str))
    if all(text.shortened(value) == value for _, value in texts):
        return ()
    return tuple((name, limited(value)) for name, value in texts)


def limited(words: str) -> str:
    """Return lines of no great length and number, which say what is left out of them."""
    lines = words.split("\n")
    kept = [
        line if len(line) <= WIDTH else f"{line[:WIDTH]}… ({len(line) - WIDTH} characters more)"
        for line in lines[:_LINES]
    ]
    more = len(lines) - len(kept)
    return "\n".join([*kept, *([f"… ({text.count(more, 'line')} more)"] if more else [])])
