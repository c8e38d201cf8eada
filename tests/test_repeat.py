"""N runs of a case become one record that says where they disagree."""

from __future__ import annotations

import math
from dataclasses import replace

import builders
import pytest
import strategies
from hypothesis import assume, given
from hypothesis import strategies as st

from harness import compare, documents
from harness.model import Difference, Flaky, Measure, Observation, Outcome, Tolerance
from harness.records import to_document
from harness.repeat import Gathering, Repetitions

CONTRACT = builders.contract("x", "y")


def repeated(*records, contract=CONTRACT):
    """Return the record that runs of one case become."""
    repetitions = Repetitions(contract=contract, first=records[0])
    for record in records[1:]:
        repetitions.add(record)
    return repetitions.record()


def observing(*values):
    """Return the record of as many runs, each of which observed one value of `x`."""
    return repeated(*(builders.observed(x=value) for value in values))


# --- what is flaky --------------------------------------------------------------------------------


@given(record=strategies.records(), runs=st.integers(2, 5))
def test_identical_runs_are_never_flaky(record, runs):
    """However often a case says the same, its record is the first one's, and nothing is flaky."""
    found = repeated(*[record] * runs)

    assert {} == found.flaky
    assert {"runs": runs} == found.provenance["repeated"]
    assert replace(record, provenance={}) == replace(found, provenance={})


@given(
    first=strategies.records(),
    name=strategies.names,
    value=strategies.observations,
    place=st.integers(1, 4),
)
def test_a_planted_disagreement_is_always_flaky(first, name, value, place):
    """One run of five that observes something else, wherever it comes, is found by its name."""
    other = replace(first, observations={**first.observations, name: value})
    kinds = [change.kind for change in compare.changes(CONTRACT, first, other)]
    assume(kinds not in ([], [Difference.ROUNDING]))
    runs = [first] * 5
    runs[place] = other
    flaky = repeated(*runs).flaky

    assert [name] == list(flaky)
    assert (5, 4) == (flaky[name].runs, flaky[name].agreed)


@given(first=strategies.records(), other=strategies.records())
def test_a_flaky_record_says_nothing_against_its_runs(first, other):
    """What is flaky is left out of every comparison; all that is left is what the runs share."""
    found = repeated(first, other)

    assert [] == compare.changes(CONTRACT, found, other)
    assert [] == documents.validate(to_document(found), "record.json")


@pytest.mark.parametrize(
    ("first", "other", "said"),
    [
        (builders.observed(x=1), builders.raised(text="no"), ("observed", "raised panic: no")),
        (builders.raised(text="a"), builders.raised(text="b"), ("panic: a", "panic: b")),
        (
            builders.raised(),
            builders.record(Outcome.CRASHED, reason="killed by SIGSEGV"),
            ("raised panic: no", "crashed: killed by SIGSEGV"),
        ),
        (
            builders.observed(x=1),
            builders.record(Outcome.TIMED_OUT, reason="no end within 60 s"),
            ("observed", "timed_out: no end within 60 s"),
        ),
        (
            builders.observed(x=1),
            builders.record(Outcome.INVALID, reason="x: 1 is no flag"),
            ("observed", "invalid: x: 1 is no flag"),
        ),
    ],
)
def test_an_outcome_that_differs_is_flaky(first, other, said):
    """How a case ends is held against itself as an observation is, under the name `outcome`."""
    there = repeated(first, other).flaky
    back = repeated(other, first).flaky

    assert ["outcome"] == list(there) == list(back)
    for one, words in zip((there["outcome"].first, there["outcome"].other), said, strict=True):
        assert words in one
    assert (there["outcome"].first, there["outcome"].other) == (
        back["outcome"].other,
        back["outcome"].first,
    )


def test_how_many_runs_agree_with_the_first():
    """The first run counts itself, and the first disagreement is the one that is kept."""
    flaky = observing(1, 2, 1, 3, 1).flaky["x"]

    assert Flaky(runs=5, agreed=3, first=1, other=2) == flaky


def test_the_contracts_tolerance_decides():
    """Within the contract's tolerance a value agrees with itself, beyond it, it does not."""
    runs = [builders.observed(x=builders.tensor(value)) for value in (1.0, 1.05)]
    wide = builders.contract(Observation(name="x", tolerance=Tolerance(rtol=0.0, atol=0.1)))
    tight = builders.contract(Observation(name="x", tolerance=Tolerance(rtol=0.0, atol=0.01)))

    assert {} == repeated(*runs, contract=wide).flaky
    assert ["x"] == list(repeated(*runs, contract=tight).flaky)


