"""Plan → engines → records: prepares cells, runs what is not up to date, writes what was seen."""

from __future__ import annotations

import shutil
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import filelock

from harness import contracts, documents, observe
from harness.contracts import Checker
from harness.engines import caches, limits, machine, process
from harness.errors import HarnessError, UnavailableError
from harness.model import Outcome, Record, platforms
from harness.records import CellRun
from harness.repeat import Gathering

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from pathlib import Path

    from harness.engines import Engine, Prepared, Progress
    from harness.model import Case, Cell, Framework, Limits
    from harness.plan import Plan
    from harness.project import Project

#: Outcomes that the next run tries again: they say more of the machine than of the framework.
_AGAIN = frozenset({Outcome.TIMED_OUT, Outcome.UNAVAILABLE})


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a run goes about its work."""

    jobs: int
    cache: bool = True
    keep_going: bool = False
    #: How often each case runs; more than once, no record of an earlier run stands for it.
    repeat: int = 1
    #: Settings of this run alone, over those of the matrix.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: What is recorded as the machine that it runs on.
    machine: Mapping[str, str] = field(default_factory=machine.fingerprint)


@contextmanager
def alone(project: Project) -> Iterator[None]:
    """Keep the work folder from other runs; a HarnessError when one is using it."""
    project.work.mkdir(parents=True, exist_ok=True)
    try:
        with filelock.FileLock(project.work / "lock", timeout=0):
            yield
    except filelock.Timeout as error:
        raise HarnessError(
            f"{project.work}: another run is using it", "Wait for it, or end it, then try again."
        ) from error


def run(
    project: Project,
    plan: Plan,
    engines: Mapping[Framework, Engine],
    options: Options,
    progress: Progress,
) -> list[CellRun]:
    """Run the plan; a cell that cannot be prepared ends the run unless it is to keep going."""
    shutil.rmtree(project.work / "scratch", ignore_errors=True)
    prepared: list[tuple[CellRun, Prepared | None]] = []
    stopped = ""
    for cell in plan.cells:
        status = CellRun(cell=cell.id)
        ready = None
        try:
            if stopped and not options.keep_going:
                status.unavailable = f"not tried, since {stopped} is unavailable"
                status.untried = True
            else:
                left_out = contracts.left_out(project.contracts, cell)
                ready = engines[cell.framework].prepare(cell, progress, left_out)
                status.versions = ready.versions
                status.lacking = limits.lacking(platforms.named(options.machine["platform"]))
        except UnavailableError as error:
            stopped = stopped or cell.id
            status.unavailable = str(error)
            progress.say(f"{cell.id}: unavailable")
        prepared.append((status, ready))
    for status, ready in prepared:
        if ready is not None and (options.keep_going or not stopped):
            engine = engines[ready.cell.framework]
            try:
                CellRunner(project, plan, engine, ready, options, progress).run(status)
            except UnavailableError as error:
                status.unavailable = str(error)
        elif ready is not None:
            status.unavailable = f"not run, since {stopped} is unavailable"
            status.untried = True
    now = datetime.now(tz=UTC).isoformat(timespec="seconds")
    for status, _ in prepared:
        status.at = now
        document = {
            "cell": status.cell,
            "unavailable": status.unavailable,
            "versions": dict(status.versions),
            "at": now,
            "lacking": list(status.lacking),
        }
        documents.write(
            project.work / "cells" / f"{status.cell}.json", documents.canonical(document)
        )
    return [status for status, _ in prepared]


class CellRunner:
    """Runs one prepared cell's cases."""

    def __init__(
        self,
        project: Project,
        plan: Plan,
        engine: Engine,
        prepared: Prepared,
        options: Options,
        progress: Progress,
    ) -> None:
        """Take what the cases need."""
        self.project = project
        self.plan = plan
        self.engine = engine
        self.prepared = prepared
        self.options = options
        self.progress = progress
        self.limits: Limits = project.matrix.limits
        self.settings = {**project.matrix.settings, **options.settings}
        self.settings_text = " ".join(f"{name}={value}" for name, value in self.settings.items())
        self.checker = Checker()

    def run(self, status: CellRun) -> None:
        """Run every case that has no record with its key, and write each record as it ends."""
        began = time.monotonic()
        cell = self.prepared.cell
        waiting: list[tuple[Case, str]] = []
        cache = self.options.cache and self.options.repeat == 1
        for contract in self.plan.contracts:
            have = self.project.records.read(cell.id, contract.id)
            keep = []
            for case in self.plan.cases_of(cell, contract):
                if case.unsupported:
                    continue
                key = self.key(case)
                record = have.get(case.variant.name)
                if record and record.key == key and cache and record.outcome not in _AGAIN:
                    keep.append(record)
                else:
                    waiting.append((case, key))
            if len(keep) < len(have):  # never let an outdated record stand for this run's
                self.project.records.replace(cell.id, contract.id, keep)
            status.cached += len(keep)
        not_built = [(c, k) for c, k in waiting if c.contract.id in self.prepared.not_built]
        runnable = [(c, k) for c, k in waiting if c.contract.id not in self.prepared.not_built]
        for case, key in not_built:
            reason = self.prepared.not_built[case.contract.id]
            record = self.record(case, key, Outcome.NOT_BUILT, reason=reason)
            self.project.records.append(record)
        total = len(runnable) * self.options.repeat
        with closing(self._run(runnable)) as cases:  # whatever happens here, no case outlives it
            for number, case in enumerate(cases, 1):
                self.progress.update(f"{cell.id}: {case.contract.id}", done=number, total=total)
        status.ran, status.repeat = len(waiting), self.options.repeat
        status.seconds = time.monotonic() - began

    def key(self, case: Case) -> str:
        """Return the content hash of everything that decides what the case observes."""
        half = self.engine.half(case.contract.id)
        if not half.exists():
            raise HarnessError(
                f"{half}: missing, the {case.cell.framework} half of {case.contract.id}",
                f"Write it, or say in the contract why {case.cell.framework} is unsupported.",
            )
        return caches.digest(
            self.prepared.identity,
            half,
            case.contract.digest,
            case.variant.name,
            caches.digest_of(self.settings.items()),
            repr(self.limits),
            self.prepared.not_built.get(case.contract.id, ""),
        )

    def _run(self, waiting: Sequence[tuple[Case, str]]) -> Generator[Case, None, None]:
        """Run every case as often as asked; write its record when the last of its runs ended."""
        if not waiting:
            return
        launch = self.prepared.launch
        launch = replace(launch, environment={**self.settings, **launch.environment})
        pairs = [(case.contract.id, case.variant.name) for case, _ in waiting]
        scratch: Path = self.project.work / "scratch"
        gathering = Gathering(self.options.repeat)
        for raw in process.run_cases(
            launch,
            pairs,
            jobs=self.options.jobs,
            limits=self.limits,
            scratch=scratch,
            repeat=self.options.repeat,
        ):
            case, key = waiting[raw.case]
            record = gathering.add(raw.case, case.contract, self.observed(case, key, raw))
            if record is not None:
                self.project.records.append(record)
            yield case

    def observed(self, case: Case, key: str, raw: process.Raw) -> Record:
        """Return the record of one run of a case."""
        seen = observe.parse(raw.events)
        ended = observe.classify(seen, raw.ended, raw.output)
        return self.record(
            case,
            key,
            ended.outcome,
            raised=ended.raised,
            reason=ended.reason,
            observations=seen.observations,
            details={
                "ran": seen.ran,
                "raw": seen.raw,
                "seconds": round(raw.ended.seconds, 4),
                "output": raw.output,
            },
        )

    def record(
        self,
        case: Case,
        key: str,
        outcome: Outcome,
        *,
        details: Mapping[str, Any] = {},
        **words: Any,
    ) -> Record:
        """Make a record and hold it against its contract."""
        record = Record(
            cell=case.cell.id,
            experiment=case.contract.id,
            variant=case.variant.name,
            outcome=outcome,
            key=key,
            provenance=self.provenance(details),
            **words,
        )
        broken = self.checker.broken(case.contract, case.cell, record)
        if broken:
            reason = "; ".join(filter(None, [record.reason, broken]))
            record = replace(record, outcome=Outcome.INVALID, reason=reason)
        return record

    def provenance(self, details: Mapping[str, Any]) -> dict[str, Any]:
        """Return what really ran, on what; an empty detail is left out."""
        cell: Cell = self.prepared.cell
        facts: dict[str, Any] = {
            "versions": {**self.prepared.versions, **details.get("ran", {})},
            "machine": dict(self.options.machine),
            "settings": self.settings_text,
        }
        if cell.backend:
            facts["backend"] = cell.backend
        for name in ("raw", "seconds", "output"):
            if details.get(name):
                facts[name] = details[name]
        return facts
