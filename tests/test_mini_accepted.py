"""Accepted differences over the whole pipeline: a moving head that differs from its reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from mini.checkout import BURN, HEAD

if TYPE_CHECKING:
    from pathlib import Path

    from mini.checkout import Checkout

REASON = ("--reason", "main does so since its #12")
FLAG = ("changed", "flag", HEAD)


@pytest.fixture(scope="module")
def moved(settled: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Run the head as a new release, whose every variant does something else."""
    checkout = settled.copied(tmp_path_factory.mktemp("moved"))
    checkout.release("new", HEAD)
    checkout.regress("changed", HEAD)
    return checkout


@pytest.fixture
def head(moved: Checkout, tmp_path: Path) -> Checkout:
    """Copy a checkout in which a flag of the head flipped, and nothing is accepted."""
    checkout = moved.copied(tmp_path)
    checkout.remove_variants("changed", "flag", "count")
    checkout.report("changed", HEAD)
    return checkout


@pytest.fixture
def settled_head(head: Checkout) -> Checkout:
    """Accept what the head does otherwise."""
    answer = head.invoke("accept", "--all", *REASON)
    assert 0 == answer.code, answer.err
    return head


def entries(checkout: Checkout) -> list[dict[str, Any]]:
    """Return what accepted.yaml holds."""
    path = checkout.project.accepted_path
    return list(yaml.safe_load(path.read_text()) or []) if path.exists() else []


def states(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the entries that hold no longer, by state and variant."""
    return [(one["state"], one["variant"]) for one in report["outdated"]]


def test_accept_writes_an_entry_and_the_next_run_is_green(head: Checkout) -> None:
    """What is accepted of a head is an entry, not a baseline; the run is green, parity as well."""
    before = head.snapshot("baselines")
    answer = head.invoke(
        "accept", *FLAG, *REASON, "--link", "https://x/12", "--expires", "2999-01-01"
    )
    [entry] = entries(head)

    assert (0, set()) == (answer.code, before.items() - head.snapshot("baselines").items())
    assert (True, False, "flag_flip") == (entry["from"], entry["to"], entry["class"])
    assert ("https://x/12", "2999-01-01") == (entry["link"], entry["expires"])
    head.remove_variants("changed", "flag")
    report = head.report("changed", HEAD)
    assert (0, [], []) == (report["exit_code"], report["changes"], report["outdated"])
    assert [("flag", REASON[1], "https://x/12")] == [
        (one["observation"], one["reason"], one["link"]) for one in report["accepted"]
    ]
    assert [("known", f"accepted of {HEAD}: {REASON[1]}")] == [
        (side["status"], side["reason"]) for side in report["parity"]
    ]


def test_an_accepted_difference_is_shown(settled_head: Checkout) -> None:
    """The terminal lists what is accepted, with its reason, and counts it apart."""
    told = settled_head.invoke("report", "changed", HEAD).out

    assert f"ACCEPTED  {HEAD} against {BURN}" in told
    assert REASON[1] in told
    assert "0 differences, 2 accepted differences" in told


def test_what_is_accepted_is_no_proposal(settled_head: Checkout) -> None:
    """Accepted differences are neither proposed nor reviewed again."""
    settled_head.report("changed", HEAD)

    assert "Nothing to review" in settled_head.invoke("review").out


def test_every_class_can_be_accepted(moved: Checkout, tmp_path: Path) -> None:
    """Whatever a head does otherwise, outcomes included, can be accepted and is then green."""
    head = moved.copied(tmp_path)
    answer = head.invoke("accept", "--all", *REASON)
    report = head.report("changed", HEAD)

    assert (0, 0) == (answer.code, report["exit_code"]), report["changes"]
    assert 16 == len(report["accepted"]) == len(entries(head))


def test_review_writes_entries(head: Checkout) -> None:
    """`review` accepts a head's differences by the same way."""
    answer = head.invoke("review", stdin="A\nbecause\n")

    assert "2 accepted" in answer.out
    assert ["because", "because"] == [entry["reason"] for entry in entries(head)]


def test_another_runs_proposals(head: Checkout, tmp_path_factory: pytest.TempPathFactory) -> None:
    """`--proposed` takes a head's differences from another run's folder."""
    other = head.copied(tmp_path_factory.mktemp("other"))
    head.invoke("review", stdin="r\nr\n")
    folder = str(other.project.proposed.folder)
    answer = head.invoke("accept", "--all", "--proposed", folder, *REASON)

    assert (0, 2) == (answer.code, len(entries(head))), answer.err


def test_a_difference_that_vanished_is_10(settled_head: Checkout) -> None:
    """When the head does as its reference again, the entry alarms and says what to do."""
    settled_head.release("old", HEAD)
    report = settled_head.regress("changed", HEAD)
    told = settled_head.invoke("report", "changed", HEAD)

    assert [("vanished", "flag"), ("vanished", "count")] == states(report)
    assert (10, 10, []) == (report["exit_code"], told.code, report["changes"])
    assert "baselines/accepted.yaml:2: remove the entry" in told.out
    assert "2 outdated acceptances" in told.out


def test_a_difference_that_changed_is_10(settled_head: Checkout) -> None:
    """When the head does something else again, that is a change, and accepting it settles both."""
    settled_head.release("new", HEAD)
    settled_head.edit("burn/changed.py", "4 if NEW", "5 if NEW")
    report = settled_head.regress("changed", HEAD)

    assert (10, [("changed", "count")]) == (report["exit_code"], states(report))
    assert [(3, 5)] == [
        (line["expected"], line["observed"])
        for line in report["changes"]
        if line["class"] == "count_change"
    ]
    settled_head.invoke("accept", "changed", "count", HEAD, *REASON)
    assert 0 == settled_head.report("changed", HEAD)["exit_code"]
    assert [False, 5] == [entry["to"] for entry in entries(settled_head)]


def test_an_entry_that_expired_is_10(settled_head: Checkout) -> None:
    """After its last day an entry accepts nothing more; accepting it again settles that."""
    path = "baselines/accepted.yaml"
    settled_head.edit(path, "observation: count", "observation: count\n  expires: '2026-01-01'")
    report = settled_head.report("changed", HEAD)

    assert (10, [("expired", "count")]) == (report["exit_code"], states(report))
    assert "count_change" in {line["class"] for line in report["changes"]}
    settled_head.invoke("accept", "changed", "count", HEAD, *REASON, "--expires", "2999-01-01")
    assert 0 == settled_head.report("changed", HEAD)["exit_code"]


@pytest.mark.parametrize("words", [("same", HEAD), ("changed", BURN)])
def test_of_what_was_not_compared_nothing_is_said(
    settled_head: Checkout, words: tuple[str, ...]
) -> None:
    """An entry of another experiment or cell than those that run is silent."""
    settled_head.release("old", HEAD)
    report = settled_head.regress(*words)

    assert (0, [], []) == (report["exit_code"], report["accepted"], report["outdated"])


def test_of_a_cell_that_is_unavailable_nothing_is_said(settled_head: Checkout) -> None:
    """Where the head cannot be had, its entries are silent."""
    settled_head.release("old", HEAD)
    settled_head.cut_off(HEAD)
    report = settled_head.regress("changed", HEAD)

    assert (12, []) == (report["exit_code"], report["outdated"])


def test_comments_survive(settled_head: Checkout) -> None:
    """What people wrote around the entries stays when one is added and one is replaced."""
    path = settled_head.project.accepted_path
    path.write_text("# Mine.\n" + path.read_text().replace("to: 4", "to: 4  # was 3") + "# End.\n")
    settled_head.release("new", HEAD)
    settled_head.edit("burn/changed.py", "4 if NEW", "5 if NEW")
    settled_head.regress("changed", HEAD)
    settled_head.invoke("accept", "--all", *REASON)
    text = path.read_text()

    assert text.startswith("# Mine.\n# Accepted differences")
    assert text.endswith("# End.\n")
    assert "\n# was 3\n- cell: burn-main\n" in text
    assert 5 == entries(settled_head)[1]["to"]


@pytest.mark.parametrize("verb", ["regress", "report", "accept", "review"])
def test_a_broken_file_is_2(settled_head: Checkout, verb: str) -> None:
    """A file that is wrong is named with its line, before anything runs."""
    settled_head.edit("baselines/accepted.yaml", "variant: count", "variant: counts")
    settled_head.started()
    words = (
        ("--all", *REASON) if verb == "accept" else () if verb == "review" else ("changed", HEAD)
    )
    answer = settled_head.invoke(verb, *words)

    assert 2 == answer.code
    assert "accepted.yaml:14: 1.variant: no variant 'counts'; allowed: flag, count" in answer.err
    assert [] == settled_head.started()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--expires", "tomorrow"), "--expires tomorrow: "),
        (("--expires", "2026-01-01"), "--expires 2026-01-01: that day is over"),
    ],
)
def test_a_last_day_that_is_none(head: Checkout, words: tuple[str, ...], said: str) -> None:
    """A day that is none or is over is refused, and nothing is accepted."""
    answer = head.invoke("accept", *FLAG, *REASON, *words)

    assert (2, []) == (answer.code, entries(head))
    assert said in answer.err


