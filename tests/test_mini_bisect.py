"""The verb `bisect` on histories with a planted change."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mini.checkout import BURN, HEAD, TORCH
from mini.history import History

from harness.model import Framework

if TYPE_CHECKING:
    from pathlib import Path

    from mini.checkout import Checkout

RELEASES = ["old"] * 7 + ["new"] * 5


@pytest.fixture
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """Return twelve commits, the eighth of which changes everything."""
    return History.of(tmp_path_factory.mktemp("history") / "burn", RELEASES)


def searched(fresh: Checkout, source: Path | None, *words: str) -> dict[str, Any]:
    """Run the search and return what it found, as JSON."""
    where = ["--source", str(source)] if source else []
    answer = fresh.invoke("bisect", *words, *where, "--json")
    assert answer.out, answer.err
    found: dict[str, Any] = json.loads(answer.out)
    assert found["exit_code"] == answer.code
    return found


def ends(history: History, good: int = 0, bad: int = -1) -> list[str]:
    """Return the options that name two commits."""
    return ["--good", history.at(good), "--bad", history.at(bad)]


# --- commits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bare", [False, True])
def test_the_commit_that_changed_it_is_found(
    fresh: Checkout, history: History, *, bare: bool
) -> None:
    """The first bad commit comes with its neighbour, its author, and what it changed."""
    source = history.root
    if bare:
        source = history.root.with_name("bare")
        history.git("clone", "-q", "--bare", str(history.root), str(source))
    found = searched(fresh, source, "changed", "flag", *ends(history))

    assert 0 == found["exit_code"]
    assert [history.at(7)] == [one["name"] for one in found["suspects"]]
    assert {"7 new"} == {one["subject"] for one in found["suspects"]}
    assert {"Ada"} == {one["author"] for one in found["suspects"]}
    assert history.at(6) == found["last_good"]["name"]
    (change,) = found["changes"]
    assert ("flag", True, False) == tuple(
        change[key] for key in ("observation", "expected", "observed")
    )
    assert found["steps"] <= 4


@pytest.mark.parametrize("place", range(1, 6))
def test_it_is_found_wherever_it_is(fresh: Checkout, tmp_path: Path, place: int) -> None:
    """Whichever commit changes it, that one is named."""
    history = History.of(tmp_path / "history", ["old"] * place + ["new"] * (6 - place))
    found = searched(fresh, history.root, "changed", "count", *ends(history))

    assert [history.at(place)] == [one["name"] for one in found["suspects"]]


def test_a_commit_that_does_not_build_is_skipped(fresh: Checkout, tmp_path: Path) -> None:
    """A neighbour is tried in its stead, and where that is enough the culprit stands alone."""
    history = History.of(tmp_path / "history", ["old", "old", "broken", "old", "new", "new"])
    found = searched(fresh, history.root, "changed", "flag", *ends(history))

    assert 0 == found["exit_code"]
    assert [history.at(4)] == [one["name"] for one in found["suspects"]]


def test_skipped_neighbours_make_it_a_range(fresh: Checkout, tmp_path: Path) -> None:
    """Where those before the first bad one cannot be told, all of them are named; that is 12."""
    history = History.of(tmp_path / "history", ["old", "old", "broken", "broken", "new", "new"])
    found = searched(fresh, history.root, "changed", "flag", *ends(history))

    assert 12 == found["exit_code"]
    assert [history.at(place) for place in (2, 3, 4)] == [one["name"] for one in found["suspects"]]
    assert ["does not build" in one.get("reason", "") for one in found["suspects"]] == [1, 1, 0]


def test_what_a_merge_brought_is_found_at_the_merge(fresh: Checkout, tmp_path: Path) -> None:
    """Along first parents a merge is one step, whatever its branch held."""
    history = History.of(tmp_path / "history", ["old", "old"])
    history.git("checkout", "-q", "-b", "side")
    history.commit("broken", "on a branch")
    history.commit("new", "on a branch, too")
    history.git("checkout", "-q", "main")
    history.git("merge", "-q", "--no-ff", "-m", "the merge", "side")
    found = searched(fresh, history.root, "changed", "flag", *ends(history))

    assert ["the merge"] == [one["subject"] for one in found["suspects"]]


def test_one_observation_can_be_looked_at_alone(fresh: Checkout, history: History) -> None:
    """An earlier change of another observation is passed over."""
    half = fresh.root / "burn" / "changed.py"
    half.write_text(
        half.read_text().replace('observe("before", 1)', 'observe("before", int(RELEASE != "old"))')
    )
    history = History.of(history.root.with_name("three"), ["old", "other", "other", "new", "new"])
    both = searched(fresh, history.root, "changed", "flag", *ends(history))
    alone = searched(
        fresh, history.root, "changed", "flag", *ends(history), "--observation", "flag"
    )

    assert ["1 other"] == [one["subject"] for one in both["suspects"]]
    assert ["1 other", "2 other"] == [one["subject"] for one in both["others"]][-2:]
    assert ["3 new"] == [one["subject"] for one in alone["suspects"]]
    assert [] == alone["others"]


def test_ends_that_behave_alike_are_refused(fresh: Checkout, history: History) -> None:
    """There is nothing to search for; what both observed is said."""
    words = ["changed", "flag", "--source", str(history.root), *ends(history, 0, 5)]
    answer = fresh.invoke("bisect", *words)

    assert 2 == answer.code
    assert "behave alike" in answer.err
    assert "flag: observed, before 1, flag true, after 2" in answer.err


def test_an_end_that_cannot_be_had_is_12(fresh: Checkout, tmp_path: Path) -> None:
    """Where an end does not build there is nothing to hold the others against."""
    history = History.of(tmp_path / "history", ["old", "old", "broken"])
    words = ["changed", "flag", "--source", str(history.root), *ends(history)]
    answer = fresh.invoke("bisect", *words)

    assert 12 == answer.code
    assert f"the bad end {history.at(2)} cannot be had" in answer.err


USAGE = [
    (("changed", "nonsense"), "nonsense: no variant of changed"),
    (("nonsense",), "nonsense: no experiment has that name"),
    (("not_built",), "behave alike"),
    (("unsupported",), "unsupported in burn"),
    (("changed", "flag", "--observation", "nonsense"), "nonsense is not observed; these are"),
]


@pytest.mark.parametrize(("words", "said"), USAGE)
def test_a_question_that_has_no_answer_is_refused(
    fresh: Checkout, history: History, words: tuple[str, ...], said: str
) -> None:
    """What is not there cannot be searched for, and what is there is named."""
    answer = fresh.invoke("bisect", *words, "--source", str(history.root), *ends(history))

    assert 2 == answer.code
    assert said in answer.err


@pytest.mark.parametrize(
    ("good", "bad", "code", "said"),
    [
        ("nonsense", "main", 12, "no branch, tag or commit 'nonsense'"),
        ("main", "main~3", 2, "must be an ancestor"),
        ("main", "main", 2, "must be an ancestor"),
        ("side", "main", 2, "Both descend from"),
    ],
)
def test_ends_that_span_nothing_are_refused(
    fresh: Checkout, history: History, good: str, bad: str, code: int, said: str
) -> None:
    """The good end has to be an ancestor of the bad one; where they part is said."""
    history.git("checkout", "-q", "-b", "side", history.at(3))
    history.commit("old", "beside")
    words = ["changed", "flag", "--source", str(history.root), "--good", good, "--bad", bad]
    answer = fresh.invoke("bisect", *words)

    assert code == answer.code
    assert said in answer.err


def test_cells_and_versions_name_commits_too(fresh: Checkout, history: History) -> None:
    """A released cell and a version are their tags, a git cell is the source's HEAD."""
    history.git("tag", "-a", "-m", "release", "v1.0.0", history.at(2))
    by_cell = searched(fresh, history.root, "changed", "flag", "--good", BURN, "--bad", HEAD)
    by_version = searched(fresh, history.root, "changed", "flag", "--good", "1.0.0", "--bad", HEAD)

    assert by_cell == by_version
    assert 10 == by_cell["candidates"]


