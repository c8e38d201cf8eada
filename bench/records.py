"""`records`: judging many records; how the time and the memory grow."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bench import checkout, synthetic
from bench.measure import Contender, Measured, interleaved, say
from bench.table import Row, sized
from harness.project import ROOT, Project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: The part, and what its work is counted in.
_OF = ("records", "records")
SIZES = (1_000, 10_000, 100_000)


def rows(rounds: int) -> Iterator[Row]:
    """Yield the time and the memory at each size, and what ten times as many cost."""
    contenders = []
    for size in SIZES:
        root = checkout.home() / "records" / str(size)
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        say(f"bench: making up {size:,} records and their baselines")
        synthetic.write(root, ROOT, Project().matrix, size)
        contenders += [_child("judge_child", size, root), _child("floor_records", size, root)]
    measured = [_told(one) for one in interleaved(contenders, rounds)]
    judged, floors = measured[::2], measured[1::2]
    for size, (ours, found), (floor, _) in zip(SIZES, judged, floors, strict=True):
        _check(size, found)
        memory = f"peak {found['peak_mib']:.0f} MiB, {found['contracts_mib']:.0f} before records"
        aim = "; aim: 5 s" if size == SIZES[-1] else ""
        steps = ", ".join(f"{step} {found[f'{step}_s']:.2f}" for step in ("contracts", "render"))
        note = f"{memory}; of it {steps} s{aim}"
        yield sized(_OF, "judge and render", size, ours, floor, note)
        yield sized(_OF, "floor: decode, validate, ==", size, floor)
    (more, _), (fewer, _) = judged[-1], judged[-2]
    times = SIZES[-1] // SIZES[-2]
    yield Row(
        part="records",
        name=f"{times} times as many",
        ratio=more.times(fewer),
        cpu_ratio=more.cpu_times(fewer),
        to=f"{SIZES[-2]:,}",
        note=f"linear: {times}",
    )
    shutil.rmtree(checkout.home() / "records")


def _child(module: str, size: int, root: Path) -> Contender:
    argv: list[str | Path] = [sys.executable, "-m", f"bench.{module}", root]
    name = f"{module}, {size:,} records"
    return Contender(name=name, argv=argv, cwd=ROOT)


def _told(one: Measured) -> tuple[Measured, dict[str, Any]]:
    """Return the times that the children took themselves, and what the last one found."""
    found = [json.loads(output) for output in one.outputs]
    wall, cpu = ([each[key] for each in found] for key in ("total_s", "cpu_s"))
    return replace(one, wall=wall, cpu=cpu), found[-1]


def _check(size: int, found: dict[str, Any]) -> None:
    """Refuse a measurement of other work than was meant."""
    wanted = {
        "compared": size,
        "agreeing": size // 2,
        "changes": synthetic.PLANTED,
        "others": 0,
    }
    if any(found[key] != number for key, number in wanted.items()):
        raise SystemExit(f"bench: of {size} records, wanted {wanted}, found {found}")
