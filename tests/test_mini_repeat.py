"""`--repeat N`: what disagrees with itself is flaky, never changed; `--setting`: for one run alone."""

from __future__ import annotations

import json
import signal
import time
from typing import TYPE_CHECKING

import pytest
from mini.checkout import BURN, TORCH

from harness import documents, plan, proposals, run
from harness.errors import HarnessError

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

    from mini.checkout import Checkout

#: A half that counts its runs in a file, and does something else every other time.
FLIPS = '''\
"""What is kept of a half that aborts?"""

import fcntl
import os
from pathlib import Path

from support import observe


def run(variant):
    """Observe 1 in the first run, 0 in the second, and so on."""
    path = Path(os.environ["MINI_MARKER"], os.environ["MINI_CELL"] + ".runs")
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(b"x")
        file.flush()
        odd = os.fstat(file.fileno()).st_size % 2
    observe("before", 1)
    {act}
'''
VALUE = 'observe("after", odd)'
OUTCOME = 'observe("after", 2 // odd)'
ONE_AT_A_TIME = ("--jobs", "1")


def _flaky(fresh: Checkout, act: str) -> Checkout:
    """Return a checkout with that half, whose first run is the accepted behaviour."""
    fresh.add("flips", FLIPS.format(act=act))
    fresh.invoke("regress", "flips")
    answer = fresh.invoke("accept", "flips", "--reason", "its first run")
    assert answer.code == 0, answer.err
    return fresh


@pytest.fixture
def flips(fresh: Checkout) -> Checkout:
    """Return a checkout with a half whose value alternates."""
    return _flaky(fresh, VALUE)


# --- flaky ------------------------------------------------------------------------------------


def test_a_value_that_alternates_is_flaky_and_not_changed(flips: Checkout) -> None:
    """It ends with 12 and is listed with what was seen; no drift and no parity is said of it."""
    report = flips.regress("flips", "--repeat", "4", *ONE_AT_A_TIME)

    assert 12 == report["exit_code"]
    assert ([], [], [], []) == tuple(
        report[key] for key in ("changes", "new", "invalid", "inconclusive")
    )
    assert [(TORCH, "after", 4, 2, {0, 1}), (BURN, "after", 4, 2, {0, 1})] == [
        (one["cell"], one["observation"], one["runs"], one["agreed"], {one["first"], one["other"]})
        for one in report["flaky"]
    ]
    assert ["same"] == [side["status"] for side in report["parity"]]
    assert (2, 0) == (report["counts"]["compared"], report["counts"]["same"])


def test_an_outcome_that_alternates_is_flaky_and_not_changed(fresh: Checkout) -> None:
    """A case that raises every other time is flaky under the name `outcome`."""
    report = _flaky(fresh, OUTCOME).regress("flips", "--repeat", "3", *ONE_AT_A_TIME)

    assert (12, []) == (report["exit_code"], report["changes"])
    assert {"outcome"} == {one["observation"] for one in report["flaky"]}
    assert {"observed", "raised ZeroDivisionError: integer division or modulo by zero"} == {
        one[key] for one in report["flaky"] for key in ("first", "other")
    }


def test_without_repetition_it_is_changed(flips: Checkout) -> None:
    """A single run cannot know: what it sees is held against the baseline as ever."""
    report = flips.regress("flips", "--no-cache")

    assert (10, []) == (report["exit_code"], report["flaky"])
    assert {"count_change"} == {line["class"] for line in report["changes"]}


def test_what_is_steady_in_a_flaky_case_is_still_compared(flips: Checkout) -> None:
    """The other observations of the case change as ever, and 10 comes before 12."""
    flips.edit("torch/flips.py", 'observe("before", 1)', 'observe("before", 5)')
    report = flips.regress("flips", "--repeat", "2")

    assert 10 == report["exit_code"]
    assert {(TORCH, "before", "count_change"), (BURN, "before", "parity_lost")} == {
        (line["cell"], line["observation"], line["class"]) for line in report["changes"]
    }
    assert {TORCH, BURN} == {one["cell"] for one in report["flaky"]}


