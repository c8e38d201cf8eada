"""The JSON form of a tensor: shortest decimals, tagged non-finite numbers, summaries of large ones.

A tensor is `{"dtype", "shape", "values"}` with `values` nested as the shape is; above `LARGEST`
elements it is `{"dtype", "shape", "statistics", "digest", "sample"}` instead.
"""

from __future__ import annotations

import hashlib
import math
import struct
from array import array
from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: The most elements that a record stores one by one.
LARGEST = 4096
#: How many elements of a larger tensor are stored, at fixed places.
SAMPLE = 1024
#: The most axes that a tensor may have; torch allows 64.
AXES = 64
#: Above it the sum or the squares of elements may be more than float64 holds.
_SQUARABLE = 1e150

TAGS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_FORMATS = {"float32": "f", "float16": "e", "bfloat16": "f"}
FLOATS = frozenset({"float64", *_FORMATS})
DTYPES = (*sorted(FLOATS), "int32", "int64", "bool")


def number(value: Any) -> float:
    """Return a JSON number or a tagged string as a float."""
    return TAGS[value] if isinstance(value, str) else float(value)


def shortest(value: float, dtype: str) -> float | str:
    """Return the float whose shortest decimal still names `value` in `dtype`, or a tag.

    Adding 0.1 as float32 gives 0.1, not 0.10000000149011612; both languages thus write one text.
    """
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    code = _FORMATS.get(dtype)
    if code is None:
        return value
    try:
        packed = struct.pack(code, value)
    except OverflowError:
        return "Infinity" if value > 0 else "-Infinity"
    for digits in range(6, 10):
        short = float(f"{value:.{digits}g}")
        try:
            if struct.pack(code, short) == packed:
                return short
        except OverflowError:
            continue
    return float(struct.unpack(code, packed)[0])


def exact(values: Sequence[Any], dtype: str) -> list[float]:
    """Return JSON numbers as the floats that the dtype really holds."""
    floats = [number(value) for value in values]
    return array("f", floats).tolist() if dtype in {"float32", "bfloat16"} else floats


def flat(values: Any) -> Iterator[Any]:
    """Yield the elements of nested lists in row-major order; a bare number is a 0-d tensor."""
    if isinstance(values, list):
        for below in values:
            yield from flat(below)
    else:
        yield values


def nested(values: Sequence[Any], shape: Sequence[int]) -> Any:
    """Return a flat row-major sequence nested as the shape is."""
    if not shape:
        return values[0]
    size = math.prod(shape[1:])
    return [nested(values[row * size : (row + 1) * size], shape[1:]) for row in range(shape[0])]


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
    if len(shape) > AXES or (not values and math.prod(takewhile(bool, shape)) > LARGEST):
        raise ValueError(f"shape {shape!r:.60} has too many axes, or too many rows of nothing")
    if dtype in FLOATS:
        bad = [v for v in values if type(v) not in {int, float} and v not in TAGS]
        short = [] if bad else [shortest(number(value), dtype) for value in values]
    else:
        wanted = bool if dtype == "bool" else int
        bad = [v for v in values if type(v) is not wanted]
        short = values
    if bad:
        raise ValueError(f"{bad[0]!r} is no {dtype}")
    head = {"dtype": dtype, "shape": shape}
    if len(short) <= LARGEST:
        return {**head, "values": nested(short, shape)}
    return {**head, **_summary(short, dtype)}


def _summary(values: list[Any], dtype: str) -> dict[str, Any]:
    floats = exact(values, dtype)
    finite = [value for value in floats if math.isfinite(value)]
    largest = max(map(abs, finite), default=0.0)
    scale = largest if largest > _SQUARABLE else 1.0
    scaled = [value / scale for value in finite]
    mean = math.fsum(scaled) / len(scaled) if scaled else 0.0
    spread = math.fsum((value - mean) ** 2 for value in scaled)
    statistics = {
        "mean": mean * scale,
        "std": math.sqrt(spread / len(scaled)) * scale if scaled else 0.0,
        "min": min(finite, default=0.0),
        "max": max(finite, default=0.0),
        "nan": sum(map(math.isnan, floats)),
        "infinite": sum(map(math.isinf, floats)),
    }
    digest = hashlib.sha256(array("d", floats).tobytes()).hexdigest()
    sample = [values[place * len(values) // SAMPLE] for place in range(SAMPLE)]
    return {"statistics": statistics, "digest": f"sha256:{digest}", "sample": sample}
