"""The dashboard in a real browser: readable by everyone, by keyboard, on paper, and offline."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import browser
import pytest

from harness import diff, sources
from harness.cli.setting import real_engines
from harness.model import Difference
from harness.project import Project

SITES = ("real_site", "mini_site")
SCHEMES = ("light", "dark")
#: What is wrong with a grid is wrong in its first topics; of hundreds of rows axe takes a minute.
FEW_TOPICS = "[...document.querySelectorAll('.grid tbody')].slice(3).forEach((one) => one.remove())"
#: The links of the rows that can be seen, once all are there that shall be.
SEEN = """async () => {
    while (document.querySelector('.grid[aria-busy=true]')) await new Promise(requestAnimationFrame);
    return [...document.querySelectorAll('.grid tr[data-text]')]
    .filter((row) => row.checkVisibility()).map((row) => row.querySelector('a').getAttribute('href')); }"""
#: Where the keyboard is, in a word.
FOCUS = """() => { const one = document.activeElement;
    return one.name || one.className || one.getAttribute('aria-labelledby') || one.id || one.textContent.trim(); }"""


def until(page, holds):
    """Wait until something holds; playwright's own way needs what a page's policy forbids."""
    page.evaluate(f"async () => {{ while (!({holds})) await new Promise(requestAnimationFrame); }}")


@pytest.fixture(scope="session", params=SITES)
def folder(request):
    """Return a site: that of the real baselines, or of a mini project with a changed run."""
    return request.getfixturevalue(request.param)


def kinds(folder):
    """Return a page or two of every kind that the site has."""
    found = {"index.html": 1, "experiments/*.html": 2, "upgrade/index.html": 1}
    found |= {"upgrade/*..*.html": 1, "review.html": 1}
    return [
        page for pattern, number in found.items() for page in sorted(folder.glob(pattern))[:number]
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_page_is_hard_to_read_for_anyone(folder, visit, scheme):
    """Every kind of page passes axe-core in both colour schemes, without an error or a request."""
    found = {}
    for page in kinds(folder):
        shown = visit(page, color_scheme=scheme, bypass_csp=True)
        shown.evaluate(FEW_TOPICS)
        found[page.name] = browser.barriers(shown)
    assert not any(found.values()), "\n".join(found.values())


def test_every_page_obeys_its_own_policy(folder, visit):
    """No page loads or runs what its Content-Security-Policy forbids."""
    for page in kinds(folder):
        shown = visit(page)
        assert shown.title(), page


def test_every_link_leads_somewhere(folder):
    """Each link of each page leads to a file of the site, and to a place that is on it once."""
    pages = {page: browser.Parsed(page) for page in folder.rglob("*.html")}
    broken = []
    for page, parsed in pages.items():
        ids = parsed.named("id")
        assert len(ids) == len(set(ids)), page
        for link in parsed.named("href", "src"):
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            place = unquote(parts.fragment)
            there = target in pages and place in pages[target].named("id")
            if not target.is_file() or (place and not there):
                broken.append((page.name, link))
    assert broken == []


def test_a_change_leads_to_the_upgrade_that_brought_it(real_site):
    """What a version observes otherwise than the one before leads to where that is told."""
    page = browser.Parsed(real_site / "experiments" / "scale.html")
    where = "../upgrade/burn-0.22.0-pre.3..burn-0.22.0-pre.4.html#break-scale-map"
    assert where in page.named("href")


def test_the_keyboard_reaches_everything(real_site, visit):
    """Tab goes from the skip link over the pages and the filters to the grid, in that order."""
    page = visit(real_site / "index.html")
    path = []
    for _ in range(20):
        page.keyboard.press("Tab")
        path.append(page.evaluate(FOCUS))
    pages = ["skip", "brand", "Overview", "Upgrade", "Review", "cells"]
    fields = ["text", "topic", "framework", "severity", "old", "new", "Reset"]
    wanted = [*pages, *fields, "wide tall"]
    assert wanted == [one for one in path if one in wanted]


def test_the_skip_link_skips(folder, visit):
    """Enter on the skip link puts the keyboard into the content of each kind of page."""
    for path in kinds(folder):
        page = visit(path)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert "the-content" == page.evaluate("document.activeElement.id")


def rows(wanted=lambda *_: True):
    """Return the links of the variants that a rule wants, by the contracts themselves."""
    return [
        f"experiments/{contract.id}.html#{name}"
        for contract in Project().contracts.values()
        for name, variant in contract.variants.items()
        if wanted(contract, variant)
    ]


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("text", "frozen", lambda c, v: "frozen" in _texts(c, v)),
        ("text", "DROPOUT eval", lambda c, v: "dropout" in _texts(c, v) and "eval" in _texts(c, v)),
        ("text", "no such words", lambda *_: False),
        ("topic", "losses", lambda c, _: c.topic == "losses"),
        ("framework", "burn", lambda *_: True),
    ],
)
def test_a_filter_leaves_the_rows_it_names(real_site, visit, field, value, wanted):
    """Text is looked for in every word of a row; the number of rows is said."""
    page = visit(real_site / "index.html")
    control = page.locator(f"[name={field}]")
    control.fill(value) if field == "text" else control.select_option(value)
    expected = rows(wanted)
    assert sorted(expected) == sorted(page.evaluate(SEEN))
    assert f"{len(expected)} of {len(rows())} variants" == page.inner_text("#shown")


def _texts(contract, variant):
    return f"{contract.id} {variant.name} {contract.question} {variant.says}".lower()


@pytest.mark.parametrize(("shown", "hidden"), [("torch", "burn"), ("burn", "torch")])
def test_a_framework_leaves_its_columns(real_site, visit, shown, hidden):
    """Only the cells of the chosen framework are seen, heads and marks alike."""
    page = visit(real_site / "index.html", f"#framework={shown}")
    heads = "[...document.querySelectorAll('thead [data-cell]')].filter(e => e.checkVisibility())"
    cells = page.evaluate(f"{heads}.map(e => e.dataset.cell)")
    ours = [name for name in Project().matrix.cells if name.startswith(shown)]
    assert sorted(ours) == sorted(cells)
    marks = "[...document.querySelector('.grid tr[data-text]').querySelectorAll('.mark')]"
    assert len(ours) == page.evaluate(f"{marks}.filter(e => e.checkVisibility()).length")


@pytest.mark.parametrize(
    ("site", "severity"),
    [
        ("real_site", "break"),
        ("real_site", "change"),
        ("real_site", "note"),
        ("mini_site", "pending"),
    ],
)
@pytest.mark.parametrize("framework", ["", "burn"])
def test_a_severity_leaves_the_rows_with_such_a_mark(site, severity, framework, visit, request):
    """A row stays where one of the marks that are shown has the severity."""
    page = visit(request.getfixturevalue(site) / "index.html")
    name = "pending" if severity == "pending" else f"since-{severity}"
    within = f"td.{name}"
    every = page.locator(".grid tr[data-text]").evaluate_all(
        """(rows, [mark, framework]) => {
            const heads = [...document.querySelectorAll('thead [data-cell]')];
            return rows.filter((row) => [...row.querySelectorAll(mark)].some((one) =>
                heads[one.cellIndex - 2].dataset.cell.startsWith(framework)))
              .map((row) => row.querySelector('a').getAttribute('href')); }""",
        [within, framework],
    )
    page.select_option("[name=severity]", severity)
    page.select_option("[name=framework]", framework)
    assert every
    assert every == page.evaluate(SEEN)


PAIRS = [
    ("burn-0.22.0-pre.4", "burn-0.22.0"),
    ("burn-0.21.0", "burn-0.23.0-pre.1"),
    ("torch-2.13.0", "torch-2.15.0"),
]


def differing(old, new):
    """Return the links of the variants that the upgrade report lists, roundings aside."""
    project = Project()
    cells = project.matrix.cells
    other = {"torch": "burn", "burn": "torch"}[cells[new].framework]
    names = (old, new, project.matrix.pinned[other])
    sides = [sources.accepted(project, cells[name]) for name in names]
    found = diff.build(project.contracts.values(), *sides, sources.code(real_engines()))
    return {
        f"experiments/{entry.subject.experiment}.html#{entry.subject.variant}"
        for entry in found.entries
        if entry.change.kind is not Difference.ROUNDING
    }


@pytest.mark.parametrize(("old", "new"), PAIRS)
@pytest.mark.parametrize("turned", [False, True])
def test_an_address_holds_two_versions(real_site, visit, old, new, turned):
    """An address with two versions shows what the upgrade report says differs between them."""
    ends = (new, old) if turned else (old, new)
    page = visit(real_site / "index.html", "#old={}&new={}".format(*ends))
    wanted = differing(old, new)
    assert wanted == set(page.evaluate(SEEN))
    assert page.inner_text("#shown").startswith(f"{len(wanted)} of ")
    assert f"upgrade/{old}..{new}.html" == page.get_attribute("#shown a", "href")


def test_the_address_follows_the_filters(real_site, visit):
    """What is chosen stands in the address, which shows the same rows when it is opened again."""
    page = visit(real_site / "index.html")
    page.select_option("[name=old]", "burn-0.22.0-pre.4")
    page.select_option("[name=new]", "burn-0.22.0")
    page.fill("[name=text]", "shift")
    fragment = page.evaluate("location.hash")
    assert "#text=shift&old=burn-0.22.0-pre.4&new=burn-0.22.0" == fragment
    again = visit(real_site / "index.html", fragment)
    assert page.evaluate(SEEN)
    assert page.evaluate(SEEN) == again.evaluate(SEEN)
    assert "shift" == again.input_value("[name=text]")


def test_a_link_within_the_page_is_heard(real_site, visit):
    """Another fragment, typed or gone back to, is filtered by at once."""
    page = visit(real_site / "index.html", "#topic=losses")
    before = page.evaluate(SEEN)
    page.evaluate("location.hash = '#topic=errors'")
    until(page, "document.querySelector('[name=topic]').value === 'errors'")
    assert before != page.evaluate(SEEN)


def test_reset_shows_everything(real_site, visit):
    """Reset brings every row back, and the address is the page's own."""
    page = visit(real_site / "index.html", "#topic=losses&old=burn-0.22.0&new=burn-0.22.1")
    page.click("[type=reset]")
    until(page, "location.hash === ''")
    assert len(rows()) == len(page.evaluate(SEEN))
    assert 0 == page.locator(".picked").count()


