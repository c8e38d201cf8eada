"""The JSON form of a tensor: shortest decimals, tagged non-finite numbers, summaries of large ones.

A tensor is `{"dtype", "shape", "values"}` with `values` nested as the shape is; above `LARGEST`
elements it is `{"dtype", "shape", "statistics", "digest", "sample"}` instead.
"""

from __future__ import annotations

import hashlib
import math
import struct
from array import array
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The most elements that a record stores one by one.
LARGEST = 4096
#: How many elements of a larger tensor are stored, at fixed places.
SAMPLE = 1024
#: The most axes that a tensor may have; torch allows 64.
AXES = 64

TAGS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
#: How a float is packed, and how many decimal digits always survive it; little-endian, since the
#: native formats pack what is out of range as infinity without an error.
_FORMATS = {"float32": ("<f", 6), "float16": ("<e", 3), "bfloat16": ("<f", 6)}
FLOATS = frozenset({"float64", *_FORMATS})
_INTEGERS = {
    "int32": (int, range(-(2**31), 2**31)),
    "int64": (int, range(-(2**63), 2**63)),
    "bool": (bool, range(2)),
}
DTYPES = (*sorted(FLOATS), *_INTEGERS)


def number(value: Any) -> float:
    """Return a JSON number or a tagged string as a float."""
    return TAGS[value] if isinstance(value, str) else float(value)


def shortest(value: float, dtype: str) -> float | str:
    """Return the float whose shortest decimal still names `value` in `dtype`, or a tag.

    Adding 0.1 as float32 gives 0.1, not 0.10000000149011612; both languages thus write one text.
    """
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if dtype not in _FORMATS:
        return value
    code, survive = _FORMATS[dtype]
    try:
        packed = struct.pack(code, value)
    except OverflowError:
        return "Infinity" if value > 0 else "-Infinity"
    (held,) = struct.unpack(code, packed)
    shorter = (float(f"{held:.{digits}g}") for digits in range(survive, 10))
    return next(short for short in shorter if struct.pack(code, short) == packed)


def exact(values: Sequence[Any], dtype: str) -> list[float]:
    """Return JSON numbers as the numbers that the dtype really holds; integers stay integers."""
    if dtype not in FLOATS:
        return list(values)  # a float64 does not tell 2⁵³ from 2⁵³ + 1
    tagged = str in set(map(type, values))
    floats = list(map(number if tagged else float, values))
    if dtype not in _FORMATS:
        return floats
    code = f"<{len(floats)}{_FORMATS[dtype][0][1]}"
    return list(struct.unpack(code, struct.pack(code, *floats)))


def flat(values: Any) -> list[Any]:
    """Return the elements of nested lists in row-major order; a bare number is a 0-d tensor."""
    if not isinstance(values, list):
        return [values]
    row: list[Any] = values
    while list in (kinds := set(map(type, row))):
        if len(kinds) > 1:  # no tensor, but nobody says so before
            return [element for below in row for element in flat(below)]
        row = list(chain.from_iterable(row))
    return row


def nested(values: Sequence[Any], shape: Sequence[int]) -> Any:
    """Return a flat row-major sequence nested as the shape is."""
    if len(shape) < 2:
        return list(values) if shape else values[0]
    size = math.prod(shape[1:])
    return [nested(values[row * size : (row + 1) * size], shape[1:]) for row in range(shape[0])]


def offset(index: Sequence[int], shape: Sequence[int]) -> int:
    """Return where an element lies in row-major order."""
    place = 0
    for size, position in zip(shape, index, strict=True):
        place = place * size + position
    return place


def permuted(values: Sequence[Any], shape: Sequence[int], axes: Sequence[int]) -> list[Any]:
    """Return a flat tensor with its axes reordered, as `numpy.transpose` would."""
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    offsets = [0]
    for axis in axes:
        offsets = [base + i * strides[axis] for base in offsets for i in range(shape[axis])]
    return [values[offset] for offset in offsets]


