"""Diff and history through the door that everybody takes, on the mini project."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mini.checkout import BURN, HEAD, TORCH, Checkout

from harness import documents

if TYPE_CHECKING:
    from pathlib import Path

NEXT = "burn-2.0.0"
CELL = f"""\
  {NEXT}:
    framework: burn
    version: 2.0.0
    backend: flex
    group: full
"""


def renew(checkout: Checkout) -> None:
    """Add the next release of burn to the matrix, in which halves do something else."""
    checkout.edit("matrix.yaml", "  burn-main:\n", f"{CELL}  burn-main:\n")
    checkout.release("new", NEXT)


@pytest.fixture(scope="session")
def _upgraded(settled: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Accept what another release does in three experiments."""
    checkout = settled.copied(tmp_path_factory.mktemp("upgraded"))
    renew(checkout)
    checkout.invoke("regress", "changed", "same", "not_built", NEXT, "--jobs", "6")
    answer = checkout.invoke("accept", "--all", "--reason", "the next release does so")
    assert answer.code == 0, answer.err
    return checkout


@pytest.fixture
def upgraded(_upgraded: Checkout, tmp_path: Path) -> Checkout:
    """Copy the mini project with the baselines of two releases of burn."""
    checkout = _upgraded.copied(tmp_path)
    checkout.release("new", NEXT)
    return checkout


def diff(checkout: Checkout, *words: str) -> dict[str, Any]:
    """Return what `diff --json` prints, which its schema allows."""
    answer = checkout.invoke("diff", *words, "--json")
    assert answer.out, answer.err
    document: dict[str, Any] = json.loads(answer.out)
    assert documents.validate(document, "diff.json") == []
    assert document["exit_code"] == answer.code
    return document


def variants(document: dict[str, Any], section: str) -> list[str]:
    """Return the variants with an entry in a section, in order."""
    found = (entry["variant"] for entry in document["entries"] if entry["section"] == section)
    return list(dict.fromkeys(found))


def test_an_upgrade_is_10(upgraded: Checkout) -> None:
    """Every class of difference is in its section, and what has no baseline is listed."""
    document = diff(upgraded, BURN, NEXT)

    assert 10 == document["exit_code"]
    assert ["flag", "no_op", "panics", "crashes"] == variants(document, "break")
    assert {"count", "text", "ids", "value", "shape", "non_finite", "gone", "error_type"} <= set(
        variants(document, "change")
    )
    assert {"rounding", "added", "fixed", "error_text"} == set(variants(document, "note"))
    reasons = {case["reason"] for case in document["not_compared"]}
    assert f"{NEXT} has no baseline" in reasons
    counts = document["counts"]
    total = sum(len(c.variants) for c in upgraded.project.contracts.values())
    assert total == counts["compared"] + counts["not_compared"]


def test_parity_and_code_come_along(upgraded: Checkout) -> None:
    """An entry says what it does to parity with the pinned torch, and has the arm of both halves."""
    entry = diff(upgraded, BURN, NEXT, "changed")["entries"][0]

    assert ("flag", "away") == (entry["variant"], entry["parity"])
    arm = 'case "flag":\n    observe("flag", not NEW)'
    assert {"torch": arm, "burn": arm} == entry["code"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((BURN, BURN), 0),
        ((BURN, NEXT, "same"), 0),
        ((TORCH, TORCH, "panics"), 0),
        ((BURN, NEXT, "changed", "--severity", "break"), 10),
        ((BURN, NEXT, "panics"), 12),
        ((BURN, NEXT, "unsupported"), 12),
        ((BURN, TORCH), 2),
        ((BURN, "burn-3.0.0"), 2),
        ((BURN, NEXT, TORCH), 2),
        ((BURN, NEXT, "no_such_experiment"), 2),
        ((BURN,), 2),
        ((BURN, NEXT, "--severity", "all"), 2),
        ((BURN, HEAD), 12),
    ],
)
def test_the_exit_codes_of_diff(upgraded: Checkout, words: tuple[str, ...], code: int) -> None:
    """0 nothing differs, 10 behaviour does, 12 nothing was compared, 2 for wrong words."""
    assert code == upgraded.invoke("diff", *words).code


def test_notes_alone_are_11(upgraded: Checkout) -> None:
    """Where only words differ, the exit code says that there is something to read."""
    upgraded.remove_variants("changed", "error_text", "rounding")
    document = diff(upgraded, BURN, NEXT, "changed")

    assert (11, 2) == (document["exit_code"], document["counts"]["note"])


def test_cells_of_two_frameworks_are_refused(upgraded: Checkout) -> None:
    """The error names the cells that can be compared, and the verb for torch with burn."""
    answer = upgraded.invoke("diff", BURN, TORCH)

    assert f"burn: {BURN}, {NEXT}, {HEAD}" in answer.err
    assert "nox -s report compares torch with burn" in answer.err


def test_a_diff_as_markdown(upgraded: Checkout) -> None:
    """`--format md` prints what a pull request can hold."""
    answer = upgraded.invoke("diff", BURN, NEXT, "changed", "--format", "md")

    assert 10 == answer.code
    assert answer.out.startswith("## burn\\-1.0.0 → burn\\-2.0.0\n")
    assert "### Breaks" in answer.out


# --- what was run ---------------------------------------------------------------------------------


def test_a_moving_head_is_what_it_last_did(upgraded: Checkout) -> None:
    """A head is never its reference's baselines: without a run an error says what to do."""
    before = upgraded.invoke("diff", BURN, HEAD, "changed")
    upgraded.release("new", HEAD)
    upgraded.invoke("run", HEAD, "changed")
    after = diff(upgraded, BURN, HEAD, "changed")

    assert 12 == before.code
    assert f"nox -s regress -- {HEAD}" in before.err
    assert ({"cell": HEAD, "source": "records"}, 10) == (after["new"], after["exit_code"])


