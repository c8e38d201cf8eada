"""Records and baselines → one Report: reads one experiment at a time, keeps only what differs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from harness import compare, documents, effects, parity
from harness.accepted import Ledger
from harness.contracts import Checker
from harness.effects import Effect
from harness.engines import machine
from harness.model import Change, Difference, Outcome, Record, platforms
from harness.parity import Side, Status
from harness.plan import pairs
from harness.records import CellRun
from harness.report.view import AcceptedLine, CaseLine, ChangeLine, FlakyLine, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from harness.model import Case, Cell, Contract
    from harness.plan import Plan
    from harness.project import Project
    from harness.records import Reader

#: Of these a report tells how many there are; which values they have is for whoever asks.
_COUNTED = frozenset({Status.SAME, Status.KNOWN})


class Judge:
    """Compares a plan's records with baselines, and torch's with burn's."""

    def __init__(
        self,
        project: Project,
        plan: Plan,
        records: Reader | None = None,
        *,
        verbose: bool = False,
        here: Mapping[str, str] | None = None,
    ) -> None:
        """Take what is to be judged; records and machine are the work folder's unless given.

        Where torch and burn agree is kept for a report that is `verbose`, and for a plan of named
        experiments, which somebody looks at; of any other the cases that changed, and a number.
        """
        self.here = here or machine.fingerprint()
        self.project = project
        self.plan = plan
        self.records = records or project.records
        self.today = datetime.now(tz=UTC).date().isoformat()
        self.checker = Checker()
        self.pairs = pairs(plan.cells, project.matrix)
        self.ledger = Ledger(project.accepted, self.today)
        self.changes: list[ChangeLine] = []
        self.accepted: list[AcceptedLine] = []
        self.new: list[CaseLine] = []
        self.invalid: list[CaseLine] = []
        self.inconclusive: list[CaseLine] = []
        self.flaky: list[FlakyLine] = []
        self.sides: list[Side] = []
        self.changed: set[tuple[str, str, str]] = set()
        self.read: dict[tuple[str, str], tuple[str, ...]] = {}
        self.compared: dict[str, dict[str, list[str]]] = {}
        self.verbose = verbose or not plan.complete
        self.same: Counter[str] = Counter()
        self.unsupported = self.agreeing = 0

    def report(self, runs: Iterable[CellRun]) -> Report:
        """Return the report on the plan's cases; `runs` says how each cell fared."""
        by_cell = {run.cell: run for run in runs}
        lost = {run.cell for run in by_cell.values() if run.unavailable}
        self.pairs = [pair for pair in self.pairs if not lost & {cell.id for cell in pair}]
        with documents.uncollected():
            for contract in self.plan.contracts:
                self._experiment(contract, by_cell)
        baselines, matrix = self.project.baselines, self.project.matrix
        unreferenced = baselines.unreferenced(matrix, self.project.contracts, self.read)
        return Report(
            cells=tuple(
                by_cell.get(cell.id, CellRun(cell=cell.id, unavailable="not run"))
                for cell in self.plan.cells
            ),
            changes=tuple(self.changes),
            accepted=tuple(self.accepted),
            outdated=tuple(self.ledger.alarms),
            new=tuple(self.new),
            invalid=tuple(self.invalid),
            inconclusive=tuple(self.inconclusive),
            flaky=tuple(self.flaky),
            sides=tuple(self.sides),
            unreferenced=tuple(unreferenced),
            cases=self.compared,
            same_in=self.same,
            unsupported=self.unsupported,
            agreeing=self.agreeing,
            machine=self.here,
            contracts=self.project.contracts,
            baselines_from=matrix.baselines_from,
            verbose=self.verbose,
        )

    def _experiment(self, contract: Contract, runs: Mapping[str, CellRun]) -> None:
        observed: dict[str, Mapping[str, Record]] = {}
        involved = {cell.id: cell for pair in (*self.pairs, self.plan.cells) for cell in pair}
        expected = {name: self._baseline(contract, one) for name, one in involved.items()}
        for cell in self.plan.cells:
            gone = cell.id in runs and runs[cell.id].unavailable
            observed[cell.id] = {} if gone else self.records.read(cell.id, contract.id)
        for cell in self.plan.cells:
            run = runs.get(cell.id, CellRun(cell=cell.id))
            if not run.unavailable:
                self._cell(contract, cell, run, observed, expected)
        for torch, burn in self.pairs:
            self._pair(contract, torch, burn, observed, expected)

    def _baseline(self, contract: Contract, cell: Cell) -> dict[str, Record]:
        """Return what a cell is held against, and note which variants have a baseline there."""
        expected = self.project.expected(contract.id, cell)
        own = (variant for variant, record in expected.items() if record.cell == cell.id)
        self.read[contract.id, cell.id] = tuple(own)
        return expected

    def _cell(
        self,
        contract: Contract,
        cell: Cell,
        run: CellRun,
        observed: Mapping[str, Mapping[str, Record]],
        expected: dict[str, dict[str, Record]],
    ) -> None:
        """Compare one cell's records of one experiment with its baselines."""
        for case in self.plan.cases_of(cell, contract):
            if case.unsupported:
                self.unsupported += 1
                continue
            record = observed[cell.id].get(case.variant.name)
            line = CaseLine(cell=cell.id, experiment=contract.id, variant=case.variant.name)
            if record is None:
                why = run.partly or "the case was not run"
                self.inconclusive.append(replace(line, text=f"no record: {why}"))
                continue
            self.flaky += _flaky_lines(line, record)
            broken = self.checker.broken(contract, cell, record)
            if "outcome" not in record.flaky and (record.outcome is Outcome.INVALID or broken):
                self.invalid.append(replace(line, text=record.reason or broken))
                continue
            baseline = expected[cell.id].get(case.variant.name)
            if baseline is None:
                if record.flaky:
                    continue
                late = record.outcome is Outcome.TIMED_OUT
                lines = self.inconclusive if late else self.new
                home = self.project.matrix.baselines_from
                missing = cell.reference or ("" if platforms.of(record) == home else cell.id)
                lines.append(replace(line, text=compare.says(record), missing=missing))
                continue
            compared = self.compared.setdefault(cell.id, {}).setdefault(contract.id, [])
            compared.append(record.variant)
            found = compare.changes(
                contract, baseline, record, same_machine=compare.same_machine(baseline, record)
            )
            self.same[cell.id] += not found and not record.flaky
            effect = self._effects(case, (baseline, record), observed, expected) if found else None
            found, settled = self.ledger.settle(contract, record, found)
            self.changes += [_change_line(line, baseline.cell, one, effect) for one in found]
            if found:
                self.changed.add((cell.id, contract.id, record.variant))
            for change, entry in settled:
                made = _change_line(line, baseline.cell, change, effect)
                self.accepted.append(AcceptedLine.of(made, entry))

    def _effects(
        self,
        case: Case,
        records: tuple[Record, Record],
        observed: Mapping[str, Mapping[str, Record]],
        expected: dict[str, dict[str, Record]],
    ) -> Callable[[str], Effect]:
        """Return what says what a change does to parity with the other framework's pinned cell."""
        pinned = self.project.matrix.pinned[case.cell.framework.other]
        if pinned not in expected:  # a baseline read for this alone is worth it: few cases change
            other = self.project.matrix.cells[pinned]
            expected[pinned] = self._baseline(case.contract, other)
        was = expected[pinned].get(case.variant.name)
        now = (observed.get(pinned) or expected[pinned]).get(case.variant.name)
        before, after = records
        return effects.of(case.contract, case.variant, (before, was), (after, now))

    def _pair(
        self,
        contract: Contract,
        torch: Cell,
        burn: Cell,
        observed: Mapping[str, Mapping[str, Record]],
        expected: Mapping[str, Mapping[str, Record]],
    ) -> None:
        """Compare torch with burn; a cell that this run leaves out is taken from its baselines."""
        for variant in contract.variants.values():
            reasons = [variant.unsupported_in(cell) for cell in (torch, burn)]
            reason = next(filter(None, reasons), None)
            records = [
                observed.get(cell.id, expected[cell.id]).get(variant.name) for cell in (torch, burn)
            ]
            if reason is None and None in records:
                reason = "no record of " + (torch if records[0] is None else burn).id
            if reason is not None:
                side = Side(
                    experiment=contract.id,
                    variant=variant.name,
                    torch=torch.id,
                    burn=burn.id,
                    status=Status.NOT_COMPARED,
                    reason=reason,
                )
                self.sides.append(side)
                continue
            ours, theirs = (record for record in records if record is not None)
            explained = self.ledger.explained(contract.id, variant.name, torch.id, burn.id)
            compared = partial(
                parity.side_by_side,
                contract,
                variant,
                ours,
                theirs,
                today=self.today,
                explained=explained,
            )
            side = compared(brief=not self.verbose)
            if not self.verbose and side.status not in _COUNTED:
                side = compared()
            if side.status is Status.MISMATCH:
                before = [expected[cell.id].get(variant.name) for cell in (torch, burn)]
                if None not in before and self._agreed(contract, variant.name, before):
                    side = replace(side, status=Status.LOST)
            agrees = side.status is Status.SAME
            self.agreeing += agrees
            changed = {
                (cell.id, contract.id, variant.name) for cell in (torch, burn)
            } & self.changed
            if not agrees or changed or self.verbose:
                self.sides.append(side)
            self._parity_changes(side, burn.id)

    def _agreed(self, contract: Contract, variant: str, before: list[Record | None]) -> bool:
        """Was all that differed between the two baselines on record?"""
        ours, theirs = (record for record in before if record is not None)
        rule = contract.variants[variant]
        old = parity.side_by_side(contract, rule, ours, theirs, today=self.today)
        return old.status not in {Status.MISMATCH, Status.NOT_COMPARED}

    def _parity_changes(self, side: Side, cell: str) -> None:
        """Add what a comparison of torch with burn says of behaviour that changed."""
        line = CaseLine(cell=cell, experiment=side.experiment, variant=side.variant)
        if side.status is Status.LOST:
            for row in side.rows:
                if row.change is not None and row.observation not in side.listed:
                    change = replace(row.change, kind=Difference.PARITY_LOST)
                    made = _change_line(line, side.torch, change, lambda _: Effect.AWAY)
                    self.changes.append(made)
        for name in side.closed:
            burn = [row.burn for row in side.rows if row.observation == name]
            change = Change(
                kind=Difference.DIVERGENCE_CLOSED,
                observation=name,
                expected=f"differs: {side.reason}",
                observed=burn[0] if burn else None,
            )
            made = _change_line(line, side.torch, change, lambda _: Effect.TOWARD)
            self.changes.append(made)


def _flaky_lines(line: CaseLine, record: Record) -> list[FlakyLine]:
    names = {"cell": line.cell, "experiment": line.experiment, "variant": line.variant}
    return [FlakyLine(**names, observation=o, flaky=f) for o, f in record.flaky.items()]


def _change_line(
    line: CaseLine, against: str, change: Change, effect: Callable[[str], Effect] | None
) -> ChangeLine:
    return ChangeLine(
        cell=line.cell,
        experiment=line.experiment,
        variant=line.variant,
        against=against,
        change=change,
        effect=effect(change.observation) if effect else Effect.UNKNOWN,
    )


def noted_runs(project: Project, plan: Plan) -> list[CellRun]:
    """Return how each cell of the plan fared, as the runs in the work folder noted it."""
    return [project.noted(cell) for cell in plan.cells]
