"""Holds what emberwatch reports between real versions against what upstream is known to have changed.

Each `<topic>.yaml` lists changes (`from`, `to`, `class`, values) and cases that stayed (`silent`).
Run by itself it takes the records of the last run, prints what was found, and ends with 1 where a
change is missed or a difference appears where there is none; `--write` renews docs/acceptance.md.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from acceptance import environment
from tabulate import tabulate

from harness import compare, documents
from harness.errors import HarnessError
from harness.model import Difference, title
from harness.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.model import Contract, Record, Value

FOLDER = Path(__file__).resolve().parent
RESULT = FOLDER.parent.parent / "docs" / "acceptance.md"
_KEYS = frozenset({"experiment", "variant", "says", "link"})
_CHANGE = frozenset({"from", "to", "observation", "class", "before", "after", "text"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One upstream change, or one case that several cells agree on."""

    where: str
    experiment: str
    variant: str
    cells: tuple[str, ...]
    #: None where all cells are equal.
    kind: Difference | None = None
    observation: str = ""
    before: Any = None
    after: Any = None
    text: str = ""
    says: str = ""
    link: str = ""

    @property
    def title(self) -> str:
        """Return `experiment / variant: observation`."""
        about = f": {self.observation}" if self.observation else ""
        return title(self.experiment, self.variant) + about


def entries(folder: Path = FOLDER) -> list[Entry]:
    """Return everything that is listed; an error names the file and the entry."""
    found = []
    for path in sorted(folder.glob("*.yaml")):
        for number, entry in enumerate(yaml.safe_load(path.read_text("utf-8")), 1):
            if entry.get("environment"):
                continue  # settings decide it, not the version: environment.py runs it
            where = f"{path.name} {number}"
            expected = _KEYS | ({"silent"} if "silent" in entry else _CHANGE)
            unknown = set(entry) - expected
            if unknown:
                raise HarnessError(f"{where}: unknown keys {sorted(unknown)}")
            found.append(_entry(where, entry))
    return found


def _entry(where: str, entry: Mapping[str, Any]) -> Entry:
    common = {key: entry.get(key, "") for key in ("says", "link", "text")}
    names = {"where": where, "experiment": entry["experiment"], "variant": entry["variant"]}
    if "silent" in entry:
        return Entry(**names, **common, cells=tuple(entry["silent"]))
    return Entry(
        **names,
        **common,
        cells=(entry["from"], entry["to"]),
        kind=Difference(entry["class"]),
        observation=entry["observation"],
        before=entry["before"],
        after=entry["after"],
    )


def problem(
    entry: Entry, contract: Contract, read: Callable[[str, str], Mapping[str, Record]]
) -> str:
    """Return what is wrong with an entry; empty when emberwatch reports exactly that."""
    records = []
    for cell in entry.cells:
        record = read(cell, entry.experiment).get(entry.variant)
        if record is None:
            return f"no record of {cell}"
        records.append(record)
    if entry.kind is None:
        return "; ".join(
            f"{old.cell} → {new.cell}: {change.observation} {change.kind}"
            for old, new in pairwise(records)
            for change in compare.changes(
                contract, old, new, same_machine=compare.same_machine(old, new)
            )
        )
    return _missed(entry, contract, *records)


def _missed(entry: Entry, contract: Contract, old: Record, new: Record) -> str:
    changes = compare.changes(contract, old, new, same_machine=compare.same_machine(old, new))
    reported = [change for change in changes if change.observation == entry.observation]
    if entry.kind not in {change.kind for change in reported}:
        said = ", ".join(f"{c.observation} {c.kind}" for c in changes) or "nothing"
        return f"reported: {said}"
    texts = [record.raised.text for record in (old, new) if record.raised]
    if entry.text and not any(entry.text in text for text in texts):
        return f"no text holds {entry.text!r}: {texts}"
    for name, wanted, record in (("before", entry.before, old), ("after", entry.after, new)):
        if entry.observation == "outcome":
            seen: Any = str(record.outcome)
        else:
            seen = record.observations.get(entry.observation)
        if not same(wanted, seen):
            return f"{name}: {wanted!r} was expected, {seen!r} was seen"
    return ""


