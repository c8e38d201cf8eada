"""A run as a page: self-contained, in the Markdown's order, and nothing foreign comes to life."""

from html.parser import HTMLParser

import browser
import builders
import pytest
import strategies
import test_markdown
from hypothesis import given

from harness.report import html
from harness.report.context import Context

VOID = {"meta", "br", "img", "link", "input"}
TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "h1",
    "main",
    "h2",
    "p",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "a",
    "code",
    "pre",
    "span",
    "ul",
    "li",
    "details",
    "summary",
    "em",
}


class _Page(HTMLParser):
    """The page's elements, attributes and texts; it notes what is not closed in its order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts, self.headings = [], set(), [], [], []
        self.foreign = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag == self.open.pop()

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))
        if self.open and self.open[-1] in {"h1", "h2", "summary"}:
            self.headings.append(data)

    def handle_comment(self, data):
        self.foreign.append(data)


def page(context=None, **words):
    """Return the page of a report."""
    return _Page(html.render(builders.report(**words), context))


@pytest.mark.parametrize("words", test_markdown.NASTY)
def test_foreign_text_stays_text(words):
    """No element, attribute, address or comment comes out of what a framework said."""
    found = _Page(html.render(test_markdown.hostile(words), test_markdown.told(words)))
    assert found.tags <= TAGS
    assert [] == found.foreign == found.open
    assert not any("evil" in str(value) for _, value in found.attributes)
    assert {"code", "pre"} >= {place for place, text in found.texts if "evil" in text}


@given(strategies.reports(most=4))
def test_any_report_is_well_formed(report):
    """Whatever was found, every element is one of ours and is closed where it belongs."""
    text = html.render(report)
    found = _Page(text)
    assert found.tags <= TAGS
    assert [] == found.foreign == found.open
    assert "\x1b" not in text


def test_it_needs_nothing_else():
    """The page has no script and fetches nothing; what it links to, it does not load."""
    found = page(changes=(builders.line(),))
    assert not {"script", "link", "img", "iframe"} & found.tags
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    assert ("content", policy) in found.attributes
    assert not [name for name, _ in found.attributes if name == "src" or name.startswith("on")]


def test_it_is_light_and_dark_and_printable():
    """The colours follow what the reader's system asks for, and paper."""
    text = html.render(builders.report())
    for words in (
        "color-scheme: light dark",
        "@media (prefers-color-scheme: dark)",
        "@media print",
    ):
        assert words in text


def test_its_order_is_the_markdowns():
    """Verdict, differences, details by cell, what was not compared, how to accept."""
    found = page(
        changes=(builders.line(),), inconclusive=(test_markdown.CASE,), new=(test_markdown.CASE,)
    )
    assert [
        "1 behaviour changed in burn-0.22.1: 1 break; 1 new case; 1 case inconclusive",
        "Differences",
        "New cases, without a baseline",
        " against its baseline: 1 difference",
        "Not compared",
        "How to accept",
    ] == found.headings


def test_a_relative_address_is_no_link():
    """A page is read far from the checkout: without a base, nothing of it is linked."""
    line = builders.line()
    base = Context(link_base="https://example.org/")
    assert [] == [value for name, value in page(changes=(line,)).attributes if name == "href"]
    assert ("href", "https://example.org/schemas/experiments/sample.json") in page(
        base, changes=(line,)
    ).attributes


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_in_a_browser(tmp_path, visit, scheme):
    """Nothing keeps anybody from reading it, in either colour scheme, and it asks for nothing."""
    path = tmp_path / "report.html"
    words = "it said <b>"
    report, context = test_markdown.hostile(words), test_markdown.told(words)
    path.write_text(html.render(report, context), encoding="utf-8")
    page = visit(path, color_scheme=scheme, bypass_csp=True, viewport=browser.PHONE)
    found = browser.barriers(page)
    assert not found, found
