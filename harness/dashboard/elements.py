"""A heat map of each tensor of which torch and burn differ: |torch − burn| by element; pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt

from harness import tensors
from harness.dashboard import charts
from harness.model import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.dashboard.facts import Facts
    from harness.model import Measure
    from harness.parity import Row, Side

#: The most elements that one plot draws.
ELEMENTS = 4096
#: From a little to much: the lightness falls all the way.
_RAMP = ("#b9d3f0", "#7fa3e0", "#7a6fd0", "#9b3fae", "#c2185b")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Panel:
    """One tensor in torch's layout, on both sides."""

    title: str
    row: Row
    measure: Measure
    shape: tuple[int, ...]
    torch: Mapping[str, Any]
    burn: Mapping[str, Any]

    @property
    def odd(self) -> bool:
        """Is an element NaN or infinite on one side alone?"""
        change = self.row.change
        return change is not None and change.kind is Difference.NON_FINITE


def of(facts: Facts) -> charts.Plot | None:
    """Return the heat maps of an experiment, of the tensors that are farthest apart."""
    found = [panel for side in facts.sides.values() for panel in _panels(side)]
    if not found:
        return None
    kept = _worst(found)
    return charts.Plot(
        id="elements",
        title="|torch − burn| by element",
        caption=" ".join(_words(found, kept)),
        spec=_spec(kept),
    )


def _panels(side: Side) -> Iterator[_Panel]:
    """Yield the whole tensors of some elements, at least one of which differs."""
    for row in side.rows:
        torch, burn, measure = row.torch, row.burn, row.measure
        if measure is None or not isinstance(torch, dict) or not isinstance(burn, dict):
            continue
        panel = _Panel(
            title=charts.name(side.variant, row.observation),
            row=row,
            measure=measure,
            shape=tuple(torch["shape"]),
            torch=torch,
            burn=burn,
        )
        if "values" in torch and measure.n > 1 and (measure.max_abs > 0 or panel.odd):
            yield panel


def _worst(found: Sequence[_Panel]) -> list[_Panel]:
    """Return those beyond the tolerance, then the farthest apart, while there is room."""

    def order(place: int) -> tuple[bool, float]:
        return found[place].row.change is None, -found[place].measure.max_abs

    room = ELEMENTS
    kept: list[int] = []
    for place in sorted(range(len(found)), key=order)[: charts.PANELS]:
        room -= found[place].measure.n
        if room >= 0 or not kept:
            kept.append(place)
    return [found[place] for place in sorted(kept)]


def _words(found: Sequence[_Panel], kept: Sequence[_Panel]) -> Iterator[str]:
    worst = max(kept, key=lambda panel: panel.measure.max_abs)
    if worst.measure.max_abs:
        far = f"{worst.measure.max_abs:.2g} at {list(worst.measure.index)}"
        asked = charts.within(worst.row.tolerance)
        yield f"Farthest apart is {worst.title}, by {far}; asked for is {asked}."
    beyond = [panel.title for panel in kept if panel.row.change is not None]
    yield (
        f"Beyond the tolerance: {'; '.join(beyond)}." if beyond else "All is within the tolerance."
    )
    yield "Elements without colour are equal."
    if any(panel.odd for panel in kept):
        yield "A cross says NaN or infinite on one side alone."
    if any(len(panel.shape) > 2 for panel in kept):
        yield "Where there are more than two axes, the last is across and the others are down."
    if len(kept) < len(found):
        yield f"Shown are the {len(kept)} of {len(found)} tensors that differ most."


def _rows(panel: _Panel, number: int) -> charts.Rows:
    """Return the elements by row and column; those of leading axes lie one below the other."""
    dtype, wide = panel.torch["dtype"], panel.shape[-1]
    ours, theirs = (tensors.flat(side["values"]) for side in (panel.torch, panel.burn))
    pairs = zip(tensors.exact(ours, dtype), tensors.exact(theirs, dtype), strict=True)
    rows = []
    for place, (a, b) in enumerate(pairs):
        apart = 0.0 if a == b or (math.isnan(a) and math.isnan(b)) else abs(b - a)
        rows.append(
            {
                "panel": number,
                "row": place // wide if len(panel.shape) > 1 else "",
                "column": place % wide,
                "at": str(list(_index(place, panel.shape))),
                "torch": str(ours[place]),
                "burn": str(theirs[place]),
                "apart": float(apart) if math.isfinite(apart) else None,
                "odd": not math.isfinite(apart),
            }
        )
    return rows


def _index(place: int, shape: Sequence[int]) -> Iterator[int]:
    for axis, size in enumerate(shape):
        yield place // math.prod(shape[axis + 1 :]) % size


def _spec(panels: Sequence[_Panel]) -> dict[str, Any]:
    """Return a panel for each tensor, all on one logarithmic scale of colours."""
    rows = [row for number, panel in enumerate(panels) for row in _rows(panel, number)]
    apart = [row["apart"] for row in rows if row["apart"]]
    one = charts.drawn(_panel(min(apart, default=0.0), max(apart, default=0.0)))
    drawn = [
        {**one, **_size(panel), "transform": [{"filter": f"datum.panel === {number}"}]}
        for number, panel in enumerate(panels)
    ]
    return charts.spec({"concat": drawn, "columns": 4}, rows)


def _panel(low: float, high: float) -> Any:
    """Return what all panels have in common: a rectangle for each element, some with a cross."""
    axis = alt.Axis(title=None, labelAngle=0, labelOverlap=True, ticks=False, domain=False)
    base = alt.Chart(charts.LATER).encode(
        x=alt.X("column:O", axis=axis),
        y=alt.Y("row:O", axis=axis),
        tooltip=[
            alt.Tooltip("at:N", title="index"),
            alt.Tooltip("torch:N"),
            alt.Tooltip("burn:N"),
            alt.Tooltip("apart:Q", title="|torch − burn|", format=".3g"),
        ],
    )
    edges = base.mark_rect(filled=False, stroke="#7d7d7d", strokeWidth=0.5)
    crosses = base.mark_text(text="×").transform_filter("datum.odd")
    if not high:
        return alt.layer(edges, crosses)
    scale = alt.Scale(
        type="log", domain=[low if low < high else high / 10, high], range=list(_RAMP)
    )
    legend = alt.Legend(title="|torch − burn|", format=".0e", gradientLength=140)
    colour = alt.Color("apart:Q", scale=scale, legend=legend)
    coloured = base.mark_rect().encode(color=colour).transform_filter("datum.apart > 0")
    return alt.layer(edges, coloured, crosses)


def _size(panel: _Panel) -> dict[str, Any]:
    wide = panel.shape[-1]
    side = min(18, max(3, 260 // wide))
    return {"title": panel.title, "width": side * wide, "height": side * (panel.measure.n // wide)}
