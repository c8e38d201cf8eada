"""Cells × contracts → cases, each runnable or unsupported."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from harness import documents
from harness.errors import HarnessError
from harness.model import Case, Cell, Framework, Group, title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from harness.model import Contract, Matrix

GROUPS = (*(group.value for group in Group), "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run will do: its cells in the matrix's order, their cases by experiment."""

    cells: tuple[Cell, ...]
    contracts: tuple[Contract, ...]
    #: Does the run cover every experiment?
    complete: bool

    def cases(self) -> Iterator[Case]:
        """Yield every case, cell by cell."""
        for cell in self.cells:
            for contract in self.contracts:
                yield from self.cases_of(cell, contract)

    def cases_of(self, cell: Cell, contract: Contract) -> list[Case]:
        """Return an experiment's cases in a cell, in the order of its variants."""
        return [Case(cell=cell, contract=contract, variant=v) for v in contract.variants.values()]


def make(
    matrix: Matrix,
    contracts: Mapping[str, Contract],
    words: Sequence[str] = (),
    group: str | None = None,
) -> Plan:
    """Return the plan for cell ids and experiment globs; a HarnessError when it would be empty.

    A word that names a cell selects it, any other is a glob over experiments. Without a cell, the
    group decides, which is `default` unless given.
    """
    if group is not None and group not in GROUPS:
        raise HarnessError(f"--group {group}: unknown; allowed: {', '.join(GROUPS)}")
    named = [word for word in words if word in matrix.cells]
    globs = [word for word in words if word not in matrix.cells]
    chosen = []
    for glob in globs:
        matching = [name for name in contracts if fnmatchcase(name, glob)]
        if not matching:
            raise HarnessError(
                f"{glob}: no cell and no experiment has that name",
                f"Cells: {', '.join(matrix.cells)}\nExperiments: {', '.join(contracts)}",
            )
        chosen += matching
    cells = [matrix.cells[name] for name in dict.fromkeys(named)]
    if group is not None or not cells:
        cells += [c for c in of_group(matrix, group or Group.DEFAULT) if c not in cells]
    experiments = [contracts[name] for name in contracts if name in chosen or not globs]
    if not cells or not experiments:
        raise HarnessError(
            "the plan is empty: there is no cell or no experiment",
            "matrix.yaml lists the cells, schemas/experiments/ holds the experiments.",
        )
    order = list(matrix.cells)
    cells.sort(key=lambda cell: order.index(cell.id))
    return Plan(cells=tuple(cells), contracts=tuple(experiments), complete=not globs)


def redirected(plan: Plan, source: str | None, ref: str | None) -> Plan:
    """Return the plan with its one git cell taken from another repository, or at another ref.

    A repository that stands in for the cell's address is taken at its HEAD unless a ref is given.
    """
    if source is None and ref is None:
        return plan
    given = "--source" if source else "--ref"
    heads = [cell.id for cell in plan.cells if cell.git is not None]
    if len(heads) != 1:
        found = ", ".join(heads) or "none"
        raise HarnessError(
            f"{given}: needs exactly one git cell among those selected, found: {found}",
            f"Name it: nox -s regress -- burn-main {given} …",
        )

    def moved(cell: Cell) -> Cell:
        git = cell.git if source is None else source
        return replace(cell, git=git, ref=ref or "HEAD") if cell.git is not None else cell

    return replace(plan, cells=tuple(moved(cell) for cell in plan.cells))


def of_group(matrix: Matrix, group: str) -> list[Cell]:
    """Return the cells that a group selects, with the reference cells of moving heads."""
    cells = list(matrix.cells.values())
    match group:
        case "default":
            return [cell for cell in cells if cell.group is Group.DEFAULT]
        case "full":
            return [cell for cell in cells if cell.group is not Group.UPSTREAM]
        case "upstream":
            heads = [cell for cell in cells if cell.group is Group.UPSTREAM]
            references = {cell.reference for cell in heads}
            return [cell for cell in cells if cell in heads or cell.id in references]
        case _:
            return cells


def pairs(selected: Iterable[Cell], matrix: Matrix) -> list[tuple[Cell, Cell]]:
    """Return (torch, burn) pairs: pinned cells and moving heads beside the other's pinned cell.

    Contracts say what differs between the pinned cells, which heads are held against; the other
    released cells are history. A pinned cell that a head stands beside needs no partner that does
    not run.
    """
    pinned, cells = matrix.pinned, matrix.cells
    judged = {*pinned.values(), *(cell.id for cell in cells.values() if cell.reference)}
    chosen = [cell.id for cell in selected if cell.id in judged]
    torch, burn = pinned[Framework.TORCH], pinned[Framework.BURN]
    found = {
        (torch, name) if cells[name].framework is Framework.BURN else (name, burn): None
        for name in chosen
    }
    for place, (own, other) in enumerate(((torch, burn), (burn, torch))):
        if other not in chosen and sum(pair[place] == own for pair in found) > 1:
            found.pop((torch, burn), None)
    return [(cells[ours], cells[theirs]) for ours, theirs in found]


def as_text(plan: Plan) -> str:
    """Return the plan as lines: a cell, then its experiments and what is unsupported."""
    lines = []
    for cell in plan.cells:
        cases = [case for contract in plan.contracts for case in plan.cases_of(cell, contract)]
        runnable = sum(case.unsupported is None for case in cases)
        lines.append(f"{cell.id}: {runnable} cases, {len(cases) - runnable} unsupported")
        for case in cases:
            reason = f"  unsupported: {case.unsupported}" if case.unsupported else ""
            lines.append(f"  {title(case.contract.id, case.variant.name)}{reason}")
    return "\n".join(lines) + "\n"


def as_json(plan: Plan) -> str:
    """Return the plan as canonical JSON: a list of cells with their cases."""
    return documents.canonical(
        [
            {
                "cell": cell.id,
                "framework": cell.framework.value,
                "group": cell.group.value,
                "cases": [
                    {
                        "experiment": case.contract.id,
                        "variant": case.variant.name,
                        "unsupported": case.unsupported or "",
                    }
                    for contract in plan.contracts
                    for case in plan.cases_of(cell, contract)
                ],
            }
            for cell in plan.cells
        ]
    )
