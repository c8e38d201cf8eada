"""`builds`: what the first burn cell costs to build, and each further one in the same target."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from bench import checkout
from bench.measure import Contender, interleaved
from bench.table import Row
from harness.model import Framework
from harness.project import ROOT, Project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def rows(_rounds: int) -> Iterator[Row]:
    """Yield the time of each cell, the pinned one first, from an empty cache; one round."""
    cache = checkout.home() / "builds"
    shutil.rmtree(cache, ignore_errors=True)
    matrix = Project().matrix
    pinned = matrix.pinned[Framework.BURN]
    released = [
        cell.id
        for cell in matrix.cells.values()
        if cell.framework is Framework.BURN and cell.released and cell.id != pinned
    ]
    first, size = None, 0
    for cell in (pinned, *released):
        command = Contender(
            name=f"prepare {cell}",
            argv=[sys.executable, "-m", "harness", "prepare", cell],
            environment={"EMBERWATCH_CACHE": str(cache)},
            cwd=ROOT,
        )
        (measured,) = interleaved([command], 1)
        before, size = size, _mib(cache)
        yield Row(
            part="builds",
            name=cell,
            work="the first cell" if first is None else "a further cell",
            seconds=measured.seconds,
            ratio=None if first is None else measured.times(first),
            cpu_ratio=None if first is None else measured.cpu_times(first),
            to="" if first is None else pinned,
            note=f"{measured.cpu[0]:.0f} CPU s, +{size - before} MiB",
        )
        first = first or measured
    shutil.rmtree(cache)


def _mib(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) >> 20
