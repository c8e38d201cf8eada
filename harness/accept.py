"""The life of a baseline: proposed by a run, then accepted with a reason, or rejected."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from harness import amend, compare, documents
from harness.accepted import Entry, Ledger
from harness.baselines import Baselines
from harness.errors import HarnessError
from harness.model import platforms, title
from harness.records import to_document
from harness.report import text

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
    changes: list[Change] = field(default_factory=list)
    #: The cell whose baselines it is held against, where these are not its own.
    reference: str | None = None

    @property
    def platform(self) -> str:
        """Return the platform that the record was made on; empty where baselines come from it."""
        platform = platforms.of(self.record)
        return "" if platform == platforms.HOME else platform

    @property
    def differs(self) -> bool:
        """Does accepting it make entries of accepted.yaml, and no baseline?"""
        return self.reference is not None or bool(self.platform)

    @property
    def title(self) -> str:
        """Return `cell  experiment / variant`, and the platform where it is another one."""
        name = f"{self.record.cell}  {title(self.contract.id, self.record.variant)}"
        return f"{name}  on {self.platform}" if self.platform else name


def refuse_in_ci(verb: str, *, elsewhere: bool) -> None:
    """Refuse to write baselines where CI is set, unless they are what another run observed."""
    if os.environ.get("CI", "").lower() not in {"", "0", "false"} and not elsewhere:
        raise HarnessError(
            f"{verb}: refused, since CI is set: no run in CI accepts what it observed itself",
            "Run it on your machine, or give accept another run (--from-run ID, --records DIR).",
        )


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
    wanted = dict.fromkeys((line.cell, line.experiment, line.variant) for line in lines)
    for name, experiment, variant in wanted:
        record = records.read(name, experiment).get(variant)
        if record is not None:
            contract = project.contracts[experiment]
            place = proposed if platforms.of(record) == platforms.HOME else apart
            place.accept(contract, record, reason="proposed", date="2000-01-01")


def _apart(proposed: Baselines) -> Baselines:
    """Return where, among proposals, those stand whose records were made on another platform."""
    return Baselines(proposed.folder / "other-platforms", other=True)


def pending(project: Project, proposed: Path | None) -> list[Pending]:
    """Return what a run proposes and what would change by it.

    What accepted.yaml accepts already is left out, and so is a case of a moving head or of another
    platform without a baseline to differ from: that one is to be accepted first.
    """
    source = Baselines(proposed) if proposed else project.proposed
    ledger = Ledger(project.accepted, datetime.now(tz=UTC).date().isoformat())
    found = []
    for place in (source, _apart(source)):
        for path, experiment, cell in place.files():
            contract = project.contracts.get(experiment)
            if contract is None or cell not in project.matrix.cells:
                raise HarnessError(f"{path}: no experiment {experiment} or no cell {cell} here")
            accepted = project.expected(experiment, project.matrix.cells[cell])
            for variant, record in place.read(experiment, cell).items():
                if variant not in contract.variants:
                    raise HarnessError(f"{path}: variants.{variant}: not in the contract")
                one = Pending(
                    contract=contract,
                    record=record,
                    baseline=accepted.get(variant),
                    reference=project.matrix.cells[cell].reference,
                )
                found += _standing(one, ledger)
    return found


def _standing(one: Pending, ledger: Ledger) -> list[Pending]:
    """Return the case with what would change by it; nothing where nothing would."""
    if one.baseline is None:
        return [] if one.differs else [one]
    changes = compare.changes(one.contract, one.baseline, one.record)
    standing, _ = ledger.settle(one.contract, one.record, changes)
    return [replace(one, changes=standing if one.differs else changes)] if standing else []


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """Why something is accepted, since when, where it is discussed, and until when."""

    reason: str
    date: str
    link: str = ""
    expires: str = ""

    def check(self, chosen: Sequence[Pending]) -> None:
        """Refuse a day that is none or is over, and what baselines have no place for."""
        try:
            late = bool(self.expires) and date.fromisoformat(self.expires).isoformat() < self.date
        except ValueError as error:
            raise HarnessError(f"--expires {self.expires}: {error}", "Say YYYY-MM-DD.") from error
        if late:
            raise HarnessError(f"--expires {self.expires}: that day is over")
        given = [key for key in ("link", "expires") if getattr(self, key)]
        own = [one.record.cell for one in chosen if not one.differs]
        if given and own:
            raise HarnessError(
                f"--{given[0]}: {own[0]} has baselines of its own, which hold none",
                "It is for cells with a reference in matrix.yaml, and for other platforms.",
            )


def accept(project: Project, one: Pending, grounds: Grounds) -> None:
    """Make one record its case's baseline, and take it off the proposals.

    Of a cell with a reference, and of records from another platform than baselines come from, the
    differences become entries of accepted.yaml instead.
    """
    if one.platform not in {"", *platforms.WORDS}:
        raise HarnessError(
            f"{one.title}: no entry of accepted.yaml can name that platform",
            f"Allowed: {', '.join(platforms.WORDS)}",
        )
    if not one.differs:
        reason, day = grounds.reason, grounds.date
        project.baselines.accept(one.contract, one.record, reason=reason, date=day)
    else:
        made = entries(project, one, grounds)
        amend.add(project.accepted_path, [entry.document() for entry in made])
    reject(project, one)


def entries(project: Project, one: Pending, grounds: Grounds) -> list[Entry]:
    """Return what accepts the changes of a case that becomes no baseline."""
    return [_entry(project, one, change, grounds) for change in one.changes]


def _entry(project: Project, one: Pending, change: Change, grounds: Grounds) -> Entry:
    case = one.record.cell, one.contract.id, one.record.variant, change.observation
    named = any(  # an entry without `os` would not take the place of one that names this one
        entry.os and entry.applies(platforms.HOME)
        for entry in project.accepted
        if case == (entry.cell, entry.experiment, entry.variant, entry.observation)
    )
    return Entry(
        cell=one.record.cell,
        experiment=one.contract.id,
        variant=one.record.variant,
        observation=change.observation,
        kind=change.kind,
        expected=change.expected,
        observed=change.observed,
        reason=grounds.reason,
        since=grounds.date,
        os=one.platform or (platforms.HOME if named else ""),
        link=grounds.link,
        expires=grounds.expires,
    )


def reject(project: Project, one: Pending) -> None:
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


def summary(one: Pending) -> str:
    """Return what would change, a line each."""
    if one.baseline is None:
        observed = text.count(len(one.record.observations), "observation")
        return f"  new: {text.shortened(compare.says(one.record))}, {observed}"
    lines = []
    for change in one.changes:
        expected, observed = text.sides(change)
        measured = text.measured(change.measure)
        head = f"  {change.kind.severity} {change.kind}: {change.observation}"
        lines.append(f"{head}  {expected} → {observed}  {measured}".rstrip())
    return "\n".join(lines)


def details(project: Project, one: Pending) -> str:
    """Return the question, the source, and the whole record."""
    contract = one.contract
    sources = "; ".join(f"{source.document}, {source.section}" for source in contract.source)
    document = json.dumps(to_document(one.record), ensure_ascii=False, indent=2)
    path = project.baselines.path(contract.id, one.record.cell)
    path = project.accepted_path if one.differs else path
    return f"{contract.question}\n{contract.description}\n{sources}\n{path}\n{document}"
