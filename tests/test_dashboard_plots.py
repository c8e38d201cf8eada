"""What the plots of an experiment hold, and how they are drawn."""

from __future__ import annotations

import json
import os
import re
import time
from datetime import date
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree as ET

import altair as alt
import builders
import pytest
from builders import BURN, TORCH

from harness import compare, sources
from harness.dashboard import charts, columns, facts, plots
from harness.dashboard.drawing import Drawings
from harness.diff import Side, Source
from harness.model import Framework, Observation
from harness.project import Project
from harness.report import templating

PROJECT = Project()
SVG = "{http://www.w3.org/2000/svg}"
TODAY = date(2026, 11, 29)
HOSTILE = "</script><b>\"'&${alert(1)}\x1b[2J"


@cache
def known(experiment):
    """Return the facts of a real experiment, from the committed baselines alone."""
    cells = PROJECT.matrix.cells.values()
    shown = columns.of(cells, lambda c: sources.accepted(PROJECT, c), lambda _: None, TODAY)
    by_id = {column.id: column for column in shown}
    pinned = {one: by_id[PROJECT.matrix.pinned[one]] for one in Framework}
    contract = PROJECT.contracts[experiment]
    return facts.of(contract, shown, pinned, lambda *_: {}, TODAY.isoformat())


def made(contract, records):
    """Return the facts of one cell each of torch and burn, given records by cell and variant."""
    cells = {one: builders.cell(one) for one in (TORCH, BURN)}

    def side(cell):
        ours = {name: r for (id_, name), r in records.items() if id_ == cell.id}
        return Side(cell=cell, source=Source.BASELINES, records=lambda _: ours)

    shown = columns.of(cells.values(), side, lambda _: None, TODAY)
    pinned = {column.cell.framework: column for column in shown}
    return facts.of(contract, shown, pinned, lambda *_: {}, TODAY.isoformat())


def small(torch, burn, *, curve="", name="x", variant="plain"):
    """Return the facts of one variant with one tensor on both sides."""
    contract = builders.contract(
        Observation(name=name, curve=curve), variants=[builders.variant(variant)]
    )
    values = {TORCH: torch, BURN: burn}
    return made(
        contract,
        {
            (cell, variant): builders.record(
                cell=cell, variant=variant, observations={name: builders.tensor(value)}
            )
            for cell, value in values.items()
        },
    )


def plot(known_facts, start):
    """Return the plot whose id starts so."""
    [found] = [one for one in plots.of(known_facts) if one.id.startswith(start)]
    return found


def rows(one):
    """Return what a plot draws."""
    return one.spec["data"]["values"]


def curve(one, cell, variant):
    """Return the values of the line that a variant has in a cell."""
    found = [r for r in rows(one) if r["cell"] == cell and variant in r["name"].split(", ")]
    return [row["y"] for row in found]


# --- curves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["detach", "fix"])
@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_a_curve_is_what_was_observed(cell, variant):
    """The plot of scale holds the losses of each variant as the baselines of both cells do."""
    observed = PROJECT.baselines.read("scale", cell)[variant].observations["losses"]["values"]

    assert observed == curve(plot(known("scale"), "curve"), cell, variant)


def test_detach_flattens_away_from_fix():
    """In burn the loss of `fix` falls seven times as far as that of `detach`, from one start."""
    one = plot(known("scale"), "curve")
    fix, detach = curve(one, BURN, "fix"), curve(one, BURN, "detach")

    assert fix[0] == detach[0]
    assert fix[0] - fix[-1] > 7 * (detach[0] - detach[-1]) > 0
    assert all(
        a - b < c - d for (c, d), (a, b) in zip(pairwise(fix), pairwise(detach), strict=True)
    )


def test_a_curve_says_where_it_parts():
    """The text of a curve names cells, the variant farthest apart, and where."""
    says = plot(known("scale"), "curve").says

    assert says.startswith("losses by step. Shown: torch-2.15.0 (solid line, hollow marks) and")
    assert "farthest apart in detach: by 0.027 at step 5. Of another length in burn: map." in says


def test_equal_curves_share_a_line():
    """Variants of which a cell has the same numbers are one line with all their names."""
    names = {row["name"] for row in rows(plot(known("scale"), "curve")) if row["cell"] == BURN}

    assert names == {"map", "detach", "fix, detach_train, plain", "clone"}


@pytest.mark.parametrize(("experiment", "panels"), [("scale", False), ("optimizer_steps", True)])
def test_many_curves_have_panels(experiment, panels):
    """Where there are more lines than colours, each has a panel."""
    assert panels == ("facet" in plot(known(experiment), "curve").spec)


def test_a_curve_without_a_number_has_a_gap():
    """NaN and infinities are no points, and the text counts them."""
    one = plot(small([1.0, float("nan"), 2.0], [1.0, 1.5, 2.0], curve="step"), "curve")

    assert [1.0, None, 2.0] == curve(one, TORCH, "plain")
    assert "NaN or infinite, and not drawn: 1." in one.caption


