"""Since which version each observation has its value, along each lineage; pure.

A version of which nothing is recorded decides nothing: what lies behind it is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from harness import compare, versions
from harness.model import Case, Difference, Outcome

if TYPE_CHECKING:
    from harness.model import Cell, Change, Contract, Framework, Record, Value, Variant
    from harness.versions import Lineage

#: Returns a cell's records of an experiment, by variant.
Read = Callable[["Cell", "Contract"], Mapping[str, "Record"]]
OUTCOME = "outcome"
_NO_BEHAVIOUR = frozenset({Outcome.INVALID, Outcome.UNAVAILABLE})


class Statement(StrEnum):
    """How surely a value is known to begin where it is said to."""

    EXACT = "exact"
    AT_MOST = "at_most"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One value, from the cell where it was first seen; None is `not observed`."""

    value: Value | None
    since: str
    statement: Statement
    #: How it differs from the value before; None of the first.
    change: Change | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The values of one observation, the oldest first; empty where nothing is recorded."""

    observation: str
    stages: tuple[Stage, ...]

    @property
    def statement(self) -> Statement:
        """Return how surely the newest value's beginning is known."""
        return self.stages[-1].statement if self.stages else Statement.UNKNOWN

    @property
    def observed(self) -> bool:
        """Was there ever a value, or is not even that known?"""
        return not self.stages or any(stage.value is not None for stage in self.stages)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseHistory:
    """One variant of an experiment along one lineage."""

    contract: Contract
    variant: Variant
    lineage: Lineage
    #: The cells of which nothing is recorded, and the newest of which something is.
    missing: tuple[str, ...]
    newest: str | None
    timelines: tuple[Timeline, ...]


def of(
    contract: Contract, variants: Iterable[Variant], lineages: Iterable[Lineage], read: Read
) -> Iterator[CaseHistory]:
    """Yield the history of an experiment's variants, each along every lineage."""
    lineages = tuple(lineages)
    records = {cell.id: read(cell, contract) for lineage in lineages for cell in lineage.cells}
    for variant in variants:
        for lineage in lineages:
            yield _case(contract, variant, lineage, records)


def _case(
    contract: Contract,
    variant: Variant,
    lineage: Lineage,
    records: Mapping[str, Mapping[str, Record]],
) -> CaseHistory:
    known: dict[str, Record | None] = {}
    for cell in lineage.cells:
        case = Case(cell=cell, contract=contract, variant=variant)
        record = versions.known(case, records[cell.id])
        known[cell.id] = None if record and record.outcome in _NO_BEHAVIOUR else record
    return CaseHistory(
        contract=contract,
        variant=variant,
        lineage=lineage,
        missing=tuple(cell for cell, record in known.items() if record is None),
        newest=next((cell for cell, record in reversed(known.items()) if record), None),
        timelines=tuple(
            Timeline(observation=name, stages=tuple(_stages(contract, name, known)))
            for name in _names(contract, lineage.framework, known.values())
        ),
    )


def _names(
    contract: Contract, framework: Framework, records: Iterable[Record | None]
) -> dict[str, None]:
    """Return the outcome, what the contract lets the framework observe, and what else it did."""
    listed = (
        one.name
        for one in contract.observations.values()
        if one.only is None or one.only.framework is framework
    )
    others = (name for record in records if record is not None for name in record.observations)
    return dict.fromkeys((OUTCOME, *listed, *others))


def _stages(contract: Contract, name: str, known: Mapping[str, Record | None]) -> Iterator[Stage]:
    """Yield where a value begins: each is held against the first record that had the one before.

    Held against its neighbour, a value could creep away within the tolerance unseen.
    """
    first: Record | None = None
    follows = False
    for cell, record in known.items():
        if record is not None:
            change = None if first is None else _change(contract, name, first, record)
            if first is None or change is not None:
                exact = first is not None and follows
                yield Stage(
                    value=_value(name, record),
                    since=cell,
                    statement=Statement.EXACT if exact else Statement.AT_MOST,
                    change=change,
                )
                first = record
        follows = record is not None


def _value(name: str, record: Record) -> Value | None:
    return compare.says(record) if name == OUTCOME else record.observations.get(name)


def _change(contract: Contract, name: str, old: Record, new: Record) -> Change | None:
    if name == OUTCOME:
        return compare.outcome(old, new)
    change = compare.observation(contract, name, old, new)
    return None if change is None or change.kind is Difference.ROUNDING else change


def only(history: CaseHistory, observation: str | None) -> CaseHistory:
    """Return the timeline of one observation, or of all that were ever observed."""
    kept = (
        timeline
        for timeline in history.timelines
        if (timeline.observed if observation is None else timeline.observation == observation)
    )
    return replace(history, timelines=tuple(kept))
