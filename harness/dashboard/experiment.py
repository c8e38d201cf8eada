"""The page of one experiment; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from harness import compare, witness
from harness.dashboard import overview, upgrade
from harness.diff import Uncompared
from harness.history import OUTCOME, Statement
from harness.model import Difference, Outcome
from harness.report import history_terminal, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from harness.dashboard.columns import Column
    from harness.dashboard.facts import Facts, Pair
    from harness.history import CaseHistory, Timeline
    from harness.model import Change, Framework, Record, Source, Variant
    from harness.parity import Row, Side
    from harness.report.view import ChangeLine

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_NUMBER = re.compile(r"(issue|PR) #([0-9]+)")
#: Outcomes that say more than their name.
_TELLING = frozenset(
    {Outcome.RAISED, Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.NOT_BUILT, Outcome.UNSUPPORTED}
    | {Outcome.INVALID, Outcome.UNAVAILABLE}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Neighbouring cells with one value; it differs from the one before where it has a class."""

    value: str
    cells: tuple[str, ...]
    severity: str = ""
    kind: str = ""
    #: What else changed between the two versions: a page, and where on it.
    upgrade: tuple[str, str] | None = None
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One observation over all cells, and since when it has its value, by lineage."""

    name: str
    spans: tuple[Span, ...]
    since: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How cells ended, in full."""

    cells: tuple[str, ...]
    outcome: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One observation of torch beside burn's."""

    name: str
    torch: str
    burn: str
    apart: str
    tolerance: str
    says: str
    #: Which side has the exact value, where one is known.
    holder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One variant's part of the page."""

    variant: Variant
    marks: tuple[overview.Mark, ...]
    side: Side
    parity: tuple[str, str]
    beside: tuple[Beside, ...]
    observed: tuple[Observed, ...]
    endings: tuple[Ending, ...]
    #: What the last run saw otherwise than the baseline.
    pending: tuple[ChangeLine, ...]
    #: The cells whose last run has no baseline to be held against.
    new: tuple[str, ...]


def of(
    facts: Facts,
    rows: Sequence[overview.Row],
    halves: Mapping[Framework, Markup],
    pending: Sequence[ChangeLine],
) -> dict[str, Any]:
    """Return what the template shows."""
    contract = facts.contract
    shown = [one for one in facts.columns if one.cell.released or one.run]
    parts = []
    for row in rows:
        side = facts.sides[row.variant]
        parts.append(
            Part(
                variant=contract.variants[row.variant],
                marks=tuple(row.marks[facts.columns.index(one)] for one in shown),
                side=side,
                parity=overview.PARITY[side.status],
                beside=tuple(_beside(facts, side)),
                observed=tuple(_observed(facts, shown, row.variant)),
                endings=tuple(_endings(facts, row.variant)),
                pending=tuple(line for line in pending if line.variant == row.variant),
                new=tuple(
                    one.id
                    for one, mark in zip(facts.columns, row.marks, strict=True)
                    if mark.pending == overview.NEW
                ),
            )
        )
    return {
        "contract": contract,
        "topic": overview.anchor(contract.topic),
        "columns": shown,
        "sources": [(one.document, one.section, link(one)) for one in contract.source],
        "parts": parts,
        "halves": halves,
    }


def link(source: Source) -> str:
    """Return the address of an issue or pull request on GitHub; empty for another source."""
    number = _NUMBER.fullmatch(source.section)
    if not number or not _REPOSITORY.fullmatch(source.document):
        return ""
    kind = "issues" if number[1] == "issue" else "pull"
    return f"https://github.com/{source.document}/{kind}/{number[2]}"


def _beside(facts: Facts, side: Side) -> Iterator[Beside]:
    for row in side.rows:
        listed = row.observation in side.listed
        says = "agree" if row.change is None else "known" if listed else "differ"
        if row.change is None and row.observation in side.closed:
            says = "agree, though listed as a divergence"
        torch, burn = (
            text.sides(row.change)
            if row.change is not None
            else (text.value(row.torch), text.value(row.burn))
        )
        holder = witness.holder(facts.contract, side.variant, row)
        yield Beside(
            name=row.observation,
            torch=torch,
            burn=burn,
            apart=_apart(row),
            tolerance=text.tolerance(row.tolerance) if row.measure else "",
            says=says,
            holder=str(holder or ""),
        )


def _apart(row: Row) -> str:
    return f"{row.measure.max_abs:.2e}" if row.measure is not None else ""


