"""Runs a search: tries candidates, keeps what each one did, goes on where it was broken off."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness import bisect, compare, contracts, documents, run, versions
from harness.bisect import Found, Named, Search, Verdict
from harness.engines import caches
from harness.errors import BuildError, HarnessError, UnavailableError
from harness.plan import Plan
from harness.project import Project
from harness.records import CellRun, from_document, to_document
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from harness.candidates import Candidate
    from harness.engines import Engine, Progress
    from harness.model import Cell, Contract, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is searched for: where a case, or one observation of it, changes."""

    contract: Contract
    variant: str | None
    observation: str | None


@dataclass(slots=True)
class Notes:
    """What each candidate did, in a file that is written anew after every step."""

    path: Path
    #: Candidate → its records by variant.
    records: dict[str, dict[str, Record]] = field(default_factory=dict)
    #: Candidate → the compiler's words, where it does not build.
    broken: dict[str, str] = field(default_factory=dict)

    def read(self) -> None:
        """Take what an earlier search of the same question noted."""
        if not self.path.exists():
            return
        try:
            document = documents.read_json(self.path)
            self.broken = dict(document["broken"])
            self.records = {
                name: {variant: from_document(record) for variant, record in records.items()}
                for name, records in document["records"].items()
            }
        except (HarnessError, KeyError, AttributeError, TypeError, ValueError) as error:
            raise HarnessError(
                f"{self.path}: not what a search notes: {error}", "--restart forgets it."
            ) from error

    def write(self) -> None:
        """Keep everything so far."""
        records: dict[str, Any] = {
            name: {variant: to_document(record) for variant, record in records.items()}
            for name, records in self.records.items()
        }
        document = {"broken": self.broken, "records": records}
        documents.write(self.path, documents.canonical(document))


