"""What a branch touches: the baselines that it rewrites, and what it leaves alone."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from harness import compare, documents
from harness.baselines import Baselines
from harness.engines import process
from harness.report.context import BaselineChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from harness.model import Change, Contract, Record
    from harness.project import Project

#: Where an experiment's own files lie, and the folders that no case reads.
_HALVES = frozenset({"schemas/experiments", "harness/experiments", "rust/src/experiments"})
_APART = frozenset({"docs", "tests", "bench", ".github", ".ci"})


def since(project: Project, ref: str) -> tuple[BaselineChange, ...]:
    """Return what differs from the merge base with a commit, by experiment and cell."""
    root = project.root
    base, names = _touched(root, ref, "baselines")
    places = [(name.parts[1], name.stem) for name in names if name.match("baselines/*/*.json")]
    with tempfile.TemporaryDirectory() as folder:
        before = Baselines(Path(folder))
        for experiment, cell in places:
            name = f"baselines/{experiment}/{cell}.json"
            if _git(root, "ls-tree", "-z", "--name-only", base, "--", name):
                old = _git(root, "show", f"{base}:./{name}")
                documents.write(before.path(experiment, cell), old)
        return tuple(
            one
            for experiment, cell in places
            for one in _of(
                project.contracts.get(experiment),
                before.read(experiment, cell),
                project.baselines.read(experiment, cell),
                project.baselines.reasons(experiment, cell),
            )
        )


def untouched(project: Project, ref: str, experiments: Iterable[str]) -> frozenset[str]:
    """Return the experiments whose answers a branch cannot have changed since its merge base.

    Whatever is neither an experiment's own file nor read by people alone may change any answer.
    """
    own: set[str] = set()
    for name in _touched(project.root, ref, ".")[1]:
        if name.match("baselines/*/*.json"):
            own.add(name.parts[1])
        elif str(name.parent) in _HALVES and name.stem != "support":
            own.add(name.stem)
        elif name.parts[0] not in _APART and name.suffix != ".md":
            return frozenset()
    return frozenset(experiments) - own


def _touched(root: Path, ref: str, below: str) -> tuple[str, list[Path]]:
    """Return the merge base with a commit, and the files that differ from it; committed or not."""
    base = _git(root, "merge-base", ref, "HEAD").decode().strip()
    listed = _git(root, "diff", "--name-only", "-z", "--relative", base, "--", below)
    fresh = _git(root, "ls-files", "-z", "--others", "--exclude-standard", "--", below)
    return base, sorted({Path(name.decode()) for name in (listed + fresh).split(b"\0") if name})


def _of(
    contract: Contract | None,
    before: Mapping[str, Record],
    after: Mapping[str, Record],
    reasons: Mapping[str, str],
) -> Iterator[BaselineChange]:
    for variant in dict.fromkeys([*before, *after]):
        was, now = before.get(variant), after.get(variant)
        either = now or was
        assert either is not None
        changes: list[Change] = []
        if was is not None and now is not None and contract is not None:
            changes = compare.changes(contract, was, now)
            if not changes:
                continue
        yield BaselineChange(
            cell=either.cell,
            experiment=either.experiment,
            variant=variant,
            text="new" if was is None else "removed" if now is None else "",
            changes=tuple(changes),
            reason=reasons.get(variant, ""),
        )


def _git(root: Path, *words: str) -> bytes:
    return process.exchange(["git", *words], cwd=root)