# --- what is noted --------------------------------------------------------------------------------


def test_bits_that_differ_within_the_tolerance_are_noted():
    """Rounding is no flakiness: its widest measure stands in the provenance."""
    found = observing(*(builders.tensor([1.0, value]) for value in (2.0, 2.000002, 2.0000002)))
    rounding = found.provenance["repeated"]["rounding"]["x"]

    assert {} == found.flaky
    assert 3 == found.provenance["repeated"]["runs"]
    assert (2, [1], 0) == (rounding["n"], rounding["index"], rounding["differing"])
    assert math.isclose(1.9e-6, rounding["max_abs"], rel_tol=0.1)


def test_what_is_flaky_is_not_noted_as_rounding_too():
    """An observation that went beyond its tolerance once is flaky, whatever it did before."""
    found = observing(*(builders.tensor(value) for value in (1.0, 1.0000001, 9.0)))

    assert ["x"] == list(found.flaky)
    assert {"runs": 3} == found.provenance["repeated"]


@pytest.mark.parametrize(
    ("old", "new", "first", "other"),
    [
        (True, False, True, False),
        ("x" * 999, "y" * 999, "x" * 200, "y" * 200),
        ([0] * 999, [1] * 999, [0] * 200, [1] * 200),
        (
            builders.tensor([[1.0, 2.0], [3.0, 4.0]]),
            builders.tensor([[1.0, 2.0], [9.0, 4.1]]),
            3.0,
            9.0,
        ),
        (builders.tensor([1.0, 2.0]), builders.tensor([1.0, math.nan]), 2.0, "NaN"),
        (builders.tensor(1.0), builders.tensor([1.0]), "float32 []", "float32 [1]"),
        (builders.tensor([0.0] * 5000), builders.tensor([1.0] * 5000), *["float32 [5000]"] * 2),
        (builders.tensor(1.0), 1, "float32 []", 1),
    ],
    ids=["flag", "text", "ids", "tensor", "nan", "shape", "large", "kind"],
)
def test_the_values_seen_are_kept_small(old, new, first, other):
    """Of a tensor the element that is farthest off is kept, of a text the beginning."""
    flaky = observing(old, new).flaky["x"]

    assert (first, other) == (flaky.first, flaky.other)


def test_a_value_that_is_not_always_observed():
    """An observation that only some runs make is flaky; the run without it saw nothing."""
    with_, without = builders.observed(x=1, y=2), builders.observed(x=1)

    assert Flaky(runs=2, agreed=1, first=2, other=None) == repeated(with_, without).flaky["y"]
    assert Flaky(runs=2, agreed=1, first=None, other=2) == repeated(without, with_).flaky["y"]


def test_a_measure_says_how_far_and_where():
    """A flaky tensor comes with the distance to the first run that disagreed."""
    measure = observing(builders.tensor([1.0, 2.0]), builders.tensor([1.0, 4.0])).flaky["x"].measure

    assert Measure(n=2, max_abs=2.0, max_rel=1.0, index=(1,), differing=1) == measure


# --- gathering ------------------------------------------------------------------------------------


def test_a_case_is_whole_when_its_last_run_ended():
    """Runs of several cases may come in any order; each case's record comes with its last run."""
    gathering = Gathering(2)
    add = gathering.add

    assert add(0, CONTRACT, builders.observed(x=1)) is None
    assert add(1, CONTRACT, builders.observed(x=5)) is None
    assert {} == add(1, CONTRACT, builders.observed(x=5)).flaky
    assert ["x"] == list(add(0, CONTRACT, builders.observed(x=2)).flaky)
    assert {} == gathering.waiting


def test_a_case_that_runs_once_is_left_as_it_is():
    """Without repetition a record is the run's own, and says nothing of repetitions."""
    record = builders.observed(x=1)

    assert record is Gathering(1).add(0, CONTRACT, record)


def test_memory_does_not_grow_with_the_runs():
    """However many runs there were, the first alone is kept, and one disagreement."""
    repetitions = Repetitions(contract=CONTRACT, first=builders.observed(x=0))
    for number in range(1, 1000):
        repetitions.add(builders.observed(x=number))

    assert 1 == len(repetitions.disagreed)
    assert Flaky(runs=1000, agreed=1, first=0, other=1) == repetitions.record().flaky["x"]
