"""The one rule by which two records differ."""

import itertools
import math
from dataclasses import replace

import builders
import pytest
import strategies
from hypothesis import assume, given
from hypothesis import strategies as st

from harness import compare, tensors
from harness.model import Difference, Observation, Outcome, Severity, Tolerance

D = Difference


def only(contract, expected, observed, **how):
    """Return the sole change between two records, or None."""
    found = compare.changes(contract, expected, observed, **how)
    assert len(found) <= 1
    return found[0] if found else None


def between(old, new, *, rule=None, same_machine=False):
    """Return the sole change of one observation, `x`."""
    contract = builders.contract(rule or Observation(name="x"))
    return only(
        contract, builders.observed(x=old), builders.observed(x=new), same_machine=same_machine
    )


def kind(change):
    """Return a change's class."""
    return change and change.kind


# --- nothing differs ------------------------------------------------------------------------------


@given(record=strategies.records(), same_machine=st.booleans())
def test_a_record_does_not_differ_from_itself(record, same_machine):
    """compare(x, x) is empty for every record, with and without annotations in the contract."""
    signed = [Observation(name=name, signed_zero=True) for name in record.observations]
    for contract in (builders.contract(), builders.contract(*signed)):
        assert [] == compare.changes(contract, record, record, same_machine=same_machine)


@given(record=strategies.records())
def test_provenance_and_key_are_not_compared(record):
    """What ran is recorded and shown, but is no behaviour."""
    other = replace(record, key="other", provenance={"seconds": 1}, cell=builders.BURN)
    assert [] == compare.changes(builders.contract(), record, other)


# --- outcome × outcome ----------------------------------------------------------------------------

GONE = {Outcome.NOT_BUILT, Outcome.UNSUPPORTED, Outcome.INVALID, Outcome.UNAVAILABLE}
FELL = {Outcome.CRASHED, Outcome.TIMED_OUT}


def expected_class(old, new):
    """Return the class of two outcomes as the table in the documentation has it."""
    if old is new:
        return None
    if new in GONE:
        return D.API_GONE
    if new in FELL:
        return D.NEW_CRASH
    if old in GONE:
        return D.API_NEW
    if new is Outcome.OBSERVED:
        return D.PANIC_FIXED
    return D.NEW_PANIC if old is Outcome.OBSERVED else D.ERROR_KIND


@pytest.mark.parametrize(("old", "new"), [*itertools.product(Outcome, repeat=2)])
def test_outcomes_match_totally(old, new):
    """Every pair of outcomes has a class, none only where they are equal."""
    change = only(builders.contract(), builders.record(old), builders.record(new))
    assert expected_class(old, new) == kind(change)
    assert (old is new) == (change is None)
    assert change is None or change.kind.severity in Severity


@pytest.mark.parametrize(("old", "new"), [*itertools.permutations(Outcome, 2)])
def test_what_broke_off_does_not_list_what_is_missing(old, new):
    """Where the outcome differs, observations that only one side made are not said again."""
    contract = builders.contract("a", "b", "c")
    expected = builders.record(old, observations={"a": 1, "b": True})
    observed = builders.record(new, observations={"b": False, "c": 1})
    kinds = [change.kind for change in compare.changes(contract, expected, observed)]
    assert [expected_class(old, new), D.FLAG_FLIP] == kinds


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (builders.raised("E", "a"), builders.raised("F", "a"), D.ERROR_KIND),
        (builders.raised("E", "a"), builders.raised("F", "b"), D.ERROR_KIND),
        (builders.raised("E", "a"), builders.raised("E", "b"), D.MESSAGE_ONLY),
        (builders.raised("E", "a"), builders.raised("E", "a"), None),
        (
            builders.record(Outcome.CRASHED, reason="killed by SIGSEGV"),
            builders.record(Outcome.CRASHED, reason="out of memory"),
            D.ERROR_KIND,
        ),
        (
            builders.record(Outcome.NOT_BUILT, reason="error[E0599]"),
            builders.record(Outcome.NOT_BUILT, reason="error[E0433]"),
            D.MESSAGE_ONLY,
        ),
    ],
)
def test_equal_outcomes_are_looked_into(old, new, expected):
    """Two exceptions differ by type, then by text; two crashes by their reason."""
    assert expected == kind(only(builders.contract(), old, new))


