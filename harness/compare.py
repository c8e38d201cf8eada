"""(contract, expected, observed) → changes: drift and parity by one written rule; pure.

Two numbers are close when |observed − expected| ≤ atol + rtol · |expected|; NaN equals NaN, an
infinity only itself, and −0 equals 0 unless the contract tells them apart. Everything that is no
float compares exactly.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from harness import tensors
from harness.model import Change, Difference, Measure, Outcome, Tolerance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.model import Contract, Observation, Record, Value

#: The defaults of torch.testing.assert_close.
DEFAULTS: Mapping[str, Tolerance] = {
    "float16": Tolerance(rtol=1e-3, atol=1e-5),
    "bfloat16": Tolerance(rtol=1.6e-2, atol=1e-5),
    "float32": Tolerance(rtol=1.3e-6, atol=1e-5),
    "float64": Tolerance(rtol=1e-7, atol=1e-7),
}
EXACT = Tolerance(rtol=0.0, atol=0.0)


def changes(
    contract: Contract, expected: Record, observed: Record, *, same_machine: bool = False
) -> list[Change]:
    """Return every difference between two records of one variant; empty when they say the same.

    `rounding` is reported only where both were seen on one machine with the same settings. What
    is flaky in either record is left out.
    """
    found = _all_changes(contract, expected, observed, same_machine=same_machine)
    if not (expected.flaky or observed.flaky):
        return found
    flaky = {*expected.flaky, *observed.flaky}
    return [change for change in found if change.observation not in flaky]


def _all_changes(
    contract: Contract, expected: Record, observed: Record, *, same_machine: bool
) -> list[Change]:
    ended = outcome(expected, observed)
    found = [ended] if ended else []
    if _identical(contract, expected.observations, observed.observations):
        return found
    broke_off = bool(found) and observed.outcome is not expected.outcome
    for name in {**expected.observations, **observed.observations}:
        change = observation(contract, name, expected, observed)
        if change is None:
            continue
        if change.kind is Difference.ROUNDING and not same_machine:
            continue
        missing = {Difference.OBSERVATION_GONE, Difference.OBSERVATION_ADDED}
        if broke_off and change.kind in missing:
            continue  # the outcome says it already
        found.append(change)
    return found


def _identical(contract: Contract, old: Mapping[str, Value], new: Mapping[str, Value]) -> bool:
    """Are all observations equal and of one type, as nearly always, and no zero's sign asked for?

    To look at them one by one takes five times as long.
    """
    return (
        old == new
        and list(map(type, old.values())) == list(map(type, new.values()))
        and not any(rule.signed_zero for rule in contract.observations.values())
    )


def same_machine(old: Record, new: Record) -> bool:
    """Were both seen on one machine with the same settings? Then their bits can be compared."""
    machine, settings = old.provenance.get("machine"), old.provenance.get("settings")
    return machine is not None and (machine, settings) == (
        new.provenance.get("machine"),
        new.provenance.get("settings"),
    )


def outcome(expected: Record, observed: Record) -> Change | None:
    """Return how the two outcomes, exceptions and texts differ: outcome × outcome, total."""
    kind = _outcome_class(expected.outcome, observed.outcome) or _ending(expected, observed)
    if kind is None:
        return None
    return Change(
        kind=kind, observation="outcome", expected=says(expected), observed=says(observed)
    )


def _ending(expected: Record, observed: Record) -> Difference | None:
    """Return how two records of one outcome differ in their exception or their reason."""
    old, new = expected.raised, observed.raised
    if (old and old.type) != (new and new.type):
        return Difference.ERROR_KIND
    if expected.reason != observed.reason:
        crashed = expected.outcome is Outcome.CRASHED
        return Difference.ERROR_KIND if crashed else Difference.MESSAGE_ONLY
    return Difference.MESSAGE_ONLY if old != new else None


def _outcome_class(expected: Outcome, observed: Outcome) -> Difference | None:
    """Return the class of two outcomes; None when they are the same, whatever they hold."""
    if expected is observed:
        return None
    match observed:
        case Outcome.NOT_BUILT | Outcome.UNSUPPORTED | Outcome.UNAVAILABLE | Outcome.INVALID:
            return Difference.API_GONE
        case Outcome.CRASHED | Outcome.TIMED_OUT:
            return Difference.NEW_CRASH
        case Outcome.RAISED if expected in {Outcome.CRASHED, Outcome.TIMED_OUT}:
            return Difference.ERROR_KIND
        case Outcome.RAISED if expected is Outcome.OBSERVED:
            return Difference.NEW_PANIC
        case Outcome.OBSERVED if expected in {Outcome.RAISED, Outcome.CRASHED, Outcome.TIMED_OUT}:
            return Difference.PANIC_FIXED
        case Outcome.OBSERVED | Outcome.RAISED:
            return Difference.API_NEW


def says(record: Record) -> str:
    """Return a record's outcome in words: `raised TypeError: …`, `crashed: killed by SIGSEGV`."""
    if record.raised is not None:
        return f"{record.outcome} {record.raised.type}: {record.raised.text}"
    return f"{record.outcome}: {record.reason}" if record.reason else str(record.outcome)


