"""Contracts: what an experiment asks, how, and what it observes; and its cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from harness.model.cells import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model.cells import Cell
    from harness.model.records import Value
    from harness.model.words import Framework


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """Two numbers are close when |observed − expected| ≤ atol + rtol · |expected|."""

    rtol: float
    atol: float


class ParityRule(StrEnum):
    """What the contract expects of torch and burn side by side."""

    SAME = "same"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parity:
    """Whether torch and burn agree on a variant; a known divergence names what differs and why."""

    rule: ParityRule
    tolerance: Tolerance | None = None
    observations: tuple[str, ...] = ()
    reason: str = ""
    link: str = ""
    since: str = ""
    expires: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What the contract says of one observation."""

    name: str
    only: Scope | None = None
    moves: bool = False
    signed_zero: bool = False
    layout: Mapping[Framework, tuple[str, ...]] = field(default_factory=dict)
    tolerance: Tolerance | None = None
    #: What the elements of a sequence follow each other by, such as `step`; empty of any other.
    curve: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way of doing an experiment."""

    name: str
    says: str
    parity: Parity
    unsupported: Mapping[Scope, str] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    #: Values known by derivation, in a record's form, tensors in torch's layout.
    exact: Mapping[str, Value] = field(default_factory=dict)

    def unsupported_in(self, cell: Cell) -> str | None:
        """Return the reason why a cell cannot express the variant, if there is one."""
        reasons = (reason for scope, reason in self.unsupported.items() if scope.covers(cell))
        return next(reasons, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The document and section that an experiment comes from."""

    document: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What an experiment asks, how, and what it observes."""

    id: str
    question: str
    topic: str
    description: str
    source: tuple[Source, ...]
    variants: Mapping[str, Variant]
    observations: Mapping[str, Observation]
    schema: Mapping[str, Any]
    digest: str

    def unsupported_everywhere(self, framework: Framework) -> bool:
        """Return whether no variant exists in this framework, so that its half has no file."""
        nowhere = Scope(framework=framework)
        return all(nowhere in variant.unsupported for variant in self.variants.values())

    def unsupported_in(self, cell: Cell) -> bool:
        """Return whether a cell can express no variant, so that it leaves the half out."""
        return all(variant.unsupported_in(cell) for variant in self.variants.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One cell × experiment × variant."""

    cell: Cell
    contract: Contract
    variant: Variant

    @property
    def unsupported(self) -> str | None:
        """The contract's reason why this cell cannot express the case, if there is one."""
        return self.variant.unsupported_in(self.cell)

    def __str__(self) -> str:
        """Return the case's address as the reports print it."""
        return f"{self.cell.id} {title(self.contract.id, self.variant.name)}"


def title(experiment: str, variant: str) -> str:
    """Return `scale / fix`; a sole variant called `default` is left out."""
    return experiment if variant == "default" else f"{experiment} / {variant}"
