"""The work folder's records: `<cell>/<experiment>.jsonl`, a line per case, the newest line stands.

A case's line is written in one go as the case ends, so that a kill at any moment keeps all that
were finished; a line that was cut off is not read.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from harness import documents, tensors
from harness.model import Flaky, Limit, Measure, Outcome, Raised, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


@dataclass(slots=True, kw_only=True)
class CellRun:
    """What became of one cell in a run."""

    cell: str
    versions: Mapping[str, str] = field(default_factory=dict)
    #: Why the cell could not be prepared, or was not tried; empty when it ran.
    unavailable: str = ""
    #: Is it unavailable only because another cell was?
    untried: bool = False
    #: Is it unavailable because nothing is there that a run of it wrote?
    missing: bool = False
    #: Why some of its cases were not run, where others were.
    partly: str = ""
    #: Limits that its cases ran without, since the system has none.
    lacking: tuple[Limit, ...] = ()
    ran: int = 0
    cached: int = 0
    #: How often each case ran.
    repeat: int = 1
    seconds: float = 0.0
    #: When it ended, as ISO 8601 in UTC; empty where that is not known.
    at: str = ""


def run_from_note(document: Any, cell: str) -> CellRun | None:
    """Return how a cell fared, by a note that may be anything; None where it is none of the cell.

    A note that says neither when the run ended nor what it lacked is an older one.
    """
    match document:
        case {"cell": name, "unavailable": str(reason), "versions": dict(versions), **more}:
            lacking: Any = more.get("lacking", [])
        case _:
            return None
    told = all(isinstance(one, str) for one in versions.values())
    known = isinstance(lacking, list) and all(one in [*Limit] for one in lacking)
    if name != cell or not told or not known:
        return None
    return CellRun(
        cell=cell,
        versions=versions,
        unavailable=reason,
        lacking=tuple(map(Limit, lacking)),
        at=_time(more.get("at")),
    )


def _time(at: object) -> str:
    """Return when a cell's run ended; empty where the note does not say so."""
    try:
        time = datetime.fromisoformat(str(at))
        return time.astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return ""


def to_document(record: Record) -> dict[str, Any]:
    """Return a record as JSON holds it."""
    document: dict[str, Any] = {
        "cell": record.cell,
        "experiment": record.experiment,
        "variant": record.variant,
        "outcome": record.outcome.value,
    }
    if record.raised is not None:
        document["raised"] = {"type": record.raised.type, "text": record.raised.text}
    if record.reason:
        document["reason"] = record.reason
    document["observations"] = dict(record.observations)
    if record.flaky:
        document["flaky"] = {name: flaky_document(one) for name, one in record.flaky.items()}
    document["key"] = record.key
    document["provenance"] = dict(record.provenance)
    return document


def flaky_document(flaky: Flaky) -> dict[str, Any]:
    """Return how repetitions disagreed, as JSON holds it."""
    document = {
        "runs": flaky.runs,
        "agreed": flaky.agreed,
        "first": flaky.first,
        "other": flaky.other,
    }
    if flaky.measure is not None:
        document["measure"] = measure_document(flaky.measure)
    return document


def measure_document(measure: Measure) -> dict[str, Any]:
    """Return how far apart two tensors are, as JSON holds it: an infinity as its tag."""
    return {
        "n": measure.n,
        "max_abs": tensors.shortest(measure.max_abs, "float64"),
        "max_rel": tensors.shortest(measure.max_rel, "float64"),
        "index": list(measure.index),
        "differing": measure.differing,
    }


def _flaky(document: dict[str, Any]) -> Flaky:
    measure = document.get("measure")
    if measure is not None:
        far = {name: tensors.number(measure[name]) for name in ("max_abs", "max_rel")}
        measure = Measure(**{**measure, **far, "index": tuple(measure["index"])})
    return Flaky(**{**document, "measure": measure})


def from_document(document: dict[str, Any]) -> Record:
    """Return the record that a valid document holds."""
    raised = document.get("raised")
    return Record(
        cell=document["cell"],
        experiment=document["experiment"],
        variant=document["variant"],
        outcome=Outcome(document["outcome"]),
        raised=Raised(**raised) if raised else None,
        reason=document.get("reason", ""),
        observations=document["observations"],
        flaky={name: _flaky(one) for name, one in document.get("flaky", {}).items()},
        key=document.get("key", ""),
        provenance=document.get("provenance", {}),
    )


class Reader(Protocol):
    """Where a judge reads what cases yielded."""

    def read(self, cell: str, experiment: str) -> Mapping[str, Record]:
        """Return the record of each variant."""


class Store:
    """The records of all cells under one folder."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; it need not exist."""
        self.folder = folder

    def path(self, cell: str, experiment: str) -> Path:
        """Return the file that holds an experiment's records in a cell."""
        return self.folder / cell / f"{experiment}.jsonl"

    def read(self, cell: str, experiment: str) -> dict[str, Record]:
        """Return the newest record of each variant, without lines that are no valid records."""
        try:
            data = self.path(cell, experiment).read_bytes()
        except FileNotFoundError:
            return {}
        found = {}
        for line in data.split(b"\n")[:-1]:
            try:
                document = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if not documents.validate(document, "record.json"):
                record = from_document(document)
                found[record.variant] = record
        return found

    def append(self, record: Record) -> None:
        """Add one record, after any others that its file holds."""
        path = self.path(record.cell, record.experiment)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            if file.tell():  # a line that a kill cut off must not swallow this one
                os.write(file.fileno(), b"\n" if _cut_off(path) else b"")
            os.write(file.fileno(), documents.compact(to_document(record)) + b"\n")

    def replace(self, cell: str, experiment: str, records: Iterable[Record]) -> None:
        """Write an experiment's records anew, whole or not at all; drops what is outdated."""
        lines = [documents.compact(to_document(record)) + b"\n" for record in records]
        documents.write(self.path(cell, experiment), b"".join(lines))


def _cut_off(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"
