"""The Report: grouped, ordered and counted once, for every renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness import witness
from harness.accepted import CLASSES
from harness.effects import Effect
from harness.errors import ExitCode
from harness.model import Difference, Severity, title
from harness.parity import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.accepted import Alarm, Entry
    from harness.model import Change, Contract, Flaky
    from harness.parity import Row, Side
    from harness.records import CellRun

_ORDER = list(Severity)
_ALARMS = frozenset({Status.MISMATCH, Status.LOST, Status.EXPIRED})


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLine:
    """One case, and what is to be said of it."""

    cell: str
    experiment: str
    variant: str
    text: str = ""
    #: The cell whose baseline is to be made before anything can be accepted here: the reference of
    #: a moving head, and on another platform than baselines come from the cell itself.
    missing: str = ""

    @property
    def title(self) -> str:
        """Return `experiment / variant`."""
        return title(self.experiment, self.variant)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine(CaseLine):
    """One change, of a cell's case against a baseline's cell."""

    against: str
    change: Change
    #: What it does to whether torch and burn agree.
    effect: Effect = Effect.UNKNOWN

    @property
    def severity(self) -> Severity:
        """Return how much the change matters."""
        return self.change.kind.severity

    @property
    def acceptable(self) -> bool:
        """Would accepting the record settle it? Contracts settle parity, and nothing rounding."""
        return self.change.kind in CLASSES


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedLine(ChangeLine):
    """One change that an entry of accepted.yaml accepts."""

    entry: Entry

    @classmethod
    def of(cls, line: ChangeLine, entry: Entry) -> AcceptedLine:
        """Return the line of a change with the entry that accepts it."""
        return cls(
            cell=line.cell,
            experiment=line.experiment,
            variant=line.variant,
            against=line.against,
            change=line.change,
            effect=line.effect,
            entry=entry,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlakyLine(CaseLine):
    """One observation on which repetitions of a case disagree."""

    observation: str
    flaky: Flaky


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that a run found out."""

    cells: tuple[CellRun, ...]
    changes: tuple[ChangeLine, ...]
    new: tuple[CaseLine, ...]
    invalid: tuple[CaseLine, ...]
    inconclusive: tuple[CaseLine, ...]
    sides: tuple[Side, ...]
    unreferenced: tuple[str, ...]
    #: Cell → experiment → the variants that were compared with a baseline.
    cases: Mapping[str, Mapping[str, Sequence[str]]]
    #: Cell → how many of them were the same.
    same_in: Mapping[str, int]
    unsupported: int
    #: How many comparisons of torch with burn agree; `sides` may hold fewer of them.
    agreeing: int
    machine: Mapping[str, str]
    contracts: Mapping[str, Contract]
    #: The platform that baselines come from.
    baselines_from: str
    #: Changes that accepted.yaml accepts; they are not among `changes`.
    accepted: tuple[AcceptedLine, ...] = ()
    #: Entries of accepted.yaml that hold no longer.
    outdated: tuple[Alarm, ...] = ()
    flaky: tuple[FlakyLine, ...] = ()
    #: Are all comparisons of torch with burn in `sides`, and meant to be shown?
    verbose: bool = False

    @property
    def compared(self) -> int:
        """Return how many cases were compared with a baseline."""
        return sum(map(self.compared_in, self.cases))

    @property
    def same(self) -> int:
        """Return how many of them were the same."""
        return sum(self.same_in.values())

    def compared_in(self, cell: str) -> int:
        """Return how many cases of one cell were compared with a baseline."""
        return sum(map(len, self.cases.get(cell, {}).values()))

    def by_cell(self) -> dict[tuple[str, str], list[ChangeLine]]:
        """Return the changes by (cell, against), the worst first."""
        groups: dict[tuple[str, str], list[ChangeLine]] = {}
        for line in sorted(self.changes, key=lambda line: _ORDER.index(line.severity)):
            groups.setdefault((line.cell, line.against), []).append(line)
        return groups

    def counts(self) -> dict[Severity, int]:
        """Return how many changes there are of each severity."""
        found = dict.fromkeys(Severity, 0)
        for line in self.changes:
            found[line.severity] += 1
        return found

    @property
    def alarms(self) -> list[Side]:
        """Return the comparisons of torch with burn that no contract explains."""
        return [side for side in self.sides if side.status in _ALARMS]

    @property
    def unavailable(self) -> list[CellRun]:
        """Return the cells that could not be prepared, were not run, or left no records."""
        return [cell for cell in self.cells if cell.unavailable]

    @property
    def unlimited(self) -> list[CellRun]:
        """Return the cells that ran without some limit, since their system has none."""
        return [cell for cell in self.cells if cell.lacking and not cell.unavailable]

    def movement(self, line: ChangeLine) -> str:
        """Return where a change moved to from the exact value, in words; empty if none is known."""
        contract = self.contracts.get(line.experiment)
        if contract is None or line.change.kind not in CLASSES:
            return ""
        return witness.movement(contract, line.variant, line.cell, line.change) or ""

    def holder(self, side: Side, row: Row) -> str:
        """Return which side has the exact value where they differ; empty if none is known."""
        contract = self.contracts.get(side.experiment)
        if contract is None or row.change is None:
            return ""
        return witness.holder(contract, side.variant, row) or ""

    @property
    def flaky_cases(self) -> list[tuple[str, str, str]]:
        """Return (cell, experiment, variant) of the cases that disagree with themselves."""
        return [*dict.fromkeys((one.cell, one.experiment, one.variant) for one in self.flaky)]

    @property
    def acceptable(self) -> list[CaseLine]:
        """Return the new cases and the changes that accepting would settle; no flaky case's."""
        lines: list[CaseLine] = [line for line in self.changes if line.acceptable]
        flaky = set(self.flaky_cases)
        return [
            line
            for line in (*lines, *self.new)
            if (line.cell, line.experiment, line.variant) not in flaky
        ]

    @property
    def code(self) -> ExitCode:
        """Return the exit code: 10 before 12 before 11, and 0 only when all was compared."""
        counts = self.counts()
        alarmed = self.invalid or self.alarms or self.outdated
        if counts[Severity.BREAK] or counts[Severity.CHANGE] or alarmed:
            return ExitCode.CHANGED
        if self.unavailable or self.inconclusive or self.flaky:
            return ExitCode.INCONCLUSIVE
        noted = [line for line in self.changes if line.change.kind is not Difference.ROUNDING]
        if noted or self.new:
            return ExitCode.TO_ACCEPT
        return ExitCode.SAME if self.compared else ExitCode.USAGE
