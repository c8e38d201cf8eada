"""Two versions of a framework → what behaves otherwise, and what that does to parity; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from harness import compare, effects, versions
from harness.errors import ExitCode
from harness.model import Case, Difference, Framework, Outcome, Record, Severity, title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.effects import Effect
    from harness.model import Cell, Change, Contract, Variant

#: The text of both halves that a variant runs, by framework.
Code = Callable[[str, str], Mapping[Framework, str]]
_NO_API = frozenset({Outcome.UNSUPPORTED, Outcome.NOT_BUILT})
_NO_BEHAVIOUR = frozenset({Outcome.INVALID, Outcome.UNAVAILABLE})


class Source(StrEnum):
    """Where it is taken from what a version does."""

    BASELINES = "baselines"
    RECORDS = "records"


class Section(StrEnum):
    """The parts of an upgrade report, in their order."""

    BREAK = "break"
    CHANGE = "change"
    API_GONE = "api_gone"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One version: its cell, and how to get its records of an experiment by variant."""

    cell: Cell
    source: Source
    records: Callable[[Contract], Mapping[str, Record]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One case that behaves otherwise: what it asks, and the code that asks it."""

    experiment: str
    variant: str
    question: str
    says: str
    code: Mapping[Framework, str]

    @property
    def title(self) -> str:
        """Return `experiment / variant`."""
        return title(self.experiment, self.variant)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One place where two versions differ."""

    subject: Subject
    change: Change
    effect: Effect

    @property
    def section(self) -> Section:
        """Return the part of the report where the entry stands."""
        if self.change.kind is Difference.API_GONE:
            return Section.API_GONE
        return Section(self.change.kind.severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncompared:
    """One case that was not compared, and why not."""

    experiment: str
    variant: str
    reason: str

    @property
    def title(self) -> str:
        """Return `experiment / variant`."""
        return title(self.experiment, self.variant)


#: What is found of one case: what differs, or why it was not compared.
Found = tuple[Entry, ...] | Uncompared


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """The upgrade report: entries by section, each section in the order of the contracts."""

    old: Side
    new: Side
    #: The cell of the other framework that parity is computed with.
    pinned: Side
    entries: tuple[Entry, ...]
    uncompared: tuple[Uncompared, ...]
    compared: int
    same: int
    #: How many entries a minimum severity leaves out.
    hidden: int = 0

    def sections(self) -> dict[Section, list[list[Entry]]]:
        """Return the entries by section and case; a section without any is left out."""
        found: dict[Section, dict[str, list[Entry]]] = {}
        for entry in self.entries:
            cases = found.setdefault(entry.section, {})
            cases.setdefault(entry.subject.title, []).append(entry)
        return {section: list(cases.values()) for section, cases in found.items()}

    def counts(self) -> dict[Section, int]:
        """Return how many entries each section has."""
        found = dict.fromkeys(Section, 0)
        for entry in self.entries:
            found[entry.section] += 1
        return found

    @property
    def code(self) -> ExitCode:
        """Return the exit code: `rounding` alone is shown and stays 0, as everywhere."""
        if not self.compared:
            return ExitCode.INCONCLUSIVE
        if any(entry.section is not Section.NOTE for entry in self.entries):
            return ExitCode.CHANGED
        noted = [entry for entry in self.entries if entry.change.kind is not Difference.ROUNDING]
        return ExitCode.TO_ACCEPT if noted else ExitCode.SAME


def at_least(diff: Diff, severity: Severity) -> Diff:
    """Return the report without what matters less than a severity; it counts what it leaves out."""
    order = list(Severity)
    kept = tuple(
        entry
        for entry in diff.entries
        if order.index(entry.change.kind.severity) <= order.index(severity)
    )
    return replace(diff, entries=kept, hidden=diff.hidden + len(diff.entries) - len(kept))


def build(contracts: Iterable[Contract], old: Side, new: Side, pinned: Side, code: Code) -> Diff:
    """Return how `new` behaves otherwise than `old`, one experiment in memory at a time."""
    cases: list[Found] = []
    for contract in contracts:
        sides = [(side, side.records(contract)) for side in (old, new, pinned)]
        for variant in contract.variants.values():
            records = [
                versions.known(Case(cell=side.cell, contract=contract, variant=variant), found)
                for side, found in sides
            ]
            cases.append(of_case(contract, variant, (old, new), records, code))
    return joined(old, new, pinned, cases)


def joined(old: Side, new: Side, pinned: Side, cases: Iterable[Found]) -> Diff:
    """Return the report on the cases, its entries by section."""
    entries: list[Entry] = []
    uncompared: list[Uncompared] = []
    compared = same = 0
    for found in cases:
        if isinstance(found, Uncompared):
            uncompared.append(found)
            continue
        compared += 1
        same += not found
        entries += found
    order = list(Section)
    entries.sort(key=lambda entry: order.index(entry.section))
    return Diff(
        old=old,
        new=new,
        pinned=pinned,
        entries=tuple(entries),
        uncompared=tuple(uncompared),
        compared=compared,
        same=same,
    )


def of_case(
    contract: Contract,
    variant: Variant,
    sides: tuple[Side, Side],
    records: Sequence[Record | None],
    code: Code,
) -> Found:
    """Return what differs in one case of two sides; `records` are old, new, pinned."""
    before, after, other = records
    reason = _lacking(sides[0], before) or _lacking(sides[1], after) or _neither(before, after)
    if reason or before is None or after is None:
        return Uncompared(experiment=contract.id, variant=variant.name, reason=reason)
    return tuple(_entries(contract, variant, before, after, other, code))


def _lacking(side: Side, record: Record | None) -> str:
    """Return why a side says nothing of a case's behaviour; empty where it says something."""
    if record is None:
        what = "baseline" if side.source is Source.BASELINES else "record"
        return f"{side.cell.id} has no {what}"
    return f"{side.cell.id} {compare.says(record)}" if record.outcome in _NO_BEHAVIOUR else ""


def _neither(before: Record | None, after: Record | None) -> str:
    """Return why nothing can be lost: one side is ruled out, and the other does not have it."""
    outcomes = {record.outcome for record in (before, after) if record is not None}
    lacked = outcomes <= _NO_API and Outcome.UNSUPPORTED in outcomes
    return f"neither has it: {compare.says(after)}" if lacked and after is not None else ""


def _entries(
    contract: Contract,
    variant: Variant,
    before: Record,
    after: Record,
    other: Record | None,
    code: Code,
) -> list[Entry]:
    same_machine = compare.same_machine(before, after)
    found = compare.changes(contract, before, after, same_machine=same_machine)
    if not found:
        return []
    subject = Subject(
        experiment=contract.id,
        variant=variant.name,
        question=contract.question,
        says=variant.says,
        code=code(contract.id, variant.name),
    )
    effect = effects.of(contract, variant, (before, other), (after, other))
    return [
        Entry(subject=subject, change=change, effect=effect(change.observation)) for change in found
    ]
