"""The upgrade pages: they say what `diff` says, lead to one another, and keep foreign text text."""

import re
from dataclasses import dataclass, replace
from datetime import date
from html.parser import HTMLParser

import builders
import pytest
import strategies
import test_diff
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from harness import cli, diff, documents, sources
from harness.cli.setting import Setting, real_engines
from harness.dashboard import code, columns, pages, site, upgrade
from harness.model import Framework, Outcome
from harness.project import ROOT, Project
from harness.report import diff_markdown, diff_view, text

TODAY = date(2026, 1, 1)
HOSTILE = "</script></pre><img src=x onerror=alert(1)><!-- \x1b[31m \u202e &amp; \"'"
VOID = {"meta", "br", "link", "img", "input"}
COMMON = {
    "up": "../",
    "path": "upgrade/a..b",
    "today": "2026-01-01",
    "link_base": "",
    "verdict": "",
    "code": "none",
}


@dataclass
class _Element:
    """One element: its tag, its attributes, and the place of its texts among those of the page."""

    tag: str
    attributes: dict
    texts: list
    first: int
    end: int | None = None

    @property
    def text(self):
        """Return everything that is said in the element."""
        return "".join(self.texts[self.first : self.end])


class _Page(HTMLParser):
    """The elements of a page; it notes what is not closed, and comments."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts, self.foreign = [], [], [], []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append(_Element(tag, dict(attrs), self.texts, len(self.texts)))
        if tag not in VOID:
            self.open.append(self.elements[-1])

    def handle_endtag(self, tag):
        element = self.open.pop()
        assert tag == element.tag
        element.end = len(self.texts)

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        self.foreign.append(data)

    def all(self, *tags, **attributes):
        """Return the elements of these tags that have these attributes."""
        return [
            one
            for one in self.elements
            if one.tag in tags and attributes.items() <= one.attributes.items()
        ]

    def one(self, tag, **attributes):
        """Return the only such element."""
        (found,) = self.all(tag, **attributes)
        return found


def rendered(found):
    """Return the page of a report, read."""
    values = upgrade.Upgrades([], {}).page(found, diff_markdown.render(found))
    return _Page(pages.render("upgrade", **{**COMMON, **values}))


def column(name, *records, source=diff.Source.BASELINES, **words):
    """Return a column that shows these records of every experiment."""
    cell = builders.cell(name, **words)
    return columns.Column(side=test_diff.side(cell, *records, source=source), run=None, today=TODAY)


# --- the same as `diff` ---------------------------------------------------------------------------


def reports():
    """Yield for every two columns what `diff` builds."""
    project = Project(ROOT)
    cells = columns.ordered(cell for cell in project.matrix.cells.values() if cell.released)
    read = sources.code(real_engines())
    kept = {}

    def side(cell):
        return replace(
            sources.accepted(project, cell),
            records=lambda contract: kept.setdefault(
                (cell.id, contract.id), project.expected(contract.id, cell)
            ),
        )

    for number, new in enumerate(cells):
        for old in cells[:number]:
            if old.framework is new.framework:
                other = next(one for one in Framework if one is not new.framework)
                three = (old, new, project.matrix.cells[project.matrix.pinned[other]])
                yield diff.build(project.contracts.values(), *map(side, three), read)


def test_every_page_says_what_diff_says(real_site):
    """Each two versions have a page: its rows, cases, reasons and Markdown are those of `diff`."""
    with documents.uncollected():
        expected = {(one.old.cell.id, one.new.cell.id): one for one in reports()}

    assert {f"{upgrade.name(pair)}.html" for pair in expected} == {
        path.name for path in (real_site / "upgrade").glob("*.html")
    } - {"index.html"}
    for number, (pair, found) in enumerate(expected.items()):
        markdown = (real_site / "upgrade" / f"{upgrade.name(pair)}.md").read_bytes()
        assert diff_markdown.render(found).encode() == markdown
        if number % 4:  # reading a page takes longer than making it
            continue
        page = _Page((real_site / "upgrade" / f"{upgrade.name(pair)}.html").read_text("utf-8"))
        entries = [one for cases in found.sections().values() for case in cases for one in case]
        rows = [
            (
                one.change.observation,
                *text.sides(one.change),
                str(one.change.kind),
                diff_view.effect(found, one),
                text.measured(one.change.measure),
            )
            for one in entries
        ]

        assert [tuple(map(text.spelled, row)) for row in rows] == rows_of(page)
        assert [one.text for one in page.all("dt")] == list(diff_view.by_reason(found.uncompared))
        assert diff_view.summary(found) in page.one("main").text


def rows_of(page):
    """Return the cells of the page's rows, six each."""
    rows, row = [], []
    for one in page.elements:
        if one.tag == "tr":
            rows.append(row := [])
        elif one.tag in {"td", "th"} and one.attributes.get("scope") != "col":
            row.append(one.text)
    return [(*row, *[""] * (6 - len(row))) for row in rows if row]


