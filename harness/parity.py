"""(contract, torch's record, burn's record) → what agrees, what differs, what is known; pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from harness import compare, tensors
from harness.model import Change, Difference, Framework, Outcome, Tolerance

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
    #: What accepted differences of either side explain, in words.
    explained: tuple[str, ...] = ()

    @property
    def worst(self) -> Row | None:
        """The row that is farthest apart, among those that were measured."""
        measured = [row for row in self.rows if row.measure is not None]
        return max(
            measured, key=lambda row: row.measure.max_abs if row.measure else 0, default=None
        )


def side_by_side(  # noqa: PLR0913 (three of them by name)
    contract: Contract,
    variant: Variant,
    torch: Record,
    burn: Record,
    *,
    today: str,
    brief: bool = False,
    explained: Mapping[str, str] = {},
) -> Side:
    """Compare torch with burn on one variant by the contract's parity rule.

    `brief` leaves out the rows that agree, where only the status is wanted. `explained` gives the
    reason for observations of which either side does something else than its baseline, accepted.
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
    concerned = differing | set(rule.observations)
    reasons = {why: None for name, why in explained.items() if name in concerned}
    listed = dict.fromkeys((*rule.observations, *(name for name in explained if name in differing)))
    agreeing = (name for name in rule.observations if name not in differing | flaky)
    closed = tuple(name for name in agreeing if name not in explained)
    status = Status.KNOWN if listed else Status.SAME
    if differing - listed.keys():
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
        listed=tuple(listed),
        closed=closed,
        explained=tuple(reasons),
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
        row = _values(name, rule, variant, *_both_in_torch_layout(rule, ours, theirs))
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


def _both_in_torch_layout(rule: Observation, torch: Value, burn: Value) -> tuple[Value, Value]:
    """Return both tensors with their axes in torch's order, where the contract names both orders.

    Of large tensors the statistics alone remain: each sample was taken in its own order.
    """
    turned = in_torch_layout(rule, burn)
    if turned is burn or not isinstance(torch, dict) or not isinstance(turned, dict):
        return torch, burn
    if "values" not in turned:
        return {**torch, "sample": []}, {**turned, "sample": []}
    return torch, turned


def in_torch_layout(rule: Observation, burn: Value) -> Value:
    """Return burn's value with its axes in torch's order; itself where they are."""
    if not rule.layout or not isinstance(burn, dict):
        return burn
    ours, theirs = rule.layout[Framework.TORCH], rule.layout[Framework.BURN]
    axes = [theirs.index(axis) for axis in ours]
    if len(burn["shape"]) != len(axes) or axes == sorted(axes):
        return burn
    return permuted(burn, axes)


def permuted(value: Mapping[str, Any], axes: list[int]) -> dict[str, Any]:
    """Return a tensor's JSON form with its axes reordered; a summary has no elements to reorder."""
    shape = value["shape"]
    turned = [shape[axis] for axis in axes]
    if "values" not in value:
        return {**value, "shape": turned}
    flat = tensors.permuted(tensors.flat(value["values"]), shape, axes)
    return {**value, "shape": turned, "values": tensors.nested(flat, turned)}
