"""A plot of a curve: torch's and burn's variants over each other, in the pinned cells; pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import altair as alt

from harness import tensors
from harness.dashboard import charts
from harness.model import Framework

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.dashboard.facts import Facts
    from harness.model import Observation

#: How a framework's curves look, in words, and the dashes of their lines.
_LOOKS: Mapping[Framework, tuple[str, list[int]]] = {
    Framework.TORCH: ("solid line, hollow marks", [1, 0]),
    Framework.BURN: ("broken line, filled marks", [5, 3]),
}


def of(facts: Facts, observation: Observation) -> charts.Plot | None:
    """Return the plot of an observation; None where no pinned cell has two points of it."""
    side = next(iter(facts.sides.values()))
    both = {Framework.TORCH: side.torch, Framework.BURN: side.burn}
    found = [
        (name, cell, values)
        for cell in both.values()
        for name, values in _distinct(facts, cell, observation.name)
    ]
    if all(len(values) < 2 for _, _, values in found):
        return None
    names = list(dict.fromkeys(name for name, _, _ in found))
    looks = {
        both[framework]: look
        for framework, look in _LOOKS.items()
        if any(cell == both[framework] for _, cell, _ in found)
    }
    rows = [
        {
            "name": name,
            "cell": cell,
            "filled": cell == side.burn,
            "x": step,
            "y": y if math.isfinite(y) else None,
        }
        for name, cell, values in sorted(found, key=lambda one: -len(one[2]))  # short ones on top
        for step, y in enumerate(values, 1)
    ]
    shown = charts.spelled(observation.name)
    words = [
        f"Shown: {' and '.join(f'{cell} ({says})' for cell, (says, _) in looks.items())}.",
        *_gaps(facts, observation),
    ]
    if len(found) < sum(1 for cell in looks for _ in _all(facts, cell, observation.name)):
        words.append("Variants with the same numbers share a line.")
    if not _few(names):
        words.append("Each panel has its own scale.")
    undrawn = sum(row["y"] is None for row in rows)
    if undrawn:
        words.append(f"NaN or infinite, and not drawn: {undrawn}.")
    return charts.Plot(
        id=charts.anchor("curve", observation.name),
        title=f"{shown} by {observation.curve}",
        caption=" ".join(words),
        spec=_spec(rows, names, looks, (observation.curve, shown)),
    )


def _distinct(facts: Facts, cell: str, name: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the different curves of a cell, each with the names of the variants that have it."""
    groups: dict[tuple[float | str, ...], list[str]] = {}
    for variant, values in _all(facts, cell, name):
        groups.setdefault(values, []).append(variant)
    for values, variants in groups.items():
        every = len(variants) == len(facts.contract.variants) > 1
        label = f"all {len(variants)} variants" if every else charts.spelled(*variants)
        yield label, [tensors.number(value) for value in values]


def _all(facts: Facts, cell: str, name: str) -> Iterator[tuple[str, tuple[float | str, ...]]]:
    for variant in facts.contract.variants:
        record = facts.records.get((cell, variant))
        value = record.observations.get(name) if record else None
        if isinstance(value, dict) and len(value["shape"]) == 1 and value.get("values"):
            yield variant, tuple(value["values"])


def _gaps(facts: Facts, observation: Observation) -> Iterator[str]:
    """Yield in a sentence or two where torch's and burn's curves part."""
    pairs = [
        (charts.spelled(variant), row)
        for variant, side in facts.sides.items()
        for row in side.rows
        if row.observation == observation.name and isinstance(row.torch, dict)
    ]
    measured = [(row.measure, variant, row) for variant, row in pairs if row.measure is not None]
    if measured:
        measure, variant, row = max(measured, key=lambda one: one[0].max_abs)
        if any(row.change for _, _, row in measured):
            (place,) = measure.index
            far = f"{measure.max_abs:.2g} at {observation.curve} {place + 1}"
            yield f"torch and burn are farthest apart in {variant}: by {far}."
        else:
            yield f"torch and burn are {charts.within(row.tolerance)} of each other."
    uneven = [variant for variant, row in pairs if row.measure is None and row.change is not None]
    if uneven:
        yield f"Of another length in burn: {', '.join(uneven)}."


def _few(names: Sequence[str]) -> bool:
    """Are there colours for all of them?"""
    return len(names) <= len(charts.PALETTE)


def _spec(
    rows: charts.Rows,
    names: Sequence[str],
    looks: Mapping[str, tuple[str, list[int]]],
    axes: tuple[str, str],
) -> dict[str, Any]:
    """Return one panel where there are few names: colour and shape say which. Else one each.

    The line's dashes and the marks' filling always say the cell.
    """
    few = _few(names)
    end = max(row["x"] for row in rows)
    every = math.ceil(end / (10 if few else 5))
    ticks = alt.Axis(format="d", values=list(range(1, end + 1, every)))
    levels = alt.Axis(tickCount=alt.Undefined if few else 4)
    said, domain, title = ("name", names, "variants") if few else ("cell", list(looks), "cell")
    legend = alt.Legend(title=title)
    base = alt.Chart(charts.LATER).encode(
        x=alt.X(
            "x:Q",
            title=axes[0],
            axis=ticks,
            scale=alt.Scale(domain=[1, end], nice=False, padding=8),
        ),
        y=alt.Y("y:Q", title=axes[1], scale=alt.Scale(zero=False), axis=levels),
        stroke=alt.Stroke(f"{said}:N", scale=charts.colours(domain), legend=legend),
        detail=["name:N", "cell:N"],
        tooltip=[
            alt.Tooltip("name:N", title="variants"),
            alt.Tooltip("cell:N"),
            alt.Tooltip("x:Q", title=axes[0]),
            alt.Tooltip("y:Q", title=axes[1], format=".8g"),
        ],
    )
    dashes = alt.Scale(domain=list(looks), range=[dashes for _, dashes in looks.values()])
    wide = 700 if few else alt.Undefined  # so that the dashes show
    key = alt.Legend(title="cell", symbolType="stroke", symbolSize=wide)
    lines = base.mark_line(strokeWidth=1.8).encode(
        strokeDash=alt.StrokeDash("cell:N", scale=dashes, legend=key)
    )
    points = charts.marked(base, said, domain, legend)
    both: Any = alt.layer(lines, points)
    if few:
        both = both.properties(width=460, height=280)
    else:
        both = both.properties(width=170, height=110)
        both = both.facet(facet=charts.panels("name", names), columns=4)
        both = both.resolve_scale(y="independent")
    return charts.spec(charts.drawn(both), rows)
