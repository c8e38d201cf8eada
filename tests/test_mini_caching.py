"""A run starts exactly the cases whose record is missing or made of something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mini.checkout import BURN, TORCH

if TYPE_CHECKING:
    from collections.abc import Callable

    from mini.checkout import Checkout

WORDS = ("same", "panics", "unsupported")
#: The cases that those words select.
SELECTED = {
    (TORCH, "same", "default"),
    (BURN, "same", "default"),
    (TORCH, "panics", "plain"),
    (BURN, "panics", "plain"),
    (TORCH, "panics", "with_address"),
    (BURN, "panics", "with_address"),
    (TORCH, "unsupported", "default"),
}


def _of(*words: str) -> set[tuple[str, str, str]]:
    return {case for case in SELECTED if set(words) <= set(case)}


def _same_half(checkout: Checkout) -> None:
    checkout.edit("torch/same.py", "Observe one of each kind.", "Observe five kinds.")


def _same_contract(checkout: Checkout) -> None:
    checkout.edit("schemas/experiments/same.json", "Nothing else", "Nothing at all")


def _support(checkout: Checkout) -> None:
    checkout.edit("burn/support.py", "at once.", "now.")


def _release(checkout: Checkout) -> None:
    checkout.release("newer", TORCH)


def _setting(checkout: Checkout) -> None:
    checkout.edit("matrix.yaml", "mild", "hot")


def _new_setting(checkout: Checkout) -> None:
    checkout.edit("matrix.yaml", "  MINI_SETTING", "  ANOTHER: one\n  MINI_SETTING")


def _limit(checkout: Checkout) -> None:
    checkout.edit("matrix.yaml", "memory_mib: 512", "memory_mib: 513")


def _nothing(_: Checkout) -> None:
    pass


def _comment(checkout: Checkout) -> None:
    checkout.edit("matrix.yaml", "limits:", "# a word about limits\nlimits:")


def _another_cell(checkout: Checkout) -> None:
    checkout.edit("matrix.yaml", "ref: main", "ref: next")


def _another_half(checkout: Checkout) -> None:
    checkout.edit("torch/aborts.py", "Abort.", "Abort now.")


def _record_gone(checkout: Checkout) -> None:
    checkout.project.records.path(TORCH, "same").unlink()


def _record_cut_off(checkout: Checkout) -> None:
    path = checkout.project.records.path(BURN, "panics")
    path.write_bytes(path.read_bytes()[:-30])


def _record_broken(checkout: Checkout) -> None:
    path = checkout.project.records.path(TORCH, "same")
    path.write_bytes(path.read_bytes().replace(b'"observed"', b'"perceived"'))


def _files_moved(checkout: Checkout) -> None:
    for path in (checkout.root / "torch").glob("*.py"):
        path.touch()


@pytest.mark.parametrize(
    ("change", "affected"),
    [
        (_nothing, set()),
        (_comment, set()),
        (_another_cell, set()),
        (_another_half, set()),
        (_files_moved, set()),
        (_same_half, _of("same", TORCH)),
        (_same_contract, _of("same")),
        (_support, _of(BURN)),
        (_release, _of(TORCH)),
        (_setting, SELECTED),
        (_new_setting, SELECTED),
        (_limit, SELECTED),
        (_record_gone, _of("same", TORCH)),
        (_record_broken, _of("same", TORCH)),
    ],
    ids=lambda one: one.__name__.strip("_") if callable(one) else str(len(one)),
)
def test_a_change_runs_exactly_what_it_affects(
    accepted: Checkout, change: Callable[[Checkout], None], affected: set[tuple[str, str, str]]
) -> None:
    """What decides a case's record is its key: a change of it runs the case again, nothing else."""
    change(accepted)
    report = accepted.regress(*WORDS)
    started = accepted.started()

    assert sorted(affected) == sorted(started)
    assert len(started) == sum(cell["ran"] for cell in report["cells"])
    assert len(SELECTED) - len(started) == sum(cell["cached"] for cell in report["cells"])