def _observed(facts: Facts, shown: Sequence[Column], variant: str) -> Iterator[Observed]:
    """Yield each observation with a span for the cells of one value, along each lineage."""
    histories = [one for one in facts.histories if one.variant.name == variant]
    names = dict.fromkeys(
        line.observation for one in histories for line in one.timelines if line.observed
    )
    records = (facts.records.get((one.id, variant)) for one in shown if not one.cell.released)
    names |= {name: None for record in records if record for name in record.observations}
    for name in names:
        spans: list[Span] = []
        since: list[tuple[str, str]] = []
        for _, ours in groupby(shown, key=lambda column: column.cell.framework):
            columns = list(ours)
            for history in histories:
                if history.lineage.framework is not columns[0].cell.framework:
                    continue
                line = next((one for one in history.timelines if one.observation == name), None)
                spans += _spans(facts, history, line)
                since += _since(history, line)
            heads = [column for column in columns if not column.cell.released]
            spans += [_head(facts, column, variant, name) for column in heads]
        if name == OUTCOME and {span.value for span in spans if span.known} == {Outcome.OBSERVED}:
            continue  # the marks above say so
        yield Observed(name=name, spans=tuple(spans), since=tuple(since))


def _spans(facts: Facts, history: CaseHistory, line: Timeline | None) -> Iterator[Span]:
    values = text.stages(line) if line else []
    starts = [stage.since for stage in line.stages] if line else []
    ids = [cell.id for cell in history.lineage.cells if cell.id not in history.missing]
    variant = history.variant.name

    def stage_of() -> Iterator[tuple[str, int]]:
        number = -1
        for cell in history.lineage.cells:
            number += cell.id in starts[number + 1 :]
            yield cell.id, -1 if cell.id in history.missing else number

    for number, group in groupby(stage_of(), key=lambda one: one[1]):
        cells = tuple(cell for cell, _ in group)
        if line is None or number < 0:
            yield Span(value="?" if line else "–", cells=cells, known=False)
            continue
        stage = line.stages[number]
        starts_here = stage.change is not None and cells[0] == stage.since
        change = stage.change if starts_here else None
        pair = ids[ids.index(stage.since) - 1], stage.since
        if change is not None and _follows(facts, pair, variant, change):
            change = None
        yield Span(
            value=values[number],
            cells=cells,
            severity=str(change.kind.severity) if change else "",
            kind=str(change.kind) if change else "",
            upgrade=_upgrade(facts, pair, variant, line.observation) if change else None,
        )


def _follows(facts: Facts, pair: Pair, variant: str, change: Change) -> bool:
    """Is an observation gone only because the case ended before it? That it ended is the change."""
    found = facts.found[pair][variant]
    if change.kind is not Difference.OBSERVATION_GONE or isinstance(found, Uncompared):
        return False
    return any(entry.change.observation == OUTCOME for entry in found)


def _upgrade(facts: Facts, pair: Pair, variant: str, name: str) -> tuple[str, str] | None:
    """Return where an upgrade page tells of a change; None where there may be no such page."""
    found = facts.found[pair][variant]
    ends = (facts.records[cell, variant].outcome for cell in pair)
    if isinstance(found, Uncompared) or not found or Outcome.UNSUPPORTED in ends:
        return None
    sections = {entry.change.observation: entry.section for entry in found}
    section = sections.get(name, found[0].section)
    return upgrade.name(pair), upgrade.anchor(section, facts.contract.id, variant)


def _since(history: CaseHistory, line: Timeline | None) -> Iterator[tuple[str, str]]:
    """Yield (lineage, since when), where the value was ever another one."""
    if line is None or len(line.stages) < 2:
        return
    newest = line.stages[-1]
    surely = "" if newest.statement is Statement.EXACT else " or earlier"
    yield history.lineage.id, history_terminal.since(newest).removeprefix("≤ ") + surely


def _head(facts: Facts, column: Column, variant: str, name: str) -> Span:
    """Return what a moving head observed, and how that differs from its reference."""
    record = facts.records.get((column.id, variant))
    if record is None:
        return Span(value="?", cells=(column.id,), known=False)
    value = compare.says(record) if name == OUTCOME else record.observations.get(name)
    pair = column.cell.reference or "", column.id
    found = facts.found.get(pair, {}).get(variant, ())
    entries = () if isinstance(found, Uncompared) else found
    kinds = (entry.change.kind for entry in entries if entry.change.observation == name)
    kind = next((kind for kind in kinds if kind is not Difference.ROUNDING), None)
    return Span(
        value=text.value(value),
        cells=(column.id,),
        severity=str(kind.severity) if kind else "",
        kind=str(kind) if kind else "",
        upgrade=_upgrade(facts, pair, variant, name) if kind else None,
    )


def _endings(facts: Facts, variant: str) -> Iterator[Ending]:
    found: dict[tuple[str, str], list[str]] = {}
    for column in facts.columns:
        record = facts.records.get((column.id, variant))
        if record is not None and record.outcome in _TELLING:
            found.setdefault((str(record.outcome), _words(record)), []).append(column.id)
    for (outcome, words), cells in found.items():
        yield Ending(cells=tuple(cells), outcome=outcome.replace("_", " "), words=words)


def _words(record: Record) -> str:
    if record.raised is not None:
        return f"{record.raised.type}: {record.raised.text}"
    return record.reason
