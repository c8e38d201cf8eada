"""The words that travel: frameworks, groups, outcomes, classes of difference."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Framework(StrEnum):
    """The two frameworks whose behaviour is watched."""

    TORCH = "torch"
    BURN = "burn"

    @property
    def other(self) -> Framework:
        """Return the framework that this one stands beside."""
        return Framework.BURN if self is Framework.TORCH else Framework.TORCH


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


class Limit(StrEnum):
    """What a case is kept from, where the system can; a case's time is limited everywhere."""

    #: It takes no more memory than `limits.memory_mib`.
    MEMORY = "memory"
    #: It writes no more than `limits.output_mib`.
    OUTPUT = "output"
    #: It leaves no process behind, whatever session that made.
    PROCESSES = "processes"


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
