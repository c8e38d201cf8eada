"""The baselines that a branch rewrites: what a pull request accepts, to be read in review."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from harness import compare, documents
from harness.baselines import Baselines
from harness.engines import process
from harness.report.context import BaselineChange

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.model import Change, Contract, Record
    from harness.project import Project


def since(project: Project, ref: str) -> tuple[BaselineChange, ...]:
    """Return what differs from the merge base with a commit, by experiment and cell."""
    root = project.root
    base = _git(root, "merge-base", ref, "HEAD").decode().strip()
    listed = _git(root, "diff", "--name-only", "-z", "--relative", base, "--", "baselines")
    fresh = _git(root, "ls-files", "-z", "--others", "--exclude-standard", "--", "baselines")
    names = sorted({Path(name.decode()) for name in (listed + fresh).split(b"\0") if name})
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