class Bisection:
    """One search along one line of candidates."""

    def __init__(
        self,
        project: Project,
        question: Question,
        line: Sequence[Candidate],
        engine: Engine,
        options: run.Options,
        progress: Progress,
    ) -> None:
        """Take what is searched, and where."""
        folder = project.work / "bisect"
        self.project = Project(project.root, folder / "run")
        self.contract = _asked(question, (line[0].cell, line[-1].cell))
        self.question = question
        self.line = line
        self.engine = engine
        self.options = options
        self.progress = progress
        self.search = Search(len(line))
        self.skips: dict[int, str] = {}
        self.steps = 0
        self.notes = Notes(folder / f"{self._digest()[:16]}.json")

    def _digest(self) -> str:
        contract = self.question.contract
        half = self.engine.half(contract.id)
        words = [contract.id, contract.digest, *self.contract.variants]
        words += [one.name for one in self.line]
        return caches.digest(*words, *([half] if half.exists() else []))

    def find(self, *, restart: bool = False) -> Found:
        """Search to the end; an UnavailableError when an end cannot be had."""
        if restart:
            self.notes.path.unlink(missing_ok=True)
        self.notes.read()
        with run.alone(self.project):
            good, bad = (self._end(place) for place in (0, len(self.line) - 1))
            self._differ(good, bad)
            self.search.verdicts[0] = Verdict.GOOD
            self.search.verdicts[len(self.line) - 1] = Verdict.BAD
            while (place := self.search.next()) is not None:
                self.steps += 1
                left = text.count(self.search.steps_left, "step")
                self.progress.say(f"at most {left} left: {self.line[place].title}")
                self.search.verdicts[place] = verdict = self._verdict(place, good, bad)
                self.progress.say(f"  {verdict}{self._why(place)}")
            return self._found()

    def _why(self, place: int) -> str:
        reason = self.skips.get(place, "")
        return f": {reason.splitlines()[0]}" if reason else ""

    def _end(self, place: int) -> dict[str, Record]:
        candidate = self.line[place]
        end = "good" if place == 0 else "bad"
        self.progress.say(f"the {end} end: {candidate.title}")
        try:
            return self._records(candidate)
        except UnavailableError as error:
            raise UnavailableError(
                f"the {end} end {candidate.name} cannot be had: {error.message}", error.advice
            ) from error

    def _differ(self, good: Mapping[str, Record], bad: Mapping[str, Record]) -> None:
        """Refuse ends that behave alike: there is nothing to search for."""
        observation = self.question.observation
        if bisect.differences(self.contract, good, bad, observation):
            return
        names = list(dict.fromkeys(name for one in good.values() for name in one.observations))
        lines = [f"  {variant}: {_saying(record, observation)}" for variant, record in good.items()]
        if observation not in {None, "outcome", *names}:
            lines += [f"{observation} is not observed; these are: {', '.join(names)}"]
        raise HarnessError(
            f"{self.line[0].name} and {self.line[-1].name} behave alike, both observed\n"
            + "\n".join(lines),
            "Choose ends, a variant or an observation that differ.",
        )

    def _verdict(
        self, place: int, good: Mapping[str, Record], bad: Mapping[str, Record]
    ) -> Verdict:
        try:
            records = self._records(self.line[place])
        except UnavailableError as error:
            self.skips[place] = error.message
            return Verdict.SKIPPED
        verdict, reason = bisect.verdict(
            self.contract, good, bad, records, self.question.observation
        )
        if reason:
            self.skips[place] = reason
        return verdict

    def _records(self, candidate: Candidate) -> dict[str, Record]:
        """Return what a candidate did: noted by an earlier search, or run now and noted."""
        name = candidate.name
        if name in self.notes.broken:
            raise BuildError(self.notes.broken[name])
        if name not in self.notes.records:
            try:
                records = self._run(candidate)
            except BuildError as error:
                self.notes.broken[name] = error.message
                raise
            else:
                self.notes.records[name] = records
            finally:
                self.notes.write()
        return self.notes.records[name]

    def _run(self, candidate: Candidate) -> dict[str, Record]:
        cell = candidate.cell
        everything = self.project.contracts
        left_out: Collection[str] = contracts.left_out(everything, cell)
        if candidate.repository is not None:  # of a commit nothing else will be asked
            left_out = everything.keys() - {self.contract.id}
        prepared = self.engine.prepare(cell, self.progress, left_out)
        plan = Plan(cells=(cell,), contracts=(self.contract,), complete=False)
        runner = run.CellRunner(
            self.project, plan, self.engine, prepared, self.options, self.progress
        )
        runner.run(CellRun(cell=cell.id))
        records = self.project.records.read(cell.id, self.contract.id)
        found = {
            case.variant.name: versions.known(case, records)
            for case in plan.cases_of(cell, self.contract)
        }
        return {variant: record for variant, record in found.items() if record is not None}

    def _found(self) -> Found:
        search = self.search
        good, bad = self.line[search.good], self.line[search.bad]
        others = [place for place, one in search.verdicts.items() if one is Verdict.OTHER]
        return Found(
            experiment=self.contract.id,
            variant=self.question.variant,
            observation=self.question.observation,
            last_good=good.named(),
            suspects=tuple(self.line[p].named(self.skips.get(p, "")) for p in search.suspects),
            others=tuple(self._other(place) for place in sorted(others)),
            changes=bisect.differences(
                self.contract,
                self.notes.records[good.name],
                self.notes.records[bad.name],
                self.question.observation,
            ),
            candidates=len(self.line),
            steps=self.steps,
        )

    def _other(self, place: int) -> Named:
        candidate = self.line[place]
        records = self.notes.records[candidate.name]
        saying = [
            f"{variant}: {_saying(record, self.question.observation)}"
            for variant, record in records.items()
        ]
        return candidate.named("; ".join(saying))


def _asked(question: Question, ends: tuple[Cell, Cell]) -> Contract:
    """Return the contract with the variants that are to be looked at, and that an end can run."""
    contract = bisect.chosen(question.contract, question.variant)
    if all(contract.unsupported_in(end) for end in ends):
        reasons = [one.unsupported_in(end) for one in contract.variants.values() for end in ends]
        raise HarnessError(f"{contract.id}: unsupported in {ends[0].framework}: {reasons[0]}")
    return contract


def _saying(record: Record, observation: str | None) -> str:
    """Return what a record says in a few words: its outcome, or the one observation."""
    if observation is not None and observation != "outcome":
        return f"{observation} {text.value(record.observations.get(observation))}"
    values = [f"{name} {text.value(value)}" for name, value in record.observations.items()]
    return ", ".join([text.shortened(compare.says(record)), *values])
