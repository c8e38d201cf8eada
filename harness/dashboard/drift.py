"""A plot of how far each version's tensors are from those of the oldest, along a lineage; pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import altair as alt

from harness import compare
from harness.dashboard import charts
from harness.model import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.dashboard.facts import Facts
    from harness.history import CaseHistory
    from harness.model import Record

_EQUAL = "equal"
#: What is measured, in words; the rest is no tensor of the same shape.
_DEGREES: Mapping[Difference, str] = {
    Difference.ROUNDING: "within the tolerance",
    Difference.VALUE_DRIFT: "beyond the tolerance",
    Difference.NON_FINITE: "NaN or infinite on one side alone",
}
_BEYOND = {_DEGREES[Difference.VALUE_DRIFT], _DEGREES[Difference.NON_FINITE]}


def of(facts: Facts) -> charts.Plot | None:
    """Return the drift of an experiment; None where every version has the oldest's numbers."""
    found = [
        row
        for history in facts.histories
        for name in facts.contract.observations
        for row in _distances(facts, history, name)
    ]
    if not found:
        return None
    panels = _farthest(found, "panel", charts.PANELS)
    names = _farthest(found, "name", len(charts.PALETTE))
    rows = [row for row in found if row["panel"] in panels and row["name"] in names]
    return charts.Plot(
        id="drift",
        title="Drift over versions",
        caption=" ".join(_words(rows, panels, names, cut=len(rows) < len(found))),
        spec=_spec(rows, panels, names),
    )


def _distances(facts: Facts, history: CaseHistory, name: str) -> charts.Rows:
    """Return how far the versions of a tensor are from its first; nothing where none is."""
    first: Record | None = None
    rows: charts.Rows = []
    asked = ""
    for cell in history.lineage.cells:
        record = facts.records.get((cell.id, history.variant.name))
        value = record.observations.get(name) if record and name not in record.flaky else None
        if first is None and isinstance(value, dict):
            first = record
            rule = facts.contract.observations[name]
            asked = charts.within(compare.applied(value["dtype"], rule.tolerance))
        if first is not None:
            apart, degree = _apart(facts, name, first, record if value is not None else None)
            rows.append(
                {
                    "panel": charts.spelled(f"{history.variant.name} · {history.lineage.id}"),
                    "name": charts.spelled(name),
                    "version": cell.id,
                    "label": cell.id.removeprefix(f"{cell.framework}-"),
                    "apart": apart,
                    "degree": degree,
                    "asked": asked,
                    "filled": degree in _BEYOND,
                }
            )
    return rows if any(row["degree"] in _DEGREES.values() for row in rows) else []


def _apart(
    facts: Facts, name: str, first: Record, record: Record | None
) -> tuple[float | None, str]:
    """Return the largest difference of a record's tensor, and what it means, if there is one."""
    if record is None:
        return None, ""
    change = compare.observation(facts.contract, name, first, record)
    if change is None:
        return 0.0, _EQUAL
    apart = change.measure.max_abs if change.measure else None
    return apart, _DEGREES.get(change.kind, "")


def _farthest(rows: charts.Rows, key: str, most: int) -> list[str]:
    """Return the values of a key whose rows are farthest apart, in the order of the rows."""
    far: dict[str, float] = {}
    for row in rows:
        far[row[key]] = max(far.get(row[key], 0.0), row["apart"] or 0.0)
    kept = set(sorted(far, key=lambda one: -far[one])[:most])
    return [one for one in far if one in kept]


def _words(
    rows: charts.Rows, panels: Sequence[str], names: Sequence[str], *, cut: bool
) -> Iterator[str]:
    yield "The largest |diff| of a tensor from that of the oldest version that has it."
    worst = max(rows, key=lambda row: row["apart"] or 0.0)
    far = f"{worst['name']} of {worst['panel']}, by {worst['apart'] or 0.0:.2g}"
    yield f"Farthest is {far} in {worst['version']}; asked for is {worst['asked']}."
    beyond = any(row["filled"] for row in rows)
    yield (
        "Filled marks are beyond the tolerance, hollow ones within it."
        if beyond
        else "All is within the tolerance."
    )
    if any(row["apart"] is None for row in rows):
        yield "A line breaks off where a version has no such tensor, or one of another shape."
    if cut:
        yield f"Shown are the {len(panels)} variants and {len(names)} observations that drift most."


def _spec(rows: charts.Rows, panels: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    """Return a panel for each variant and lineage.

    The scale is logarithmic down to the smallest distance, and linear from there to 0.
    """
    some = [row["apart"] for row in rows if row["apart"]]
    least, most = min(some, default=1.0), max(some, default=1.0)
    legend = alt.Legend(title="observation")
    base = alt.Chart(charts.LATER).encode(
        x=alt.X("label:O", sort=None, title=None, axis=alt.Axis(labelAngle=-40)),
        y=alt.Y(
            "apart:Q",
            title="max |diff|",
            scale=alt.Scale(type="symlog", constant=least, domain=[0, most]),
            axis=alt.Axis(values=_decades(least, most), format="~g"),
        ),
        stroke=alt.Stroke("name:N", scale=charts.colours(names), legend=legend),
        tooltip=[
            alt.Tooltip("panel:N", title="variant"),
            alt.Tooltip("name:N", title="observation"),
            alt.Tooltip("version:N"),
            alt.Tooltip("apart:Q", title="max |diff|", format=".3g"),
            alt.Tooltip("degree:N", title="that is"),
            alt.Tooltip("asked:N", title="asked for"),
        ],
    )
    points = charts.marked(base, "name", names, legend)
    both = alt.layer(base.mark_line(strokeWidth=1.5), points).properties(width=230, height=150)
    facet = charts.panels("panel", panels)
    chart = both.facet(facet=facet, columns=3).resolve_scale(x="independent")
    return charts.spec(charts.drawn(chart), rows)


def _decades(least: float, most: float) -> list[float]:
    """Return 0 and a few powers of ten between two numbers."""
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    step = max(1, math.ceil((high - low) / 5))
    return [0.0, *(float(f"1e{power}") for power in range(low, high + 1, step))]