def test_what_is_missing_is_said_where_both_ended_alike():
    """Two exceptions with other words do not excuse what only one of them observed."""
    old, new = (builders.raised("E", text, observations={text: 1}) for text in ("a", "b"))
    kinds = [change.kind for change in compare.changes(builders.contract("a", "b"), old, new)]
    assert [D.MESSAGE_ONLY, D.OBSERVATION_GONE, D.OBSERVATION_ADDED] == kinds


@given(record=strategies.records(), data=st.data())
def test_a_change_of_how_it_ended_is_found(record, data):
    """Exception, its text, and the reason: a change of any one is found, whatever the outcome."""
    leaves = {"raised": st.none() | strategies.exceptions, "reason": st.text()}
    leaf = data.draw(st.sampled_from(sorted(leaves)))
    other = replace(record, **{leaf: data.draw(leaves[leaf])})
    assume(getattr(other, leaf) != getattr(record, leaf))
    change = only(builders.contract(), record, other)
    old, new = ((one.raised and one.raised.type) for one in (record, other))
    crashed = leaf == "reason" and record.outcome is Outcome.CRASHED
    assert (D.ERROR_KIND if old != new or crashed else D.MESSAGE_ONLY) is change.kind
    assert "outcome" == change.observation


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (builders.record(), "observed"),
        (builders.raised("E", "no"), "raised E: no"),
        (
            builders.record(Outcome.CRASHED, reason="killed by SIGSEGV"),
            "crashed: killed by SIGSEGV",
        ),
    ],
)
def test_an_outcome_in_words(record, expected):
    """An outcome is said with its exception or its reason."""
    assert expected == compare.says(record)


# --- any one leaf ---------------------------------------------------------------------------------


def moves(value):
    """Return the rule of a flag that says that something moves."""
    return Observation(name="x", moves=value)


