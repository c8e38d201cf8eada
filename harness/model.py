"""The words of emberwatch as types: cells, contracts, cases, records, differences; no I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

#: An observation's value as JSON holds it: flag, count, text, ids or a tensor's object.
Value = bool | int | str | list[int] | dict[str, Any]


class Framework(StrEnum):
    """The two frameworks whose behaviour is watched."""

    TORCH = "torch"
    BURN = "burn"


class Group(StrEnum):
    """The cells that a run selects together."""

    DEFAULT = "default"
    FULL = "full"
    UPSTREAM = "upstream"


class Outcome(StrEnum):
    """How a case ended."""

    OBSERVED = "observed"
    RAISED = "raised"
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    NOT_BUILT = "not_built"
    UNSUPPORTED = "unsupported"
    INVALID = "invalid"
    UNAVAILABLE = "unavailable"


class Severity(StrEnum):
    """How much a difference matters, the worst first."""

    BREAK = "break"
    CHANGE = "change"
    NOTE = "note"


class Difference(StrEnum):
    """The classes of difference; the list is total."""

    NEW_PANIC = "new_panic"
    NEW_CRASH = "new_crash"
    BECAME_NO_OP = "became_no_op"
    FLAG_FLIP = "flag_flip"
    API_GONE = "api_gone"
    PARITY_LOST = "parity_lost"
    VALUE_DRIFT = "value_drift"
    COUNT_CHANGE = "count_change"
    SHAPE_OR_DTYPE = "shape_or_dtype"
    NON_FINITE = "non_finite"
    ERROR_KIND = "error_kind"
    TEXT_CHANGE = "text_change"
    OBSERVATION_GONE = "observation_gone"
    MESSAGE_ONLY = "message_only"
    ROUNDING = "rounding"
    PANIC_FIXED = "panic_fixed"
    API_NEW = "api_new"
    OBSERVATION_ADDED = "observation_added"
    DIVERGENCE_CLOSED = "divergence_closed"

    @property
    def severity(self) -> Severity:
        """The severity that the class always has."""
        return SEVERITY[self]


SEVERITY: Mapping[Difference, Severity] = {
    Difference.NEW_PANIC: Severity.BREAK,
    Difference.NEW_CRASH: Severity.BREAK,
    Difference.BECAME_NO_OP: Severity.BREAK,
    Difference.FLAG_FLIP: Severity.BREAK,
    Difference.API_GONE: Severity.BREAK,
    Difference.PARITY_LOST: Severity.BREAK,
    Difference.VALUE_DRIFT: Severity.CHANGE,
    Difference.COUNT_CHANGE: Severity.CHANGE,
    Difference.SHAPE_OR_DTYPE: Severity.CHANGE,
    Difference.NON_FINITE: Severity.CHANGE,
    Difference.ERROR_KIND: Severity.CHANGE,
    Difference.TEXT_CHANGE: Severity.CHANGE,
    Difference.OBSERVATION_GONE: Severity.CHANGE,
    Difference.MESSAGE_ONLY: Severity.NOTE,
    Difference.ROUNDING: Severity.NOTE,
    Difference.PANIC_FIXED: Severity.NOTE,
    Difference.API_NEW: Severity.NOTE,
    Difference.OBSERVATION_ADDED: Severity.NOTE,
    Difference.DIVERGENCE_CLOSED: Severity.NOTE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One framework at one pin and backend."""

    id: str
    framework: Framework
    group: Group
    version: str | None = None
    backend: str | None = None
    git: str | None = None
    ref: str | None = None
    index: str | None = None
    reference: str | None = None
    #: Is it in matrix.yaml? One that is not needs no committed lock.
    listed: bool = True

    @property
    def released(self) -> bool:
        """Is the cell a published version, and not a moving head?"""
        return self.version is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one case may use before it is ended."""

    seconds: float
    memory_mib: int
    output_mib: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """`matrix.yaml`: cells and policy."""

    cells: Mapping[str, Cell]
    pinned: Mapping[Framework, str]
    limits: Limits
    settings: Mapping[str, str]


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
    only: Framework | None = None
    moves: bool = False
    signed_zero: bool = False
    layout: Mapping[Framework, tuple[str, ...]] = field(default_factory=dict)
    tolerance: Tolerance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way of doing an experiment."""

    name: str
    says: str
    parity: Parity
    unsupported: Mapping[Framework, str] = field(default_factory=dict)
    requires: tuple[str, ...] = ()


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
        return all(framework in variant.unsupported for variant in self.variants.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One cell × experiment × variant."""

    cell: Cell
    contract: Contract
    variant: Variant

    @property
    def unsupported(self) -> str | None:
        """The contract's reason why this cell cannot express the case, if there is one."""
        return self.variant.unsupported.get(self.cell.framework)

    def __str__(self) -> str:
        """Return the case's address as the reports print it."""
        return f"{self.cell.id} {title(self.contract.id, self.variant.name)}"


def title(experiment: str, variant: str) -> str:
    """Return `scale / fix`; a sole variant called `default` is left out."""
    return experiment if variant == "default" else f"{experiment} / {variant}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A Python exception or a Rust panic, its text normalised."""

    type: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Everything that one case yielded."""

    cell: str
    experiment: str
    variant: str
    outcome: Outcome
    observations: Mapping[str, Value] = field(default_factory=dict)
    raised: Raised | None = None
    reason: str = ""
    key: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One place where two records disagree."""

    kind: Difference
    observation: str
    expected: Value | None
    observed: Value | None
    measure: Measure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How far two tensors of one shape are apart: over `n` elements, the worst at `index`."""

    n: int
    max_abs: float
    max_rel: float
    index: tuple[int, ...]
    differing: int
