"""Where the sides of a diff come from: committed baselines, the last run, the halves' own text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from harness import snippets
from harness.contracts import Checker
from harness.diff import Side, Source
from harness.errors import HarnessError, UnavailableError
from harness.model import Framework, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from harness.diff import Code
    from harness.engines import Engine
    from harness.model import Cell, Contract, Record
    from harness.project import Project
    from harness.records import Reader

    #: (cell, experiment, variant) → a file below the checkout, and a line.
    Places = Callable[[str, str, str], tuple[str, int]]


def pair(project: Project, names: tuple[str, str], words: Sequence[str]) -> tuple[Cell, Cell]:
    """Return two cells of one framework; a HarnessError lists those that can be compared.

    `words` name experiments, never a third cell.
    """
    cells = project.matrix.cells
    listed = "\n".join(
        f"{framework}: {', '.join(c.id for c in cells.values() if c.framework is framework)}"
        for framework in Framework
    )
    for name in names:
        if name not in cells:
            raise HarnessError(f"{name}: no cell has that name", f"Cells by framework:\n{listed}")
    for word in words:
        if word in cells:
            raise HarnessError(
                f"{word}: a third cell; a diff is between two", "Further words name experiments."
            )
    old, new = (cells[name] for name in names)
    if old.framework is not new.framework:
        raise HarnessError(
            f"{old.id} and {new.id} are of two frameworks; a diff is between cells of one",
            f"Cells that can be compared:\n{listed}\nnox -s report compares torch with burn.",
        )
    return old, new


def accepted(project: Project, cell: Cell) -> Side:
    """Return what a cell's committed baselines say."""
    return Side(
        cell=cell,
        source=Source.BASELINES,
        records=lambda contract: project.expected(contract.id, cell),
    )


def side(
    project: Project,
    cell: Cell,
    contracts: Iterable[Contract],
    *,
    recorded: bool,
    say: Callable[[str], None],
) -> Side:
    """Return one side of a diff: baselines, or with `recorded` what the cell's last run saw.

    A moving head has no behaviour of its own but the recorded one: its baselines are another's.
    """
    if not recorded and cell.released:
        return accepted(project, cell)
    lacking = _lacking(project, cell, contracts)
    if not lacking:
        read = last_run(project.records, cell)
        return Side(cell=cell, source=Source.RECORDS, records=read)
    if cell.released:
        say(f"{cell.id}: {lacking}; taken from its baselines")
        return accepted(project, cell)
    raise UnavailableError(
        f"{cell.id}: {lacking}, and a moving head has no baselines of its own",
        f"First: nox -s regress -- {cell.id}",
    )


def _lacking(project: Project, cell: Cell, contracts: Iterable[Contract]) -> str:
    """Return why the work folder says nothing of a cell; empty where it does."""
    noted = project.noted(cell)
    if noted.unavailable:
        return noted.unavailable
    records = project.records
    if any(records.path(cell.id, contract.id).exists() for contract in contracts):
        return ""
    return "no record of these experiments is in the work folder"


def last_run(records: Reader, cell: Cell) -> Callable[[Contract], Mapping[str, Record]]:
    """Return a reader of a run's records; one that breaks its contract says `invalid`."""
    checker = Checker()

    def checked(contract: Contract, record: Record) -> Record:
        broken = checker.broken(contract, cell, record)
        return replace(record, outcome=Outcome.INVALID, reason=broken) if broken else record

    def read(contract: Contract) -> Mapping[str, Record]:
        found = records.read(cell.id, contract.id)
        return {
            variant: checked(contract, record)
            for variant, record in found.items()
            if variant in contract.variants
        }

    return read


def places(project: Project, engines: Mapping[Framework, Engine]) -> Places:
    """Return what gives the line where a variant's code begins, else where its contract does."""
    cells = project.matrix.cells

    @cache
    def place(framework: Framework, experiment: str, variant: str) -> tuple[str, int]:
        path = engines[framework].half(experiment)
        if not path.exists():
            return f"schemas/experiments/{experiment}.json", 1
        line = snippets.line(path.read_text(encoding="utf-8"), path.suffix, variant)
        return path.relative_to(project.root).as_posix(), line

    return lambda cell, experiment, variant: place(cells[cell].framework, experiment, variant)


def code(engines: Mapping[Framework, Engine]) -> Code:
    """Return what gives both halves' lines of a variant; a half that does not exist gives none."""

    @lru_cache(maxsize=len(Framework))  # a report asks for one experiment after the other
    def half(framework: Framework, experiment: str) -> tuple[str, str] | None:
        path = engines[framework].half(experiment)
        return (path.read_text(encoding="utf-8"), path.suffix) if path.exists() else None

    @lru_cache(maxsize=256)  # and for each variant of it in pair after pair of versions
    def read(experiment: str, variant: str) -> Mapping[Framework, str]:
        halves = {framework: half(framework, experiment) for framework in Framework}
        return {
            framework: snippets.of(*found, variant)
            for framework, found in halves.items()
            if found is not None
        }

    return read