def observation(contract: Contract, name: str, expected: Record, observed: Record) -> Change | None:
    """Return how one observation differs; None also where neither record holds it."""
    old, new = expected.observations.get(name), observed.observations.get(name)
    rule = contract.observations.get(name)
    kind: Difference | None
    measure = None
    if old is None and new is None:
        return None
    if new is None:
        kind = Difference.OBSERVATION_GONE
    elif old is None:
        kind = Difference.OBSERVATION_ADDED
    else:
        kind, measure = values(old, new, rule=rule, tolerance=rule.tolerance if rule else None)
    if kind is None:
        return None
    return Change(kind=kind, observation=name, expected=old, observed=new, measure=measure)


def values(
    old: Value, new: Value, *, rule: Observation | None, tolerance: Tolerance | None
) -> tuple[Difference | None, Measure | None]:
    """Return the class of difference of two values, and how far apart two tensors are."""
    if isinstance(old, dict) and isinstance(new, dict):
        return tensor(old, new, tolerance, signed_zero=rule is not None and rule.signed_zero)
    if type(old) is not type(new):
        return Difference.SHAPE_OR_DTYPE, None
    if old == new:
        return None, None
    match old:
        case bool():
            stopped = old and rule is not None and rule.moves
            return Difference.BECAME_NO_OP if stopped else Difference.FLAG_FLIP, None
        case str():
            return Difference.TEXT_CHANGE, None
        case _:
            return Difference.COUNT_CHANGE, None


def tensor(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    tolerance: Tolerance | None,
    *,
    signed_zero: bool = False,
) -> tuple[Difference | None, Measure | None]:
    """Return the class of difference of two tensors and how far they are apart."""
    if old["dtype"] != new["dtype"] or old["shape"] != new["shape"]:
        return Difference.SHAPE_OR_DTYPE, None
    dtype, shape = old["dtype"], old["shape"]
    tolerance = applied(dtype, tolerance)
    if "digest" in old:
        return _summaries(old, new, tolerance, signed_zero=signed_zero)
    if old["values"] == new["values"] and not signed_zero:
        return None, _no_distance(tuple(shape))
    return elements(
        tensors.exact(tensors.flat(old["values"]), dtype),
        tensors.exact(tensors.flat(new["values"]), dtype),
        shape,
        tolerance,
        signed_zero=signed_zero,
    )


@cache
def _no_distance(shape: tuple[int, ...]) -> Measure:
    zeros = (0,) * len(shape)
    return Measure(n=math.prod(shape), max_abs=0.0, max_rel=0.0, index=zeros, differing=0)


def applied(dtype: str, tolerance: Tolerance | None) -> Tolerance:
    """Return the tolerance that holds for a dtype: the one given, else its own; integers' is 0."""
    return (tolerance or DEFAULTS[dtype]) if dtype in DEFAULTS else EXACT


def _summaries(
    old: Mapping[str, Any], new: Mapping[str, Any], tolerance: Tolerance, *, signed_zero: bool
) -> tuple[Difference | None, Measure | None]:
    """Compare two large tensors: the digest decides equality only, else statistics and sample.

    The measure is over both of these, so that it has no place in the tensor.
    """
    if old["digest"] == new["digest"]:
        return None, None
    names = list(old["statistics"])
    older = [*map(float, old["statistics"].values()), *tensors.exact(old["sample"], old["dtype"])]
    newer = [float(new["statistics"][name]) for name in names]
    newer += tensors.exact(new["sample"], new["dtype"])
    counts = [names.index("nan"), names.index("infinite")]
    if any(older[place] != newer[place] for place in counts):
        return Difference.NON_FINITE, None
    kind, measure = elements(older, newer, [len(older)], tolerance, signed_zero=signed_zero)
    return kind or Difference.ROUNDING, replace(measure, index=())


def elements(
    old: Sequence[float],
    new: Sequence[float],
    shape: Sequence[int],
    tolerance: Tolerance,
    *,
    signed_zero: bool = False,
) -> tuple[Difference | None, Measure]:
    """Compare numbers one by one, in row-major order of the shape.

    The place is that of the first NaN or infinity that the other side lacks, else of the worst.
    """
    worst, worst_rel, place, outside, bits, finite = -1.0, 0.0, 0, 0, False, True
    unequal = [index for index, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    for index in range(len(old)) if signed_zero else unequal:
        a, b = old[index], new[index]
        flipped = signed_zero and a == b == 0 and math.copysign(1, a) != math.copysign(1, b)
        if a == b and not flipped:
            continue
        if not (math.isfinite(a) and math.isfinite(b)):
            if not (math.isnan(a) and math.isnan(b)):
                place = index if finite else place
                finite = False
                outside += 1
            continue
        bits = True
        apart = abs(b - a)
        if flipped or apart > tolerance.atol + tolerance.rtol * abs(a):
            outside += 1
        if apart > worst:
            worst = apart
            place = index if finite else place
        if apart:
            worst_rel = max(worst_rel, apart / abs(a) if a else math.inf)
    measure = Measure(
        n=len(old),
        max_abs=max(float(worst), 0.0),
        max_rel=worst_rel,
        index=_unravel(place, shape),
        differing=outside,
    )
    if not finite:
        return Difference.NON_FINITE, measure
    if outside:
        return Difference.VALUE_DRIFT, measure
    return (Difference.ROUNDING if bits else None), measure


def _unravel(place: int, shape: Sequence[int]) -> tuple[int, ...]:
    index = []
    for size in reversed(shape):
        index.append(place % size if size else 0)
        place = place // size if size else 0
    return tuple(reversed(index))
