"""What hypothesis draws: JSON documents, tensors, observations, records."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import builders
from hypothesis import settings
from hypothesis import strategies as st

from harness import tensors
from harness.accepted import Alarm, Entry, State
from harness.effects import Effect
from harness.model import Change, Difference, Flaky, Measure, Outcome, Raised
from harness.parity import Status
from harness.records import CellRun
from harness.report.view import AcceptedLine, CaseLine, ChangeLine, FlakyLine

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from harness.model import Record
    from harness.report.view import Report

settings.register_profile("emberwatch", settings.default, deadline=None)  # a busy machine is no bug
settings.load_profile("emberwatch")

names = st.from_regex(r"[a-z][a-z0-9_.]{0,8}", fullmatch=True)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
documents = st.recursive(
    scalars, lambda below: st.lists(below) | st.dictionaries(st.text(), below), max_leaves=25
)
shapes = st.lists(st.integers(0, 4), max_size=4)
floats = {
    "float16": st.floats(width=16),
    "bfloat16": st.floats(width=16),
    "float32": st.floats(width=32),
    "float64": st.floats(),
}
integers = {
    "int32": st.integers(-(2**31), 2**31 - 1),
    "int64": st.integers(-(2**63), 2**63 - 1),
    "bool": st.booleans(),
}


def tagged(value: Any) -> Any:
    """Return an element as a half writes it: non-finite floats as tagged strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


@st.composite
def elements(draw: Any, dtypes: Any = (*floats, *integers)) -> tuple[str, list[int], list[Any]]:
    """Draw a dtype, a shape and as many elements as it has."""
    dtype = draw(st.sampled_from(sorted(dtypes)))
    shape = draw(shapes)
    one = {**floats, **integers}[dtype]
    size = math.prod(shape)
    values = draw(st.lists(one, min_size=size, max_size=size))
    return dtype, shape, [tagged(value) for value in values]


stored: SearchStrategy[dict[str, Any]] = elements().map(lambda drawn: tensors.stored(*drawn))
observations = (
    st.booleans()
    | st.integers(0, 2**63 - 1)
    | st.text()
    | st.lists(st.integers(0, 5), max_size=5)
    | stored
)


measures = st.builds(
    Measure,
    n=st.integers(0, 99),
    max_abs=st.floats(0, allow_nan=False),
    max_rel=st.floats(0, allow_nan=False),
    index=st.lists(st.integers(0, 9), max_size=3).map(tuple),
    differing=st.integers(0, 99),
)
flaky = st.builds(
    Flaky,
    runs=st.integers(2, 99),
    agreed=st.integers(1, 98),
    first=st.none() | st.floats(allow_nan=False, allow_infinity=False) | observations,
    other=st.none() | observations,
    measure=st.none() | measures,
)
exceptions = st.builds(Raised, type=st.text(min_size=1), text=st.text())


@st.composite
def records(draw: Any) -> Record:
    """Draw a record of any outcome, with any observations."""
    outcome = draw(st.sampled_from(list(Outcome)))
    raised = None
    if outcome is Outcome.RAISED or (outcome is Outcome.CRASHED and draw(st.booleans())):
        raised = draw(exceptions)
    return builders.record(
        outcome,
        raised=raised,
        reason="" if outcome is Outcome.OBSERVED else draw(st.text()),
        observations=draw(st.dictionaries(names, observations, max_size=4)),
        key=draw(st.text()),
        provenance=draw(st.dictionaries(st.text(), scalars, max_size=3)),
    )


#: What Markdown, HTML, XML and workflow commands give a meaning to.
hostile = st.text(st.sampled_from("`|<>!-#@\\*_[]()~&:/%,;=\"'.1 a\n\r\t\x1b\u202e")) | st.text()
_CELLS = [builders.TORCH, builders.BURN, "burn-main", "burn-0.23.0-pre.1"]
_VARIANTS = ["plain", "other", "third"]
_cases = {
    "cell": st.sampled_from(_CELLS),
    "experiment": st.just("sample"),
    "variant": st.sampled_from(_VARIANTS),
}
case_lines = st.builds(CaseLine, **_cases, text=hostile)
values = st.none() | hostile | observations
changes = st.builds(
    Change,
    kind=st.sampled_from(Difference).filter(lambda kind: kind is not Difference.SHAPE_OR_DTYPE),
    observation=names | hostile,
    expected=values,
    observed=values,
)
change_lines = st.builds(
    ChangeLine,
    **_cases,
    against=st.sampled_from(_CELLS),
    change=changes,
    effect=st.sampled_from(Effect),
)
entries = st.builds(
    Entry,
    **_cases,
    observation=hostile,
    kind=st.just(Difference.FLAG_FLIP),
    expected=st.none(),
    observed=st.none(),
    reason=hostile,
    since=st.just("2026-01-01"),
    link=hostile,
    where=hostile,
)
cell_runs = st.lists(
    st.builds(
        CellRun,
        cell=st.sampled_from(_CELLS),
        unavailable=st.just("") | hostile,
        missing=st.booleans(),
        versions=st.dictionaries(hostile, hostile, max_size=2),
        seconds=st.floats(0, 1e6),
    ),
    max_size=4,
    unique_by=lambda run: run.cell,
)
compared = st.dictionaries(
    st.sampled_from(_CELLS),
    st.fixed_dictionaries(
        {"sample": st.lists(st.sampled_from(_VARIANTS), min_size=1, unique=True)}
    ),
)
sides = st.builds(
    builders.side,
    st.sampled_from(Status),
    st.builds(builders.row, hostile, change=st.none() | changes),
    variant=st.sampled_from(_VARIANTS),
    reason=hostile,
)


@st.composite
def reports(draw: Any, most: int = 12) -> Report:
    """Draw a report in which anything is found and every foreign text is hostile."""

    def some(of: SearchStrategy[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(of, max_size=most)))

    variants = [builders.variant(name) for name in _VARIANTS]
    return builders.report(
        cells=tuple(draw(cell_runs)),
        changes=some(change_lines),
        new=some(case_lines),
        invalid=some(case_lines),
        inconclusive=some(case_lines),
        flaky=some(st.builds(FlakyLine, **_cases, observation=hostile, flaky=flaky)),
        sides=some(sides),
        accepted=some(st.builds(AcceptedLine.of, change_lines, entries)),
        outdated=some(st.builds(Alarm, state=st.sampled_from(State), entry=entries)),
        unreferenced=some(hostile),
        cases=draw(compared),
        contracts={"sample": builders.contract("seen", variants=variants)},
    )
