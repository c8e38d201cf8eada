"""A copy of the checkout to measure in.

It has as many cases as wanted, and none of those that would end a floor's only process.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measure import say
from harness import documents, plan
from harness.engines import caches
from harness.model import Framework, Outcome
from harness.project import ROOT, Project

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_PARTS = ("harness", "rust", "schemas", "baselines", "matrix.yaml", "pyproject.toml", "noxfile.py")
#: Outcomes of halves that a floor can run one after the other in one process.
_RUNS_ON = frozenset({Outcome.OBSERVED, Outcome.RAISED, Outcome.INVALID})


def home() -> Path:
    """Return the folder that everything is measured in.

    It is the same every time, so that cargo's artifacts of one run make way for the next one's.
    """
    return caches.root() / "bench"


def cache() -> Path:
    """Return a cache of cells that shares torch and the built dependencies with the real one.

    The binaries are its own: those that a user's checkout waits for stay where they are.
    """
    folder = home() / "cache"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("torch", "target"):
        (caches.root() / name).mkdir(exist_ok=True)
        if not (folder / name).exists():
            (folder / name).symlink_to(caches.root() / name, target_is_directory=True)
    return folder


@dataclass(frozen=True)
class Checkout:
    """A copied checkout, its cells prepared."""

    root: Path

    @cached_property
    def project(self) -> Project:
        """Return the copy as a project."""
        return Project(self.root)

    @property
    def environment(self) -> Mapping[str, str]:
        """Return what commands in the copy need."""
        settings = self.project.matrix.settings
        return {**settings, "EMBERWATCH_CACHE": str(cache()), "EMBERWATCH_ROOT": "", "CI": ""}

    def cell(self, framework: Framework) -> str:
        """Return the framework's pinned cell."""
        return self.project.matrix.pinned[framework]

    def cases(self, framework: Framework) -> list[tuple[str, str]]:
        """Return (experiment, variant) of every case that the framework can express."""
        chosen = plan.make(
            self.project.matrix, self.project.contracts, [self.cell(framework)], None
        )
        return [
            (case.contract.id, case.variant.name)
            for contract in chosen.contracts
            for case in chosen.cases_of(chosen.cells[0], contract)
            if case.unsupported is None
        ]

    @cached_property
    def programs(self) -> Mapping[Framework, Path]:
        """Return the cell's Python and the binary of the burn halves, prepared."""
        cells = [self.cell(framework) for framework in Framework]
        found = json.loads(self.harness("prepare", *cells, "--json"))
        return {Framework(one["framework"]): Path(one["program"]) for one in found}

    def harness(self, *words: str) -> str:
        """Run a verb in the copy and return what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", "harness", *words],
            cwd=self.root,
            env={**os.environ, **self.environment},
            capture_output=True,
            check=False,
            text=True,
        )
        if done.returncode not in {0, 10, 11, 12}:
            raise SystemExit(f"bench: {words} ended with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def outcomes(self) -> dict[tuple[Framework, str, str], Outcome]:
        """Run every case once and return how it ended."""
        cells = {self.cell(framework): framework for framework in Framework}
        self.harness("run", *cells)
        return {
            (framework, contract, variant): record.outcome
            for cell, framework in cells.items()
            for contract in self.project.contracts
            for variant, record in self.project.records.read(cell, contract).items()
        }


def real() -> tuple[Checkout, int]:
    """Return a copy with the real cases, and how many are left out of it.

    What crashes, times out or is not built in either framework would end the floor's process, or
    is no work.
    """
    say("bench: copying the checkout, preparing its cells, running every case once")
    whole = _copy(home() / "real", repeats=1, without=frozenset())
    wild = {
        (experiment, variant)
        for (_, experiment, variant), outcome in whole.outcomes().items()
        if outcome not in _RUNS_ON
    }
    if not wild:
        return whole, 0
    return _copy(home() / "real", repeats=1, without=wild), len(wild)


def repeated(one: Checkout, cases: int, without: Collection[tuple[str, str]] = ()) -> Checkout:
    """Return a copy with the same cases over and over, until each framework has so many."""
    fewest = min(len(one.cases(framework)) for framework in Framework)
    return _copy(home() / "many", repeats=-(-cases // fewest), without=without, source=one.root)


def _copy(
    root: Path,
    *,
    repeats: int,
    without: Collection[tuple[str, str]],
    source: Path = ROOT,
) -> Checkout:
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    ignored = shutil.ignore_patterns("__pycache__", "target", ".*")
    for part in _PARTS:
        if (source / part).is_dir():
            shutil.copytree(source / part, root / part, ignore=ignored)
        elif (source / part).exists():
            shutil.copy2(source / part, root / part)
    for path in sorted((root / "schemas" / "experiments").glob("*.json")):
        contract = documents.read_json(path)
        for variant in [v for v in contract["x-variants"] if (path.stem, v) in without]:
            del contract["x-variants"][variant]
        path.unlink()
        for number in range(repeats if contract["x-variants"] else 0):
            _write(root, path.stem, contract, f"{path.stem}_{number}" if number else path.stem)
    return Checkout(root)


def _write(root: Path, old: str, contract: dict[str, Any], new: str) -> None:
    """Write an experiment under a name: contract, halves and baselines."""
    named = {**contract, "$id": f"experiments/{new}.json"}
    documents.write(root / "schemas" / "experiments" / f"{new}.json", documents.canonical(named))
    for folder, suffix in (("harness/experiments", "py"), ("rust/src/experiments", "rs")):
        half = root / folder / f"{old}.{suffix}"
        if new != old and half.exists():
            shutil.copy2(half, half.with_name(f"{new}.{suffix}"))
    for path in (root / "baselines" / old).glob("*.json"):
        baseline = documents.read_json(path)
        kept = {v: e for v, e in baseline["variants"].items() if v in contract["x-variants"]}
        document = {**baseline, "experiment": new, "variants": kept}
        documents.write(root / "baselines" / new / path.name, documents.canonical(document))