# --- broken off, and gone on ------------------------------------------------------------------


def test_a_search_goes_on_where_it_was_broken_off(fresh: Checkout, history: History) -> None:
    """What was tried is not run again; --restart forgets it."""
    words = ["changed", "flag", *ends(history)]
    first = searched(fresh, history.root, *words)
    ran = len(fresh.started())
    again = searched(fresh, history.root, *words)
    idle = len(fresh.started())
    anew = searched(fresh, history.root, *words, "--restart")

    assert first == again == anew
    assert (0, ran) == (idle, len(fresh.started()))


def test_every_step_is_kept_at_once(fresh: Checkout, tmp_path: Path) -> None:
    """A search that an interrupt breaks off after some steps has all of them noted."""
    history = History.of(tmp_path / "history", RELEASES)
    words = ["changed", "flag", *ends(history), "--source", str(history.root)]
    process = fresh.start("bisect", *words)
    assert process.stderr is not None
    seen = b""
    while b"left: " not in seen:
        seen += process.stderr.readline()
    process.send_signal(2)
    code = process.wait(20)
    process.stderr.close()
    (notes,) = (fresh.root / ".emberwatch" / "bisect").glob("*.json")
    noted = json.loads(notes.read_text())["records"]
    answer = fresh.invoke("bisect", *words)

    assert 130 == code
    assert {history.at(0), history.at(11)} <= set(noted)
    assert f"FIRST BAD  {history.at(7)[:12]}" in answer.out
    assert set(noted) < set(json.loads(notes.read_text())["records"])