def test_a_later_report_judges_the_same(flips: Checkout) -> None:
    """The record says that it is flaky, so that `report` and an unchanged run say so, too."""
    first = flips.regress("flips", "--repeat", "2")
    flips.started()
    later, unchanged = flips.report("flips"), flips.regress("flips")

    assert first["flaky"] == later["flaky"] == unchanged["flaky"] != []
    assert {12} == {one["exit_code"] for one in (first, later, unchanged)}
    assert [] == flips.started()


def test_a_flaky_record_is_not_proposed(flips: Checkout) -> None:
    """Neither a change in a flaky case nor a flaky case without a baseline can be accepted."""
    flips.edit("torch/flips.py", 'observe("before", 1)', 'observe("before", 5)')
    flips.project.baselines.path("flips", BURN).unlink()
    report = flips.regress("flips", "--repeat", "2")

    assert ({"before"}, []) == (
        {line["observation"] for line in report["changes"]},
        report["new"],
    )
    assert [] == proposals.pending(flips.project, None)
    assert 2 == flips.invoke("accept", "--all", "--reason", "why not").code


def test_a_flaky_record_is_refused_as_a_baseline(flips: Checkout) -> None:
    """Whoever asks: a baseline is never made of a record that disagrees with itself."""
    flips.regress("flips", "--repeat", "2")
    before = flips.snapshot("baselines")
    contract, record = flips.project.contracts["flips"], flips.record(TORCH, "flips")

    with pytest.raises(HarnessError, match=r"torch-1\.0\.0 flips default: flaky: after"):
        flips.project.baselines.accept(contract, record, reason="why not", date="2026-01-01")
    assert before == flips.snapshot("baselines")


def test_the_terminal_says_what_is_flaky(flips: Checkout) -> None:
    """FLAKY names cell, case, observation, how many runs agree, and both values."""
    answer = flips.invoke("regress", "flips", TORCH, "--repeat", "3", *ONE_AT_A_TIME)
    words = [" ".join(line.split()) for line in answer.out.splitlines()]

    assert 12 == answer.code
    assert any(line.startswith("FLAKY what disagrees with itself") for line in words)
    assert f"{TORCH} flips after 2 of 3 agree 0 1" in words
    assert f"{TORCH} 0 of 1 same 1 run × 3 0 cached" in " ".join(words)
    assert "1 flaky case" in answer.out
    assert f"nox -s regress -- flips {TORCH} --repeat 20" in answer.out


# --- how a repetition runs --------------------------------------------------------------------


def test_every_case_runs_so_often_and_never_from_the_cache(accepted: Checkout) -> None:
    """N times each, also where a record is up to date; what is steady stays 0 and becomes cached."""
    report = accepted.regress("same", "panics", "--repeat", "3")
    started = accepted.started()
    again = accepted.regress("same", "panics")

    assert (0, []) == (report["exit_code"], report["flaky"])
    assert {3} == {started.count(case) for case in started}
    assert 6 == len(set(started))
    assert {(3, 3, 0)} == {
        (cell["ran"], cell["repeat"], cell["cached"]) for cell in report["cells"]
    }
    assert (0, []) == (again["exit_code"], accepted.started())
    assert 3 == accepted.record(TORCH, "same").provenance["repeated"]["runs"]


class Counting:
    """A progress that keeps what it is told, and may be interrupted at one step."""

    def __init__(self, stop: int = 0) -> None:
        """Take the step at which Ctrl-C is pressed; 0 is never."""
        self.stop = stop
        self.steps: list[tuple[int, int | None]] = []

    def say(self, text: str) -> None:
        """Say nothing."""
        del text

    def update(self, text: str, done: int = 0, total: int | None = None) -> None:
        """Keep how far it is."""
        del text
        self.steps.append((done, total))
        if done == self.stop:
            raise KeyboardInterrupt


def _run(checkout: Checkout, progress: Counting, *words: str, repeat: int) -> None:
    chosen = plan.make(checkout.project.matrix, checkout.project.contracts, words)
    options = run.Options(jobs=1, repeat=repeat)
    run.run(checkout.project, chosen, checkout.engines, options, progress)


def test_progress_counts_every_run(fresh: Checkout) -> None:
    """Three cases four times are twelve steps."""
    progress = Counting()
    _run(fresh, progress, TORCH, "panics", "same", repeat=4)

    assert [(step, 12) for step in range(1, 13)] == progress.steps