F32 = builders.tensor([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    ("old", "new", "rule", "expected"),
    [
        (True, False, moves(False), D.FLAG_FLIP),
        (False, True, moves(False), D.FLAG_FLIP),
        (True, False, moves(True), D.BECAME_NO_OP),
        (False, True, moves(True), D.FLAG_FLIP),
        (3, 4, None, D.COUNT_CHANGE),
        ("a", "b", None, D.TEXT_CHANGE),
        ("a", "a ", None, D.TEXT_CHANGE),
        ([0, 1], [0, 0], None, D.COUNT_CHANGE),
        ([0], [0, 0], None, D.COUNT_CHANGE),
        (True, 1, None, D.SHAPE_OR_DTYPE),
        (0, False, None, D.SHAPE_OR_DTYPE),
        (1, "1", None, D.SHAPE_OR_DTYPE),
        ("a", [0], None, D.SHAPE_OR_DTYPE),
        (1, builders.tensor(1.0), None, D.SHAPE_OR_DTYPE),
        (F32, builders.tensor([[1.0, 2.0], [3.0, 4.0]], "float64"), None, D.SHAPE_OR_DTYPE),
        (F32, builders.tensor([1.0, 2.0, 3.0, 4.0]), None, D.SHAPE_OR_DTYPE),
        (builders.tensor([], shape=[0]), builders.tensor([], shape=[0, 2]), None, D.SHAPE_OR_DTYPE),
        (F32, builders.tensor([[1.0, 2.0], [3.0, "NaN"]]), None, D.NON_FINITE),
        (F32, builders.tensor([[1.0, 2.0], ["Infinity", 4.0]]), None, D.NON_FINITE),
        (builders.tensor(["NaN"]), builders.tensor([0.0]), None, D.NON_FINITE),
        (builders.tensor(["Infinity"]), builders.tensor(["-Infinity"]), None, D.NON_FINITE),
        (builders.tensor(["Infinity"]), builders.tensor(["NaN"]), None, D.NON_FINITE),
        (builders.tensor(["NaN"]), builders.tensor(["NaN"]), None, None),
        (builders.tensor([-0.0]), builders.tensor([0.0]), None, None),
        (builders.tensor([1, 2], "int64"), builders.tensor([1, 3], "int64"), None, D.VALUE_DRIFT),
        (
            builders.tensor([2**53], "int64"),
            builders.tensor([2**53 + 1], "int64"),
            None,
            D.VALUE_DRIFT,
        ),
        (builders.tensor([True], "bool"), builders.tensor([False], "bool"), None, D.VALUE_DRIFT),
        (1, None, None, D.OBSERVATION_GONE),
        (None, 1, None, D.OBSERVATION_ADDED),
    ],
)
def test_every_kind_of_value(old, new, rule, expected):
    """A change of any leaf has its class; NaN equals NaN, and −0 is 0 unless told apart."""
    observe = [builders.observed(**({} if value is None else {"x": value})) for value in (old, new)]
    contract = builders.contract(rule or Observation(name="x"))
    assert expected == kind(only(contract, *observe))


def test_an_observation_that_no_contract_lists_is_compared():
    """A name that the contract does not know is compared by the defaults."""
    assert D.COUNT_CHANGE == kind(
        only(builders.contract(), builders.observed(y=1), builders.observed(y=2))
    )


@given(record=strategies.records(), data=st.data())
def test_a_change_of_one_observation_is_found(record, data):
    """Whatever a record holds, exchanging one observation for a different one is found, alone."""
    assume(record.observations)
    name = data.draw(st.sampled_from(sorted(record.observations)))
    new = data.draw(strategies.observations)
    old = record.observations[name]
    assume(not compare_equal(old, new))
    changed = replace(record, observations={**record.observations, name: new})
    change = only(builders.contract(name), record, changed, same_machine=True)
    assert name == change.observation
    assert (old, new) == (change.expected, change.observed)


def compare_equal(old, new):
    """Are two values equal as the rule has it: of one type, and −0 equal to 0?"""
    return type(old) is type(new) and old == new


@given(drawn=strategies.elements(strategies.floats), data=st.data())
def test_one_element_beyond_tolerance_is_found(drawn, data):
    """An element that moves by more than the tolerance is value_drift, and its place is named."""
    dtype, shape, values = drawn
    stored = tensors.stored(*drawn)
    flat = [*tensors.flat(stored["values"])]
    finite = [place for place, value in enumerate(flat) if not isinstance(value, str)]
    assume(finite)
    place = data.draw(st.sampled_from(finite))
    values[place] = 7.0 if abs(flat[place]) > 1000 else 2000.0
    measure = between(stored, tensors.stored(dtype, shape, values)).measure
    at = 0
    for size, index in zip(shape, measure.index, strict=True):
        at = at * size + index
    assert (place, 1, len(flat)) == (at, measure.differing, measure.n)


@given(drawn=strategies.elements(), data=st.data())
def test_one_element_less_finite_is_found(drawn, data):
    """An element that becomes NaN is non_finite, at its place."""
    dtype, shape, values = drawn
    assume(values and dtype in tensors.FLOATS)
    place = data.draw(st.integers(0, len(values) - 1))
    assume(values[place] != "NaN")
    old = tensors.stored(dtype, shape, values)
    values[place] = "NaN"
    change = between(old, tensors.stored(dtype, shape, values))
    assert D.NON_FINITE is change.kind
    assert 1 == change.measure.differing


@given(drawn=strategies.elements(strategies.integers), data=st.data())
def test_one_integer_is_found(drawn, data):
    """An integer that differs by one is value_drift, however large it is."""
    dtype, shape, values = drawn
    assume(values and dtype != "bool")
    old = tensors.stored(dtype, shape, values)
    place = data.draw(st.integers(0, len(values) - 1))
    values = [*values]
    values[place] += 1 if values[place] < 0 else -1
    change = between(old, tensors.stored(dtype, shape, values))
    assert (D.VALUE_DRIFT, 1.0) == (change.kind, change.measure.max_abs)


# --- tolerance ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dtype", "rtol", "atol"),
    [
        ("float16", 1e-3, 1e-5),
        ("bfloat16", 1.6e-2, 1e-5),
        ("float32", 1.3e-6, 1e-5),
        ("float64", 1e-7, 1e-7),
    ],
)
def test_defaults_are_those_of_assert_close(dtype, rtol, atol):
    """The defaults are the table in the documentation of torch.testing.assert_close."""
    assert Tolerance(rtol=rtol, atol=atol) == compare.DEFAULTS[dtype]


def test_every_float_has_a_default():
    """No dtype of floats is without a tolerance."""
    assert set(compare.DEFAULTS) == tensors.FLOATS


