"""The third witness: where a contract gives the exact value, who has it and who moved; pure."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING

from harness import compare, parity
from harness.model import Difference, Framework

if TYPE_CHECKING:
    from harness.model import Change, Contract, Observation, Value
    from harness.parity import Row


class Movement(StrEnum):
    """How two values of one cell, the accepted and the new, stand to the exact one."""

    LOST = "right before, wrong now"
    FOUND = "wrong before, right now"
    RIGHT = "right before and now"
    NEARER = "wrong before and now, nearer now"
    FARTHER = "wrong before and now, farther now"
    WRONG = "wrong before and now"


class Holder(StrEnum):
    """Which side has the exact value."""

    TORCH = "torch"
    BURN = "burn"
    BOTH = "both"
    NEITHER = "neither"


def movement(contract: Contract, variant: str, cell: str, change: Change) -> Movement | None:
    """Return where a cell's value moved to; None where there is no exact value, or one side none.

    An exact tensor is in torch's layout, burn's values in burn's.
    """
    exact = _exact(contract, variant, change.observation)
    if exact is None or change.expected is None or change.observed is None:
        return None
    rule = contract.observations[change.observation]
    values: list[Value] = [change.expected, change.observed]
    if cell.startswith(f"{Framework.BURN}-"):
        values = [parity.in_torch_layout(rule, value) for value in values]
    before, now = (_distance(rule, exact, value) for value in values)
    if before == 0:
        return Movement.RIGHT if now == 0 else Movement.LOST
    if now == 0:
        return Movement.FOUND
    if before is None or now is None or before == now:
        return Movement.WRONG
    return Movement.NEARER if now < before else Movement.FARTHER


def holder(contract: Contract, variant: str, row: Row) -> Holder | None:
    """Return which side of a row has the exact value; None where the contract gives none."""
    exact = _exact(contract, variant, row.observation)
    if exact is None:
        return None
    rule = contract.observations[row.observation]
    torch, burn = (
        value is not None and _distance(rule, exact, value) == 0 for value in (row.torch, row.burn)
    )
    if torch and burn:
        return Holder.BOTH
    return Holder.TORCH if torch else Holder.BURN if burn else Holder.NEITHER


def _exact(contract: Contract, variant: str, observation: str) -> Value | None:
    known = contract.variants.get(variant)
    return known.exact.get(observation) if known is not None else None


def _distance(rule: Observation, exact: Value, value: Value) -> float | None:
    """Return how far a value is from the exact one: 0 within the tolerance, None if unmeasurable.

    Of tensors it is the largest difference; a NaN or an infinity out of place is infinitely far.
    """
    kind, measure = compare.values(exact, value, rule=rule, tolerance=rule.tolerance)
    match kind:
        case None | Difference.ROUNDING:
            return 0.0
        case Difference.NON_FINITE:
            return math.inf
        case Difference.COUNT_CHANGE if isinstance(exact, int) and isinstance(value, int):
            return float(abs(value - exact))
        case Difference.VALUE_DRIFT if measure is not None:
            return measure.max_abs or None  # only a zero's sign is wrong, which has no size
        case _:
            return None