@pytest.mark.parametrize("stop", range(1, 7))
def test_an_interrupted_repetition_leaves_no_record(fresh: Checkout, stop: int) -> None:
    """A case has a record when the last of its runs ended, and none before."""
    fresh.invoke("run", "panics", TORCH)
    with pytest.raises(KeyboardInterrupt):
        _run(fresh, Counting(stop), TORCH, "panics", repeat=3)
    _intact(fresh)

    assert stop // 3 == len(fresh.finished())
    assert 11 == fresh.regress("panics", TORCH)["exit_code"]


def _intact(checkout: Checkout) -> None:
    lines = [
        line
        for path in checkout.project.records.folder.glob("*/*.jsonl")
        for line in path.read_bytes().split(b"\n")[:-1]
    ]
    assert [] == [p for line in lines for p in documents.validate(json.loads(line), "record.json")]


@pytest.fixture
def patient(fresh: Checkout) -> Iterator[Checkout]:
    """Return a checkout whose runs can be ended from outside; nothing outlives the test."""
    yield fresh
    assert fresh.killed(patience=5) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_repetition_that_is_ended_from_outside(patient: Checkout, number: signal.Signals) -> None:
    """Ended among its runs it leaves whole records of whole cases, and no process."""
    harness = patient.start("run", "changed", TORCH, "--repeat", "200", "--jobs", "2")
    _wait_for_records(patient, harness)
    harness.send_signal(number)
    harness.communicate(timeout=10)

    assert [] == patient.survivors(patience=5)
    _intact(patient)
    finished = [patient.record(*case) for case in patient.finished()]
    assert finished
    assert {200} == {record.provenance["repeated"]["runs"] for record in finished}


def _wait_for_records(checkout: Checkout, harness: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while not checkout.finished() and harness.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)


# --- settings ---------------------------------------------------------------------------------


def _setting(checkout: Checkout) -> object:
    return checkout.record(TORCH, "reads_settings").observations["setting"]


def test_a_setting_of_one_run(fresh: Checkout) -> None:
    """It replaces the matrix's, reaches the case, and is recorded; the last of a key stands."""
    words = ["--setting", "MINI_SETTING=cold", "--setting", "MINI_SETTING=a=b", "--setting", "NEW="]
    fresh.invoke("run", "reads_settings", *words)
    record = fresh.record(TORCH, "reads_settings")

    assert "a=b" == record.observations["setting"]
    assert "PYTHONHASHSEED=0 MINI_SETTING=a=b NEW=" == record.provenance["settings"]


def test_the_cache_does_not_mix_settings(fresh: Checkout) -> None:
    """A record made with other settings never stands for this run's."""
    words = ("run", "reads_settings", TORCH)
    seen = []
    for more in ([], ["--setting", "MINI_SETTING=hot"], ["--setting", "MINI_SETTING=hot"], []):
        fresh.invoke(*words, *more)
        seen.append((_setting(fresh), len(fresh.started())))

    assert [("mild", 1), ("hot", 1), ("hot", 0), ("mild", 1)] == seen


@pytest.mark.parametrize("verb", ["run", "regress"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--setting", "OMP_NUM_THREADS"], "'OMP_NUM_THREADS' is not KEY=VALUE"),
        (["--setting", "omp_num_threads=2"], "'omp_num_threads=2' is not KEY=VALUE"),
        (["--setting", "=2"], "'=2' is not KEY=VALUE"),
        (["--setting", "A B=2"], "'A B=2' is not KEY=VALUE"),
        (["--setting", "GOOD=1", "--setting", "2BAD=1"], "'2BAD=1' is not KEY=VALUE"),
        (["--setting"], "requires an argument"),
        (["--repeat", "0"], "not in the range x>=1"),
        (["--repeat", "often"], "'often' is not a valid integer range"),
    ],
)
def test_what_cannot_be_meant_is_2(fresh: Checkout, verb: str, words: list[str], said: str) -> None:
    """A malformed setting or number ends with 2, says what is wrong, and nothing runs."""
    answer = fresh.invoke(verb, "same", *words)

    assert 2 == answer.code
    assert said in answer.err
    assert [] == fresh.started()
