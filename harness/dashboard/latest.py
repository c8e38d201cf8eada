"""The last run of every cell: from the work folder, or from the artifacts of several runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness import judge, plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.artifacts import Artifacts
    from harness.model import Cell, Record
    from harness.project import Project
    from harness.records import CellRun, Reader
    from harness.report.view import Report


@dataclass(frozen=True, kw_only=True)
class Latest:
    """What cells recorded when they last ran, how they fared, and what was found."""

    records: Reader
    runs: Mapping[str, CellRun]
    report: Report
    #: Cell → the words with which a command says where its records lie; none for the work folder.
    origins: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class Origin:
    """The artifacts of one run, and the words with which a command names them."""

    artifacts: Artifacts
    words: tuple[str, ...]


class Several:
    """The artifacts of several runs, read as one: a cell's are those of the first that has it."""

    def __init__(self, found: Sequence[Origin]) -> None:
        """Take them in the order in which they are asked."""
        self.found = found

    def origin(self, cell: str) -> Origin | None:
        """Return the first run that has a cell."""
        return next((one for one in self.found if one.artifacts.holds(cell)), None)

    def noted(self, cell: Cell) -> CellRun:
        """Return how a cell fared, in the first run that has it."""
        origin = self.origin(cell.id) or self.found[0]
        return origin.artifacts.noted(cell)

    def read(self, cell: str, experiment: str) -> Mapping[str, Record]:
        """Return what a cell recorded of an experiment."""
        origin = self.origin(cell)
        return origin.artifacts.read(cell, experiment) if origin else {}


def of(project: Project, found: Sequence[Origin]) -> Latest | None:
    """Return the last runs, judged on the experiments that they recorded; None without a run.

    Without artifacts they are those in the work folder.
    """
    several = Several(found)
    noted = several.noted if found else project.noted
    reader: Reader = several if found else project.records
    all_of_them = (noted(cell) for cell in project.matrix.cells.values())
    runs = {one.cell: one for one in all_of_them if not one.missing}
    ran = [name for name in project.contracts if any(reader.read(cell, name) for cell in runs)]
    if not ran:
        return None
    chosen = plan.make(project.matrix, project.contracts, (*runs, *ran))
    report = judge.Judge(project, chosen, reader).report(runs.values())
    origins = {cell: origin.words for cell in runs if (origin := several.origin(cell))}
    return Latest(records=reader, runs=runs, report=report, origins=origins)
