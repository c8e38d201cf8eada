"""Accepting: what a run proposes becomes a baseline with a reason, and nothing else does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mini.checkout import BURN, TORCH

if TYPE_CHECKING:
    from pathlib import Path

    from mini.checkout import Checkout

REASON = ("--reason", "meant to be so")
CASES = {
    (cell, experiment, variant)
    for cell in (TORCH, BURN)
    for experiment, variant in (
        ("aborts", "default"),
        ("panics", "plain"),
        ("panics", "with_address"),
    )
}


def _baselines(checkout: Checkout) -> set[tuple[str, str, str]]:
    """Return the (cell, experiment, variant) that have a baseline and were not in the checkout."""
    return {
        (cell, experiment, variant)
        for _, experiment, cell in checkout.project.baselines.files()
        for variant in checkout.project.baselines.read(experiment, cell)
        if experiment != "same"
    }


@pytest.fixture
def pending(unaccepted: Checkout, tmp_path: Path) -> Checkout:
    """Copy a checkout whose last run found new behaviour."""
    return unaccepted.copied(tmp_path)


@pytest.fixture(scope="module")
def unaccepted(settled: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Run two experiments that have no baseline."""
    checkout = settled.copied(tmp_path_factory.mktemp("unaccepted"))
    for path, experiment, _ in checkout.project.baselines.files():
        if experiment != "same":
            path.unlink()
    checkout.remove(*(set(checkout.project.contracts) - {"same", "aborts", "panics"}))
    checkout.invoke("regress")
    return checkout


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        (("--all",), CASES),
        (("panics",), {case for case in CASES if "panics" in case}),
        (("panics", "plain"), {case for case in CASES if "plain" in case}),
        (("panics", TORCH), {case for case in CASES if "panics" in case and TORCH in case}),
        (("panics", "plain", BURN), {(BURN, "panics", "plain")}),
        (("aborts", BURN, TORCH), {case for case in CASES if "aborts" in case}),
    ],
)
def test_accept_takes_what_is_named(
    pending: Checkout, words: tuple[str, ...], taken: set[tuple[str, str, str]]
) -> None:
    """`accept` takes an experiment, its variant, its cell, or everything; the rest stays."""
    answer = pending.invoke("accept", *words, *REASON)

    assert (0, taken) == (answer.code, _baselines(pending))
    assert f"{len(taken)} accepted" in answer.out
    assert len(CASES - taken) == len(pending.regress()["new"])
    assert (11 if CASES - taken else 0) == pending.regress()["exit_code"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--all",), "--reason: missing"),
        (("--all", "--reason", "  "), "--reason: missing"),
        (REASON, "give an experiment"),
        (("--all", "panics", *REASON), "give an experiment"),
        (("no_such", *REASON), "no_such: no experiment has that name"),
        (("panics", "no_such", *REASON), "no_such: neither a cell nor a variant of panics"),
        (("same", *REASON), "nothing to accept by that name"),
        (("--all", "--proposed", "no/such/folder", *REASON), "does not exist"),
    ],
)
def test_accept_refuses_what_is_not_clear(
    pending: Checkout, words: tuple[str, ...], said: str
) -> None:
    """Without a reason, or without something that it names, nothing is accepted: exit 2."""
    before = pending.snapshot("baselines")
    answer = pending.invoke("accept", *words)

    assert 2 == answer.code
    assert said in answer.err
    assert before == pending.snapshot("baselines")


def test_a_baseline_says_why_and_when(pending: Checkout) -> None:
    """A baseline keeps its reason, its date, and where it was observed."""
    pending.invoke("accept", "panics", "plain", TORCH, *REASON)
    path = pending.project.baselines.path("panics", TORCH)
    accepted: Any = json.loads(path.read_text())["variants"]["plain"]["accepted"]

    assert "meant to be so" == accepted["reason"]
    assert 10 == len(accepted["date"])
    assert {"versions", "machine", "settings"} == set(accepted["provenance"])


@pytest.mark.parametrize("verb", [("accept", "--all", *REASON), ("review",)])
@pytest.mark.parametrize("value", ["true", "1", "woodpecker"])
def test_ci_accepts_nothing_that_it_observed(
    pending: Checkout, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...], value: str
) -> None:
    """Where CI is set, neither accept nor review writes a baseline: exit 2."""
    monkeypatch.setenv("CI", value)
    before = pending.snapshot("baselines")
    answer = pending.invoke(*verb, stdin="A\nbecause\n")

    assert 2 == answer.code
    assert f"{verb[0]}: refused, since CI is set" in answer.err
    assert before == pending.snapshot("baselines")


