"""What every plot shares: its words, its palette, and one style that two themes can colour; pure.

Names and texts are data or titles of a specification, never a field's name or an expression, so
that Vega reads them as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt

from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness.model import Tolerance

#: After Okabe and Ito, each with a contrast of 3:1 and more on both themes' backgrounds.
PALETTE = (
    "#0072b2",
    "#d55e00",
    "#00916a",
    "#bf5f97",
    "#a87900",
    "#8250df",
    "#3b8fc4",
    "#7d7d7d",
)
#: Said beside the colour, which not everybody sees.
SHAPES = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
#: The most panels of one plot.
PANELS = 12
_CONFIG: Mapping[str, Any] = {
    "background": "transparent",
    "font": "sans-serif",
    "view": {"stroke": None},
    "mark": {"aria": False},  # here and below: the whole is one picture with one text
    "axis": {"aria": False, "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal"},
    "header": {"labelFontSize": 12, "labelLimit": 260},
    "legend": {
        "aria": False,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 330,
        "symbolSize": 90,
    },
    "title": {
        "aria": False,
        "fontSize": 12,
        "fontWeight": "normal",
        "limit": 260,
        "anchor": "start",
    },
    "concat": {"spacing": 30},
}

#: The rows of a chart until `spec` has them: altair copies all that it holds at each step.
LATER = alt.NamedData("rows")

#: What `spec` says itself.
_OURS = frozenset({"$schema", "config", "data"})

#: What a plot draws, one mark a row.
Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One plot: a Vega-Lite specification, and in words what it shows."""

    id: str
    title: str
    caption: str
    spec: Mapping[str, Any]
    #: The drawing, for where no script runs.
    svg: str = ""

    @property
    def says(self) -> str:
        """Return the text for who does not see it."""
        return f"{self.title}. {self.caption}"


def spec(drawn: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    """Return the specification of what is drawn of rows, in the one style."""
    return {**drawn, "data": {"values": rows}, "config": _CONFIG}


def drawn(chart: Any) -> dict[str, Any]:
    """Return a chart, or a panel of one, as plain JSON; the page knows which Vega-Lite reads it."""
    found: dict[str, Any] = chart.to_dict(validate=False)  # a test validates
    return {name: value for name, value in found.items() if name not in _OURS}


def colours(names: Sequence[str]) -> alt.Scale:
    """Return the scale that gives each name its colour."""
    return alt.Scale(domain=list(names), range=list(PALETTE[: len(names)]))


def marked(base: Any, field: str, names: Sequence[str], legend: alt.Legend) -> Any:
    """Return the layer of marks: colour and shape say a name, a row's `filled` fills its mark.

    One layer for both kinds: in a panel where all rows are of one, the other's would be empty, and
    Vega warns of what has no extent.
    """
    shape = alt.Scale(domain=list(names), range=list(SHAPES[: len(names)]))
    return base.mark_point(opacity=1, strokeWidth=1.2).encode(
        shape=alt.Shape(f"{field}:N", scale=shape, legend=legend),
        fill=alt.Fill(f"{field}:N", scale=colours(names), legend=legend),
        fillOpacity=alt.when("datum.filled").then(alt.value(1)).otherwise(alt.value(0)),
        size=alt.when("datum.filled").then(alt.value(20)).otherwise(alt.value(120)),
    )


def panels(field: str, names: Iterable[str]) -> alt.Facet:
    """Return the encoding that gives each value a panel, in this order."""
    return alt.Facet(f"{field}:N", sort=list(names), title=None)


def spelled(*words: str) -> str:
    """Return names in one line, with what they hide spelled."""
    return text.spelled(", ".join(words))


def name(variant: str, observation: str) -> str:
    """Return what a variant's observation is called; a sole variant is left out."""
    return spelled(observation if variant == "default" else f"{variant}: {observation}")


def anchor(*words: str) -> str:
    """Return a plot's id: words as an address and an attribute may hold them."""
    return re.sub(r"[^\w.-]", "-", "-".join(words), flags=re.ASCII)


def within(tolerance: Tolerance | None) -> str:
    """Return a tolerance in words."""
    if tolerance is None or not (tolerance.rtol or tolerance.atol):
        return "exactly equal"
    return f"within {text.tolerance(tolerance)}"
