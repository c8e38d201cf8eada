"""The JSON form of tensors."""

import itertools
import math
import struct

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import tensors


def bits(value, code):
    """Return the bits of a number or a tag in a C format."""
    return struct.pack(code, tensors.number(value))


@pytest.mark.parametrize(("dtype", "code"), [("float32", "f"), ("float16", "e")])
@given(data=st.data())
def test_shortest_keeps_the_bits(dtype, code, data):
    """The shortest decimal names the same float of the dtype, sign of zero and infinities too."""
    value = data.draw(strategies.floats[dtype].filter(lambda v: not math.isnan(v)))
    assert bits(value, code) == bits(tensors.shortest(value, dtype), code)


@pytest.mark.parametrize(("dtype", "code"), [("float32", "<f"), ("float16", "<e")])
@given(value=st.floats(-60000, 60000))
def test_one_float_has_one_text(dtype, code, value):
    """Whatever decimals a half gives, those that name one float are written alike."""
    (held,) = struct.unpack(code, struct.pack(code, value))
    assert tensors.shortest(held, dtype) == tensors.shortest(value, dtype)


@pytest.mark.parametrize("dtype", sorted(tensors.FLOATS))
@given(data=st.data())
def test_shortest_is_never_longer(dtype, data):
    """The shortest decimal is no longer than Python's own of the same float64."""
    value = data.draw(strategies.floats[dtype].filter(math.isfinite))
    assert len(repr(value)) >= len(repr(tensors.shortest(value, dtype)))


@given(value=st.floats())
def test_shortest_of_float64_is_the_float(value):
    """A float64 is written as Python writes it; only the non-finite become tags."""
    expected = repr(value) if math.isfinite(value) else repr(strategies.tagged(value))
    assert expected == repr(tensors.shortest(value, "float64"))


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (0.10000000149011612, "float32", 0.1),
        (0.10000000149011612, "float64", 0.10000000149011612),
        (0.0999755859375, "float16", 0.1),
        (0.333251953125, "float16", 0.3333),
        (16777216.0, "float32", 16777216.0),
        (3.4028234663852886e38, "float32", 3.4028235e38),
        (3.40282356e38, "float32", 3.4028235e38),
        (1e39, "float32", "Infinity"),
        (-1e39, "bfloat16", "-Infinity"),
        (65520.0, "float16", "Infinity"),
        (65504.0, "float16", 65500.0),
        (math.nan, "float32", "NaN"),
        (math.inf, "float64", "Infinity"),
        (-math.inf, "float16", "-Infinity"),
    ],
)
def test_shortest_table(value, dtype, expected):
    """Decimals are those of the dtype; what it cannot hold is infinite, and tagged."""
    assert expected == tensors.shortest(value, dtype)


def test_minus_zero_keeps_its_sign():
    """−0 is written as −0.0."""
    assert math.copysign(1.0, tensors.shortest(-0.0, "float32")) == -1.0


@given(drawn=strategies.elements())
def test_stored_and_flat_are_inverse(drawn):
    """The flat elements of a stored tensor store as the same tensor again."""
    stored = tensors.stored(*drawn)
    again = tensors.stored(stored["dtype"], stored["shape"], [*tensors.flat(stored["values"])])
    assert stored == again


@given(drawn=strategies.elements())
def test_what_is_stored_does_not_contradict_itself(drawn):
    """Whatever can be stored is found to be in order when it is read."""
    assert "" == tensors.contradiction(tensors.stored(*drawn))


@pytest.mark.parametrize("dtype", tensors.DTYPES)
def test_what_is_summarised_does_not_contradict_itself(dtype):
    """The summary of a large tensor is found to be in order, for every dtype."""
    elements = [True] * 5000 if dtype == "bool" else [1] * 5000
    assert "" == tensors.contradiction(tensors.stored(dtype, [50, 100], elements))


@given(shape=strategies.shapes)
def test_nested_and_flat_are_inverse(shape):
    """Nesting by a shape and flattening gives the elements in row-major order."""
    values = list(range(math.prod(shape)))
    assert values == list(tensors.flat(tensors.nested(values, shape)))


@given(shape=strategies.shapes, data=st.data())
def test_permuted_is_the_index_formula(shape, data):
    """Element (i, j, …) of the permuted tensor is the one whose axes are put back in place."""
    axes = data.draw(st.permutations(range(len(shape))))
    values = list(range(math.prod(shape)))
    expected = []
    for index in itertools.product(*(range(shape[axis]) for axis in axes)):
        place = 0
        for axis, size in enumerate(shape):
            place = place * size + index[axes.index(axis)]
        expected.append(values[place])
    assert expected == tensors.permuted(values, shape, axes)


@given(shape=strategies.shapes, data=st.data())
def test_permuted_back_is_the_tensor(shape, data):
    """The inverse permutation gives the first order back."""
    axes = data.draw(st.permutations(range(len(shape))))
    values = list(range(math.prod(shape)))
    turned = tensors.permuted(values, shape, axes)
    inverse = [axes.index(axis) for axis in range(len(shape))]
    assert values == tensors.permuted(turned, [shape[axis] for axis in axes], inverse)


