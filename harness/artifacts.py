"""What jobs of a run leave for another to judge: cell artifacts, written here and read elsewhere.

An artifact has the layout of the work folder: `cells/<cell>.json` says how a cell fared, and
`records/<cell>/<experiment>.jsonl` what its cases yielded. The jobs that wrote one may have run
anybody's code, so that it is read as foreign data: only files whose names the matrix and the
contracts know, no links, no more than so many bytes, and no record but what the schema allows.
"""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from harness import documents, systems
from harness.errors import HarnessError
from harness.model import Limit
from harness.records import CellRun, from_document, run_from_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from harness.model import Cell, Contract, Matrix, Record
    from harness.plan import Plan
    from harness.project import Project

_PARTS = ("cells", "records")
#: How a folder of artifacts looks, for whoever gave another one.
LAYOUT = (
    f"It holds {systems.PREFIX}<cell>-<system>-<shard>/ with cells/ and records/, "
    "or these two themselves."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that is read: bytes of one file and of all together, entries of one folder."""

    file: int = 64 << 20
    total: int = 1 << 30
    entries: int = 10_000


class Artifacts:
    """The artifacts below a folder; reads one experiment of one cell at a time."""

    def __init__(
        self,
        folder: Path,
        matrix: Matrix,
        contracts: Mapping[str, Contract],
        system: str = "",
        limits: Limits = Limits(),
    ) -> None:
        """Find out which artifact holds which cell; a HarnessError where one cannot be trusted.

        Of several systems one is read, the first of the matrix's runners unless another is named.
        """
        self.folder = folder
        self.limits = limits
        self._read = 0
        self._seen: set[Path] = set()
        #: What was passed over, and why, in words.
        self.remarks: list[str] = []
        self._machines: dict[tuple[str, ...], Mapping[str, str]] = {}
        self._contracts = contracts
        self._shards: dict[str, list[Path]] = {}
        inside = _entries(folder, limits.entries)
        whole = any(name in inside for name in _PARTS)
        found = {} if whole else self._find(inside, matrix)
        usual = next(iter(matrix.runners))
        read = systems.chosen(found, system, usual)
        #: The system that is read, where it is not the one that is read unless another is named.
        self.system = "" if read == usual else read
        all_here = [(cell, folder) for cell in matrix.cells]
        for cell, shard in all_here if whole else found.get(read, ()):
            self._add(cell, shard)
        for other in sorted(found.keys() - {read}):
            self.remarks.append(
                f"{other}: its artifacts are passed over; --system {other} reads them"
            )

    def _find(self, inside: Sequence[str], matrix: Matrix) -> dict[str, list[tuple[str, Path]]]:
        """Return the artifacts of each system, with the cell that each is named after."""
        found: dict[str, list[tuple[str, Path]]] = {}
        for name in inside:
            of = systems.origin(name)
            if of is None:
                self.remarks.append(f"{name}: no cell's artifact, passed over")
            elif of.cell not in matrix.cells:
                self.remarks.append(f"{name}: of no cell in matrix.yaml, passed over")
            else:
                found.setdefault(of.system, []).append((of.cell, self.folder / name))
        return found

    def _add(self, cell: str, shard: Path) -> None:
        if _exists(shard, "cells", f"{cell}.json") or _exists(shard, "records", cell):
            self._shards.setdefault(cell, []).append(shard)

    def holds(self, cell: str) -> bool:
        """Is there an artifact of the cell?"""
        return cell in self._shards

    def noted(self, cell: Cell) -> CellRun:
        """Return how a cell fared: it is missing where no shard of it is there."""
        shards = self._shards.get(cell.id, [])
        if not shards:
            return CellRun(cell=cell.id, unavailable=f"no artifact in {self.folder}", missing=True)
        versions: dict[str, str] = {}
        reasons = {}
        at = ""
        lacking: set[Limit] = set()
        for shard in shards:
            noted = self._note(shard, cell.id)
            lacking.update(noted.lacking)
            reasons[shard.name] = noted.unavailable
            at = max(at, noted.at)
            for name, version in noted.versions.items():
                seen = versions.setdefault(name, version)
                versions[name] = version if version in seen.split(", ") else f"{seen}, {version}"
        down = {name: reason for name, reason in reasons.items() if reason}
        words = "; ".join(dict.fromkeys(down.values()))
        if len(down) == len(shards):
            return CellRun(cell=cell.id, versions=versions, unavailable=words, at=at)
        partly = f"{', '.join(down)}: {words}" if down else ""
        without = tuple(limit for limit in Limit if limit in lacking)
        return CellRun(cell=cell.id, versions=versions, partly=partly, lacking=without, at=at)

    def _note(self, shard: Path, cell: str) -> CellRun:
        data = self._data(shard, "cells", f"{cell}.json")
        try:
            run = run_from_note(orjson.loads(data), cell) if data is not None else None
        except orjson.JSONDecodeError:
            run = None
        if run is not None:
            return run
        why = "it says nothing of how the cell fared"
        if data is not None:
            why = "what it says of how the cell fared cannot be read"
        return CellRun(cell=cell, unavailable=f"{shard.name}: {why}")

    def read(self, cell: str, experiment: str) -> dict[str, Record]:
        """Return the newest record of each variant, of all shards together."""
        found: dict[str, tuple[Path, Record]] = {}
        for shard in self._shards.get(cell, []):
            for variant, record in self._records(shard, cell, experiment).items():
                if variant in found:
                    raise HarnessError(
                        f"{cell} {experiment} {variant}: both {found[variant][0].name} and "
                        f"{shard.name} hold a record of it",
                        "Shards of one run have no case in common: give those of one run.",
                    )
                found[variant] = shard, record
        return {variant: record for variant, (_, record) in found.items()}

    def _records(self, shard: Path, cell: str, experiment: str) -> dict[str, Record]:
        name = f"{experiment}.jsonl"
        data = self._data(shard, "records", cell, name) or b""
        known = self._contracts[experiment].variants
        found = {}
        problems = []
        *lines, _ = data.split(b"\n")  # a last line without an end was cut off by a kill
        for number, line in enumerate(lines, 1):
            problem, document = _checked(line, cell, experiment)
            if document is None:
                problems.append(f"{number}: no record, passed over: {problem}")
            elif document["variant"] in known:
                record = from_document(document)
                self._machine(record)
                found[record.variant] = record
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            where = f"{shard.name}/records/{cell}/{name}"
            remark = f"{where}:{problems[0]}{more}"
            if remark not in self.remarks:  # the file may be read more than once
                self.remarks.append(remark)
        return found

    def _machine(self, record: Record) -> None:
        machine = record.provenance.get("machine")
        if isinstance(machine, dict):
            facts = {name: machine.get(name) for name in ("platform", "cpu", "isa")}
            told = {name: str(fact)[:100] for name, fact in facts.items() if fact}
            if len(told) == len(facts):
                self._machines[tuple(told.values())] = told

    def machine(self, here: Mapping[str, str]) -> Mapping[str, str]:
        """Return the machine that the records read so far come from, or that they are several."""
        machines = list(self._machines.values())
        if len(machines) == 1:
            return {**here, **machines[0]}
        many = f"{len(machines)} machines" if machines else "no machine"
        told = {
            name: ", ".join(dict.fromkeys(one[name] for one in machines)) or "–"
            for name in ("platform", "isa")
        }
        return {**here, "cpu": many, **told}

    def _data(self, *parts: Any) -> bytes | None:
        """Return a file's bytes; None where there is none, an error where it is no plain file."""
        shard, *names = parts
        if not _exists(shard, *names):
            return None
        path = shard.joinpath(*names)
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise _refused(path, "no plain file")
            if size > self.limits.file:
                raise _refused(path, f"{size} bytes, more than the {self.limits.file} allowed")
            data = file.read(size)
        self._read += 0 if path in self._seen else len(data)
        self._seen.add(path)
        if self._read > self.limits.total:
            raise _refused(self.folder, f"more than the {self.limits.total} bytes allowed in all")
        return data


def _checked(line: bytes, cell: str, experiment: str) -> tuple[str, dict[str, Any] | None]:
    """Return the record that a line holds, or why it holds none."""
    try:
        document: Any = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return f"not JSON: {error.msg}", None
    problems = documents.validate(document, "record.json")
    if problems:
        where, words = problems[0]
        return f"{documents.dotted(where)}{words}", None
    if (document["cell"], document["experiment"]) != (cell, experiment):
        return "it says that it is another cell's or experiment's", None
    return "", document


def _refused(path: Path, why: str) -> HarnessError:
    return HarnessError(f"{path}: {why}", "Artifacts hold plain files, as nox -s run writes them.")


def _exists(shard: Path, *names: str) -> bool:
    """Is a file or folder there? A HarnessError where anything on the way to it is a link."""
    path = shard
    for name in ("", *names):
        path = path / name if name else path
        try:
            mode = path.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return False
        if stat.S_ISLNK(mode):
            raise _refused(path, "a link, which is not followed")
    return True


def _entries(folder: Path, most: int) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, most + 1)]
    except OSError as error:
        raise HarnessError(f"{folder}: cannot be read: {error.strerror}") from error
    if len(names) > most:
        raise _refused(folder, f"more than {most} entries")
    return sorted(names)


# --- writing --------------------------------------------------------------------------------------


def write(project: Project, plan: Plan, runs: Sequence[CellRun], into: Path) -> None:
    """Write what a run of the plan left in the work folder as an artifact."""
    for run in runs:
        shutil.rmtree(into / "records" / run.cell, ignore_errors=True)
        for path in [] if run.unavailable else _written(project, plan, run):
            target = into / "records" / run.cell / path.name
            documents.write(target, path.read_bytes())
        note = project.work / "cells" / f"{run.cell}.json"
        documents.write(into / "cells" / note.name, note.read_bytes())


def _written(project: Project, plan: Plan, run: CellRun) -> Iterator[Path]:
    for contract in plan.contracts:
        path = project.records.path(run.cell, contract.id)
        if path.exists():
            yield path
