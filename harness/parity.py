"""(contract, torch's record, burn's record) → what agrees, what differs, what is known; pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from harness import compare, tensors
from harness.model import Change, Difference, Framework, Outcome, ParityRule, Tolerance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model import Contract, Measure, Observation, Record, Value, Variant

_ENDED = frozenset({Outcome.OBSERVED, Outcome.RAISED, Outcome.CRASHED})


class Status(StrEnum):
    """What a side-by-side comparison found."""

    SAME = "same"
    KNOWN = "known"
    CLOSED = "closed"
    MISMATCH = "mismatch"
    LOST = "lost"
    EXPIRED = "expired"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One observation on both sides, in torch's layout; `change` is None where they agree."""

    observation: str
    torch: Value | None
    burn: Value | None
    tolerance: Tolerance | None
    measure: Measure | None
    change: Change | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One variant, torch's record beside burn's."""

    experiment: str
    variant: str
    torch: str
    burn: str
    status: Status
    rows: tuple[Row, ...] = ()
    #: Known divergence: its reason. Not compared: why not.
    reason: str = ""
    link: str = ""
    #: What the contract lists as differing, and what of it agrees now.
    listed: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()

    @property
    def worst(self) -> Row | None:
        """The row that is farthest apart, among those that were measured."""
        measured = [row for row in self.rows if row.measure is not None]
        return max(
            measured, key=lambda row: row.measure.max_abs if row.measure else 0, default=None
        )


def side_by_side(
    contract: Contract,
    variant: Variant,
    torch: Record,
    burn: Record,
    *,
    today: str,
    brief: bool = False,
) -> Side:
    """Compare torch with burn on one variant by the contract's parity rule.

    `brief` leaves out the rows that agree, where only the status is wanted.
    """
    side = partial(
        Side, experiment=contract.id, variant=variant.name, torch=torch.cell, burn=burn.cell
    )
    for record in (torch, burn):
        if record.outcome not in _ENDED:
            reason = f"{record.cell} {compare.says(record)}"
            return side(status=Status.NOT_COMPARED, reason=reason)
    flaky = {*torch.flaky, *burn.flaky}
    rows = tuple(
        row
        for row in _rows(contract, variant, torch, burn, brief=brief)
        if row.observation not in flaky
    )
    differing = {row.observation for row in rows if row.change is not None}
    rule = variant.parity
    if rule.rule is ParityRule.SAME:
        return side(status=Status.MISMATCH if differing else Status.SAME, rows=rows)
    listed = set(rule.observations)
    closed = tuple(name for name in rule.observations if name not in differing | flaky)
    status = Status.KNOWN
    if differing - listed:
        status = Status.MISMATCH
    elif rule.expires and rule.expires < today:
        status = Status.EXPIRED
    elif closed:
        status = Status.CLOSED
    return side(
        status=status,
        rows=rows,
        reason=rule.reason,
        link=rule.link,
        listed=rule.observations,
        closed=closed,
    )


def _rows(
    contract: Contract, variant: Variant, torch: Record, burn: Record, *, brief: bool
) -> list[Row]:
    rows = []
    if torch.outcome is not burn.outcome:
        kind = Difference.NEW_PANIC if burn.outcome is Outcome.RAISED else Difference.ERROR_KIND
        rows.append(_row("outcome", compare.says(torch), compare.says(burn), kind))
    for name, rule in contract.observations.items():
        ours, theirs = torch.observations.get(name), burn.observations.get(name)
        if rule.only is not None or (ours is None and theirs is None):
            continue
        if brief and _equal(rule, ours, theirs):
            continue
        if ours is None or theirs is None:
            if torch.outcome is burn.outcome:
                rows.append(_row(name, ours, theirs, Difference.OBSERVATION_GONE))
            continue
        row = _values(name, rule, variant, *_in_torch_layout(rule, ours, theirs))
        if not brief or row.change is not None:
            rows.append(row)
    return rows


def _equal(rule: Observation, torch: Value | None, burn: Value | None) -> bool:
    """Are both one value of one type, where the contract asks for nothing finer?"""
    plain = not rule.layout and not rule.signed_zero
    return plain and type(torch) is type(burn) and torch == burn


def _row(name: str, torch: Value | None, burn: Value | None, kind: Difference) -> Row:
    change = Change(kind=kind, observation=name, expected=torch, observed=burn)
    return Row(
        observation=name, torch=torch, burn=burn, tolerance=None, measure=None, change=change
    )


def _values(name: str, rule: Observation, variant: Variant, torch: Value, burn: Value) -> Row:
    tolerance = variant.parity.tolerance or rule.tolerance
    kind, measure = compare.values(torch, burn, rule=rule, tolerance=tolerance)
    change = None
    if kind is not None and kind is not Difference.ROUNDING:
        change = Change(kind=kind, observation=name, expected=torch, observed=burn, measure=measure)
    if isinstance(torch, dict):
        tolerance = compare.applied(torch["dtype"], tolerance)
    return Row(
        observation=name,
        torch=torch,
        burn=burn,
        tolerance=tolerance,
        measure=measure,
        change=change,
    )


def _in_torch_layout(rule: Observation, torch: Value, burn: Value) -> tuple[Value, Value]:
    """Return both tensors with their axes in torch's order, where the contract names both orders.

    Of large tensors the statistics alone remain: each sample was taken in its own order.
    """
    if not rule.layout or not isinstance(torch, dict) or not isinstance(burn, dict):
        return torch, burn
    ours, theirs = rule.layout[Framework.TORCH], rule.layout[Framework.BURN]
    axes = [theirs.index(axis) for axis in ours]
    if len(burn["shape"]) != len(axes) or axes == sorted(axes):
        return torch, burn
    if "values" not in burn:
        torch, burn = ({**one, "sample": []} for one in (torch, burn))
    return torch, permuted(burn, axes)


def permuted(value: Mapping[str, Any], axes: list[int]) -> dict[str, Any]:
    """Return a tensor's JSON form with its axes reordered; a summary has no elements to reorder."""
    shape = value["shape"]
    turned = [shape[axis] for axis in axes]
    if "values" not in value:
        return {**value, "shape": turned}
    flat = tensors.permuted(tensors.flat(value["values"]), shape, axes)
    return {**value, "shape": turned, "values": tensors.nested(flat, turned)}