def stored(dtype: str, shape: list[int], values: list[Any]) -> dict[str, Any]:
    """Return the record's form of a tensor from its elements in row-major order.

    Raises ValueError when the dtype is unknown, an element is no number of it, or their count is
    not the shape's.
    """
    if dtype not in DTYPES:
        raise ValueError(f"dtype {dtype!r} is not one of {', '.join(DTYPES)}")
    if not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"shape {shape!r} is not a list of sizes")
    if len(values) != math.prod(shape):
        raise ValueError(f"{len(values)} elements for shape {shape!r}")
    if _endless(shape):
        raise ValueError(f"shape {shape!r:.60} has too many axes, or too many rows of nothing")
    bad = _foreign(dtype, values)
    if bad:
        raise ValueError(f"{bad[0]!r} is no {dtype}")
    short = [shortest(number(v), dtype) for v in values] if dtype in FLOATS else values
    head = {"dtype": dtype, "shape": shape}
    if len(short) <= LARGEST:
        return {**head, "values": nested(short, shape)}
    return {**head, **_summary(short, dtype)}


def from_nested(dtype: str, values: Any) -> dict[str, Any]:
    """Return the record's form of nested lists of numbers, whose shape is theirs.

    Raises ValueError when the rows are uneven, or an element is no number of the dtype.
    """
    shape, below = [], values
    while isinstance(below, list):
        shape.append(len(below))
        below = below[0] if below else None
    elements = flat(values)
    tensor = stored(dtype, shape, elements)
    if nested(elements, shape) != values:
        raise ValueError("the rows are not of one length")
    return tensor


def summarised(tensor: Mapping[str, Any], sample: int) -> dict[str, Any]:
    """Return the record's form of a tensor as statistics, digest and so many of its elements."""
    head = {"dtype": tensor["dtype"], "shape": tensor["shape"]}
    if "values" in tensor:
        return {**head, **_summary(flat(tensor["values"]), tensor["dtype"], sample)}
    kept = tensor["sample"]
    fewer = [kept[place * len(kept) // sample] for place in range(sample)] if kept else kept
    return {**tensor, "sample": fewer}


def _endless(shape: Sequence[int]) -> bool:
    """Would the lists that a shape nests eat memory without holding a single element?"""
    return len(shape) > AXES or (0 in shape and math.prod(takewhile(bool, shape)) > LARGEST)


def _is_tag(value: Any) -> bool:
    return isinstance(value, str) and value in TAGS


def _foreign(dtype: str, values: list[Any]) -> list[Any]:
    """Return the elements that are no numbers of the dtype."""
    if dtype in FLOATS:
        return [v for v in values if type(v) not in {int, float} and not _is_tag(v)]
    wanted, span = _INTEGERS[dtype]
    return [v for v in values if type(v) is not wanted or v not in span]


def contradiction(
    tensor: Mapping[str, Any], *, largest: int = LARGEST, sample: int = SAMPLE
) -> str:
    """Return how the record's form of a tensor contradicts itself, which no schema can say."""
    dtype, shape = tensor["dtype"], tensor["shape"]
    whole = "values" in tensor
    values = flat(tensor["values"]) if whole else tensor["sample"]
    bad = _foreign(dtype, values)
    if bad:
        return f"{bad[0]!r} is no {dtype}"
    try:
        exact(values, dtype)
    except OverflowError:
        return f"an element is beyond {dtype}"
    if whole != (math.prod(shape) <= largest) or not (whole or len(values) == sample):
        return f"up to {largest} elements have values, more a summary with {sample} of them"
    if _endless(shape):
        return f"the shape {shape!r:.60} has too many axes, or too many rows of nothing"
    if whole and (len(values) != math.prod(shape) or nested(values, shape) != tensor["values"]):
        return f"the values are not nested as the shape {shape} is"
    return ""


def _summary(values: list[Any], dtype: str, size: int = SAMPLE) -> dict[str, Any]:
    numbers = exact(values, dtype)
    finite = [value for value in numbers if math.isfinite(value)]
    exponent = math.frexp(max(map(abs, finite), default=0))[1]
    scaled = [math.ldexp(value, -exponent) for value in finite]  # so that no square overflows
    mean = math.fsum(scaled) / max(len(scaled), 1)
    spread = math.fsum((value - mean) ** 2 for value in scaled) / max(len(scaled), 1)
    statistics = {
        "mean": math.ldexp(mean, exponent),
        "std": math.ldexp(math.sqrt(spread), exponent),
        "min": float(min(finite, default=0.0)),
        "max": float(max(finite, default=0.0)),
        "nan": sum(map(math.isnan, numbers)),
        "infinite": sum(map(math.isinf, numbers)),
    }
    packed = array("d" if dtype in FLOATS else "q", numbers).tobytes()
    digest = hashlib.sha256(packed).hexdigest()
    sample = [values[place * len(values) // size] for place in range(size)]
    return {"statistics": statistics, "digest": f"sha256:{digest}", "sample": sample}
