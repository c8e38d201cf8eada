"""A moving head and its reference that change at once: what is accepted holds in the next report."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from mini.checkout import BURN, HEAD, TORCH

from harness.dashboard import latest, review

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mini.checkout import Checkout

REASON = ("--reason", "meant so")
ALL = ("changed", "--group", "all")
COUNTS = {"old": 3, "new": 4, "odd": 5}
#: How both frameworks' cells and the head change → between which releases the head's entries are.
KINDS = [
    ("new", "new", None),  # alike: nothing is left of the head's difference
    ("new", "odd", ("new", "odd")),  # unlike: what is left is against the new baseline
    ("old", "new", ("old", "new")),  # the head alone
    ("new", "old", None),  # the reference alone: the head's difference is one that nobody saw yet
]
WAYS = ["all", "words", "heads first", "records", "review"]


@pytest.fixture(scope="module")
def both(settled: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Copy the settled checkout; two variants do something else in each release."""
    checkout = settled.copied(tmp_path_factory.mktemp("both"))
    checkout.remove_variants("changed", "count", "text")
    for framework in ("torch", "burn"):
        half = f"{framework}/changed.py"
        checkout.edit(half, "4 if NEW else 3", f"{COUNTS}[RELEASE]")
        checkout.edit(half, '"new words" if NEW else "old words"', 'f"{RELEASE} words"')
    return checkout


@pytest.fixture(scope="module")
def runs(
    both: Checkout, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, str], Checkout]:
    """Run the released cells and the head, each as some release, once for all tests."""
    found = {}
    for released, head, _ in KINDS:
        found[released, head] = checkout = both.copied(tmp_path_factory.mktemp("run"))
        checkout.release(released, TORCH, BURN)
        checkout.release(head, HEAD)
        checkout.regress(*ALL)
    return found


@pytest.fixture
def changed(
    runs: dict[tuple[str, str], Checkout], tmp_path: Path
) -> Callable[[str, str], Checkout]:
    """Return what copies the run in which the cells were some release and the head another."""

    def copied(released: str, head: str) -> Checkout:
        checkout = runs[released, head].copied(tmp_path)
        checkout.release(released, TORCH, BURN)
        checkout.release(head, HEAD)
        return checkout

    return copied


def accept(checkout: Checkout, way: str) -> str:
    """Accept everything in one of the ways that there are; return what was said."""
    arguments: tuple[str, ...] = ("accept", *REASON)
    match way:
        case "all":
            arguments += ("--all",)
        case "words":
            arguments += ("changed",)
        case "heads first":
            arguments += ("changed", HEAD, BURN, TORCH)
        case "records":
            folder = checkout.root / "artifacts"
            for cell in (HEAD, BURN, TORCH):
                one = str(folder / f"observed-{cell}-ubuntu-1")
                checkout.invoke("run", "changed", cell, "--into", one)
            arguments += ("--all", "--records", str(folder))
        case _:
            arguments = ("review",)
    answer = checkout.invoke(*arguments, stdin="A\nbecause\n")
    assert 0 == answer.code, answer.err
    assert "" == answer.err or way == "records"
    return answer.out


def entries(checkout: Checkout) -> list[dict[str, Any]]:
    """Return what accepted.yaml holds."""
    path = checkout.project.accepted_path
    return list(yaml.safe_load(path.read_text()) or []) if path.exists() else []


def between(checkout: Checkout) -> list[tuple[str, Any, Any]]:
    """Return whose entries there are, from what to what."""
    return [(one["cell"], one["from"], one["to"]) for one in entries(checkout)]


def of_head(old: str, new: str) -> list[tuple[str, Any, Any]]:
    """Return the entries of a head that differs as one release does from another."""
    return [(HEAD, COUNTS[old], COUNTS[new]), (HEAD, f"{old} words", f"{new} words")]


@pytest.mark.parametrize(("released", "head", "left"), KINDS)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_accepted_holds_in_the_next_report(
    changed: Callable[[str, str], Checkout],
    way: str,
    released: str,
    head: str,
    left: tuple[str, str] | None,
) -> None:
    """Entries are against the baselines as they are after it, so that none is outdated at once."""
    both = changed(released, head)
    accept(both, way)
    report = both.report(*ALL)
    unseen = (released, head) == ("new", "old")

    assert (of_head(*left) if left else []) == between(both)
    assert (10 if unseen else 0, []) == (report["exit_code"], report["outdated"])
    assert ({HEAD} if unseen else set()) == {line["cell"] for line in report["changes"]}


