"""How values, counts and changes are worded, for every renderer that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import tensors
from harness.model import Difference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.history import Timeline
    from harness.model import Change, Limit, Measure, Tolerance, Value

_WIDTH = 44


def count(number: int, word: str) -> str:
    """Return `1 note`, `2 notes`, `3 changes`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def unlimited(lacking: Iterable[Limit]) -> str:
    """Return which limits cases ran without, in words."""
    return f"ran without limits on {', '.join(lacking)}, which its system lacks"


def value(one: Value | float | None, place: tuple[int, ...] | None = None) -> str:
    """Return an observation in a few characters; of a tensor, the element at `place`."""
    match one:
        case None:
            return "–"
        case bool():
            return str(one).lower()
        case str():
            return shortened(one)
        case {"shape": list(shape), "values": values}:
            flat = tensors.flat(values)
            if place is None or not flat:
                head = ", ".join(map(str, flat[:4])) + (", …" if len(flat) > 4 else "")
                return head if not shape else f"{shape} {shortened(head)}"
            return str(flat[tensors.offset(place, shape)])
        case {"shape": list(shape), "dtype": dtype}:
            return f"{dtype} {shape}"
        case _:
            return shortened(str(one))


def spelled(words: str) -> str:
    """Return a text whose control characters, and those that turn its direction, are spelled."""
    if words.replace("\n", "").replace("\t", "").isprintable():  # nearly all are
        return words
    return "".join(
        one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode()
        for one in words
    )


def shortened(words: str) -> str:
    """Return a text on one line, cut where it is long."""
    return _cut(" ".join(words.split()))


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"


def sides(change: Change) -> tuple[str, str]:
    """Return what was expected and what was observed, in a few characters each."""
    place = change.measure.index if change.measure and change.measure.n else None
    if change.kind is Difference.SHAPE_OR_DTYPE:
        return _shape(change.expected), _shape(change.observed)
    if isinstance(change.expected, str) and isinstance(change.observed, str):
        return from_first_difference(change.expected, change.observed)
    tensor = isinstance(change.expected, dict) and "values" in change.expected
    return value(change.expected, place if tensor else None), value(
        change.observed, place if tensor else None
    )


def from_first_difference(old: str, new: str) -> tuple[str, str]:
    """Return two texts on a line each, long ones from shortly before the place where they part."""
    common = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    start = common - 12
    if max(len(old), len(new)) <= _WIDTH or common < _WIDTH // 2:
        start = 0
    older, newer = ("…" * bool(start) + one[start:] for one in (old, new))
    if shortened(older) == shortened(newer):  # they part in blanks and newlines alone
        return _cut(repr(older)), _cut(repr(newer))
    return shortened(older), shortened(newer)


def _shape(one: Value | None) -> str:
    if isinstance(one, dict):
        return f"{one['dtype']} {one['shape']}"
    return f"{type(one).__name__} {value(one)}"


def measured(measure: Measure | None) -> str:
    """Return how far apart two tensors are, where, and how many of their elements."""
    if measure is None:
        return ""
    where = list(measure.index)
    share = f" {measure.differing} of {measure.n}" if measure.differing else ""
    at = f" at {where}" if where else ""
    return f"max|diff|={measure.max_abs:.2e} rel={measure.max_rel:.1e}{at}{share}"


def tolerance(one: Tolerance | None) -> str:
    """Return a tolerance as a person writes it, `1e-06+1.3e-06·|x|`; empty where there is none."""
    if one is None:
        return ""
    parts = (f"{one.atol:.0e}" if one.atol else "", f"{one.rtol:.1e}·|x|" if one.rtol else "")
    return "+".join(filter(None, parts)) or "0"


def stages(timeline: Timeline) -> list[str]:
    """Return each value in a few characters, of two tensors the element where they part."""
    values = []
    for number, stage in enumerate(timeline.stages):
        later = timeline.stages[number + 1 : number + 2]
        if stage.change is not None:
            values.append(sides(stage.change)[1] + _at(stage.change))
        elif later and later[0].change is not None:
            values.append(sides(later[0].change)[0] + _at(later[0].change))
        else:
            values.append(value(stage.value))
    return values


def _at(change: Change) -> str:
    """Return which element of a tensor `sides` shows."""
    return f" at {list(change.measure.index)}" if change.measure and change.measure.index else ""
