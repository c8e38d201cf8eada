"""Accepted differences: what `baselines/accepted.yaml` holds, and what of it a run sees again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from harness import compare, documents, tensors
from harness.errors import HarnessError
from harness.model import Difference, platforms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from harness.model import Change, Contract, Matrix, Observation, Record, Value

#: What accepting can settle; contracts settle parity, and there is nothing to settle in rounding.
CLASSES = tuple(
    kind
    for kind in Difference
    if kind not in {Difference.PARITY_LOST, Difference.DIVERGENCE_CLOSED, Difference.ROUNDING}
)
#: The most elements of a tensor that an entry gives one by one, so that people can read it.
LARGEST = 64
#: How many elements of a larger one it gives, beside statistics and digest.
SAMPLE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One accepted difference of one case from the baseline that it is held against."""

    cell: str
    experiment: str
    variant: str
    #: Its name, or `outcome`.
    observation: str
    kind: Difference
    expected: Value | None
    observed: Value | None
    reason: str
    since: str
    #: The platform whose records alone it is of, one of `platforms.WORDS`; empty for all.
    os: str = ""
    link: str = ""
    expires: str = ""
    #: The file below the checkout, and the line that it begins on.
    where: str = ""

    @property
    def place(self) -> str:
        """Return the cell, and the platform that the entry is of, in words."""
        return f"{self.cell} on {self.os}" if self.os else self.cell

    def applies(self, platform: str) -> bool:
        """Is it of records that were made on this platform?"""
        return self.os in {"", platform, platforms.system(platform)}

    def matches(self, rule: Observation | None, change: Change) -> bool:
        """Is it this change, by class and by both values within the contract's tolerance?"""
        return (
            self.kind is change.kind
            and _equal(rule, self.expected, change.expected)
            and _equal(rule, self.observed, change.observed)
        )

    def document(self) -> dict[str, Any]:
        """Return the entry as the file holds it."""
        entry = {
            "cell": self.cell,
            "experiment": self.experiment,
            "variant": self.variant,
            "observation": self.observation,
            "os": self.os,
            "from": brief(self.expected),
            "to": brief(self.observed),
            "class": self.kind.value,
            "reason": self.reason,
            "link": self.link,
            "since": self.since,
            "expires": self.expires,
        }
        return {key: value for key, value in entry.items() if value or key in {"from", "to"}}


def _equal(rule: Observation | None, old: Value | None, new: Value | None) -> bool:
    """Do two values say the same? An absent one, of something gone or added, equals itself."""
    if old is None or new is None:
        return old is new
    tolerance = rule.tolerance if rule else None
    kind, _ = compare.values(brief(old), brief(new), rule=rule, tolerance=tolerance)
    return kind in {None, Difference.ROUNDING}


def brief(value: Any) -> Any:
    """Return a value as an entry gives it: of a large tensor, its summary alone."""
    if not isinstance(value, dict) or math.prod(value["shape"]) <= LARGEST:
        return value
    return tensors.summarised(value, SAMPLE)


# --- reading --------------------------------------------------------------------------------------


def read(path: Path, matrix: Matrix, contracts: Mapping[str, Contract]) -> tuple[Entry, ...]:
    """Return the entries of a file; a HarnessError names file, line, key and what is allowed."""
    if not path.exists():
        return ()
    document, at = documents.read_yaml(path, "accepted.json")
    entries: dict[tuple[str, ...], Entry] = {}
    for number, given in enumerate(document or ()):
        _check(given, partial(at, number), matrix, contracts)
        words = {key: given[key] for key in given if key not in {"from", "to", "class"}}
        entry = Entry(
            **words,
            kind=Difference(given["class"]),
            expected=given["from"],
            observed=given["to"],
            where=at(number).removeprefix(f"{path.parent.parent}/").partition(": ")[0],
        )
        key = (entry.cell, entry.experiment, entry.variant, entry.observation, entry.os)
        if key in entries:
            raise HarnessError(f"{at(number)}accepted twice, first in {entries[key].where}")
        entries[key] = entry
    return tuple(entries.values())


