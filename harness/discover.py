"""New published versions → what would make them cells: entry, lock, baselines, what changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from packaging.version import Version

from harness import compare, diff, documents, matrix, run, sources
from harness.contracts import Checker, left_out
from harness.diff import Side, Source
from harness.engines import locks
from harness.errors import UnavailableError
from harness.model import Cell, Framework, Group, Outcome, title
from harness.plan import Plan
from harness.project import Project
from harness.records import CellRun
from harness.report import diff_markdown, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from harness.engines import Engine, Progress
    from harness.engines.clients import Clients
    from harness.model import Contract, Matrix, Record

    #: Experiment → variant → record.
    Records = Mapping[str, Mapping[str, Record]]

_BACKEND = "flex"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """All that a new version needs to become a cell."""

    cell: Cell
    #: The newest older cell, which the behaviour is held against.
    older: Cell
    #: The text of its lock; empty for torch.
    lock: str
    records: Records
    #: Cases that no baseline can be made of, each with the reason.
    left_out: tuple[str, ...]
    #: How many changes there are against the older cell, and what they are, as Markdown.
    changes: int
    markdown: str

    @property
    def cases(self) -> int:
        """How many baselines are proposed."""
        return sum(map(len, self.records.values()))


class Discovery:
    """Asks for new versions of one framework, and runs each that is found."""

    def __init__(
        self,
        project: Project,
        clients: Clients,
        engines: Mapping[Framework, Engine],
        options: run.Options,
        progress: Progress,
    ) -> None:
        """Take what is asked and what runs."""
        self.project = project
        self.clients = clients
        self.engines = engines
        self.options = options
        self.progress = progress

    def proposals(self, framework: Framework) -> Iterator[Proposal]:
        """Yield what each new version needs, oldest first; an UnavailableError ends it."""
        older = newest(self.project.matrix, framework)
        self.progress.update(f"asking for versions of {framework} newer than {older.version}")
        expected: Records = {
            name: self.project.baselines.read(name, older.id) for name in self.project.contracts
        }
        for version in self.clients.published(framework, str(older.version)):
            proposal = self._propose(_cell(framework, version), older, expected)
            yield proposal
            older, expected = proposal.cell, proposal.records

    def _propose(self, cell: Cell, older: Cell, expected: Records) -> Proposal:
        self.progress.say(f"{cell.id} is new")
        engine = self.engines[cell.framework]
        lock = engine.lock(cell)
        observed = self._run(cell, engine)
        records: dict[str, dict[str, Record]] = {}
        unfit = []
        for name, variants in observed.items():
            for variant, record in variants.items():
                reason = _unfit(self.project.contracts[name], cell, record)
                if reason:
                    unfit.append(f"{title(name, variant)}: {reason}")
                else:
                    records.setdefault(name, {})[variant] = record
        report = self._diff((older, expected), (cell, observed))
        return Proposal(
            cell=cell,
            older=older,
            lock=lock,
            records=records,
            left_out=tuple(unfit),
            changes=len(report.entries),
            markdown=diff_markdown.render(report),
        )

    def _diff(self, before: tuple[Cell, Records], after: tuple[Cell, Records]) -> diff.Diff:
        """Return what the newer of two versions does otherwise, and what that does to parity."""
        cells = self.project.matrix.cells
        other = after[0].framework.other
        pinned = cells[self.project.matrix.pinned[other]]
        return diff.build(
            self.project.contracts.values(),
            _side(*before),
            _side(*after),
            sources.accepted(self.project, pinned),
            sources.code(self.engines),
        )

    def _run(self, cell: Cell, engine: Engine) -> Records:
        """Run every experiment on the cell, in a work folder of its own."""
        contracts = self.project.contracts
        apart = Project(self.project.root, self.project.work / "discover" / "run")
        plan = Plan(cells=(cell,), contracts=tuple(contracts.values()), complete=True)
        with run.alone(apart):
            prepared = engine.prepare(cell, self.progress, left_out(contracts, cell))
            runner = run.CellRunner(apart, plan, engine, prepared, self.options, self.progress)
            runner.run(CellRun(cell=cell.id))
        return {name: apart.records.read(cell.id, name) for name in contracts}


def newest(cells: Matrix, framework: Framework) -> Cell:
    """Return the newest released cell of a framework: new versions are newer than it."""
    released = [
        cell
        for cell in cells.cells.values()
        if cell.framework is framework and cell.version and cell.backend in {None, _BACKEND}
    ]
    if not released:
        raise UnavailableError(
            f"matrix.yaml: no released {framework} cell that new versions could be newer than"
        )
    return max(released, key=lambda cell: Version(str(cell.version)))


def _cell(framework: Framework, version: str) -> Cell:
    return Cell(
        id=f"{framework}-{version}",
        framework=framework,
        group=Group.FULL,
        version=version,
        backend=_BACKEND if framework is Framework.BURN else None,
        listed=False,
    )


def _unfit(contract: Contract, cell: Cell, record: Record) -> str:
    """Return why a record cannot be a baseline; empty when it can."""
    if record.outcome in {Outcome.TIMED_OUT, Outcome.INVALID}:
        return compare.says(record)
    return Checker().broken(contract, cell, record)


def _side(cell: Cell, records: Records) -> Side:
    """Return what a version does, or will once it is accepted, as one side of a diff."""
    read = partial(_of, records)
    return Side(cell=cell, source=Source.BASELINES, records=read)


def _of(records: Records, contract: Contract) -> Mapping[str, Record]:
    return records.get(contract.id, {})


def write(project: Project, proposal: Proposal, date: str) -> list[Path]:
    """Write a proposal into the checkout, ready to be committed; return the files."""
    cell, path = proposal.cell, project.root / "matrix.yaml"
    content = matrix.inserted(path.read_text(encoding="utf-8"), cell, proposal.older.id)
    draft = project.work / "discover" / "matrix.yaml"
    documents.write(draft, content)
    matrix.read(draft)  # it must be one that the next run can read
    written = []
    for name, variants in proposal.records.items():
        contract, reason = project.contracts[name], f"first run of {cell.id}"
        for record in variants.values():
            project.baselines.accept(contract, record, reason=reason, date=date)
        written.append(project.baselines.path(name, cell.id))
    if proposal.lock:
        written.append(project.root / "rust" / "locks" / f"burn-{cell.version}.lock")
        documents.write(written[-1], proposal.lock)
    written.append(project.work / "discover" / f"{cell.id}.md")
    documents.write(written[-1], proposal.markdown)
    documents.write(path, content)  # the last: a cell of the matrix has all that it needs
    return [*written, path]


def as_text(proposal: Proposal) -> str:
    """Return a proposal as text: entry, lock, baselines, what changed."""
    cell = proposal.cell
    lines = [f"{cell.id} is newer than {proposal.older.id}", "", matrix.entry(cell).rstrip()]
    if proposal.lock:
        crates = len(locks.crates(proposal.lock))
        lines += ["", f"rust/locks/burn-{cell.version}.lock: {crates} burn crates"]
    lines += ["", f"baselines: {text.count(proposal.cases, 'case')}"]
    lines += [f"  left out: {reason}" for reason in proposal.left_out]
    return "\n".join([*lines, "", proposal.markdown])


def as_document(proposal: Proposal, written: Sequence[Path]) -> dict[str, object]:
    """Return a proposal as JSON holds it."""
    cell = proposal.cell
    return {
        "cell": cell.id,
        "framework": cell.framework.value,
        "version": cell.version,
        "older": proposal.older.id,
        "entry": matrix.entry(cell),
        "lock": f"rust/locks/burn-{cell.version}.lock" if proposal.lock else "",
        "baselines": proposal.cases,
        "left_out": list(proposal.left_out),
        "changes": proposal.changes,
        "markdown": proposal.markdown,
        "written": [str(path) for path in written],
    }