def test_a_head_that_could_not_be_had_is_12(upgraded: Checkout) -> None:
    """When the head's last run was none, records of an earlier one do not stand for it."""
    upgraded.invoke("run", HEAD, "same")
    upgraded.cut_off(HEAD)
    upgraded.invoke("run", HEAD, "same", "--keep-going")
    answer = upgraded.invoke("diff", BURN, HEAD, "same")

    assert 12 == answer.code
    assert "no network" in answer.err


def test_records_instead_of_baselines(upgraded: Checkout) -> None:
    """`--records` takes what was run; a cell without a run is said to be its baselines."""
    upgraded.edit("burn/same.py", 'observe("flag", True)', 'observe("flag", False)')
    upgraded.invoke("run", NEXT, "same")
    (upgraded.project.work / "cells" / f"{BURN}.json").unlink()
    answer = upgraded.invoke("diff", BURN, NEXT, "same", "--records")
    document = diff(upgraded, BURN, NEXT, "same", "--records")

    assert (
        f"{BURN}: no run of this cell is in the work folder; taken from its baselines" in answer.err
    )
    assert ("baselines", "records") == (document["old"]["source"], document["new"]["source"])
    assert ["flag_flip"] == [entry["class"] for entry in document["entries"]]
    assert 0 == diff(upgraded, BURN, NEXT, "same")["exit_code"]


def test_a_record_that_breaks_its_contract_is_not_compared(upgraded: Checkout) -> None:
    """With `--records` an invalid record is listed with what is wrong, and is no difference."""
    upgraded.edit("burn/same.py", 'observe("flag", True)', 'observe("flag", "true")')
    upgraded.invoke("run", NEXT, "same")
    document = diff(upgraded, BURN, NEXT, "same", "--records")

    assert 12 == document["exit_code"]
    assert all(f"{NEXT} invalid: flag" in case["reason"] for case in document["not_compared"])


# --- history --------------------------------------------------------------------------------------


def history(checkout: Checkout, *words: str) -> dict[str, Any]:
    """Return what `history --json` prints, which its schema allows."""
    answer = checkout.invoke("history", *words, "--json")
    assert answer.code == 0, answer.err
    return table(answer.out)


def table(text: str) -> dict[str, Any]:
    """Return an exported table, which its schema allows."""
    document: dict[str, Any] = json.loads(text)
    assert documents.validate(document, "timeline.json") == []
    return document


def test_a_history_over_two_releases(upgraded: Checkout) -> None:
    """What the new release changed holds since then exactly, the rest at most since the oldest."""
    document = history(upgraded, "changed", "flag", "--framework", "burn")
    ((case,),) = ([one["cases"] for one in document["experiments"]],)

    assert ("burn-flex", [], NEXT) == (case[0]["lineage"], case[0]["missing"], case[0]["newest"])
    assert {
        "outcome": ("at_most", BURN),
        "before": ("at_most", BURN),
        "after": ("at_most", BURN),
        "flag": ("exact", NEXT),
    } == {line["observation"]: (line["statement"], line["since"]) for line in case[0]["timelines"]}


def test_a_history_in_a_terminal(upgraded: Checkout) -> None:
    """Without `--json` it is a table; one observation can be asked for."""
    answer = upgraded.invoke("history", "changed", "flag", "--observation", "flag")

    assert 0 == answer.code
    assert f"flag false {NEXT} true ≤ {BURN}" in " ".join(answer.out.split())
    assert "before 1" not in answer.out


def test_the_whole_table_is_exported(upgraded: Checkout) -> None:
    """Without words every experiment's history is written, again byte by byte the same."""
    answer = upgraded.invoke("history")
    path = upgraded.root / "report" / "timeline.json"
    first = path.read_bytes()
    upgraded.invoke("history")

    assert (0, "") == (answer.code, answer.out)
    found = [one["experiment"] for one in table(first.decode())["experiments"]]
    assert list(upgraded.project.contracts) == found
    assert first == path.read_bytes()
    assert [path] == list(path.parent.iterdir())


def test_a_part_can_be_exported(upgraded: Checkout) -> None:
    """`--export` writes what the words select, wherever it is told to."""
    path = upgraded.root / "elsewhere" / "part.json"
    answer = upgraded.invoke("history", "same", "--export", str(path))

    assert 0 == answer.code
    assert ["same"] == [one["experiment"] for one in table(path.read_text())["experiments"]]


def test_an_export_that_fails_leaves_the_old_one(upgraded: Checkout) -> None:
    """When a baseline cannot be read the error names it, and the table stays as it was."""
    upgraded.invoke("history")
    path = upgraded.root / "report" / "timeline.json"
    before = path.read_bytes()
    broken = upgraded.project.baselines.path("same", BURN)
    broken.write_text("{")
    answer = upgraded.invoke("history")

    assert (2, before) == (answer.code, path.read_bytes())
    assert str(broken) in answer.err
    assert [path] == list(path.parent.iterdir())


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (("no_such_experiment",), "Experiments: aborts"),
        (("same", "no_such_variant"), "Variants: default"),
        (("same", "--observation", "no_such"), "Observations: outcome, "),
        (("--observation", "flag"), "nox -s history -- <experiment> --observation flag"),
        (("--framework", "burn"), "--export PATH"),
    ],
)
def test_wrong_words_are_2(upgraded: Checkout, words: tuple[str, ...], allowed: str) -> None:
    """A word that names nothing is refused, and says what there is; nothing is written."""
    answer = upgraded.invoke("history", *words)

    assert (2, "") == (answer.code, answer.out)
    assert allowed in answer.err
    assert not (upgraded.root / "report").exists()