def _check(
    given: Mapping[str, Any],
    at: Callable[[str], str],
    matrix: Matrix,
    contracts: Mapping[str, Contract],
) -> None:
    """Refuse a name that nothing has, a day that is none, a value of another kind."""

    def one_of(key: str, allowed: Iterable[str]) -> None:
        names = list(allowed)
        if given[key] not in names:
            raise HarnessError(f"{at(key)}no {key} {given[key]!r}; allowed: {', '.join(names)}")

    one_of("cell", matrix.cells)
    one_of("experiment", contracts)
    contract = contracts[given["experiment"]]
    one_of("variant", contract.variants)
    one_of("observation", ["outcome", *contract.observations])
    for key in {"since", "expires"} & given.keys():
        try:
            date.fromisoformat(given[key])
        except ValueError as error:
            raise HarnessError(f"{at(key)}{given[key]!r}: {error}") from error
    if given["observation"] == "outcome":
        kind = "text"
    else:
        kind = contract.schema["properties"][given["observation"]]["$ref"].rpartition("/")[2]
    for key in ("from", "to"):
        problem = _contradiction(given[key], kind, any_kind=given["class"] == "shape_or_dtype")
        if problem:
            raise HarnessError(f"{at(key)}{problem}")


def _contradiction(value: Any, kind: str, *, any_kind: bool) -> str:
    """Return why a value is none of its kind; any will do where the kind is what differs."""
    if value is None:
        return ""
    schema = {"$id": "experiments/value.json", "$ref": f"../record.json#/$defs/{kind}"}
    if not any_kind and not documents.validator(schema)(value):
        return f"no {kind}, which the contract says that it is; null stands for not observed"
    if isinstance(value, dict):
        return tensors.contradiction(value, largest=LARGEST, sample=SAMPLE)
    return ""


# --- matching -------------------------------------------------------------------------------------


class State(StrEnum):
    """Why an entry no longer holds."""

    VANISHED = "vanished"
    CHANGED = "changed"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """An entry that no longer holds, although its case was compared."""

    state: State
    entry: Entry

    @property
    def advice(self) -> str:
        """Return what settles it."""
        if self.state is State.VANISHED:
            return "remove the entry"
        entry = self.entry
        again = f'nox -s accept -- {entry.experiment} {entry.variant} {entry.cell} --reason "…"'
        where = f" of records from {entry.os}" if entry.os else ""
        return f"{again}{where}, or remove the entry"


class Ledger:
    """Holds the changes of compared cases against the entries, and notes which hold no longer."""

    def __init__(self, entries: Iterable[Entry], today: str) -> None:
        """Take the entries and the day, after whose end none has `expires`."""
        self.alarms: list[Alarm] = []
        self._today = today
        self._entries: dict[tuple[str, str, str], list[Entry]] = {}
        self._held: dict[tuple[str, str, str], list[Entry]] = {}
        for entry in entries:
            case = entry.cell, entry.experiment, entry.variant
            self._entries.setdefault(case, []).append(entry)

    def settle(
        self, contract: Contract, record: Record, found: Sequence[Change]
    ) -> tuple[list[Change], list[tuple[Change, Entry]]]:
        """Part the changes of a compared case into those that stand and those that are accepted.

        Entries of other platforms than the record's say nothing; of those that are left, the one
        that names the platform most closely is the observation's.
        """
        case = record.cell, contract.id, record.variant
        platform = platforms.of(record)
        apply = [entry for entry in self._entries.get(case, ()) if entry.applies(platform)]
        closest = sorted(apply, key=lambda entry: len(entry.os))
        waiting = {entry.observation: entry for entry in closest}
        standing, accepted = [], []
        for change in found:
            entry = waiting.pop(change.observation, None) if change.kind in CLASSES else None
            if entry is None:
                standing.append(change)
            elif not entry.matches(contract.observations.get(change.observation), change):
                standing.append(change)
                self.alarms.append(Alarm(state=State.CHANGED, entry=entry))
            elif entry.expires and entry.expires < self._today:
                standing.append(change)
                self.alarms.append(Alarm(state=State.EXPIRED, entry=entry))
            else:
                accepted.append((change, entry))
        self._held[case] = [entry for _, entry in accepted]
        gone = (Alarm(state=State.VANISHED, entry=entry) for entry in waiting.values())
        self.alarms.extend(gone)
        return standing, accepted

    def explained(self, experiment: str, variant: str, *cells: str) -> dict[str, str]:
        """Return what was accepted of these cells by observation, with the reason in words."""
        held = [
            entry for cell in cells for entry in self._held.get((cell, experiment, variant), ())
        ]
        return {entry.observation: f"accepted of {entry.place}: {entry.reason}" for entry in held}
