"""N runs of one case → one record that says where they disagree; pure.

Each run is held against the first as it comes, so that memory does not grow with N.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness import compare, tensors
from harness.model import Difference, Flaky
from harness.records import measure_document

if TYPE_CHECKING:
    from harness.model import Change, Contract, Measure, Record, Value

#: How much of a text, or how many identifiers, is kept of what another run saw.
_KEPT = 200


@dataclass(slots=True, kw_only=True)
class Repetitions:
    """The runs of one case so far: the first of them whole, of the others what differs."""

    contract: Contract
    first: Record
    runs: int = 1
    #: Observation → how many runs disagree with the first, and the first such disagreement.
    disagreed: dict[str, tuple[int, Change]] = field(default_factory=dict)
    #: Observation → how far its bits wander within the tolerance.
    rounding: dict[str, Measure] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Hold one more run against the first."""
        self.runs += 1
        for change in compare.changes(self.contract, self.first, record, same_machine=True):
            name = change.observation
            if change.kind is not Difference.ROUNDING:
                times, kept = self.disagreed.get(name, (0, change))
                self.disagreed[name] = (times + 1, kept)
            elif change.measure is not None:
                worst = self.rounding.get(name, change.measure)
                self.rounding[name] = max(worst, change.measure, key=lambda one: one.max_abs)

    def record(self) -> Record:
        """Return the first run's record, with what the others saw of it otherwise."""
        flaky = {
            name: Flaky(
                runs=self.runs,
                agreed=self.runs - times,
                first=_small(change.expected, change),
                other=_small(change.observed, change),
                measure=change.measure,
            )
            for name, (times, change) in self.disagreed.items()
        }
        noted: dict[str, Any] = {"runs": self.runs}
        steady = {name: one for name, one in self.rounding.items() if name not in flaky}
        if steady:
            noted["rounding"] = {name: measure_document(one) for name, one in steady.items()}
        provenance = {**self.first.provenance, "repeated": noted}
        return replace(self.first, flaky=flaky, provenance=provenance)


class Gathering:
    """The cases of a run, each until it ran as often as asked."""

    def __init__(self, repeat: int) -> None:
        """Take how often each case runs."""
        self.repeat = repeat
        self.waiting: dict[int, Repetitions] = {}

    def add(self, case: int, contract: Contract, record: Record) -> Record | None:
        """Take one run of a case; return the case's record when that was the last one."""
        if self.repeat == 1:
            return record
        gathered = self.waiting.get(case)
        if gathered is None:
            self.waiting[case] = Repetitions(contract=contract, first=record)
            return None
        gathered.add(record)
        if gathered.runs < self.repeat:
            return None
        return self.waiting.pop(case).record()


def _small(value: Value | None, change: Change) -> Value | float | None:
    """Return a value in a few bytes: of a tensor the element that is farthest off, or its form."""
    match value:
        case {"values": values, "shape": list(shape)} if change.measure and change.measure.n:
            element: Any = tensors.flat(values)[tensors.offset(change.measure.index, shape)]
            return element  # type: ignore[no-any-return]  # a number, or a tag
        case {"dtype": dtype, "shape": shape}:
            return f"{dtype} {shape}"
        case str() | list():
            return value[:_KEPT]
        case _:
            return value