def test_a_strange_address_shows_everything(real_site, visit):
    """A fragment with unknown words is no error, and hides nothing."""
    page = visit(real_site / "index.html", "#topic=none&old=x&new=%3Cimg%3E&other=1")
    assert len(rows()) == len(page.evaluate(SEEN))


def test_without_javascript_everything_is_there(real_site, visit):
    """The grid has all its rows, and filters that would do nothing are not shown."""
    page = visit(real_site / "index.html", java_script_enabled=False)
    assert page.locator(".grid tr[data-text]").count() == len(rows())
    assert page.locator(".grid tr[data-text] a").first.is_visible()
    assert page.locator(".topics a").first.is_visible()
    assert not page.locator("#filter").is_visible()


def test_nothing_overflows_a_phone(folder, visit):
    """On a narrow screen tables scroll within themselves, never the page."""
    wide = {}
    for path in kinds(folder):
        page = visit(path, viewport=browser.PHONE, is_mobile=True, has_touch=True)
        width = page.evaluate("document.scrollingElement.scrollWidth")
        if width > page.evaluate("innerWidth") or width > browser.PHONE["width"]:
            wide[path.name] = width
    assert wide == {}


def test_paper_shows_the_content_alone(folder, visit):
    """Printed, no page has its navigation or filters, and nothing is cut off by scrolling."""
    for path in kinds(folder):
        page = visit(path)
        page.emulate_media(media="print")
        assert not page.locator("header nav").is_visible()
        assert 0 == page.locator("form:visible").count()
        cut = """[...document.querySelectorAll('.wide, .tall, pre')].filter((one) =>
            one.checkVisibility() && one.scrollHeight > one.clientHeight + 1
            && getComputedStyle(one).overflowY !== 'visible').length"""
        assert 0 == page.evaluate(cut)


def test_paper_is_wide_enough_for_every_cell(real_site, visit):
    """On A4 no column of what each cell observed lies beyond the edge."""
    page = visit(real_site / "experiments" / "scale.html", viewport={"width": 794, "height": 1123})
    page.emulate_media(media="print")
    assert 794 >= page.evaluate("document.scrollingElement.scrollWidth")


def test_what_follows_from_a_panic_is_no_change_of_its_own(real_site):
    """Where a case ends before an observation, the ending alone has a class, as in a diff."""
    page = (real_site / "experiments" / "scale.html").read_text("utf-8")
    part = page.partition('<h2 id="map">')[2].partition("<h2 id=")[0]

    assert "new_panic" in part
    assert "observation_gone" not in part