@pytest.mark.parametrize(
    ("expected", "observed", "rtol", "atol", "close"),
    [
        (1.0, 1.5, 0.0, 0.5, True),
        (1.0, 1.5, 0.0, 0.4999, False),
        (1.0, 1.5, 0.5, 0.0, True),
        (1.5, 1.0, 0.3334, 0.0, True),
        (1.0, 1.5, 0.3334, 0.0, False),  # the rule is relative to what was expected alone
        (0.0, 1e-300, 1.0, 0.0, False),
        (2.0, 1.0, 0.25, 0.5, True),
        (-2.0, -1.0, 0.25, 0.5, True),
        (-2.0, 2.0, 1.0, 1.0, False),
    ],
)
def test_the_rule(expected, observed, rtol, atol, close):
    """Close is |observed − expected| ≤ atol + rtol · |expected|."""
    rule = Observation(name="x", tolerance=Tolerance(rtol=rtol, atol=atol))
    old, new = builders.tensor([expected], "float64"), builders.tensor([observed], "float64")
    assert (None if close else D.VALUE_DRIFT) == kind(between(old, new, rule=rule))


@given(
    old=st.floats(-1e6, 1e6), new=st.floats(-1e6, 1e6), rtol=st.floats(0, 1), atol=st.floats(0, 10)
)
def test_the_rule_at_large(old, new, rtol, atol):
    """The rule holds for any two numbers and any tolerance."""
    tolerance = Tolerance(rtol=rtol, atol=atol)
    found, _ = compare.elements([old], [new], [1], tolerance)
    close = abs(new - old) <= atol + rtol * abs(old)
    assert (D.VALUE_DRIFT if not close else D.ROUNDING if old != new else None) == found


def test_rounding_is_reported_on_one_machine_only():
    """Bits that differ within tolerance say nothing where the machines differ, or may."""
    old, new = builders.tensor([1.0]), builders.tensor([1.0000001])
    records = (builders.observed(x=one) for one in (old, new))
    assert [] == compare.changes(builders.contract("x"), *records)
    assert D.ROUNDING is kind(between(old, new, same_machine=True))
    assert between(old, new) is None


def test_tolerance_is_for_floats():
    """Integers and booleans compare exactly, whatever the contract says."""
    rule = Observation(name="x", tolerance=Tolerance(rtol=1.0, atol=10.0))
    old, new = builders.tensor([1], "int64"), builders.tensor([2], "int64")
    assert D.VALUE_DRIFT is kind(between(old, new, rule=rule))


@pytest.mark.parametrize(("old", "new"), [(0.0, -0.0), (-0.0, 0.0)])
def test_minus_zero_where_the_contract_asks(old, new):
    """x-signed-zero tells −0 from 0, and only then."""
    rule = Observation(name="x", signed_zero=True)
    old, new = builders.tensor([5.0, old]), builders.tensor([5.0, new])
    assert D.VALUE_DRIFT is kind(between(old, new, rule=rule))
    assert between(old, old, rule=rule) is None
    assert between(old, new) is None


# --- how far --------------------------------------------------------------------------------------


def test_the_measure_is_of_the_worst_element():
    """max|diff| and its place are of the worst element; the relative one is the worst of all."""
    old = builders.tensor([[1.0, 2.0, 4.0], [1e-3, 0.0, 8.0]], "float64")
    new = builders.tensor([[1.0, 2.0, 4.5], [2e-3, 0.0, 7.0]], "float64")
    measure = between(old, new).measure
    assert (6, (1, 2), 3) == (measure.n, measure.index, measure.differing)
    assert (1.0, 1.0) == (measure.max_abs, measure.max_rel)


def test_the_measure_of_little():
    """Both distances begin at nothing."""
    measure = between(builders.tensor([4.0]), builders.tensor([5.0])).measure
    assert (1.0, 0.25) == (measure.max_abs, measure.max_rel)


