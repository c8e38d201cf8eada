"""Tells a difference of the environment from one of the versions: settings decide it, not them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from harness import compare, plan, progress, run
from harness.cli.setting import real_engines
from harness.engines import process
from harness.model import Difference
from harness.project import Project

if TYPE_CHECKING:
    from collections.abc import Mapping

_PARTS = ("matrix.yaml", "schemas", "baselines")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wobble:
    """Two versions that differ under one setting, and agree bit for bit under another."""

    experiment: str
    variant: str
    cells: tuple[str, str]
    observation: str
    kind: Difference
    unpinned: Mapping[str, str]
    pinned: Mapping[str, str]
    says: str


def wobbles(folder: Path) -> list[Wobble]:
    """Return the entries of the acceptance set that are marked `environment`."""
    listed: list[dict[str, Any]] = []
    for path in sorted(folder.glob("*.yaml")):
        listed += [e for e in yaml.safe_load(path.read_text("utf-8")) if e.get("environment")]
    return [
        Wobble(
            experiment=entry["experiment"],
            variant=entry["variant"],
            cells=(entry["from"], entry["to"]),
            observation=entry["observation"],
            kind=Difference(entry["class"]),
            unpinned=entry["unpinned"],
            pinned=entry["pinned"],
            says=entry["says"],
        )
        for entry in listed
    ]


def problem(one: Wobble) -> str:
    """Return why it is not called environment; both versions run under both settings for that."""
    unpinned, pinned = (_kinds(one, settings) for settings in (one.unpinned, one.pinned))
    if one.kind not in unpinned:
        return f"unpinned: {one.kind} was expected, {unpinned or 'nothing'} was seen"
    return f"pinned: nothing was expected, {pinned} was seen" if pinned else ""


def _kinds(one: Wobble, settings: Mapping[str, str]) -> list[str]:
    """Return the classes of what differs in the observation, under these settings."""
    with tempfile.TemporaryDirectory(prefix="emberwatch-environment-") as folder:
        for part in _PARTS:
            (Path(folder) / part).symlink_to(Project().root / part)
        project = Project(Path(folder))
        todo = plan.make(project.matrix, project.contracts, (*one.cells, one.experiment))
        options = run.Options(
            jobs=process.default_jobs(), cache=False, keep_going=True, settings=settings
        )
        with progress.shown() as shown, run.alone(project):
            run.run(project, todo, real_engines(), options, shown)
        old, new = (project.records.read(cell, one.experiment) for cell in one.cells)
    contract = project.contracts[one.experiment]
    if one.variant not in old or one.variant not in new:
        return ["no record"]
    found = compare.changes(contract, old[one.variant], new[one.variant], same_machine=True)
    return [str(change.kind) for change in found if change.observation == one.observation]