def test_a_cut_off_record_runs_its_case_again(accepted: Checkout) -> None:
    """Of a file whose last line was cut off, only that line's case is run again."""
    _record_cut_off(accepted)
    report = accepted.regress(*WORDS)

    assert 1 == len(accepted.started())
    assert 0 == report["exit_code"]


def test_no_cache_runs_everything(accepted: Checkout) -> None:
    """`--no-cache` runs every case, up to date or not, and leaves one record of each."""
    accepted.regress(*WORDS, "--no-cache")
    lines = accepted.project.records.path(TORCH, "panics").read_bytes().splitlines()

    assert sorted(SELECTED) == sorted(accepted.started())
    assert 2 == len(lines)


def test_a_second_run_starts_nothing(fresh: Checkout) -> None:
    """An unchanged run starts no case, and says the same."""
    first = fresh.regress(*WORDS)
    fresh.started()
    second = fresh.regress(*WORDS)

    assert [] == fresh.started()
    assert [first[key] for key in ("changes", "new", "parity", "counts")] == [
        second[key] for key in ("changes", "new", "parity", "counts")
    ]


def test_a_change_taken_back_runs_again(accepted: Checkout) -> None:
    """A record stands only for what it was made of: taking a change back runs the case again."""
    accepted.edit("burn/same.py", "the same words", "other words")
    changed = accepted.regress("same")
    accepted.edit("burn/same.py", "other words", "the same words")
    restored = accepted.regress("same")

    assert (10, 0) == (changed["exit_code"], restored["exit_code"])
    assert [(BURN, "same", "default")] * 2 == accepted.started()


def test_a_time_out_is_tried_again(fresh: Checkout) -> None:
    """A time-out says more of the machine than of the framework: the next run tries again."""
    fresh.edit("matrix.yaml", "seconds: 2", "seconds: 0.3")
    fresh.regress("hangs", BURN)
    first = sorted(fresh.started())
    fresh.regress("hangs", BURN)

    assert [(BURN, "hangs", "sleeping"), (BURN, "hangs", "stubborn")] == first
    assert first == sorted(fresh.started())


@pytest.mark.parametrize("words", [("same",), ("same", BURN), ("p*",), ("same", "--no-cache")])
def test_a_partial_run_touches_nothing_else(accepted: Checkout, words: tuple[str, ...]) -> None:
    """A run of a part neither deletes nor ages any baseline, nor the records of the rest."""
    accepted.edit("burn/same.py", "the same words", "other words")
    before = accepted.snapshot("baselines", ".emberwatch/records")
    accepted.regress(*words)
    after = accepted.snapshot("baselines", ".emberwatch/records")
    touched = {name for name in after if after[name] != before.get(name)}

    assert before.keys() == after.keys()
    assert touched <= {
        f".emberwatch/records/{TORCH}/same.jsonl",
        f".emberwatch/records/{BURN}/same.jsonl",
    }


def test_a_partial_run_keeps_the_proposals_of_the_rest(accepted: Checkout) -> None:
    """What an earlier run proposed stays proposed while another part is run."""
    accepted.edit("burn/same.py", "the same words", "other words")
    accepted.regress("same")
    accepted.regress("panics")

    assert [("same", BURN)] == [(e, cell) for _, e, cell in accepted.project.proposed.files()]


def test_no_run_writes_baselines(fresh: Checkout) -> None:
    """A run proposes; only accepting writes baselines."""
    before = fresh.snapshot("baselines", "schemas", "torch", "burn")
    fresh.regress("changed", "same", "panics", "aborts")

    assert before == fresh.snapshot("baselines", "schemas", "torch", "burn")


def test_a_half_that_is_missing_is_named(accepted: Checkout) -> None:
    """A half that a contract asks for and nobody wrote is a mistake with a file name, exit 2."""
    (accepted.root / "torch" / "panics.py").unlink()
    answer = accepted.invoke("regress", "panics")

    assert 2 == answer.code, answer.err
    assert str(accepted.root / "torch" / "panics.py") in answer.err