def test_no_curve_unless_the_contract_says_so():
    """A tensor of one axis is no curve by itself."""
    assert [] == plots.of(small([1.0, 2.0], [1.0, 2.0]))


def test_curves_of_real_contracts():
    """What a contract calls a curve has one axis wherever it was observed."""
    checked = 0
    for contract in PROJECT.contracts.values():
        named = [one.name for one in contract.observations.values() if one.curve]
        for cell in PROJECT.matrix.cells.values() if named else ():
            for record in PROJECT.baselines.read(contract.id, cell.id).values():
                for name in record.observations.keys() & set(named):
                    assert 1 == len(record.observations[name]["shape"]), (contract.id, name)
                    checked += 1
    assert checked > 100


# --- |torch − burn| by element --------------------------------------------------------------------


@pytest.mark.parametrize("experiment", ["scale", "attention_masks", "adam_state", "normalizations"])
def test_a_heat_map_shows_the_measure(experiment):
    """The farthest element of each panel is as far, and where, parity measured it."""
    measured = {
        charts.name(side.variant, row.observation): row.measure
        for side in known(experiment).sides.values()
        for row in side.rows
    }
    one = plot(known(experiment), "elements")

    for number, panel in enumerate(one.spec["concat"]):
        ours = [row for row in rows(one) if row["panel"] == number]
        measure = measured[panel["title"]]
        assert measure.n == len(ours)
        far = max((row["apart"] or 0.0 for row in ours), default=0.0)
        assert measure.max_abs == far
        at = [row for row in ours if row["at"] == str(list(measure.index))]
        assert [True] == [row["odd"] or row["apart"] == far for row in at]


def test_elements_lie_in_torchs_layout():
    """A weight that burn holds transposed is drawn with torch's rows and columns."""
    one = plot(known("scale"), "elements")
    [number] = [n for n, p in enumerate(one.spec["concat"]) if p["title"] == "detach: fc1.weight"]
    places = {(row["row"], row["column"]) for row in rows(one) if row["panel"] == number}

    assert places == {(row, column) for row in range(8) for column in range(4)}


def test_more_axes_lie_below_each_other():
    """The last axis is across, all others are down, and the text says so."""
    one = plot(small([[[1.0, 2.0]], [[3.0, 4.0]]], [[[1.0, 2.0]], [[3.0, 5.0]]]), "elements")

    assert [(0, 0), (0, 1), (1, 0), (1, 1)] == [(row["row"], row["column"]) for row in rows(one)]
    assert [0.0, 0.0, 0.0, 1.0] == [row["apart"] for row in rows(one)]
    assert "more than two axes" in one.caption


def test_not_a_number_on_one_side_is_crossed():
    """An element that is NaN on one side alone has no distance; NaN on both is equal."""
    nan = float("nan")
    one = plot(small([nan, nan, 1.0], [nan, 2.0, 1.0]), "elements")

    assert [(0.0, False), (None, True), (0.0, False)] == [
        (row["apart"], row["odd"]) for row in rows(one)
    ]
    assert "A cross says" in one.caption


def test_heat_maps_stay_legible():
    """At most so many panels, the farthest apart, and the text says how many there are."""
    one = plot(known("scale"), "elements")

    assert charts.PANELS == len(one.spec["concat"])
    assert "Shown are the 12 of 25 tensors that differ most." in one.caption


# --- drift over versions --------------------------------------------------------------------------


@pytest.mark.parametrize("experiment", ["scale", "activations", "softplus", "least_squares"])
def test_drift_is_what_compare_measures(experiment):
    """Each version is as far from the oldest that has the tensor as `compare` says."""
    contract = PROJECT.contracts[experiment]
    ours = rows(plot(known(experiment), "drift"))
    oldest = {}
    for row in ours:
        variant = row["panel"].partition(" · ")[0]
        record = known(experiment).records[row["version"], variant]
        first = oldest.setdefault((row["panel"], row["name"]), record)
        change = compare.observation(contract, row["name"], first, record)
        measure = change.measure if change else None

        assert row["apart"] == (measure.max_abs if measure else None if change else 0.0)
    assert any(row["apart"] for row in ours)


def test_no_drift_where_versions_agree():
    """An experiment whose tensors never changed has no plot of their drift."""
    assert "drift" not in [one.id for one in plots.of(known("a1"))]


# --- specifications and drawings ------------------------------------------------------------------


@pytest.mark.parametrize("experiment", ["scale", "optimizer_steps", "attention_masks"])
def test_a_specification_is_valid(experiment):
    """What altair did not check when it was built keeps Vega-Lite's schema."""
    for one in plots.of(known(experiment)):
        alt.Chart.from_dict(dict(one.spec))