@pytest.mark.parametrize("option", [("--link", "https://x"), ("--expires", "2999-01-01")])
def test_a_baseline_has_no_last_day(accepted: Checkout, option: tuple[str, str]) -> None:
    """A cell with baselines of its own has no place for a link or a last day: exit 2."""
    accepted.edit("burn/same.py", "the same words", "other words")
    accepted.regress("same", BURN)
    before = accepted.snapshot("baselines")
    answer = accepted.invoke("accept", "same", *REASON, *option)

    assert 2 == answer.code
    assert f"{option[0]}: {BURN} has baselines of its own" in answer.err
    assert before == accepted.snapshot("baselines")


def test_what_is_new_is_accepted_of_the_reference_first(accepted: Checkout) -> None:
    """What the reference has no baseline of cannot be accepted of the head, and it says so."""
    accepted.project.baselines.path("panics", BURN).unlink()
    told = accepted.invoke("regress", "panics", HEAD)
    answer = accepted.invoke("accept", "panics", HEAD, *REASON)

    assert (11, 2) == (told.code, answer.code)
    assert f"nox -s regress -- panics {BURN}" in told.out
    assert f"{HEAD} is held against {BURN}: accept what is new there first." in answer.err


def test_a_baseline_of_a_head_is_unreferenced(settled_head: Checkout) -> None:
    """A baseline file that an earlier version wrote for a head is reported, and not read."""
    folder = settled_head.root / "baselines" / "changed"
    text = (folder / f"{BURN}.json").read_text().replace(BURN, HEAD)
    (folder / f"{HEAD}.json").write_text(text.replace('"count": 3', '"count": 9'))
    report = settled_head.report("changed", HEAD)

    assert 0 == report["exit_code"]
    lost = f"{folder}/{HEAD}.json: {HEAD} is held against {BURN} and has no baselines"
    assert lost in report["unreferenced"]