@pytest.mark.parametrize("value", ["", "0", "false", "False"])
def test_an_empty_ci_is_no_ci(
    pending: Checkout, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """CI set to nothing, 0 or false is no CI."""
    monkeypatch.setenv("CI", value)

    assert 0 == pending.invoke("accept", "--all", *REASON).code


def test_ci_accepts_what_another_run_proposed(
    pending: Checkout, fresh_elsewhere: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --proposed, another run's proposals are accepted, in CI as well."""
    monkeypatch.setenv("CI", "true")
    folder = str(pending.project.proposed.folder)
    answer = fresh_elsewhere.invoke("accept", "--all", "--proposed", folder, *REASON)

    assert (0, CASES) == (answer.code, _baselines(fresh_elsewhere))
    assert CASES == {
        (cell, experiment, variant)
        for _, experiment, cell in pending.project.proposed.files()
        for variant in pending.project.proposed.read(experiment, cell)
    }


@pytest.fixture
def fresh_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Copy the mini project to another place, as another machine would have it."""
    from mini.checkout import Checkout  # noqa: PLC0415 (a name for types above)

    return Checkout.fresh(tmp_path_factory.mktemp("elsewhere"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"cell": "torch-1.0.0"', '"cell": "torch-9.9.9"', "another experiment's or cell's"),
        ('"outcome": "raised"', '"outcome": "invalid"', "is not allowed"),
        ('"plain": {', '"no_such_variant": {', "variants.no_such_variant"),
        ("{", "[", "not JSON"),
    ],
)
def test_a_broken_proposal_is_refused(pending: Checkout, old: str, new: str, said: str) -> None:
    """A proposal is held against its schema and the contracts before anything is written."""
    pending.edit(f".emberwatch/proposed/panics/{TORCH}.json", old, new)
    before = pending.snapshot("baselines")
    folder = str(pending.project.proposed.folder)
    answer = pending.invoke("accept", "--all", "--proposed", folder, *REASON)

    assert 2 == answer.code, answer.err
    assert said in answer.err
    assert before == pending.snapshot("baselines")


def test_a_value_within_tolerance_keeps_its_text(accepted: Checkout) -> None:
    """Accepting a change of one observation leaves the text of the others as it was."""
    path = accepted.project.baselines.path("same", TORCH)
    before = path.read_text()
    accepted.edit("torch/same.py", "[0.1, 0.2, 0.3, 0.4]", "[0.10000001, 0.2, 0.3, 0.4000001]")
    accepted.edit("torch/same.py", "the same words", "other words")
    accepted.regress("same")
    answer = accepted.invoke("accept", "same", *REASON)
    lines = set(path.read_text().splitlines()) ^ set(before.splitlines())

    assert 0 == answer.code
    assert not [line for line in lines if "0.1" in line or "0.4" in line]
    assert [line for line in lines if "other words" in line]


def test_accepting_what_is_the_same_changes_no_byte(
    accepted: Checkout, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Where all values are within tolerance there is nothing to accept, and git stays quiet."""
    other = accepted.copied(tmp_path_factory.mktemp("other"))
    other.project.baselines.path("same", TORCH).unlink()
    other.edit("torch/same.py", "[0.1, 0.2, 0.3, 0.4]", "[0.10000001, 0.2, 0.3, 0.4]")
    other.regress("same")
    before = accepted.snapshot("baselines")
    folder = str(other.project.proposed.folder)
    answer = accepted.invoke("accept", "--all", "--proposed", folder, *REASON)

    assert 2 == answer.code
    assert "nothing to accept by that name" in answer.err
    assert before == accepted.snapshot("baselines")


def test_a_run_within_tolerance_proposes_nothing(accepted: Checkout) -> None:
    """A rounding difference is no proposal."""
    accepted.edit("torch/same.py", "[0.1, 0.2, 0.3, 0.4]", "[0.10000001, 0.2, 0.3, 0.4]")
    report = accepted.regress("same")

    assert 0 == report["exit_code"]
    assert [] == list(accepted.project.proposed.files())


@pytest.mark.parametrize(
    ("script", "taken", "said"),
    [
        ("q\n", 0, ["1 of 6", "0 accepted"]),
        ("s\n" * 6, 0, ["6 of 6", "0 accepted"]),
        ("\n" * 6, 0, ["6 of 6", "0 accepted"]),
        ("a\nwhy\nq\n", 1, ["2 of 6", "1 accepted"]),
        ("a\nwhy\na\n\nq\n", 2, ["3 of 6", "2 accepted"]),
        ("s\nA\nwhy\n", 5, ["6 of 6", "5 accepted"]),
        ("A\nwhy\n", 6, ["6 of 6", "6 accepted"]),
        ("i\na\nwhy\nq\n", 1, ["It must cost this one case.", "1 accepted"]),
        ("x\ny\na\nwhy\nq\n", 1, ["1 accepted"]),
        ("r\nq\n", 0, ["rejected", "0 accepted"]),
    ],
)
def test_review_goes_through_them_one_by_one(
    pending: Checkout, script: str, taken: int, said: list[str]
) -> None:
    """`review` accepts, rejects, skips and shows, one case after the other, until told to end."""
    answer = pending.invoke("review", stdin=script)

    assert 0 == answer.code, answer.err
    assert taken == len(_baselines(pending))
    assert [] == [words for words in said if words not in answer.out]


@pytest.mark.parametrize("script", ["", "a\nwhy\n", "s\ni\n", "a\n"])
def test_review_that_breaks_off_keeps_what_was_accepted(pending: Checkout, script: str) -> None:
    """Where the answers end, the review is interrupted, and what was accepted stays so."""
    answer = pending.invoke("review", stdin=script)

    assert 130 == answer.code
    assert script.count("why") == len(_baselines(pending))


@pytest.mark.parametrize("blank", ["", "  "])
def test_review_asks_again_for_a_blank_reason(pending: Checkout, blank: str) -> None:
    """A reason of blanks is none."""
    pending.invoke("review", stdin=f"a\n{blank}\nwhy\nq\n")
    reasons = {
        json.loads(path.read_text())["variants"][variant]["accepted"]["reason"]
        for path, experiment, cell in pending.project.baselines.files()
        for variant in pending.project.baselines.read(experiment, cell)
        if (cell, experiment, variant) in CASES
    }

    assert {"why"} == reasons


def test_what_is_rejected_is_reported_again(pending: Checkout) -> None:
    """Rejecting takes a case off the proposals; the next run that sees it proposes it again."""
    pending.invoke("review", stdin="r\n" * 6)
    empty = pending.invoke("review")
    report = pending.regress()

    assert (0, "Nothing to review: the last run found nothing to accept.\n") == (
        empty.code,
        empty.out,
    )
    assert (11, 6) == (report["exit_code"], len(report["new"]))
    assert 6 == pending.invoke("review", stdin="s\n" * 6).out.count(" of 6  ")


def test_an_accepted_change_is_shown_before_it_is_asked(accepted: Checkout) -> None:
    """`review` says what would change, with its class, before it asks."""
    accepted.edit("burn/same.py", "the same words", "other words")
    accepted.regress("same")
    answer = accepted.invoke("review", stdin="a\nwhy\n")

    assert "change text_change: text  the same words → other words" in answer.out
    assert 0 == accepted.regress("same", BURN)["counts"]["change"]


def test_unreferenced_baselines_are_named(accepted: Checkout) -> None:
    """A baseline that no cell, experiment or variant refers to is reported, and not deleted."""
    folder = accepted.root / "baselines"
    accepted.remove("aborts")
    accepted.remove_variants("panics", "plain")
    text = (folder / "same" / f"{TORCH}.json").read_text()
    (folder / "same" / "torch-0.9.0.json").write_text(text.replace(TORCH, "torch-0.9.0"))
    before = accepted.snapshot("baselines")
    report = accepted.regress("same", "panics")
    told = accepted.invoke("report", "same", "panics").out

    settled = {name for name in ("breaks_contract", "hangs") if (folder / name).exists()}
    assert set() == settled
    assert [
        f"{folder}/aborts/{BURN}.json: no experiment aborts in schemas/experiments/",
        f"{folder}/aborts/{TORCH}.json: no experiment aborts in schemas/experiments/",
        f"{folder}/panics/{BURN}.json: variants.with_address: not in the contract for {BURN}",
        f"{folder}/panics/{TORCH}.json: variants.with_address: not in the contract for {TORCH}",
        f"{folder}/same/torch-0.9.0.json: no cell torch-0.9.0 in matrix.yaml",
    ] == report["unreferenced"]
    assert 0 == report["exit_code"]
    assert "5 unreferenced baselines" in told
    assert before == accepted.snapshot("baselines")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"outcome": "raised"', '"outcome": "perceived"', "variants.plain.outcome"),
        ('"experiment": "panics"', '"experiment": "aborts"', "another experiment's or cell's"),
        ('"variants": {', '"variants": ', "not JSON"),
    ],
)
def test_a_broken_baseline_is_2(accepted: Checkout, old: str, new: str, said: str) -> None:
    """A baseline that is broken is named with its key, and never taken for no baseline."""
    accepted.edit(f"baselines/panics/{TORCH}.json", old, new)
    answer = accepted.invoke("regress", "panics")

    assert 2 == answer.code
    assert f"baselines/panics/{TORCH}.json" in answer.err
    assert said in answer.err