@pytest.mark.parametrize(
    ("dtype", "shape", "values", "says"),
    [
        ("complex64", [1], [1.0], "dtype 'complex64' is not one of"),
        ("float32", [2], [1.0], r"1 elements for shape \[2\]"),
        ("float32", [], [], "0 elements for shape"),
        ("float32", [-1], [], "not a list of sizes"),
        ("float32", [1.0], [1.0], "not a list of sizes"),
        ("float32", [True], [1.0], "not a list of sizes"),
        ("float32", [10**9, 0], [], r"shape \[1000000000, 0\] has .* too many rows of nothing"),
        ("float32", [1] * 65, [1.0], "too many axes"),
        ("float32", [1], ["nan"], "'nan' is no float32"),
        ("float32", [1], [None], "None is no float32"),
        ("float32", [1], [True], "True is no float32"),
        ("float32", [1], [[1.0]], r"\[1.0\] is no float32"),
        ("float32", [1], [{}], "{} is no float32"),
        ("int32", [1], [2**31], "2147483648 is no int32"),
        ("int32", [1], [-(2**31) - 1], "-2147483649 is no int32"),
        ("int64", [1], [2**63], "9223372036854775808 is no int64"),
        ("int64", [1], [-(2**63) - 1], "-9223372036854775809 is no int64"),
        ("int64", [1], [1.0], "1.0 is no int64"),
        ("int64", [1], [True], "True is no int64"),
        ("bool", [1], [1], "1 is no bool"),
    ],
)
def test_what_is_no_tensor_is_refused(dtype, shape, values, says):
    """A wrong dtype, shape, count or element is named."""
    with pytest.raises(ValueError, match=says):
        tensors.stored(dtype, shape, values)


@pytest.mark.parametrize("size", [tensors.LARGEST, tensors.LARGEST + 1])
def test_large_tensors_are_summarised(size):
    """Up to LARGEST elements stand one by one; above it statistics, digest and sample do."""
    stored = tensors.stored("float32", [size], [0.0] * size)
    expected = {"values"} if size == tensors.LARGEST else {"statistics", "digest", "sample"}
    assert {"dtype", "shape"} | expected == set(stored)


def test_a_summary_says_what_the_elements_are():
    """Statistics are over finite elements; the sample lies evenly over the tensor."""
    values = [float(i) for i in range(5000)]
    values[7], values[8] = "NaN", "-Infinity"
    summary = tensors.stored("float64", [5000], values)
    finite = [value for value in values if isinstance(value, float)]
    mean = sum(finite) / len(finite)
    assert summary["statistics"] == {
        "mean": pytest.approx(mean),
        "std": pytest.approx(math.sqrt(sum((v - mean) ** 2 for v in finite) / len(finite))),
        "min": 0.0,
        "max": 4999.0,
        "nan": 1,
        "infinite": 1,
    }
    assert [values[i * 5000 // 1024] for i in range(1024)] == summary["sample"]


@pytest.mark.parametrize(
    ("dtype", "one", "mean", "std"),
    [
        ("float64", [1.5e308, 1.5e308], 1.5e308, 0.0),
        ("float64", [1.5e308, -1.5e308], 0.0, 1.5e308),
        ("float64", [1e200, 3e200], 2e200, 1e200),
        ("float64", [5e-324, 5e-324], 5e-324, 0.0),
        ("float32", [3.0, 5.0], 4.0, 1.0),
        ("int64", [-(2**63), -(2**63)], -(2.0**63), 0.0),
        ("bool", [True, False], 0.5, 0.5),
    ],
)
def test_statistics_of_large_and_small_numbers(dtype, one, mean, std):
    """Mean and standard deviation neither overflow nor vanish, whatever the dtype holds."""
    statistics = tensors.stored(dtype, [5000], one * 2500)["statistics"]
    near = {"rel": 1e-9, "abs": 1e-9 * max(map(abs, one))}
    assert mean == pytest.approx(statistics["mean"], **near)
    assert std == pytest.approx(statistics["std"], **near)


def test_a_summary_of_no_finite_element():
    """Where nothing is finite, the statistics are zeros."""
    statistics = tensors.stored("float32", [5000], ["NaN"] * 5000)["statistics"]
    assert {
        "mean": 0.0,
        "std": 0.0,
        "min": 0.0,
        "max": 0.0,
        "nan": 5000,
        "infinite": 0,
    } == statistics


@settings(max_examples=10)  # 5000 elements each
@given(place=st.integers(0, 4999), delta=st.sampled_from([1e-6, 1.0, -3.5]))
def test_the_digest_sees_every_element(place, delta):
    """A change of any one element, sampled or not, changes the digest."""
    values = [1.0] * 5000
    before = tensors.stored("float32", [5000], values)["digest"]
    values[place] += delta
    assert before != tensors.stored("float32", [5000], values)["digest"]


def test_the_digest_tells_large_integers_apart():
    """2⁵³ and 2⁵³ + 1, which one float64 stands for, have two digests."""
    first, second = ([2**53 + i] * 5000 for i in (0, 1))
    made = [tensors.stored("int64", [5000], values)["digest"] for values in (first, second)]
    assert made[0] != made[1]


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("float16", 0.0999755859375),
        ("float32", 0.10000000149011612),
        ("bfloat16", 0.10000000149011612),
        ("float64", 0.1),
    ],
)
def test_exact_is_what_the_dtype_holds(dtype, expected):
    """A decimal stands for the dtype's nearest float."""
    assert [expected] == tensors.exact([0.1], dtype)
