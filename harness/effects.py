"""What a change of one framework does to whether torch and burn agree; pure."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from harness import parity
from harness.model import Framework, Outcome
from harness.parity import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.model import Contract, Record, Variant

_NO_BEHAVIOUR = frozenset({Outcome.INVALID, Outcome.UNAVAILABLE})


class Effect(StrEnum):
    """What a change does to whether torch and burn agree."""

    TOWARD = "toward"
    AWAY = "away"
    APART = "still apart"
    NONE = "no effect"
    UNKNOWN = "unknown"


def of(
    contract: Contract,
    variant: Variant,
    before: tuple[Record, Record | None],
    after: tuple[Record, Record | None],
) -> Callable[[str], Effect]:
    """Return what says of an observation what its change does to parity.

    Before and after, a record stands beside the other framework's.
    """
    was, now = (_Agreement(contract, variant, *records) for records in (before, after))
    return lambda name: _effect(was.on(name), now.on(name))


def _effect(agreed: bool | None, agrees: bool | None) -> Effect:
    match agreed, agrees:
        case (None, _) | (_, None):
            return Effect.UNKNOWN
        case False, True:
            return Effect.TOWARD
        case True, False:
            return Effect.AWAY
        case False, False:
            return Effect.APART
        case _:
            return Effect.NONE


class _Agreement:
    """Says on which observations a record agrees with the other framework's."""

    def __init__(
        self, contract: Contract, variant: Variant, record: Record, other: Record | None
    ) -> None:
        """Put the two side by side, torch first."""
        self.contract = contract
        self.rows: dict[str, bool] | None = None
        if other is None or other.outcome in _NO_BEHAVIOUR:
            return
        self.records = (record, other)
        torch, burn = self.records
        if not record.cell.startswith(f"{Framework.TORCH}-"):
            torch, burn = burn, torch
        # The day decides only whether a known divergence has expired, which no row says.
        side = parity.side_by_side(contract, variant, torch, burn, today="")
        if side.status is not Status.NOT_COMPARED:
            self.rows = {row.observation: row.change is None for row in side.rows}

    def on(self, name: str) -> bool | None:
        """Return whether both agree on an observation; None where they cannot be compared."""
        rule = self.contract.observations.get(name)
        if rule is not None and rule.only is not None:
            return True  # it is this framework's alone, so that nothing can disagree
        if self.rows is None:
            return None
        if name in self.rows:
            return self.rows[name]
        # Without a row neither observes it, or one broke off before it, as the outcomes say.
        ours, theirs = self.records
        return (name in ours.observations) == (name in theirs.observations)
