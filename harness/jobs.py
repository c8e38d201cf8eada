"""A plan → the jobs of a workflow: cells × runners × shards, never more than GitHub takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model import Cell
    from harness.plan import Plan

#: The most jobs that one matrix may have on GitHub.
MOST = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """One of several parts of a plan; a case belongs to exactly one of them."""

    number: int = 1
    of: int = 1

    def __post_init__(self) -> None:
        """Refuse a part that there is not."""
        if not 1 <= self.number <= self.of:
            raise HarnessError(
                f"--shard {self.number}/{self.of}: no such part",
                f"Parts are counted from 1: --shard 1/{max(self.of, 1)}",
            )

    def part(self, plan: Plan) -> Plan:
        """Return the part of a plan: every experiment whose turn it is, with all its variants."""
        if self.of == 1:
            return plan
        mine = plan.contracts[self.number - 1 :: self.of]
        return replace(plan, contracts=mine, complete=False)


def matrix(plan: Plan, runners: Mapping[str, str], shards: int = 1) -> dict[str, Any]:
    """Return the jobs that record a plan: `include` for the workflow's matrix, and their `count`.

    A cell in which nothing can run has no job. There are fewer shards than asked for where the
    jobs would be too many, or the experiments too few. Each of the `systems` is judged on its own;
    where they are `several`, what they say is put together.
    """
    cells = [cell for cell in plan.cells if _runs(plan, cell)]
    whole = len(cells) * len(runners)
    if whole > MOST:
        raise HarnessError(
            f"{len(cells)} cells on {len(runners)} runners are {whole} jobs; "
            f"GitHub allows {MOST} in one matrix",
            "Name cells or a smaller group, or leave runners out of matrix.yaml.",
        )
    parts = min(shards, MOST // whole if whole else 1, len(plan.contracts))
    include = [
        {"cell": cell.id, "os": name, "runner": label, "shard": number, "shards": parts}
        for cell in cells
        for name, label in runners.items()
        for number in range(1, parts + 1)
    ]
    several = len(runners) > 1
    return {
        "count": len(include),
        "include": include,
        "systems": list(runners),
        "several": several,
    }


def _runs(plan: Plan, cell: Cell) -> bool:
    """Is there a case that the cell can run?"""
    return any(
        case.unsupported is None
        for contract in plan.contracts
        for case in plan.cases_of(cell, contract)
    )