def test_the_markdown_is_that_of_the_verb(real_site):
    """The file beside a page holds the bytes that `diff --format md` prints."""
    with CliRunner().isolation() as (out, _, _):
        words = ("diff", "burn-0.22.0-pre.4", "burn-0.22.0", "--format", "md")
        cli.invoke(words, Setting(Project(ROOT), real_engines))
        printed = out.getvalue()

    assert printed == (real_site / "upgrade" / "burn-0.22.0-pre.4..burn-0.22.0.md").read_bytes()


def test_a_moving_head_says_what_it_last_did(fresh, tmp_path):
    """Of a head the last run is shown; a record that breaks its contract is not compared."""
    fresh.invoke("run", "burn-main", "same")
    fresh.edit("schemas/experiments/same.json", "$defs/text", "$defs/flag")
    into = tmp_path / "site"
    answer = fresh.invoke("dashboard", "--into", str(into))
    assert answer.code == 0, answer.err
    printed = fresh.invoke("diff", "burn-1.0.0", "burn-main", "--format", "md").out
    page = _Page((into / "upgrade" / "burn-1.0.0..burn-main.html").read_text("utf-8"))

    assert printed == (into / "upgrade" / "burn-1.0.0..burn-main.md").read_text("utf-8")
    assert "burn-1.0.0 → burn-main (as last run)" == page.one("h1").text
    assert any(one.text.startswith("burn-main invalid: text: ") for one in page.all("dt"))


# --- one page -------------------------------------------------------------------------------------


def test_a_case_on_a_page():
    """A case has its question, what the variant does, its row, both halves, and its own page."""
    page = rendered(test_diff.many("change"))
    article = page.one("article").text

    for words in ("Does it hold?", "as it is", "count_change", "unknown", "torch()", "burn();"):
        assert words in article
    assert page.all("a", href="../experiments/sample.html#change")
    assert ["x", "1", "2"] == list(rows_of(page)[0][:3])


def test_sections_stand_in_order_of_severity():
    """Breaks come first, then changes, then notes, each counted where the page begins."""
    page = rendered(test_diff.many("note", "change", "break"))

    assert ["Breaks", "Changes", "Notes"] == [one.text for one in page.all("h2")]
    assert ["Breaks 1", "Changes 1", "Notes 1"] == [
        one.text
        for section in ("break", "change", "note")
        for one in page.all("a", href=f"#{section}")
    ]


def test_code_is_shown_once_a_case():
    """A case in two sections shows its code in the first, and leads there from the second."""
    page = rendered(test_diff.many("more"))

    assert 1 == sum(one.text == "torch()" for one in page.all("pre"))
    assert page.all("a", href="#break-sample-more")


@pytest.mark.parametrize("place", ["raised", "text", "reason", "name", "code", "question"])
def test_foreign_text_stays_text(place):
    """No element, attribute or comment comes out of a panic, a text, a reason, a name or code."""
    old, new = builders.observed(), builders.raised(text=HOSTILE)
    contract = builders.contract("x")
    match place:
        case "text":
            old, new = builders.observed(x="words"), builders.observed(x=HOSTILE)
        case "name":
            new = builders.observed(**{HOSTILE: 1})
        case "reason":
            new = builders.record(Outcome.INVALID, reason=HOSTILE)
        case "question":
            contract = replace(contract, question=HOSTILE)
        case _:
            pass
    halves = dict.fromkeys(Framework, HOSTILE) if place == "code" else {}
    sides = (
        test_diff.side(test_diff.OLD, old),
        test_diff.side(test_diff.NEW, new),
        test_diff.side(test_diff.PINNED),
    )
    found = diff.build([contract], *sides, lambda *_: halves)
    page = rendered(found)

    assert not page.all("img")
    assert [] == page.foreign == page.open
    assert not any(name.startswith("on") for one in page.elements for name in one.attributes)
    main = page.one("main").text
    assert "</script></pre><img" in main
    assert "\x1b" not in main
    assert "\u202e" not in main


@given(strategies.records(), strategies.records(), st.none() | strategies.records())
def test_any_page_is_well_formed(old, new, other):
    """Whatever two versions did, every element is closed, and the Markdown stands there whole."""
    found = test_diff.build([old], [new], [other] if other else [])
    page = rendered(found)

    assert [] == page.foreign == page.open
    assert diff_markdown.render(found) == page.one("pre", id="markdown").text


def test_markdown_is_copied_as_it_is():
    """What the page holds of the Markdown is the file's, with the mark that parts a comment's."""
    found = test_diff.build([builders.observed(x="a")], [builders.observed(x="<!-- b")])

    assert "<\u200b!-- b" in rendered(found).one("pre", id="markdown").text


def test_without_a_script_no_control_is_shown():
    """The button that copies and the form that picks are hidden until the script shows them."""
    page = rendered(test_diff.many("change"))
    form = index(column("burn-1.0.0", version="1.0.0", backend="flex")).one("form")

    assert "hidden" in page.one("button").attributes
    assert "hidden" in form.attributes