def test_notes_that_cannot_be_read_are_named(fresh: Checkout, history: History) -> None:
    """A broken file of notes is an error that says how to forget it, not a wrong answer."""
    words = ["changed", "flag", *ends(history), "--source", str(history.root)]
    fresh.invoke("bisect", *words)
    (notes,) = (fresh.root / ".emberwatch" / "bisect").glob("*.json")
    notes.write_text('{"records": []}')
    answer = fresh.invoke("bisect", *words)

    assert 2 == answer.code
    assert str(notes) in answer.err
    assert "--restart" in answer.err
    assert 0 == fresh.invoke("bisect", *words, "--restart").code


def test_an_edited_half_is_another_question(fresh: Checkout, history: History) -> None:
    """What an earlier half observed says nothing of what the new one will."""
    words = ["changed", "flag", *ends(history)]
    searched(fresh, history.root, *words)
    ran = len(fresh.started())
    fresh.edit("burn/changed.py", "not NEW", "bool(not NEW)")
    searched(fresh, history.root, *words)

    assert ran == len(fresh.started()) > 0


# --- versions ---------------------------------------------------------------------------------

BETWEEN = ["1.1.0", "1.2.0-pre.1", "1.2.0", "1.3.0", "1.4.0"]


@pytest.mark.parametrize("framework", Framework)
def test_the_version_that_changed_it_is_found(fresh: Checkout, framework: Framework) -> None:
    """Between two versions the published ones are tried, cells of the matrix or not."""
    fresh.clients.versions[framework] = BETWEEN
    fresh.engines[framework].releases |= {
        f"{framework}-{version}": "new" for version in BETWEEN[1:]
    }
    words = ["changed", "flag", "--good", f"{framework}-1.0.0", "--bad", "1.4.0"]
    found = searched(fresh, None, *words)

    assert 0 == found["exit_code"]
    assert [f"{framework}-1.2.0-pre.1"] == [one["name"] for one in found["suspects"]]
    assert f"{framework}-1.1.0" == found["last_good"]["name"]
    assert 6 == found["candidates"]


def test_a_version_that_cannot_be_had_is_skipped(fresh: Checkout) -> None:
    """A version that no longer installs makes the answer a range, if it is beside the change."""
    fresh.clients.versions[Framework.BURN] = BETWEEN
    engine = fresh.engines[Framework.BURN]
    engine.releases |= {f"burn-{version}": "new" for version in BETWEEN[2:]}
    engine.unavailable["burn-1.2.0-pre.1"] = "gone"
    found = searched(fresh, None, "changed", "flag", "--good", BURN, "--bad", "burn-1.4.0")

    assert 12 == found["exit_code"]
    assert ["burn-1.2.0-pre.1", "burn-1.2.0"] == [one["name"] for one in found["suspects"]]


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ("1.0.0", "1.4.0", "of which framework?"),
        (TORCH, BURN, "not of one framework"),
        ("burn-1.4.0", BURN, "the good one must be the older one"),
        (BURN, BURN, "the good one must be the older one"),
    ],
)
def test_versions_that_span_nothing_are_refused(
    fresh: Checkout, good: str, bad: str, said: str
) -> None:
    """Two versions are of one framework, the good one the older."""
    answer = fresh.invoke("bisect", "changed", "flag", "--good", good, "--bad", bad)

    assert 2 == answer.code
    assert said in answer.err


def test_the_answer_can_be_read(fresh: Checkout, history: History) -> None:
    """The text names the commit, its neighbour, and the observation before and after."""
    words = ["changed", "flag", *ends(history), "--source", str(history.root)]
    answer = fresh.invoke("bisect", *words)

    assert 0 == answer.code
    assert f"FIRST BAD  {history.at(7)[:12]}  7 new  (Ada, " in answer.out
    assert f"LAST GOOD  {history.at(6)[:12]}  6 old" in answer.out
    assert "changed / flag" in answer.out
    assert "at most" in answer.err
