"""`peers`: what the usual tools take for the same halves, none of which isolates a case.

pytest with syrupy and pytest-xdist run the torch halves in the cell's own Python, with their
packages from a folder beside it; `cargo test` and nextest run the burn halves, a test for each
case. syrupy alone compares what the halves observe, as texts, without a tolerance.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import uv

from bench import burn, cases, checkout
from bench.measure import Contender, interleaved, say
from bench.table import Row
from harness.engines import caches
from harness.model import Framework

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.checkout import Checkout

_PACKAGES = ("pytest>=8", "syrupy>=4", "pytest-xdist>=3.5")
_TEST = '''\
"""Every case as a test, its events held against a snapshot."""

import json
from pathlib import Path

import pytest

from harness.experiments import support

CASES = json.loads(Path(__file__).with_name("cases.json").read_bytes())


@pytest.mark.parametrize(("experiment", "variant"), CASES)
def test_case(experiment, variant, snapshot, monkeypatch):
    events = []
    monkeypatch.setattr(support, "emit", events.append)
    support.run(experiment, variant)
    assert [event for event in events if "ids" not in event] == snapshot
'''
_RUST_TEST = """\
#[test]
fn {name}() {{
    let known = std::panic::catch_unwind(|| experiments::run("{experiment}", "{variant}"));
    assert!(known.unwrap_or(true));
}}
"""


def rows(rounds: int) -> Iterator[Row]:
    """Yield each peer beside emberwatch and beside the floor."""
    real, _ = checkout.real()
    one = real
    if min(len(real.cases(framework)) for framework in Framework) < cases.MANY:
        one = checkout.repeated(real, cases.MANY)
    yield from _torch(one, rounds)
    yield from _burn(one, rounds)


def _torch(one: Checkout, rounds: int) -> Iterator[Row]:
    number = len(one.cases(Framework.TORCH))
    folder = checkout.home() / "work"
    ours, floor = (
        cases.emberwatch(one, Framework.TORCH),
        cases.floor(one, Framework.TORCH, folder),
    )
    tests = _pytest_folder(one)
    environment = {
        **one.environment,
        "PYTHONPATH": os.pathsep.join([str(one.root), str(_overlay(one))]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    python = one.programs[Framework.TORCH]

    def pytest(name: str, *words: str) -> Contender:
        argv: list[str | Path] = [
            python,
            "-m",
            "pytest",
            "-q",
            "--tb=no",
            "-p",
            "syrupy",
            *words,
            tests,
        ]
        codes = frozenset({0, 1})  # 1: a test failed, which is no matter of time
        return Contender(name=name, argv=argv, environment=environment, cwd=tests, codes=codes)

    say("bench: writing syrupy's snapshots")
    interleaved([pytest("pytest --snapshot-update", "--snapshot-update")], 1)
    peers = [
        pytest("pytest + syrupy"),
        pytest("pytest + syrupy + xdist -n 2", "-p", "xdist", "-n", "2"),
    ]
    yield from _table(Framework.TORCH, [ours, floor, *peers], rounds, number)


def _overlay(one: Checkout) -> Path:
    """Return a folder with pytest and its plugins for the cell's Python, which stays as it is."""
    python = one.programs[Framework.TORCH]
    folder = checkout.home() / f"peers-{caches.digest(*_PACKAGES, str(python))[:8]}"
    if not folder.exists():
        say("bench: installing pytest, syrupy and pytest-xdist beside the torch cell")
        making = folder.with_suffix(".making")
        shutil.rmtree(making, ignore_errors=True)
        argv = [uv.find_uv_bin(), "pip", "install", "--quiet", "--compile-bytecode"]
        subprocess.run([*argv, "--python", python, "--target", making, *_PACKAGES], check=True)
        making.rename(folder)
    return folder


def _pytest_folder(one: Checkout) -> Path:
    folder = checkout.home() / "pytest"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "test_cases.py").write_text(_TEST, "utf-8")
    (folder / "cases.json").write_text(json.dumps(one.cases(Framework.TORCH)), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    return folder


def _burn(one: Checkout, rounds: int) -> Iterator[Row]:
    found = one.cases(Framework.BURN)
    ours, floor = (
        cases.emberwatch(one, Framework.BURN),
        cases.floor(one, Framework.BURN, checkout.home() / "work"),
    )
    tests = "".join(
        _RUST_TEST.format(name=f"case_{number}", experiment=experiment, variant=variant)
        for number, (experiment, variant) in enumerate(found)
    )
    folder, environment = burn.crate(one, "tests", f"fn main() {{}}\n\n{tests}")
    say("bench: building the tests for cargo test")
    burn.cargo(["test", "--locked", "--quiet", "--no-run"], folder, environment)

    def cargo(name: str, *words: str) -> Contender:
        argv = ["cargo", *words, "--locked"]
        return Contender(name=name, argv=argv, environment=environment, cwd=folder)

    peers = [cargo("cargo test", "test")]
    insta = "it compares inside a test, and a half states its values in a file"
    missing = [("insta", f"not measured: {insta}")]
    if _installed("nextest"):
        burn.cargo(["nextest", "run", "--locked", "--no-run"], folder, environment)
        peers.append(cargo("cargo nextest run", "nextest", "run"))
    else:
        how = "cargo install cargo-nextest --locked"
        missing.append(("cargo nextest run", f"skipped, not installed: {how}"))
    yield from _table(Framework.BURN, [ours, floor, *peers], rounds, len(found))
    for name, why in missing:
        yield Row(part="peers, burn", name=name, note=why)


def _installed(tool: str) -> bool:
    words = ["cargo", tool, "--version"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def _table(
    framework: Framework, contenders: list[Contender], rounds: int, number: int
) -> Iterator[Row]:
    part = f"peers, {framework}"
    ours, floor, *peers = interleaved(contenders, rounds)
    cases.check(checkout.home() / "work", number, framework)
    yield cases.row(part, ours, number, floor, "a process per case")
    yield cases.row(part, floor, number, None, "")
    for peer in peers:
        yield cases.row(part, peer, number, ours, _last(peer.outputs[-1]))


def _last(output: str) -> str:
    """Return the tool's own summary."""
    lines = [line.strip() for line in output.splitlines() if "passed" in line]
    return lines[-1].partition(";")[0].strip("= ") if lines else ""
