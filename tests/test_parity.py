"""torch beside burn, by the contract's parity rule."""

import math

import builders
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from harness import parity, tensors
from harness.compare import DEFAULTS, EXACT
from harness.model import (
    Difference,
    Framework,
    Observation,
    Outcome,
    Parity,
    ParityRule,
    Scope,
    Tolerance,
)
from harness.parity import Status

TODAY = "2026-06-01"


def sides(torch, burn, *rules, how=None):
    """Compare two records, or two values of `x`, side by side."""
    variant = builders.variant(parity=how)
    contract = builders.contract(*(rules or ["x", "seen"]), variants=[variant])
    ours, theirs = (
        one if hasattr(one, "outcome") else builders.observed(x=one) for one in (torch, burn)
    )
    return parity.side_by_side(contract, variant, ours, theirs, today=TODAY)


def test_agreement():
    """Where all observations agree within tolerance, the two are the same, and so measured."""
    side = sides(builders.tensor([1.0, 2.0]), builders.tensor([1.0, 2.000001]))
    assert Status.SAME is side.status
    [row] = side.rows
    assert row.change is None
    assert row.measure.max_abs == pytest.approx(1e-6, rel=0.1)
    assert DEFAULTS["float32"] == row.tolerance


def test_equal_tensors_are_measured():
    """Where no bit differs, the row still says over how many elements."""
    [row] = sides(builders.tensor([1.0, 2.0]), builders.tensor([1.0, 2.0])).rows
    assert (2, 0.0, 0.0) == (row.measure.n, row.measure.max_abs, row.measure.max_rel)


@pytest.mark.parametrize(
    ("torch", "burn", "expected"),
    [
        (builders.tensor([1.0]), builders.tensor([1.1]), Difference.VALUE_DRIFT),
        (builders.tensor([1.0]), builders.tensor(["NaN"]), Difference.NON_FINITE),
        (builders.tensor([1.0]), builders.tensor([1.0], "float64"), Difference.SHAPE_OR_DTYPE),
        (builders.tensor([1.0]), builders.tensor([[1.0]]), Difference.SHAPE_OR_DTYPE),
        (builders.tensor([1], "int64"), builders.tensor([2], "int64"), Difference.VALUE_DRIFT),
        (True, False, Difference.FLAG_FLIP),
        (1, 2, Difference.COUNT_CHANGE),
        ("a", "b", Difference.TEXT_CHANGE),
        (1, True, Difference.SHAPE_OR_DTYPE),
    ],
)
def test_mismatch(torch, burn, expected):
    """What differs and is not on record is a mismatch, with the class of its difference."""
    side = sides(torch, burn)
    assert (Status.MISMATCH, [expected]) == (side.status, [row.change.kind for row in side.rows])


def test_what_only_one_framework_has_is_left_out():
    """x-only observations are no part of parity."""
    rules = [
        Observation(name="x"),
        Observation(name="is_tracked", only=Scope(framework=Framework.BURN)),
    ]
    torch = builders.observed(x=1)
    burn = builders.observed(x=1, is_tracked=True)
    side = sides(torch, burn, *rules)
    assert (Status.SAME, ["x"]) == (side.status, [row.observation for row in side.rows])


def test_what_one_side_did_not_observe_is_a_mismatch():
    """Where both ended alike, an observation that one lacks is gone."""
    side = sides(builders.observed(x=1, seen=True), builders.observed(x=1))
    [_, row] = side.rows
    assert (Status.MISMATCH, Difference.OBSERVATION_GONE) == (side.status, row.change.kind)


@pytest.mark.parametrize(
    ("torch", "burn", "status", "kinds"),
    [
        (Outcome.RAISED, Outcome.RAISED, Status.SAME, []),
        (Outcome.CRASHED, Outcome.CRASHED, Status.SAME, []),
        (Outcome.OBSERVED, Outcome.RAISED, Status.MISMATCH, [Difference.NEW_PANIC]),
        (Outcome.OBSERVED, Outcome.CRASHED, Status.MISMATCH, [Difference.ERROR_KIND]),
        (Outcome.RAISED, Outcome.OBSERVED, Status.MISMATCH, [Difference.ERROR_KIND]),
        (Outcome.RAISED, Outcome.CRASHED, Status.MISMATCH, [Difference.ERROR_KIND]),
    ],
)
def test_outcomes_side_by_side(torch, burn, status, kinds):
    """How a case ended is compared, the words of an exception and a panic are not."""
    ours = builders.record(torch, reason="ours")
    theirs = builders.record(burn, reason="theirs")
    side = sides(ours, theirs)
    assert (status, kinds) == (side.status, [row.change.kind for row in side.rows])


