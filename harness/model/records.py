"""Records, and where two of them disagree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model.words import Difference, Outcome

#: An observation's value as JSON holds it: flag, count, text, ids or a tensor's object.
Value = bool | int | str | list[int] | dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A Python exception or a Rust panic, its text normalised."""

    type: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaky:
    """Of `runs` runs only `agreed` saw what the first saw; of tensors, the farthest element."""

    runs: int
    agreed: int
    first: Value | float | None
    other: Value | float | None
    measure: Measure | None = None


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
    #: Observation, or `outcome` → how repetitions of the case disagreed on it.
    flaky: Mapping[str, Flaky] = field(default_factory=dict)
    key: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How far two tensors of one shape are apart: over `n` elements, the worst at `index`."""

    n: int
    max_abs: float
    max_rel: float
    index: tuple[int, ...]
    differing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One place where two records disagree."""

    kind: Difference
    observation: str
    expected: Value | None
    observed: Value | None
    measure: Measure | None = None
