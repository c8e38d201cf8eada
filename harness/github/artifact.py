"""What an untrusted run uploaded for a comment: read it with care, and check whose it is.

A pull request may change every program that writes this. So nothing in it is believed: names,
sizes and shapes are checked, the number is held against what GitHub says of the run, and no text
of its is posted but what the trusted side words itself.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import documents
from harness.errors import HarnessError
from harness.github.failures import printable
from harness.github.unpack import Limits, unpack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.github.resources import Head

#: The name that a run uploads its report under.
NAME = "emberwatch-report"
REPORT, NUMBER = "report.json", "pull-request.txt"
_MIB = 1 << 20
LIMITS = Limits(archive=4 * _MIB, files=2, file=8 * _MIB, total=8 * _MIB, ratio=200)
#: So many violations of the schema are worth reading.
_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A report that keeps its schema, and the pull request that it says it is of."""

    report: Mapping[str, Any]
    pull_request: int


def read(source: Path) -> Upload:
    """Return what a folder or zip holds; a HarnessError says why it is refused."""
    with tempfile.TemporaryDirectory(prefix="emberwatch-") as folder:
        files = unpack(source, Path(folder), LIMITS, lambda name: name in {REPORT, NUMBER})
        missing = {REPORT, NUMBER} - {path.name for path in files}
        if missing:
            raise HarnessError(f"{source}: {', '.join(sorted(missing))}: missing; refused")
        number = (Path(folder) / NUMBER).read_bytes()
        return Upload(report=report(Path(folder) / REPORT), pull_request=_number(source, number))


def report(path: Path) -> Mapping[str, Any]:
    """Return a report that keeps schemas/report.json; errors quote foreign text on one line."""
    try:
        document: Mapping[str, Any] = documents.read_json(path)
    except HarnessError as error:
        raise HarnessError(printable(error.message, 500)) from error
    problems = documents.validate(document, "report.json")
    if problems:
        lines = [
            printable(f"{path.name}: {documents.dotted(where)}{text}", 500)
            for where, text in problems[:_SHOWN]
        ]
        raise HarnessError(
            "\n".join(lines), "schemas/report.json says what `nox -s report -- --json` writes."
        )
    return document


def _number(source: Path, content: bytes) -> int:
    if not re.fullmatch(rb"[1-9][0-9]{0,8}\r?\n?", content):
        said = printable(repr(content[:40]))
        raise HarnessError(f"{source}: {NUMBER}: {said} is not a pull request's number; refused")
    return int(content)


def belongs(upload: Upload, run: Head, pull: Head) -> bool:
    """Return whether the report is of what the pull request holds now; False if it moved on.

    A HarnessError says why the run cannot be the pull request's at all.
    """
    number = upload.pull_request
    if run.event != "pull_request":
        raise HarnessError(
            f"the run was started by {printable(run.event)}, not by a pull request; refused"
        )
    if not run.repository or (run.repository, run.branch) != (pull.repository, pull.branch):
        ran = printable(f"{run.repository}:{run.branch}")
        asks = printable(f"{pull.repository}:{pull.branch}")
        raise HarnessError(
            f"pull request {number} asks to merge {asks}, but the run was on {ran}; refused"
        )
    return run.sha == pull.sha
