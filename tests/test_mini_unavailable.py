"""A cell that cannot run is inconclusive, never green, and costs the other cells nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mini.checkout import BURN, TORCH

from harness.model import Framework

if TYPE_CHECKING:
    from mini.checkout import Checkout

_KILL_SERVER = '''"""Is a cell whose server dies unavailable?"""

import os
import signal

from support import observe


def run(variant):
    """Kill the server."""
    observe("before", 1)
    os.kill(os.getppid(), signal.SIGKILL)
'''


@pytest.mark.parametrize("words", [(), ("--keep-going",)])
@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_an_unavailable_cell_is_12(accepted: Checkout, cell: str, words: tuple[str, ...]) -> None:
    """A cell that cannot be prepared is never green, whatever the other cells say."""
    accepted.cut_off(cell)
    report = accepted.regress("same", "panics", *words)
    said = {line["cell"]: line["unavailable"] for line in report["cells"]}
    other = {TORCH: BURN, BURN: TORCH}[cell]

    assert 12 == report["exit_code"]
    assert f"{cell}: no network\nTry again." == said[cell]
    assert bool(words) == (not said[other])
    assert (3 if words else 0) == report["counts"]["compared"]


def test_a_run_of_an_unavailable_cell_touches_nothing(accepted: Checkout) -> None:
    """Neither records nor baselines of a cell are touched when it cannot be prepared."""
    before = accepted.snapshot("baselines", ".emberwatch/records")
    accepted.cut_off(TORCH)
    accepted.edit("torch/same.py", "True", "False")
    accepted.regress("--no-cache")

    assert before == accepted.snapshot("baselines", ".emberwatch/records")
    assert [] == accepted.started()


@pytest.mark.parametrize("what", ["entry", "python", "warm_up", "imports"])
def test_a_server_that_cannot_start_is_12(accepted: Checkout, what: str) -> None:
    """A cell whose process cannot begin is unavailable, with the process's own words."""
    engine = accepted.engines[Framework.TORCH]
    match what:
        case "entry":
            engine.entry = "no_such_module"
        case "python":
            engine.python = Path("/no/such/python")
        case "warm_up":
            accepted.edit("torch/support.py", 'import_module("ctypes")', 'import_module("torch")')
        case "imports":
            accepted.edit("torch/support.py", "import json\n", "import json, no_such_library\n")
    report = accepted.regress("same", "--keep-going", "--no-cache")
    said = {line["cell"]: line["unavailable"] for line in report["cells"]}
    words = {"entry": "no_such_module", "python": "/no/such/python", "warm_up": "'torch'"}

    assert 12 == report["exit_code"]
    assert words.get(what, "no_such_library") in said[TORCH]
    assert ("", 1) == (said[BURN], report["counts"]["same"])


@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_a_server_that_is_killed_is_12(fresh: Checkout, cell: str) -> None:
    """When a cell's server dies, the cell is unavailable and nobody lives on."""
    fresh.add("kills_its_server", _KILL_SERVER)
    report = fresh.regress("hangs", "kills_its_server", "aborts", cell, "--jobs", "4")

    assert 12 == report["exit_code"]
    assert "the cell's process ended" in report["cells"][0]["unavailable"]
    assert [] == fresh.survivors(patience=2)


def test_the_report_verb_repeats_the_verdict(accepted: Checkout) -> None:
    """`run` only records, with exit 0; `report` then says what `regress` would have said."""
    accepted.release("new", BURN)
    accepted.cut_off(TORCH)
    ran = accepted.invoke("run", "changed", "--keep-going")
    told = accepted.invoke("report", "changed")

    assert (0, 10) == (ran.code, told.code)
    assert f"{TORCH}: {TORCH}: no network" in ran.err
    assert f"{TORCH} is unavailable" in told.out


def test_a_report_without_a_run_is_12(fresh: Checkout) -> None:
    """Where nothing was run, every cell is unavailable."""
    answer = fresh.invoke("report")

    assert 12 == answer.code
    assert "no run of this cell is in the work folder" in answer.out
