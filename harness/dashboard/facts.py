"""Everything that is known of one experiment, for every page that shows some of it; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from harness import compare, diff, history, parity, versions
from harness.dashboard import columns
from harness.diff import Source, Uncompared
from harness.model import Case, Difference, Framework, Severity
from harness.parity import Status

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from harness.dashboard.columns import Column
    from harness.diff import Code, Found
    from harness.history import CaseHistory
    from harness.model import Contract, Record, Variant
    from harness.parity import Side

#: (old, new): two cells of one framework.
Pair = tuple[str, str]
_ORDER = list(Severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One experiment: records by (cell, variant), and what comparing them found."""

    contract: Contract
    columns: Sequence[Column]
    records: Mapping[tuple[str, str], Record]
    #: Variant → torch beside burn, in the pinned cells.
    sides: Mapping[str, Side]
    histories: Sequence[CaseHistory]
    #: Pair → variant → what differs.
    found: Mapping[Pair, Mapping[str, Found]]

    def severity(self, pair: Pair, variant: str) -> Severity | None:
        """Return the worst of what differs between two cells; None where nothing is known to."""
        found = self.found.get(pair, {}).get(variant, ())
        if isinstance(found, Uncompared):
            return None
        kinds = (entry.change.kind for entry in found)
        worst = (kind.severity for kind in kinds if kind is not Difference.ROUNDING)
        return min(worst, key=_ORDER.index, default=None)


def of(
    contract: Contract,
    shown: Sequence[Column],
    pinned: Mapping[Framework, Column],
    code: Code,
    today: str,
) -> Facts:
    """Return the facts of an experiment: read once, each two records compared once."""
    records: dict[tuple[str, str], Record] = {}
    for column in shown:
        read = column.side.records(contract)
        for variant in contract.variants.values():
            case = Case(cell=column.cell, contract=contract, variant=variant)
            record = versions.known(case, read)
            if record is not None:
                records[column.id, variant.name] = record
    by_cell: dict[str, dict[str, Record]] = {column.id: {} for column in shown}
    for (cell, name), record in records.items():
        by_cell[cell][name] = record
    lineages = versions.lineages(column.cell for column in shown)
    return Facts(
        contract=contract,
        columns=shown,
        records=records,
        sides={
            name: _side(contract, variant, pinned, records, today)
            for name, variant in contract.variants.items()
        },
        histories=tuple(
            history.of(
                contract,
                contract.variants.values(),
                lineages,
                lambda cell, _: by_cell[cell.id],
            )
        ),
        found=_found(contract, shown, pinned, records, code),
    )


def _side(
    contract: Contract,
    variant: Variant,
    pinned: Mapping[Framework, Column],
    records: Mapping[tuple[str, str], Record],
    today: str,
) -> Side:
    torch, burn = (records.get((pinned[one].id, variant.name)) for one in Framework)
    if torch is not None and burn is not None:
        return parity.side_by_side(contract, variant, torch, burn, today=today)
    lacking = pinned[Framework.TORCH if torch is None else Framework.BURN]
    what = "baseline" if lacking.side.source is Source.BASELINES else "record"
    return parity.Side(
        experiment=contract.id,
        variant=variant.name,
        torch=pinned[Framework.TORCH].id,
        burn=pinned[Framework.BURN].id,
        status=Status.NOT_COMPARED,
        reason=f"{lacking.id} has no {what}",
    )


def _found(
    contract: Contract,
    shown: Sequence[Column],
    pinned: Mapping[Framework, Column],
    records: Mapping[tuple[str, str], Record],
    code: Code,
) -> dict[Pair, dict[str, Found]]:
    """Return what differs, by pair and variant; versions that do the same are compared once."""
    found: dict[Pair, dict[str, Found]] = {}
    known: dict[Hashable, Found] = {}
    texts = {place: _does(record) for place, record in records.items()}
    for old, new in columns.pairs(shown):
        ours = found[old.id, new.id] = {}
        partner = pinned[new.cell.framework.other].id
        for name, variant in contract.variants.items():
            ends = [(old.id, name), (new.id, name)]
            before, after = (records.get(end) for end in ends)
            key: Hashable = None
            if before is not None and after is not None:
                same = compare.same_machine(before, after)
                key = (name, new.cell.framework, same, *(texts[end] for end in ends))
            if key in known:
                ours[name] = known[key]
                continue
            three = (before, after, records.get((partner, name)))
            one = diff.of_case(contract, variant, (old.side, new.side), three, code)
            ours[name] = one
            if not isinstance(one, Uncompared):  # which names the cells
                known[key] = one
    return found


def _does(record: Record) -> bytes:
    """Return everything that a record says of behaviour, to tell whether another says the same."""
    said = (record.outcome, record.raised, record.reason, record.observations, repr(record.flaky))
    return orjson.dumps(said)