@pytest.mark.parametrize(
    ("old", "new", "signed", "index", "max_abs", "differing"),
    [
        ([1.0, 0.0, 5.0], [1.0, -0.0, 5.0], True, (1,), 0.0, 1),
        ([0.0, 0.0, 5.0], [-0.0, -0.0, 5.0], True, (0,), 0.0, 2),
        ([0.0, 2.0, 5.0], [-0.0, 2.0, 5.5], True, (2,), 0.5, 2),
        ([1.0, 2.0, 5.0], [1.5, "NaN", 7.0], False, (1,), 2.0, 3),
        ([1.0, 2.0, "NaN"], [1.5, "Infinity", "Infinity"], False, (1,), 0.5, 3),
        (["NaN", 2.0, 5.0], ["NaN", 2.0, 5.5], False, (2,), 0.5, 1),
        (["Infinity", 2.0, 5.0], ["Infinity", 2.0, 5.5], False, (2,), 0.5, 1),
    ],
)
def test_the_place(old, new, signed, index, max_abs, differing):
    """The place is the first that is less finite, else the worst, else a zero's new sign."""
    rule = Observation(name="x", signed_zero=signed)
    measure = between(builders.tensor(old), builders.tensor(new), rule=rule).measure
    assert (index, max_abs, differing) == (measure.index, measure.max_abs, measure.differing)


def test_from_zero_the_relative_difference_is_infinite():
    """What was zero differs by infinitely much, relatively."""
    old, new = builders.tensor([0.0]), builders.tensor([1.0])
    assert math.inf == between(old, new).measure.max_rel


def test_an_empty_tensor_is_measured_too():
    """Of no element none differs."""
    nothing = builders.tensor([], shape=[0, 3])
    found, measure = compare.tensor(nothing, nothing, None)
    assert (None, 0, 0, (0, 0)) == (found, measure.n, measure.differing, measure.index)


# --- summaries of large tensors -------------------------------------------------------------------


def large(changes=(), dtype="float32"):
    """Return the summary of 5000 elements, some of them replaced."""
    values = [i % 7 for i in range(5000)]
    for place, value in dict(changes).items():
        values[place] = value
    return tensors.stored(dtype, [5000], values)


SWAPPED = {1: 2, 2: 1}  # between two places of the sample


@pytest.mark.parametrize(
    ("changes", "dtype", "expected"),
    [
        ({}, "float32", None),
        ({0: 9.0}, "float32", D.VALUE_DRIFT),
        ({1: 900.0}, "float32", D.VALUE_DRIFT),
        ({1: "NaN"}, "float32", D.NON_FINITE),
        ({0: "Infinity"}, "float32", D.NON_FINITE),
        ({0: 1e-7}, "float32", D.ROUNDING),
        (SWAPPED, "float32", D.ROUNDING),
        ({0: -0.0}, "float32", D.ROUNDING),
        ({0: 1}, "int64", D.VALUE_DRIFT),
        ({1: 2}, "int64", D.VALUE_DRIFT),
    ],
)
def test_summaries(changes, dtype, expected):
    """Equal digests are the same; else counts, statistics and sample tell drift from rounding."""
    rule = Observation(
        name="x", tolerance=None if dtype == "float32" else Tolerance(rtol=1, atol=9)
    )
    change = between(large(dtype=dtype), large(changes, dtype), rule=rule, same_machine=True)
    assert expected == kind(change)


def test_a_summary_has_no_place():
    """What differs most among statistics and sample has no index in the tensor."""
    measure = between(large(), large({0: 9.0})).measure
    assert ((), 6 + tensors.SAMPLE) == (measure.index, measure.n)


def test_minus_zero_in_a_sample():
    """x-signed-zero is for large tensors too, as far as they are sampled."""
    rule = Observation(name="x", signed_zero=True)
    assert D.VALUE_DRIFT is kind(between(large(), large({0: -0.0}), rule=rule))
    assert between(large({0: -0.0}), large({0: -0.0}), rule=rule) is None


def test_a_summary_of_another_dtype():
    """Dtype and shape come before the digest."""
    assert D.SHAPE_OR_DTYPE is kind(between(large(), large(dtype="float64")))


# --- flaky ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_what_is_flaky_is_left_out(side):
    """An observation that disagrees with itself on either side says nothing; the others do."""
    pair = [
        builders.record(observations={"x": 1, "y": 1}),
        builders.record(observations={"x": 2, "y": 2}),
    ]
    pair[side] = replace(pair[side], flaky=builders.flaky("x"))

    assert "y" == only(builders.contract("x", "y"), *pair).observation


def test_an_outcome_that_is_flaky_is_left_out():
    """Neither how it ended is a change, nor what it could not observe any more."""
    whole = builders.observed(x=1, y=1)
    broken = builders.raised(observations={"x": 1}, flaky=builders.flaky("outcome"))

    assert [] == compare.changes(builders.contract("x", "y"), whole, broken)
    assert [] == compare.changes(builders.contract("x", "y"), broken, whole)