# --- from page to page ----------------------------------------------------------------------------


def gathered(*shown):
    """Return what differs between these columns in one experiment, torch-2.15.0 beside them."""
    torch = column(builders.TORCH, builders.observed(x=1))
    pinned = {Framework.TORCH: torch, Framework.BURN: shown[-1]}
    made = upgrade.Upgrades([torch, *shown], pinned)
    contract = builders.contract("x")
    made.add(site.facts.of(contract, [torch, *shown], pinned, lambda *_: {}, "2026-01-01"))
    return made


def index(*shown):
    """Return the page that leads to the others, read."""
    made = gathered(*shown)
    counts = {(one.old.cell.id, one.new.cell.id): one.counts() for one in made.diffs()}
    return _Page(
        pages.render("upgrades", **{**COMMON, "path": "upgrade/index"}, **made.index(counts))
    )


def burn(version, *records, **words):
    """Return a column of a burn."""
    words = {"version": version, "backend": "flex", **words}
    return column(f"burn-{version or 'main'}", *records, **words)


ONE, TWO, THREE = (
    burn(f"{number}.0.0", builders.observed(x=x)) for number, x in enumerate((1, 2, 2), 1)
)


def test_the_index_counts_what_each_page_holds():
    """Every two versions are linked once, with how many differences each section has."""
    links = {
        (one.attributes["data-old"], one.attributes["data-new"]): " ".join(one.text.split())
        for one in index(ONE, TWO, THREE).all("a")
        if "data-old" in one.attributes
    }

    assert {
        ("burn-1.0.0", "burn-2.0.0"): "burn-1.0.0 → burn-2.0.0: 1 change",
        ("burn-1.0.0", "burn-3.0.0"): "burn-1.0.0 → burn-3.0.0: 1 change",
        ("burn-2.0.0", "burn-3.0.0"): "burn-2.0.0 → burn-3.0.0: no difference",
    } == links


def test_a_head_of_which_nothing_is_known_has_no_page():
    """A column without records is named on the index, and leads nowhere."""
    head = burn(None, source=diff.Source.RECORDS, reference="burn-3.0.0")
    shown = (ONE, TWO, THREE, head)

    assert not gathered(*shown).shown(("burn-3.0.0", "burn-main"))
    assert "nothing of it is on record: burn-main" in index(*shown).one("main").text


def test_steps_from_version_to_version():
    """A page leads to those of the steps on its way, and to the step before and after."""
    made = gathered(ONE, TWO, THREE)
    found = {(one.old.cell.id, one.new.cell.id): one for one in made.diffs()}
    whole, step = (made.page(found["burn-1.0.0", f"burn-{number}.0.0"], "") for number in (3, 2))
    first, second = ("burn-1.0.0", "burn-2.0.0"), ("burn-2.0.0", "burn-3.0.0")

    assert [first, second] == [pair for pair, _ in whole["steps"]]
    assert [] == step["steps"]
    assert [second] == [pair for pair, _ in step["neighbours"]]


# --- colours --------------------------------------------------------------------------------------


@given(st.text(), st.sampled_from(Framework))
def test_colours_change_no_text(lines, framework):
    """Whatever code holds, its text stays the same, and every element is a span."""
    page = _Page(f"<pre>{code.highlighted(lines, framework)}</pre>")

    assert text.spelled(lines) == page.one("pre").text
    assert {"pre", "span"} >= {one.tag for one in page.elements}


@pytest.mark.parametrize(
    ("framework", "lines", "kind", "word"),
    [
        (Framework.TORCH, "if x: pass", "keyword", "if"),
        (Framework.TORCH, "x = 'a'  # why", "comment", "# why"),
        (Framework.BURN, "let x = 1.0;", "number", "1.0"),
        (Framework.BURN, 'observe("a");', "string", '"a"'),
    ],
)
def test_words_of_the_language_are_coloured(framework, lines, kind, word):
    """Keywords, comments, numbers and strings have a class of their own in both languages."""
    page = _Page(code.highlighted(lines, framework))

    assert word in {one.text for one in page.all("span", **{"class": kind})}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    "name", ["keyword", "string", "comment", "name", "number", "break", "change", "note", "text"]
)
def test_colours_can_be_read(name, theme):
    """Each colour has a contrast of 4.5 to 1 on the ground of code, in both themes."""
    style = (site.ASSETS / "style.css").read_text("utf-8")
    ink, ground = (
        re.findall(rf"--{which}: (#[0-9a-f]+)", style)[theme] for which in (name, "soft")
    )
    low, high = sorted((luminance(ink), luminance(ground)))

    assert (high + 0.05) / (low + 0.05) >= 4.5


def luminance(colour):
    """Return the relative luminance of `#rgb` or `#rrggbb` (WCAG 2.2)."""
    digits = colour[1:] if len(colour) == 7 else "".join(one * 2 for one in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
