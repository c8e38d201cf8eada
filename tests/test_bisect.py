"""Where between two candidates behaviour changes: the search, and what decides."""

from __future__ import annotations

import math

import builders
import pytest
import strategies  # noqa: F401  (its profile knows that a busy machine is no bug)
from hypothesis import given
from hypothesis import strategies as st

from harness import bisect
from harness.bisect import Search, Verdict
from harness.model import Difference, Outcome, Raised


@st.composite
def histories(draw):
    """Draw how many candidates there are, where behaviour changes, and which cannot be told."""
    candidates = draw(st.integers(2, 200))
    change = draw(st.integers(1, candidates - 1))
    inner = st.integers(1, candidates - 2) if candidates > 2 else st.nothing()
    return candidates, change, draw(st.sets(inner))


def searched(candidates, change, untold, third=frozenset()):
    """Return a search that is over, and which places it tried."""
    search = Search(candidates, {0: Verdict.GOOD, candidates - 1: Verdict.BAD})
    tried = []
    while (place := search.next()) is not None:
        tried.append(place)
        told = Verdict.GOOD if place < change else Verdict.BAD
        told = Verdict.OTHER if place in third and place >= change else told
        search.verdicts[place] = Verdict.SKIPPED if place in untold else told
    return search, tried


@given(histories())
def test_the_change_is_among_the_suspects(history):
    """Whatever was changed and whatever cannot be told, the culprit is named."""
    candidates, change, untold = history
    search, _ = searched(candidates, change, untold)

    assert change in search.suspects


@given(histories())
def test_no_suspect_could_have_been_told(history):
    """Every suspect but the last was skipped; a change whose neighbours are told stands alone."""
    candidates, change, untold = history
    search, _ = searched(candidates, change, untold)

    assert set(search.suspects[:-1]) <= untold
    assert [p for p in search.suspects[:-1] if p in search.verdicts] == list(search.suspects[:-1])
    assert search.suspects[-1] not in untold


@given(histories())
def test_it_takes_no_more_steps_than_a_binary_search(history):
    """At most ceil(log2 n) tries for n candidates after the good one, and one for each skipped."""
    candidates, change, untold = history
    _, tried = searched(candidates, change, untold)

    assert len(tried) == len(set(tried))
    assert len(tried) <= math.ceil(math.log2(candidates - 1)) + len(untold & set(tried))


@given(histories())
def test_the_steps_left_are_never_exceeded(history):
    """What is announced before a step is enough where nothing is skipped."""
    candidates, change, _ = history
    search = Search(candidates, {0: Verdict.GOOD, candidates - 1: Verdict.BAD})
    while (place := search.next()) is not None:
        left = search.steps_left
        search.verdicts[place] = Verdict.GOOD if place < change else Verdict.BAD
        assert search.steps_left <= left - 1

    assert 0 == search.steps_left


@given(histories(), st.sets(st.integers(0, 200)))
def test_a_third_behaviour_counts_as_not_good(history, third):
    """Where a candidate is neither good nor bad, the search goes on below it."""
    candidates, change, untold = history
    search, _ = searched(candidates, change, untold, third)

    assert change in search.suspects


def test_a_search_between_neighbours_is_over_at_once():
    """Two candidates need no step."""
    search, tried = searched(2, 1, set())

    assert ([], [1]) == (tried, list(search.suspects))


# --- what decides -----------------------------------------------------------------------------

CONTRACT = builders.contract("x", "y")


def seen(**words):
    """Return one variant's record."""
    return {"default": builders.record(**words)}


GOOD = seen(observations={"x": True, "y": 1})
BAD = seen(observations={"x": False, "y": 2})
OUTCOMES = [Outcome.NOT_BUILT, Outcome.TIMED_OUT, Outcome.INVALID]


@pytest.mark.parametrize(
    ("observed", "observation", "expected"),
    [
        (GOOD, None, Verdict.GOOD),
        (BAD, None, Verdict.BAD),
        (seen(observations={"x": True, "y": 2}), None, Verdict.OTHER),
        (seen(observations={"x": True, "y": 2}), "x", Verdict.GOOD),
        (seen(observations={"x": True, "y": 2}), "y", Verdict.BAD),
        (seen(observations={"x": True, "y": 3}), "y", Verdict.OTHER),
        (seen(observations={"x": True}, outcome=Outcome.CRASHED, reason="gone"), "x", Verdict.GOOD),
        (
            seen(observations={"x": True}, outcome=Outcome.CRASHED, reason="gone"),
            "y",
            Verdict.OTHER,
        ),
        (seen(observations={"x": False, "y": 9}), "outcome", Verdict.GOOD),
    ],
)
def test_a_candidate_is_held_against_both_ends(observed, observation, expected):
    """As the good end is good, as the bad end bad, else neither; an observation can stand alone."""
    assert (expected, "") == bisect.verdict(CONTRACT, GOOD, BAD, observed, observation)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_what_says_nothing_of_behaviour_is_skipped(outcome):
    """A half that does not compile there, or a time-out, tells neither good from bad."""
    told, reason = bisect.verdict(CONTRACT, GOOD, BAD, seen(outcome=outcome, reason="why"), None)

    assert Verdict.SKIPPED is told
    assert "why" in reason


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_it_is_not_skipped_where_it_is_what_an_end_does(outcome):
    """Where the question is since when it does not compile, that is an answer."""
    bad = seen(outcome=outcome, reason="why")

    assert (Verdict.BAD, "") == bisect.verdict(CONTRACT, GOOD, bad, bad, None)


def test_an_observation_alone_is_missed_after_a_panic():
    """What was observed before a panic that hides it differs in that observation."""
    raised = seen(outcome=Outcome.RAISED, raised=Raised(type="panic", text="t"), observations={})
    found = bisect.differences(CONTRACT, GOOD, raised, "y")

    assert [Difference.OBSERVATION_GONE] == [change.kind for change in found["default"]]


def test_rounding_is_no_difference():
    """Two numbers within the contract's tolerance are one behaviour."""
    one, other = (
        seen(observations={"x": builders.tensor([1.0, value])}) for value in (2.0, 2.000_001)
    )

    assert {} == bisect.differences(CONTRACT, one, other, None)