@pytest.mark.parametrize("way", WAYS)
def test_what_nobody_saw_is_accepted_by_the_next_report(
    changed: Callable[[str, str], Checkout], way: str
) -> None:
    """A head that only its reference's change made different is green when that is accepted too."""
    both = changed("new", "old")
    accept(both, way)
    both.report(*ALL)
    accept(both, way)

    assert of_head("new", "old") == between(both)
    assert 0 == both.report(*ALL)["exit_code"]


@pytest.mark.parametrize("way", WAYS)
def test_a_head_of_which_nothing_is_left_is_said(
    changed: Callable[[str, str], Checkout], way: str
) -> None:
    """Of a head that does as its reference it is said, it is not counted, and is not pending."""
    both = changed("new", "new")
    said = accept(both, way)

    words = f"nothing is left to accept: it does as the new baseline of {BURN}"
    assert 2 == said.count(words)
    assert "4 accepted" in said
    assert f"accepted {HEAD}" not in said
    assert "Nothing to review" in both.invoke("review").out


@pytest.mark.parametrize(("head", "left"), [("new", []), ("odd", of_head("new", "odd"))])
def test_the_reference_first_and_the_head_later(
    changed: Callable[[str, str], Checkout], head: str, left: list[Any]
) -> None:
    """A head that is accepted by a command of its own is held against the new baseline as well."""
    both = changed("new", head)
    both.invoke("accept", "changed", BURN, TORCH, *REASON)
    answer = both.invoke("accept", "changed", HEAD, *REASON)

    assert (0 if left else 2) == answer.code
    assert left == between(both)
    assert 0 == both.report(*ALL)["exit_code"]


def test_the_head_before_its_reference(changed: Callable[[str, str], Checkout]) -> None:
    """A head accepted while its reference waits has entries against the old baseline: it is said."""
    both = changed("new", "new")
    answer = both.invoke("accept", "changed", "count", HEAD, *REASON)

    assert (0, of_head("old", "new")[:1]) == (answer.code, between(both))
    said = f"{HEAD} changed / count: {BURN} waits to be accepted as well, which will outdate this"
    assert said in answer.err


def test_a_reference_that_is_skipped(changed: Callable[[str, str], Checkout]) -> None:
    """In a review the head is asked after its reference, against the baseline that is then there."""
    both = changed("new", "new")
    said = both.invoke("review", stdin="s\ns\na\nwhy\na\n\ns\na\n\n").out
    asked = [line.split("  ", 1)[1] for line in said.splitlines() if " of 6  " in line]

    cases = ["changed / count", "changed / text"]
    assert {f"{cell}  {case}" for cell in (TORCH, BURN) for case in cases} == set(asked[:4])
    assert [f"{HEAD}  {case}" for case in cases] == asked[4:]
    first, second = (said.index(f"{HEAD}  {case}") for case in cases)
    assert "3 → 4" in said[first:second]


@pytest.fixture
def mac(changed: Callable[[str, str], Checkout]) -> Checkout:
    """Run a head that does as its reference on another platform than baselines come from."""
    both = changed("new", "new")
    both.platform = "darwin arm64"
    both.regress(*ALL, "--no-cache")
    return both


def test_on_another_platform_the_page_has_entries_of_both(mac: Checkout) -> None:
    """The review page has the head's entries there whether or not its reference's are ticked."""
    last = latest.of(mac.project, [])
    assert last
    cases = review.of(mac.project, last, datetime.now(tz=UTC).date()).cases
    heads = [one for one in cases if one.key[0] == HEAD]

    assert [(None, 1)] * 2 == [(one.reference, len(one.entries)) for one in heads]


def test_on_another_platform_no_baseline_changes(mac: Checkout) -> None:
    """There the reference gets entries as well, and the head's stay against the same baseline."""
    accept(mac, "all")
    report = mac.report(*ALL)

    assert [TORCH, TORCH, BURN, BURN, HEAD, HEAD] == sorted(
        (one["cell"] for one in entries(mac)), key=[TORCH, BURN, HEAD].index
    )
    assert {3, "old words"} == {one["from"] for one in entries(mac)}
    assert (0, []) == (report["exit_code"], report["outdated"])