@pytest.mark.parametrize("colour", charts.PALETTE)
@pytest.mark.parametrize("back", ["#ffffff", "#0d1117"])
def test_colours_stand_out_in_both_themes(colour, back):
    """A line has a contrast of 3:1 and more on either background."""
    low, high = sorted(map(luminance, (colour, back)))

    assert (high + 0.05) / (low + 0.05) >= 3


def luminance(colour):
    """Return how bright a colour is, as the Web Content Accessibility Guidelines define it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.fixture(scope="session")
def drawings(tmp_path_factory):
    """Return what draws, with a cache that all tests share."""
    return Drawings(tmp_path_factory.mktemp("plots"))


def test_a_drawing_is_one_picture_with_a_text(drawings):
    """A drawing is XML, says title and caption, and shares no id with another."""
    ids = []
    for one in drawings.drawn(plots.of(known("scale"))):
        root = ET.fromstring(one.svg)
        ids += [element.get("id") for element in root.iter() if element.get("id")]

        assert (f"{SVG}svg", "img", one.says) == (
            root.tag,
            root.get("role"),
            root.get("aria-label"),
        )
        assert one.title in one.says
        assert one.caption in one.says
    assert len(ids) == len(set(ids)) > 0


def test_hostile_names_stay_text(drawings):
    """A name is neither markup, nor the end of the page's script, nor an expression."""
    found = small([1.0, 2.0], [1.0, 3.0], curve="step", name=HOSTILE, variant=HOSTILE)
    drawn = drawings.drawn(plots.of(found))
    template = templating.environment("harness.dashboard").from_string(
        '{% from "plots.html.jinja" import plots %}{{ plots(drawn) }}'
    )
    page = template.render(drawn=drawn)

    assert all(re.fullmatch(r"[\w.-]+", one.id) for one in drawn)
    assert len(drawn) == page.count("</script>") == page.count("<script")
    assert "<b>" not in page
    for one in drawn:
        root = ET.fromstring(one.svg)
        assert f"{SVG}script" not in {element.tag for element in root.iter()}
        texts = " ".join(filter(None, (element.text for element in root.iter(f"{SVG}text"))))
        assert "</script><b>\"'&${alert(1)}\\x1b[2J" in texts


def test_a_specification_comes_through_the_page(drawings):
    """The script finds beside each drawing the specification that it was made of."""
    one, *_ = drawings.drawn(plots.of(known("frozen_training")))
    template = templating.environment("harness.dashboard").from_string(
        '{% from "plots.html.jinja" import plots %}{{ plots(drawn) }}'
    )
    page = template.render(drawn=[one])
    text = page.partition('<script type="application/json">')[2].partition("</script>")[0]

    assert json.loads(text) == json.loads(json.dumps(one.spec))


# --- the cache ------------------------------------------------------------------------------------

FLAT = small([1.0, 2.0], [1.0, 3.0])


def test_a_drawing_is_made_once(tmp_path):
    """What was drawn before comes from the cache."""
    Drawings(tmp_path).drawn(plots.of(FLAT))
    [kept] = tmp_path.iterdir()
    kept.write_text("<svg kept/>")

    [one] = Drawings(tmp_path).drawn(plots.of(FLAT))

    assert one.svg.startswith("<svg ")
    assert one.svg.endswith(" kept/>")


def test_another_plot_is_another_drawing(tmp_path):
    """A number that changed is drawn anew."""
    drawings = Drawings(tmp_path)
    drawings.drawn([*plots.of(FLAT), *plots.of(small([1.0, 2.0], [1.0, 3.5]))])

    assert 2 == len(list(tmp_path.iterdir()))


def test_without_a_cache_plots_are_drawn(tmp_path):
    """A cache that cannot be written costs time, and nothing else."""
    (tmp_path / "file").write_text("")
    [one] = Drawings(tmp_path / "file" / "plots").drawn(plots.of(FLAT))

    assert one.svg.startswith("<svg ")


def test_what_nobody_asked_for_is_forgotten(tmp_path):
    """A drawing is kept while it is asked for, and for a month after."""
    now = Drawings(tmp_path)
    now.drawn([*plots.of(FLAT), *plots.of(small([1.0, 2.0], [1.0, 3.5]))])
    long_ago = time.time() - 31 * 24 * 3600
    for path in tmp_path.iterdir():
        os.utime(path, (long_ago, long_ago))
    now.drawn(plots.of(FLAT))
    now.forget()

    assert 1 == len(list(tmp_path.iterdir()))
    [one] = now.drawn(plots.of(FLAT))
    assert one.svg.startswith("<svg ")


def test_the_library_is_one_script(drawings):
    """The script that the pages load defines what they call, and cannot end their markup."""
    script = drawings.library()

    assert re.search(r"window\.vegaEmbed=[\w$]+;\}\n$", script)
    assert "</script" not in script
    assert "import(" not in script
