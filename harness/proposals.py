"""What a run proposes, and what would change by it: what there is to accept or to reject."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from harness import compare, documents
from harness.accepted import Ledger
from harness.baselines import Baselines
from harness.errors import HarnessError
from harness.model import platforms, title

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from harness.model import Change, Contract, Record
    from harness.plan import Plan
    from harness.project import Project
    from harness.records import Reader
    from harness.report.view import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """One case whose record is not its baseline."""

    contract: Contract
    record: Record
    baseline: Record | None
    #: The platform that baselines come from.
    home: str
    changes: list[Change] = field(default_factory=list)
    #: The cell whose baselines it is held against, where these are not its own.
    reference: str | None = None

    @property
    def against(self) -> str:
        """Return the cell whose baselines it is held against."""
        return self.reference or self.record.cell

    @property
    def platform(self) -> str:
        """Return the platform that the record was made on; empty where baselines come from it."""
        platform = platforms.of(self.record)
        return "" if platform == self.home else platform

    @property
    def differs(self) -> bool:
        """Does accepting it make entries of accepted.yaml, and no baseline?"""
        return self.reference is not None or bool(self.platform)

    @property
    def title(self) -> str:
        """Return `cell  experiment / variant`, and the platform where it is another one."""
        name = f"{self.record.cell}  {title(self.contract.id, self.record.variant)}"
        return f"{name}  on {self.platform}" if self.platform else name


def propose(
    project: Project,
    plan: Plan,
    report: Report,
    records: Reader | None = None,
    into: Baselines | None = None,
) -> None:
    """Write what the run would make baselines into the work folder, for accept and review.

    A run that covers part of the plan leaves the proposals of the rest as they are. Records from
    elsewhere, and another folder to write to, may be given. What another
    platform did stands apart: it becomes no baseline.
    """
    proposed = into or project.proposed
    records = records or project.records
    apart = _apart(proposed)
    for cell in plan.cells:
        for contract in plan.contracts:
            proposed.path(contract.id, cell.id).unlink(missing_ok=True)
            apart.path(contract.id, cell.id).unlink(missing_ok=True)
    if plan.complete and len(plan.cells) == len(project.matrix.cells):
        shutil.rmtree(proposed.folder, ignore_errors=True)
    lines = [line for line in report.acceptable if not line.missing]
    home = project.matrix.baselines_from
    wanted = dict.fromkeys((line.cell, line.experiment, line.variant) for line in lines)
    for name, experiment, variant in wanted:
        record = records.read(name, experiment).get(variant)
        if record is not None:
            contract = project.contracts[experiment]
            place = proposed if platforms.of(record) == home else apart
            place.accept(contract, record, reason="proposed", date="2000-01-01")


def _apart(proposed: Baselines) -> Baselines:
    """Return where, among proposals, those stand whose records were made on another platform."""
    return Baselines(proposed.folder / "other-platforms")


def pending(project: Project, proposed: Path | None) -> list[Pending]:
    """Return what a run proposes and what would change by it, what becomes a baseline first.

    What accepted.yaml accepts already is left out, and so is a case of a moving head or of another
    platform without a baseline to differ from: that one is to be accepted first.
    """
    source = Baselines(proposed) if proposed else project.proposed
    ledger = _ledger(project)
    found = []
    for place in (source, _apart(source)):
        for path, experiment, cell in place.files():
            contract = project.contracts.get(experiment)
            if contract is None or cell not in project.matrix.cells:
                raise HarnessError(f"{path}: no experiment {experiment} or no cell {cell} here")
            expected = project.expected(experiment, project.matrix.cells[cell])
            for variant, record in place.read(experiment, cell).items():
                if variant not in contract.variants:
                    raise HarnessError(f"{path}: variants.{variant}: not in the contract")
                one = Pending(
                    contract=contract,
                    record=record,
                    baseline=expected.get(variant),
                    home=project.matrix.baselines_from,
                    reference=project.matrix.cells[cell].reference,
                )
                found.append(_standing(one, ledger))
    return sorted(filter(None, found), key=lambda one: one.differs)


def anew(project: Project, one: Pending) -> Pending | None:
    """Return the case against the baselines as they are by now; None when nothing is left of it.

    What was accepted before it may be the very baseline that it is held against.
    """
    if not one.differs:
        return one
    expected = project.expected(one.contract.id, project.matrix.cells[one.record.cell])
    now = replace(one, baseline=expected.get(one.record.variant))
    return _standing(now, _ledger(project))


def _ledger(project: Project) -> Ledger:
    return Ledger(project.accepted, datetime.now(tz=UTC).date().isoformat())


def _standing(one: Pending, ledger: Ledger) -> Pending | None:
    """Return the case with what would change by it; None where nothing would."""
    if one.baseline is None:
        return None if one.differs else one
    changes = compare.changes(one.contract, one.baseline, one.record)
    standing, _ = ledger.settle(one.contract, one.record, changes)
    return replace(one, changes=standing if one.differs else changes) if standing else None


def select(
    project: Project, pending: Sequence[Pending], words: Sequence[str], *, everything: bool
) -> list[Pending]:
    """Return what `<experiment> [<variant>] [<cell>]` or `--all` names; an error when nothing."""
    if everything == bool(words):
        raise HarnessError(
            "give an experiment (and a variant, and a cell) or --all",
            'nox -s accept -- <experiment> [<variant>] [<cell>] --reason "…"',
        )
    experiment = words[0] if words else None
    if experiment is not None and experiment not in project.contracts:
        known = ", ".join(project.contracts)
        raise HarnessError(f"{experiment}: no experiment has that name", f"Experiments: {known}")
    cells = [word for word in words[1:] if word in project.matrix.cells]
    variants = [word for word in words[1:] if word not in project.matrix.cells]
    for variant in variants:
        known = ", ".join(project.contracts[str(experiment)].variants)
        if variant not in project.contracts[str(experiment)].variants:
            raise HarnessError(
                f"{variant}: neither a cell nor a variant of {experiment}", f"Variants: {known}"
            )
    chosen = [
        one
        for one in pending
        if (experiment is None or one.contract.id == experiment)
        and (not cells or one.record.cell in cells)
        and (not variants or one.record.variant in variants)
    ]
    if not chosen:
        offered = "\n".join(one.title for one in pending) or "The last run found nothing to accept."
        for cell in cells:
            reference = project.matrix.cells[cell].reference
            if reference is not None:
                offered += f"\n{cell} is held against {reference}: accept what is new there first."
        raise HarnessError("nothing to accept by that name", offered)
    return chosen


def hasty(source: Sequence[Pending], chosen: Sequence[Pending]) -> list[Pending]:
    """Return which of the chosen are held against a baseline that others than these may replace."""
    waiting = {_case(one, one.record.cell) for one in source if not one.differs}
    waiting -= {_case(one, one.record.cell) for one in chosen}
    return [one for one in chosen if one.differs and _case(one, one.against) in waiting]


def _case(one: Pending, cell: str) -> tuple[str, str, str]:
    return cell, one.contract.id, one.record.variant


def drop(project: Project, one: Pending) -> None:
    """Take one record off the proposals; the next run that sees it proposes it again."""
    place = _apart(project.proposed) if one.platform else project.proposed
    path = place.path(one.contract.id, one.record.cell)
    if not path.exists():
        return
    document = documents.read_json(path)
    document["variants"].pop(one.record.variant, None)
    if document["variants"]:
        documents.write(path, documents.canonical(document))
    else:
        path.unlink()