def test_what_a_panic_cut_off_is_not_said_again():
    """Where one side ended early, only what both observed is compared."""
    torch = builders.observed(x=1, seen=True)
    burn = builders.raised(observations={"x": 2})
    assert ["outcome", "x"] == [row.observation for row in sides(torch, burn).rows]


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome.TIMED_OUT,
        Outcome.NOT_BUILT,
        Outcome.UNSUPPORTED,
        Outcome.INVALID,
        Outcome.UNAVAILABLE,
    ],
)
def test_what_did_not_end_is_not_compared(outcome):
    """A case that did not come to an end of its own says nothing, on either side."""
    broken = builders.record(outcome, cell=builders.BURN, reason="late")
    for torch, burn in ((builders.record(), broken), (broken, builders.record())):
        side = sides(torch, burn)
        assert Status.NOT_COMPARED is side.status
        assert f"{builders.BURN} {outcome}: late" == side.reason


# --- known divergences ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "seen", "how", "status", "closed"),
    [
        (2, True, builders.differs("x"), Status.KNOWN, ()),
        (2, False, builders.differs("x", "seen"), Status.KNOWN, ()),
        (1, True, builders.differs("x"), Status.CLOSED, ("x",)),
        (2, True, builders.differs("x", "seen"), Status.CLOSED, ("seen",)),
        (2, True, builders.differs("x", "outcome"), Status.CLOSED, ("outcome",)),
        (2, False, builders.differs("x"), Status.MISMATCH, ()),
        (1, False, builders.differs("x"), Status.MISMATCH, ("x",)),
        (2, True, builders.differs("x", expires="2026-05-31"), Status.EXPIRED, ()),
        (2, True, builders.differs("x", expires="2026-06-01"), Status.KNOWN, ()),
        (2, True, builders.differs("x", expires="2026-06-02"), Status.KNOWN, ()),
        (2, False, builders.differs("x", expires="2026-05-31"), Status.MISMATCH, ()),
        (1, True, builders.differs("x", expires="2026-05-31"), Status.EXPIRED, ("x",)),
    ],
)
def test_known_divergences(x, seen, how, status, closed):
    """On record is exactly what differs: more alarms, less is closed, and expiry ends it."""
    torch, burn = builders.observed(x=1, seen=True), builders.observed(x=x, seen=seen)
    side = sides(torch, burn, how=how)
    assert (status, closed, "known to differ") == (side.status, side.closed, side.reason)


def test_a_known_difference_of_outcome():
    """`outcome` stands for how the case ended."""
    side = sides(builders.observed(), builders.raised(), how=builders.differs("outcome"))
    assert (Status.KNOWN, ("outcome",)) == (side.status, side.listed)


# --- tolerance ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variants", "observations", "status"),
    [
        (None, None, Status.MISMATCH),
        (None, 0.5, Status.SAME),
        (0.5, None, Status.SAME),
        (0.5, 0.0, Status.SAME),
        (0.0, 0.5, Status.MISMATCH),
    ],
)
def test_whose_tolerance(variants, observations, status):
    """The variant's own tolerance comes before the observation's, and that before the dtype's."""
    made = [
        Tolerance(rtol=0.0, atol=a) if a is not None else None for a in (variants, observations)
    ]
    how = Parity(rule=ParityRule.SAME, tolerance=made[0])
    rule = Observation(name="x", tolerance=made[1])
    side = sides(builders.tensor([1.0]), builders.tensor([1.25]), rule, how=how)
    assert status is side.status


def test_integers_have_no_tolerance():
    """A variant's tolerance neither applies to integers nor is shown beside them."""
    how = Parity(rule=ParityRule.SAME, tolerance=Tolerance(rtol=0.0, atol=5.0))
    side = sides(builders.tensor([1], "int64"), builders.tensor([2], "int64"), how=how)
    assert (Status.MISMATCH, EXACT) == (side.status, side.rows[0].tolerance)


def test_the_worst_row():
    """The worst row is the one that is farthest apart; without a tensor there is none."""
    torch = builders.observed(x=builders.tensor([1.0]), y=builders.tensor([1.0]), seen=True)
    burn = builders.observed(x=builders.tensor([1.25]), y=builders.tensor([1.5]), seen=True)
    assert "y" == sides(torch, burn, "x", "y", "seen").worst.observation
    assert sides(1, 1).worst is None


