"""The exit code of a whole run says what was found, and never green where nothing was compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mini.checkout import BURN, HEAD, TORCH

from harness import proposals

if TYPE_CHECKING:
    from mini.checkout import Checkout


def test_same_is_0(accepted: Checkout) -> None:
    """Every case compared with its baseline, all the same: exit 0, and nothing else is said."""
    report = accepted.regress()

    assert 0 == report["exit_code"]
    assert report["counts"]["compared"] == report["counts"]["same"] > 80
    assert {"break": 0, "change": 0, "note": 0} == {
        word: report["counts"][word] for word in ("break", "change", "note")
    }
    assert [] == [*report["changes"], *report["new"], *report["invalid"], *report["inconclusive"]]


def test_a_committed_baseline_is_enough(fresh: Checkout) -> None:
    """A fresh checkout compares with the baselines that it comes with."""
    assert 0 == fresh.regress("same")["exit_code"]


def test_a_missing_baseline_is_11(fresh: Checkout) -> None:
    """A case without a baseline is new, never passed."""
    report = fresh.regress("panics", TORCH)

    assert 11 == report["exit_code"]
    assert [(TORCH, "plain"), (TORCH, "with_address")] == [
        (line["cell"], line["variant"]) for line in report["new"]
    ]


@pytest.mark.parametrize(
    ("variant", "kind", "severity", "code"),
    [
        ("flag", "flag_flip", "break", 10),
        ("no_op", "became_no_op", "break", 10),
        ("panics", "new_panic", "break", 10),
        ("crashes", "new_crash", "break", 10),
        ("count", "count_change", "change", 10),
        ("text", "text_change", "change", 10),
        ("ids", "count_change", "change", 10),
        ("value", "value_drift", "change", 10),
        ("far_apart", "value_drift", "change", 10),
        ("shape", "shape_or_dtype", "change", 10),
        ("non_finite", "non_finite", "change", 10),
        ("gone", "observation_gone", "change", 10),
        ("error_type", "error_kind", "change", 10),
        ("error_text", "message_only", "note", 11),
        ("added", "observation_added", "note", 11),
        ("fixed", "panic_fixed", "note", 11),
    ],
)
def test_each_change_has_its_class(
    renewed: Checkout, variant: str, kind: str, severity: str, code: int
) -> None:
    """What a new release does otherwise is one change of one class, and the class decides."""
    renewed.remove_variants("changed", variant)
    report = renewed.report("changed")

    assert {(TORCH, TORCH, kind, severity), (BURN, BURN, kind, severity)} == {
        (line["cell"], line["against"], line["class"], line["severity"])
        for line in report["changes"]
    }
    assert 2 == len(report["changes"])
    assert code == report["exit_code"]


def test_a_rounding_difference_is_0(renewed: Checkout) -> None:
    """A difference within tolerance is no change of behaviour."""
    renewed.remove_variants("changed", "rounding")
    report = renewed.report("changed")

    assert (0, 2) == (report["exit_code"], report["counts"]["compared"])


def test_a_moving_head_is_held_against_its_reference(accepted: Checkout) -> None:
    """A cell without baselines of its own is compared with its reference cell's."""
    accepted.release("new", HEAD)
    report = accepted.regress("changed", HEAD)
    kinds = {line["class"] for line in report["changes"]}

    assert 10 == report["exit_code"]
    assert {(HEAD, BURN)} == {
        (line["cell"], line["against"])
        for line in report["changes"]
        if line["class"] != "parity_lost"
    }
    assert {"new_panic", "value_drift", "parity_lost"} <= kinds


def test_what_a_moving_head_proposes_is_held_against_its_reference(accepted: Checkout) -> None:
    """`review` shows how a head differs from its reference cell, not that it is new."""
    accepted.release("new", HEAD)
    accepted.regress("changed", HEAD)
    pending = proposals.pending(accepted.project, None)

    assert pending
    assert all(one.changes for one in pending)


def test_one_side_that_changes_loses_parity(accepted: Checkout) -> None:
    """Where both baselines agree and the records do not, parity is lost, in burn's name."""
    accepted.edit("torch/same.py", "the same words", "other words")
    report = accepted.regress("same")

    assert [(BURN, "parity_lost", "text"), (TORCH, "text_change", "text")] == sorted(
        (line["cell"], line["class"], line["observation"]) for line in report["changes"]
    )
    assert [("lost", "text")] == [
        (side["status"], row["observation"])
        for side in report["parity"]
        for row in side["rows"]
        if not row["agrees"]
    ]


def test_an_invalid_record_is_10(fresh: Checkout) -> None:
    """A record that breaks its contract is a change of behaviour, and no baseline to be."""
    report = fresh.regress("breaks_contract", BURN)

    assert 10 == report["exit_code"]
    assert 9 == len(report["invalid"])
    assert [] == [*report["new"], *report["changes"]]
    assert [] == list(fresh.project.proposed.files())


