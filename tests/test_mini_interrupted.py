"""A harness that is interrupted or killed at any moment leaves nothing broken and nothing alive."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from mini.checkout import BURN, TORCH, until

from harness import documents, plan, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mini.checkout import Checkout

REGRESS = ("regress", "changed", "hangs", "leaves_grandchild", "same", "--jobs", "3")
SLOW = "\n\nimport time\n\ntime.sleep(0.05)\n"
#: The cases of those experiments without `hangs`: 5, 3 and 1 in each of two cells.
CASES = 18


@pytest.fixture
def slow(fresh: Checkout) -> Iterator[Checkout]:
    """Return a checkout whose cases take long enough for a harness to be killed among them."""
    fresh.edit("matrix.yaml", "seconds: 2", "seconds: 1")
    fresh.remove_variants("changed", "flag", "count", "text", "value", "fixed")
    for framework in ("torch", "burn"):
        with (fresh.root / framework / "changed.py").open("a") as half:
            half.write(SLOW)
    yield fresh
    assert fresh.killed(patience=5) == []


def _lines(checkout: Checkout) -> int:
    log = checkout.root / "started"
    return log.read_text().count("\n") if log.exists() else 0


def _records(checkout: Checkout) -> int:
    folder = checkout.project.records.folder
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("*/*.jsonl"))


#: Moments of a run: what must be true of the checkout for the moment to have come.
MOMENTS: dict[str, Callable[[Checkout], bool]] = {
    "it has just begun": lambda c: (c.root / ".emberwatch" / "lock").exists(),
    "the first case runs": lambda c: _lines(c) >= 1,
    "the first record is written": lambda c: _records(c) >= 1,
    "forks hang and leave children": lambda c: "leaves" in (c.root / "started").read_text(),
    "programs run": lambda c: _records(c) >= 13,
}


def _wait(checkout: Checkout, harness: subprocess.Popen[bytes], moment: str) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and harness.poll() is None:
        try:
            if MOMENTS[moment](checkout):
                return
        except FileNotFoundError:
            pass
        time.sleep(0.005)
    said = harness.stderr.read().decode() if harness.stderr else ""
    pytest.fail(f"the moment never came: {harness.poll()} {said}")


def _intact(checkout: Checkout) -> None:
    """Assert that every file which a run writes can be read, whenever it was broken off."""
    for path, experiment, cell in checkout.project.baselines.files():
        assert checkout.project.baselines.read(experiment, cell), path
    for path in checkout.project.records.folder.glob("*/*.jsonl"):
        for line in path.read_bytes().split(b"\n")[:-1]:
            assert documents.validate(json.loads(line), "record.json") == []
    for path in (checkout.root / ".emberwatch" / "cells").glob("*.json"):
        json.loads(path.read_bytes())


@pytest.mark.parametrize(
    ("number", "moment"),
    [
        *((number, moment) for number in (signal.SIGINT, signal.SIGKILL) for moment in MOMENTS),
        (signal.SIGTERM, "forks hang and leave children"),
    ],
)
def test_a_run_that_is_ended_goes_on_where_it_was(
    slow: Checkout, number: signal.Signals, moment: str
) -> None:
    """What had ended when the harness did is kept and not run again; nothing stays alive."""
    baselines = slow.snapshot("baselines")
    harness = slow.start(*REGRESS)
    _wait(slow, harness, moment)
    harness.send_signal(number)
    harness.communicate(timeout=10)

    assert slow.survivors(patience=5) == []
    _intact(slow)
    assert baselines == slow.snapshot("baselines")
    assert {signal.SIGINT: 130}.get(number, -number) == harness.returncode

    kept = {
        (cell, experiment, variant)
        for cell, experiment, variant in slow.finished()
        if slow.record(cell, experiment, variant).outcome != "timed_out"
    }
    slow.edit("matrix.yaml", "# The mini", "# The same mini")
    slow.remove("hangs")
    slow.started()
    report = slow.regress("changed", "leaves_grandchild", "same")
    again = Counter(slow.started())

    assert kept.isdisjoint(again)
    assert CASES == len(kept) + len(again) == len(kept) + again.total()
    assert 11 == report["exit_code"]
    assert [] == [*report["inconclusive"], *report["invalid"], *report["changes"]]
    assert [] == list((slow.root / ".emberwatch" / "scratch").iterdir())


def test_an_interrupted_verb_returns_when_all_is_over(slow: Checkout) -> None:
    """Ctrl-C ends the cases before the verb returns, and says that one can go on."""
    harness = slow.start(*REGRESS)
    _wait(slow, harness, "forks hang and leave children")
    harness.send_signal(signal.SIGINT)
    _, said = harness.communicate(timeout=10)

    assert 130 == harness.returncode
    assert b"interrupted; what had ended is recorded, run it again to go on" in said
    assert "" == (slow.root / "left").read_text()
    assert [] == list((slow.root / ".emberwatch" / "scratch").iterdir())


@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_an_error_of_the_harness_ends_the_cases(fresh: Checkout, cell: str) -> None:
    """Where a record cannot be written the run ends with its cases, before the verb returns."""
    path = fresh.project.records.path(cell, "aborts")
    path.parent.mkdir(parents=True)
    path.symlink_to(fresh.root / "no such folder" / "aborts.jsonl")
    answer = fresh.invoke("run", "hangs", "aborts", cell, "--jobs", "3")

    assert 1 == answer.code
    assert "FileNotFoundError" in answer.err
    assert [] == fresh.survivors()
    assert [] == list((fresh.root / ".emberwatch" / "scratch").iterdir())


class Impatient:
    """A progress that is interrupted as soon as one case has ended."""

    def say(self, text: str) -> None:
        """Say nothing."""
        del text

    def update(self, text: str, done: int = 0, total: int | None = None) -> None:
        """Break off."""
        del text, total
        if done:
            raise KeyboardInterrupt


def test_an_interrupt_between_two_cases_ends_the_others(fresh: Checkout) -> None:
    """Wherever the harness is when it is interrupted, the cases end before the error is seen."""
    chosen = plan.make(fresh.project.matrix, fresh.project.contracts, ["hangs", "same"])
    alive = ["not interrupted"]
    try:
        run.run(fresh.project, chosen, fresh.engines, run.Options(jobs=3), Impatient())
    except KeyboardInterrupt:  # while it is handled, the frames that it left are not yet freed
        alive = fresh.survivors()

    assert [] == alive
    assert 1 == len(fresh.finished())


def test_a_whole_group_can_be_interrupted(slow: Checkout) -> None:
    """Ctrl-C in a terminal reaches every process of the group: the cases end all the same."""
    harness = slow.start(*REGRESS, group=True)
    _wait(slow, harness, "forks hang and leave children")
    subprocess.run(["kill", "-INT", "--", f"-{harness.pid}"], check=True)
    harness.communicate(timeout=10)

    assert 130 == harness.returncode
    assert [] == slow.survivors(patience=2)
    _intact(slow)


@pytest.mark.parametrize("after", [0, 9, 25])
def test_an_acceptance_that_is_killed_leaves_whole_files(accepted: Checkout, after: int) -> None:
    """Killed between any two baselines, accept leaves each as it was or as it is to be."""
    wanted = accepted.snapshot("baselines")
    for path, experiment, _ in accepted.project.baselines.files():
        if experiment != "same":
            path.unlink()
    accepted.invoke("report")
    harness = accepted.start("accept", "--all", "--reason", "the mini project does so")
    deadline = time.monotonic() + 20
    while (
        len(list(accepted.project.baselines.files())) < 2 + after
        and harness.poll() is None
        and time.monotonic() < deadline
    ):
        time.sleep(0.001)
    harness.kill()
    harness.communicate(timeout=10)
    _intact(accepted)

    answer = accepted.invoke("accept", "--all", "--reason", "the mini project does so")
    assert answer.code in {0, 2}, answer.err  # 2: the kill came too late, nothing is left
    now = accepted.snapshot("baselines")
    assert {name: data for name, (data, _) in wanted.items()} == {
        name: data for name, (data, _) in now.items() if not name.rpartition("/")[2].startswith(".")
    }
    assert 0 == accepted.regress()["exit_code"]


def test_a_second_harness_is_refused(slow: Checkout) -> None:
    """Two runs never share a work folder: the second ends at once with exit 2 and says why."""
    harness = slow.start(*REGRESS)
    _wait(slow, harness, "the first case runs")
    answers = [slow.invoke(verb, "same") for verb in ("regress", "run")]
    harness.kill()
    harness.communicate(timeout=10)
    gone = until(slow.survivors, 5)
    then = slow.invoke("regress", "same")

    assert [2, 2] == [answer.code for answer in answers]
    for answer in answers:
        assert f"{slow.root}/.emberwatch: another run is using it" in answer.err
        assert "Wait for it, or end it, then try again." in answer.err
    assert ([], 0) == (gone, then.code)
