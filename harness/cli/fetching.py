"""Where records come from that another run left: a folder of artifacts, or GitHub."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness import artifacts, run
from harness.cli import printing
from harness.errors import HarnessError

if TYPE_CHECKING:
    from pathlib import Path

    from harness.cli.setting import Setting
    from harness.github.client import Client


def client(setting: Setting, /, login: str = "") -> Client:
    """Return GitHub, as the environment says where and who."""
    from harness.github.client import Client  # noqa: PLC0415 (most verbs need no GitHub)
    from harness.github.resources import Place  # noqa: PLC0415

    return Client(Place.of(os.environ, login), setting.clock)


def only_one(**given: object) -> None:
    """Refuse more than one of several options that say where from."""
    named = [f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise HarnessError(f"{' and '.join(named)}: give one of them")


def observed(
    setting: Setting, /, *, records: Path | None, from_run: int | None, system: str
) -> artifacts.Artifacts | None:
    """Return another run's artifacts; None where records are those of the work folder."""
    only_one(records=records, from_run=from_run)
    project = setting.project
    known = project.matrix, project.contracts  # where they are wrong, nothing is downloaded
    if from_run is not None:
        records = _downloaded(setting, from_run)
    if records is None:
        if system:
            raise HarnessError(
                f"--system {system}: of which run?", "Give --from-run ID or --records DIR as well."
            )
        return None
    return artifacts.Artifacts(records, *known, system)


def _downloaded(setting: Setting, number: int) -> Path:
    from harness.github import from_run  # noqa: PLC0415

    github = client(setting)
    with run.alone(setting.project):
        into = setting.project.work / "runs"
        return from_run.download(github, number, into, lambda words: printing.remarks([words]))
