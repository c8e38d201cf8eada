"""`dashboard`: building the site of many cases, and using its overview in a browser."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

from bench import checkout, chromium, synthetic
from bench.measure import Contender, interleaved, say
from bench.table import Row, sized
from harness.project import ROOT, Project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.measure import Measured
    from harness.model import Matrix

#: The part, and what its work is counted in.
_OF = ("dashboard", "cases")
SIZES = (1_000, 5_000, 10_000)
#: Fills in the text filter and waits until what it leaves is laid out, in ms.
_KEY = """(words) => {
    const text = document.querySelector('[name=text]'), began = performance.now();
    text.value = words; text.dispatchEvent(new Event('input', {bubbles: true}));
    document.querySelector('.grid').getBoundingClientRect();
    return performance.now() - began; }"""
_LOAD = """() => { const [one] = performance.getEntriesByType('navigation');
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return [one.domComplete, paint?.startTime, document.querySelectorAll('.grid td').length]; }"""
_DONE = """async () => { while (document.querySelector('.grid[aria-busy=true]'))
    await new Promise(requestAnimationFrame); }"""
_TYPED = ("v", "va", "variant_3", "variant_3 x", "", "experiment_000001", "")


def rows(rounds: int) -> Iterator[Row]:
    """Yield what building costs at each size beside reading the same files, then the browser."""
    matrix = _twelve(Project().matrix)
    contenders, roots = [], []
    for size in SIZES:
        root = checkout.home() / "dashboard" / str(size)
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        say(f"bench: making up {size:,} cases")
        synthetic.site(root, ROOT, matrix, size)
        roots.append(root)
        contenders += [_child("dashboard_child", size, root), _child("floor_records", size, root)]
    contenders.append(_child("dashboard_child", SIZES[-1], roots[-1], forgets=True))
    *measured, anew = [_told(one) for one in interleaved(contenders, rounds)]
    built, floors = measured[::2], measured[1::2]
    for size, (ours, found), (floor, _) in zip(SIZES, built, floors, strict=True):
        mib = found["site_kib"] / 1024
        note = f"{median(ours.cpu):.1f} CPU s; peak {found['peak_mib']:.0f} MiB"
        note += f"; index.html {found['index_kib']:.0f} KiB"
        note += f", {found['files']} files {mib:.1f} MiB"
        yield sized(_OF, "build", size, ours, floor, note)
        yield sized(_OF, "floor: decode, validate, ==", size, floor)
    yield sized(_OF, "build, every plot drawn anew", SIZES[-1], anew[0], floors[-1][0])
    (more, _), (fewer, _) = built[-1], built[0]
    yield Row(
        part="dashboard",
        name=f"{SIZES[-1] // SIZES[0]} times as many",
        ratio=more.times(fewer),
        cpu_ratio=more.cpu_times(fewer),
        to=f"{SIZES[0]:,}",
        note=f"linear: {SIZES[-1] // SIZES[0]}",
    )
    yield from _used(roots, rounds)
    shutil.rmtree(checkout.home() / "dashboard")


def _twelve(matrix: Matrix) -> Matrix:
    """Return the matrix with its released cells alone, of which there are twelve."""
    cells = {name: cell for name, cell in matrix.cells.items() if cell.released}
    return replace(matrix, cells=cells)


def _used(roots: list[Path], rounds: int) -> Iterator[Row]:
    program = chromium.find()
    if program is None:
        yield Row(part="dashboard", name="in a browser", note=chromium.LACKING)
        return
    with chromium.started(program) as browser:
        for size, root in zip(SIZES, roots, strict=True):
            loads, paints, keys, marks = [], [], [], 0
            for _ in range(rounds):
                page = browser.new_page()
                page.goto((root / "site" / "index.html").as_uri())
                load, paint, marks = page.evaluate(_LOAD)
                loads.append(load / 1000)
                paints.append((paint or 0) / 1000)
                for words in _TYPED:
                    keys.append(page.evaluate(_KEY, words) / 1000)
                    page.evaluate(_DONE)
                page.close()
            note = f"first paint {median(paints):.2f} s; {marks:,} marks"
            yield _timed("overview, loaded (domComplete)", size, median(loads), note)
            note = f"worst {max(keys) * 1000:.0f} ms; aim: under 100 ms"
            yield _timed("overview, a key in the text filter", size, median(keys), note)


def _child(module: str, size: int, root: Path, *, forgets: bool = False) -> Contender:
    """Return a child whose drawings are its own, and kept from round to round unless told."""
    kept = root / ("forgotten" if forgets else "kept")
    return Contender(
        name=f"{module}, {size:,} cases{', plots anew' if forgets else ''}",
        argv=[sys.executable, "-m", f"bench.{module}", root],
        environment={"EMBERWATCH_CACHE": str(kept)},
        cwd=ROOT,
        before=lambda: shutil.rmtree(kept, ignore_errors=True) if forgets else None,
    )


def _told(one: Measured) -> tuple[Measured, dict[str, Any]]:
    """Return the times that the children took themselves, and what the last one found."""
    found = [json.loads(output.splitlines()[-1]) for output in one.outputs]
    if any(each.get("code") for each in found):
        raise SystemExit(f"bench: {one.contender.name} ended with {found[-1]['code']}")
    wall, cpu = ([each[key] for each in found] for key in ("total_s", "cpu_s"))
    return replace(one, wall=wall, cpu=cpu), found[-1]


def _timed(name: str, size: int, seconds: float, note: str) -> Row:
    return Row(part="dashboard", name=name, work=f"{size:,} cases", seconds=seconds, note=note)