def same(wanted: Any, seen: Value | None) -> bool:
    """Is what was seen what was written down? Numbers to five digits, since machines differ."""
    if isinstance(seen, dict) and not isinstance(wanted, dict):
        seen = seen.get("values")
    if isinstance(wanted, dict) and isinstance(seen, dict):
        return all(same(value, seen.get(key)) for key, value in wanted.items())
    if isinstance(wanted, list) and isinstance(seen, list):
        return len(wanted) == len(seen) and all(map(same, wanted, seen))
    numbers = {int, float}
    if type(wanted) in numbers and type(seen) in numbers:
        return math.isclose(wanted, seen, rel_tol=1e-5, abs_tol=1e-7)
    return type(wanted) is type(seen) and bool(wanted == seen)


def main() -> int:
    """Check every entry against the records of the last run."""
    project = Project()
    listed = entries()
    problems = {
        entry.where: problem(entry, project.contracts[entry.experiment], project.records.read)
        for entry in listed
    }
    changes = [entry for entry in listed if entry.kind is not None]
    found = [entry for entry in changes if not problems[entry.where]]
    silent = [entry for entry in listed if entry.kind is None]
    quiet = [entry for entry in silent if not problems[entry.where]]
    wobbles = [(one, environment.problem(one)) for one in environment.wobbles(FOLDER)]
    called = [one for one, why in wobbles if not why]
    summary = (
        f"{len(found)} of {len(changes)} upstream changes reported with their class; "
        f"{len(quiet)} of {len(silent)} equal cases silent; "
        f"{len(called)} of {len(wobbles)} called environment."
    )
    if "--write" in sys.argv[1:]:
        documents.write(RESULT, _page(project, summary, changes, problems, wobbles))
    for entry in listed:
        if problems[entry.where]:
            print(f"{entry.where}  {entry.title}: {problems[entry.where]}")
    for one, why in wobbles:
        told = why or "environment: settings decide it, not the version"
        print(f"{title(one.experiment, one.variant)}: {one.observation}: {told}")
    print(summary)
    return int(any(problems.values()) or len(called) < len(wobbles))


def _page(
    project: Project,
    summary: str,
    changes: list[Entry],
    problems: Mapping[str, str],
    wobbles: list[tuple[environment.Wobble, str]],
) -> str:
    """Return the committed result as Markdown."""
    known = {cell for entry in changes for cell in entry.cells}
    versions = [_versions(project, cell) for cell in project.matrix.cells if cell in known]
    ran = ", ".join(f"{name} {one[name]}" for one in versions for name in one if name != "rustc")
    tools = ", ".join(dict.fromkeys(f"rustc {one['rustc']}" for one in versions if "rustc" in one))
    rows = [
        (
            entry.title,
            entry.cells[0],
            entry.cells[1],
            str(entry.kind),
            entry.says.replace("|", "\\|"),
            problems[entry.where] or "reported",
        )
        for entry in changes
    ]
    rows += [
        (
            f"{title(one.experiment, one.variant)}: {one.observation}",
            *one.cells,
            "environment",
            one.says,
            why or "called environment",
        )
        for one, why in wobbles
    ]
    headers = ("case", "from", "to", "class", "what changed", "result")
    return (
        "# The acceptance set\n\n"
        "Changes that upstream really made between published versions, and what `nox -s acceptance` "
        "reports of them when it\nruns both versions. `tests/acceptance/` lists them with their "
        "values; `nox -s tests` holds the committed baselines\nagainst the same list.\n\n"
        f"Last run on {datetime.now(tz=UTC).date().isoformat()}: {summary}\n\n"
        f"Versions: {ran}; {tools}.\n\n" + tabulate(rows, headers, tablefmt="github") + "\n"
    )


def _versions(project: Project, cell: str) -> Mapping[str, str]:
    versions = project.noted(project.matrix.cells[cell]).versions
    return {name: versions[name] for name in ("torch", "burn", "rustc") if name in versions}


if __name__ == "__main__":
    sys.exit(main())
