"""The commands to type next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.errors import ExitCode
from harness.model import ParityRule
from harness.parity import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.parity import Side
    from harness.report.view import CaseLine, Report

Step = tuple[str, str]


def steps(report: Report) -> list[Step]:
    """Return commands and what each is good for; none where all is the same."""
    if report.code is ExitCode.SAME:
        return []
    return [*_again(report), *_accept(report), *edits(report)]


def _again(report: Report) -> Iterator[Step]:
    if any(cell.untried for cell in report.unavailable):
        yield "nox -s regress -- --keep-going", "run the cells that can be had"
    for line in report.invalid[:1]:
        yield f"nox -s regress -- {line.experiment} {line.cell} --no-cache", "run it again"
    for cell, experiment, _ in report.flaky_cases[:1]:
        command = f"nox -s regress -- {experiment} {cell} --repeat 20"
        yield command, "see how often it disagrees with itself"


def _accept(report: Report) -> Iterator[Step]:
    acceptable = [line for line in report.acceptable if not line.missing]
    if acceptable:
        yield "nox -s review", "go through them one by one"
    for case in acceptable[:1]:
        command = f'nox -s accept -- {case.experiment} {case.variant} {case.cell} --reason "…"'
        yield command, "or accept one"
    for line in [line for line in report.new if line.missing][:1]:
        yield of_missing(report, line)


def of_missing(report: Report, line: CaseLine) -> Step:
    """Return how the baseline is made that a new case has to have before it can be accepted."""
    why = f"accept that first: {line.cell} is held against it"
    if line.missing == line.cell:
        why = f"on {report.baselines_from}, and accept it there first: baselines come from it"
    return f"nox -s regress -- {line.experiment} {line.missing}", why


def edits(report: Report) -> Iterator[Step]:
    """Yield which files to edit, where accepting settles nothing."""
    for alarm in report.outdated[:1]:
        yield f"edit {alarm.entry.where}", alarm.advice
    closed = [side for side in report.sides if side.status is Status.CLOSED]
    for side in [*report.alarms, *closed][:1]:
        yield of_parity(report, side)


def of_parity(report: Report, side: Side) -> Step:
    """Return which contract to edit, where torch and burn stand otherwise than it says."""
    known = report.contracts[side.experiment].variants[side.variant].parity
    what = "update" if known.rule is ParityRule.DIFFERS else "add"
    path = f"schemas/experiments/{side.experiment}.json"
    return f"edit {path}", f"{what} the known divergence, with its reason"


def of_run(run: str, system: str) -> list[Step]:
    """Return how to accept what a run in CI observed, which keeps it as artifacts."""
    which = f" --system {system}" if system else ""
    command = f'nox -s accept -- --from-run {run}{which} --all --reason "…"'
    why = "accept all that the run observed; an experiment, a variant, a cell may be named instead"
    return [(command, why)]
