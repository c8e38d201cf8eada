"""Released cells in the order of their versions, and what each is known to do in a case; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from harness.errors import HarnessError
from harness.model import Outcome, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.model import Case, Cell, Framework


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """The released cells of one framework on one backend, the oldest version first."""

    framework: Framework
    backend: str | None
    cells: tuple[Cell, ...]

    @property
    def id(self) -> str:
        """Return `torch`, `burn-flex`."""
        return "-".join(filter(None, (self.framework, self.backend)))


def lineages(cells: Iterable[Cell]) -> list[Lineage]:
    """Return the lineages of all released cells; a moving head has no place in them."""
    found: dict[tuple[Framework, str | None], list[Cell]] = {}
    for cell in cells:
        if cell.released:
            found.setdefault((cell.framework, cell.backend), []).append(cell)
    return [
        Lineage(framework=framework, backend=backend, cells=tuple(sorted(members, key=_order)))
        for (framework, backend), members in found.items()
    ]


def _order(cell: Cell) -> tuple[Version, str]:
    try:
        return Version(str(cell.version)), cell.id
    except InvalidVersion as error:
        raise HarnessError(
            f"matrix.yaml: cells.{cell.id}.version: {cell.version} has no place in an order",
            "Versions such as 0.22.1 or 0.23.0-pre.1 are ordered as packaging.version has it.",
        ) from error


def known(case: Case, records: Mapping[str, Record]) -> Record | None:
    """Return what is known of a case: what its contract says it cannot do, else its record."""
    if case.unsupported is None:
        return records.get(case.variant.name)
    return Record(
        cell=case.cell.id,
        experiment=case.contract.id,
        variant=case.variant.name,
        outcome=Outcome.UNSUPPORTED,
        reason=case.unsupported,
    )