# --- layout ---------------------------------------------------------------------------------------


def layout(torch, burn):
    """Return the rule of `x` with its axes named on both sides."""
    return Observation(
        name="x", layout={Framework.TORCH: tuple(torch), Framework.BURN: tuple(burn)}
    )


@given(sizes=st.lists(st.integers(0, 3), min_size=1, max_size=4), data=st.data())
def test_axes_are_put_in_torchs_order(sizes, data):
    """The tensor of burn is compared in torch's layout, for any number of axes in any order."""
    names = "abcd"[: len(sizes)]
    order = data.draw(st.permutations(names))
    size = dict(zip(names, sizes, strict=True))
    index = {name: place for place, name in enumerate(names)}
    values = [float(i) for i in range(math.prod(sizes))]
    torch = tensors.stored("float32", sizes, values)
    turned = tensors.permuted(values, sizes, [index[name] for name in order])
    burn = tensors.stored("float32", [size[name] for name in order], turned)
    side = sides(torch, burn, layout(names, order))
    assert (Status.SAME, torch) == (side.status, side.rows[0].burn)


def test_a_weight_that_is_not_transposed_differs():
    """The same matrix in both languages differs where the layouts do."""
    matrix = builders.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert Status.MISMATCH is sides(matrix, matrix, layout("oi", "io")).status


@pytest.mark.parametrize("burn", [[2, 3, 4], [3], []])
def test_another_number_of_axes_is_another_shape(burn):
    """A tensor with more or fewer axes than the contract names differs in shape, and no more."""
    ours, theirs = (
        builders.tensor([0.0] * math.prod(shape), shape=shape) for shape in ([3, 2], burn)
    )
    for torch, other in ((ours, theirs), (theirs, ours)):
        side = sides(torch, other, layout("oi", "io"))
        assert [Difference.SHAPE_OR_DTYPE] == [row.change.kind for row in side.rows]


@pytest.mark.parametrize(("factor", "status"), [(1.0, Status.SAME), (1.5, Status.MISMATCH)])
def test_large_weights_in_two_layouts(factor, status):
    """A large tensor that only its layout tells apart agrees; its statistics still count."""
    values = [float(i * i % 101) for i in range(5000)]
    turned = [factor * value for value in tensors.permuted(values, [50, 100], [1, 0])]
    torch = tensors.stored("float32", [50, 100], values)
    burn = tensors.stored("float32", [100, 50], turned)
    assert status is sides(torch, burn, layout("oi", "io")).status


@given(stored=strategies.stored)
def test_the_same_layout_changes_nothing(stored):
    """Axes in the same order leave a tensor as it is."""
    assert stored == parity.permuted(stored, list(range(len(stored["shape"]))))


def test_layout_is_for_tensors():
    """A value without axes is left alone."""
    assert Status.SAME is sides(1, 1, layout("oi", "io")).status


# --- flaky ----------------------------------------------------------------------------------------


def test_what_is_flaky_is_left_out():
    """An observation that disagrees with itself on one side is not held against the other's."""
    torch = builders.record(observations={"x": 1, "seen": True})
    burn = builders.record(observations={"x": 2, "seen": True}, flaky=builders.flaky("x"))
    side = sides(torch, burn)

    assert (Status.SAME, ["seen"]) == (side.status, [row.observation for row in side.rows])
    assert Status.SAME is sides(burn, torch).status


def test_what_is_steady_beside_it_is_compared():
    """The other observations of a flaky case agree or not, as ever."""
    torch = builders.record(observations={"x": 1, "seen": True})
    burn = builders.record(observations={"x": 2, "seen": False}, flaky=builders.flaky("x"))

    assert Status.MISMATCH is sides(torch, burn).status


def test_a_flaky_outcome_is_no_mismatch():
    """How a case ends is left out where it disagrees with itself; what it observed is not."""
    torch = builders.record(observations={"x": 1})
    burn = builders.raised(observations={"x": 1}, flaky=builders.flaky("outcome"))

    assert Status.SAME is sides(torch, burn).status


def test_a_known_divergence_that_is_flaky_is_not_closed():
    """Nobody can say that a divergence is gone where one side disagrees with itself."""
    burn = builders.record(observations={"x": 1}, flaky=builders.flaky("x"))
    side = sides(builders.observed(x=1), burn, how=builders.differs("x"))

    assert (Status.KNOWN, ()) == (side.status, side.closed)
