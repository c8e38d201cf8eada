"""Where records come from that another run left: a folder of artifacts, or GitHub."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness import artifacts, run
from harness.cli import printing
from harness.errors import ExitCode, HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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
    _ = project.matrix, project.contracts  # where they are wrong, nothing is downloaded
    if from_run is not None:
        records = downloaded(setting, from_run)
    refuse_system_alone(system, given=records is not None)
    return None if records is None else artifacts_in(setting, records, system)


def refuse_system_alone(system: str, *, given: bool) -> None:
    """Refuse `--system` where no other run is given."""
    if system and not given:
        raise HarnessError(
            f"--system {system}: of which run?", "Give --from-run ID or --records DIR as well."
        )


def artifacts_in(setting: Setting, /, folder: Path, system: str) -> artifacts.Artifacts:
    """Return the artifacts in a folder; of several systems, one's."""
    project = setting.project
    return artifacts.Artifacts(folder, project.matrix, project.contracts, system)


def newest(setting: Setting, /, workflows: Sequence[str]) -> Iterator[tuple[int, Path]]:
    """Yield each workflow's newest runs and where their artifacts lie, but those that left none."""
    branch = os.environ.get("GITHUB_REF_NAME") or "main"
    for workflow in workflows:
        numbers = client(setting).newest_runs(workflow, branch)
        if not numbers:
            printing.remarks([f"passed over: {workflow}: no run on {branch} has finished"])
        for number in numbers:
            try:
                folder = downloaded(setting, number)
            except HarnessError as error:
                if error.code is not ExitCode.USAGE:
                    raise
                printing.remarks([f"passed over: {workflow}: {error}"])
            else:
                yield number, folder


def downloaded(setting: Setting, /, number: int) -> Path:
    """Return where the cell artifacts of a run in CI lie, downloaded unless they are there."""
    from harness.github import from_run  # noqa: PLC0415

    github = client(setting)
    with run.alone(setting.project):
        into = setting.project.work / "runs"
        return from_run.download(github, number, into, lambda words: printing.remarks([words]))
