"""One checkout: its matrix, contracts, baselines and work folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from harness import accepted, contracts, documents, matrix
from harness.baselines import Baselines
from harness.model import Limit
from harness.records import CellRun, Store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.accepted import Entry
    from harness.model import Cell, Contract, Matrix, Record

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Project:
    """Where everything lies; each part is read when it is first asked for."""

    root: Path = ROOT
    #: The ignored folder that runs write to, unless it is the usual one.
    place: Path | None = None

    @cached_property
    def matrix(self) -> Matrix:
        """Return `matrix.yaml`."""
        return matrix.read(self.root / "matrix.yaml")

    @cached_property
    def contracts(self) -> Mapping[str, Contract]:
        """Return the contracts in `schemas/experiments/`."""
        return contracts.read_all(self.root / "schemas" / "experiments")

    @property
    def baselines(self) -> Baselines:
        """Return the committed baselines."""
        return Baselines(self.root / "baselines", self.matrix.baselines_from)

    @property
    def accepted_path(self) -> Path:
        """Return the file of accepted differences; it need not exist."""
        return self.root / "baselines" / "accepted.yaml"

    @cached_property
    def accepted(self) -> tuple[Entry, ...]:
        """Return the accepted differences."""
        return accepted.read(self.accepted_path, self.matrix, self.contracts)

    @property
    def work(self) -> Path:
        """Return the ignored folder that runs write to."""
        return self.place or self.root / ".emberwatch"

    @property
    def proposed(self) -> Baselines:
        """Return the baselines that the last run proposes."""
        return Baselines(self.work / "proposed")

    def expected(self, experiment: str, cell: Cell) -> dict[str, Record]:
        """Return what a cell is held against: its reference's baselines, else its own."""
        return self.baselines.read(experiment, cell.reference or cell.id)

    @property
    def records(self) -> Store:
        """Return the records of the last runs."""
        return Store(self.work / "records")

    def noted(self, cell: Cell) -> CellRun:
        """Return how a cell fared, as the last run of it noted in the work folder."""
        path = self.work / "cells" / f"{cell.id}.json"
        if not path.exists():
            reason = "no run of this cell is in the work folder"
            return CellRun(cell=cell.id, unavailable=reason, missing=True)
        noted = documents.read_json(path)
        return CellRun(
            cell=cell.id,
            versions=noted["versions"],
            unavailable=noted["unavailable"],
            at=noted.get("at", ""),
            lacking=tuple(map(Limit, noted.get("lacking", ()))),
        )