def test_a_time_out_without_baseline_is_12(fresh: Checkout) -> None:
    """A case that hangs and has no baseline says nothing, which is inconclusive."""
    fresh.edit("matrix.yaml", "seconds: 2", "seconds: 0.5")
    report = fresh.regress("hangs", BURN)

    assert 12 == report["exit_code"]
    assert {"timed_out: no end within 0.5 s"} == {line["text"] for line in report["inconclusive"]}
    assert [] == report["new"]


def test_an_accepted_time_out_is_the_same(accepted: Checkout) -> None:
    """A hang can be a behaviour: against `observed` it is a break, and once accepted the same."""
    hang = "\n\ndef run(variant):\n    while True:\n        pass\n"
    accepted.edit("matrix.yaml", "seconds: 2", "seconds: 0.5")
    with (accepted.root / "burn" / "panics.py").open("a") as half:
        half.write(hang)
    before = accepted.regress("panics", BURN)
    accepted.invoke("accept", "panics", BURN, "--reason", "it hangs")
    after = accepted.regress("panics", BURN)

    assert (10, {"new_crash"}) == (
        before["exit_code"],
        {line["class"] for line in before["changes"]},
    )
    assert (0, 2) == (after["exit_code"], after["counts"]["same"])


def test_an_empty_plan_is_2(fresh: Checkout) -> None:
    """A word that names nothing is refused, and says what there is."""
    answer = fresh.invoke("regress", "no_such_experiment")

    assert (2, "") == (answer.code, answer.out)
    assert "no_such_experiment: no cell and no experiment has that name" in answer.err
    assert "prints_garbage" in answer.err


def test_a_project_without_experiments_is_2(fresh: Checkout) -> None:
    """Without a contract there is nothing to run, which is not the same as nothing changed."""
    fresh.remove(*fresh.project.contracts)
    answer = fresh.invoke("regress")

    assert 2 == answer.code
    assert "the plan is empty" in answer.err


def test_nothing_compared_is_2(fresh: Checkout) -> None:
    """Where every case is unsupported nothing was compared, which is not green."""
    report = fresh.regress("unsupported", BURN)

    assert (2, 0, 1) == (
        report["exit_code"],
        report["counts"]["compared"],
        report["counts"]["unsupported"],
    )


#: What holds → the exit code that comes first: 2, 10, 12, 11.
_PRECEDENCE = [
    ({"empty", "changed", "unavailable", "new"}, 2),
    ({"changed", "unavailable", "new"}, 10),
    ({"changed", "new"}, 10),
    ({"invalid", "unavailable"}, 10),
    ({"changed", "noted"}, 10),
    ({"unavailable", "new"}, 12),
    ({"unavailable", "noted"}, 12),
    ({"late", "new"}, 12),
    ({"noted"}, 11),
    ({"noted", "new"}, 11),
]


@pytest.mark.parametrize(("holds", "code"), _PRECEDENCE)
def test_the_first_of_several_codes_wins(accepted: Checkout, holds: set[str], code: int) -> None:
    """When several hold, the code is the first of 2, 10, 12, 11."""
    words = {"same"}
    if "empty" in holds:
        words.add("no_such_experiment")
    if "changed" in holds:
        accepted.edit("burn/same.py", 'observe("flag", True)', 'observe("flag", False)')
    if "invalid" in holds:
        accepted.edit("burn/same.py", 'observe("flag", True)', 'observe("flag", "true")')
    if "noted" in holds:
        accepted.edit("burn/panics.py", "the second backward", "the second pass")
        words.add("panics")
    if "new" in holds:
        accepted.project.baselines.path("aborts", BURN).unlink()
        words.add("aborts")
    if "late" in holds:
        accepted.project.baselines.path("segfaults", BURN).unlink()
        accepted.edit("matrix.yaml", "seconds: 2", "seconds: 0.5")
        accepted.edit("burn/segfaults.py", "ctypes.string_at(0)", "__import__('time').sleep(9)")
        words.add("segfaults")
    if "unavailable" in holds:
        accepted.cut_off(TORCH)
    answer = accepted.invoke("regress", *sorted(words), "--keep-going")

    assert code == answer.code, answer.out


@pytest.mark.parametrize("jobs", ["1", "2", "8"])
def test_the_number_of_jobs_changes_nothing(accepted: Checkout, jobs: str) -> None:
    """However many cases run at once, each says the same."""
    report = accepted.regress("same", "panics", "exits_early", "--no-cache", "--jobs", jobs)

    assert (0, 12) == (report["exit_code"], report["counts"]["same"])
