"""The heartbeat that several verbs show: when the moving heads were last watched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness import documents
from harness.cli import printing
from harness.errors import HarnessError
from harness.report import heartbeat

if TYPE_CHECKING:
    from datetime import date

    from harness.report.heartbeat import Beat

_SCHEMA = "upstream.json"

option = click.option(
    "--watched",
    type=click.Path(path_type=Path),
    envvar="EMBERWATCH_WATCHED",
    help="The file that `upstream` keeps: say when heads were last compared [$EMBERWATCH_WATCHED].",
)


def beats(path: Path | None, today: date) -> tuple[Beat, ...]:
    """Return what the file says; one that cannot be read is passed over, with a remark."""
    try:
        return _read(path, today) if path is not None else ()
    except HarnessError as error:
        printing.remarks([f"when upstream was last watched is not shown: {error}"])
        return ()


def _read(path: Path, today: date) -> tuple[Beat, ...]:
    found = documents.read_json(path)
    problems = documents.validate(found, _SCHEMA)
    if problems:
        where, words = problems[0]
        raise HarnessError(f"{path}: {documents.dotted(where)}{words}")
    try:
        return heartbeat.of(found, today)
    except ValueError as error:
        raise HarnessError(f"{path}: {error}") from error
