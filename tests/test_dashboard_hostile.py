"""Whatever contracts, frameworks and machines say stays text on every page of the dashboard."""

from __future__ import annotations

import json

import browser
import pytest
from mini.checkout import BURN, HEAD, Checkout

from harness.model import Framework

#: Each part would come to life in some place: an element, an attribute, a script, a template.
NASTY = (
    "</script></td><img src=x onerror=alert(1)>\" onfocus=alert(2) autofocus x='{{7*7}}{% raw %}"
    "<!-- ]]> \u202egnp.\u2066 \x1b[31m\x07\x7f \ufeff\u2028 javascript:alert(3)"
)
SPELLED = r"\u202egnp.\u2066 \x1b[31m\x07\x7f \ufeff\u2028"
REF = "../record.json#/$defs/"
CONTRACT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "experiments/hostile.json",
    "title": f"{NASTY}?",
    "description": NASTY,
    "x-topic": "provoked",
    "x-source": [
        {"document": NASTY, "section": NASTY},
        {"document": "javascript:alert(4)//", "section": NASTY},
    ],
    "x-variants": {
        "differs": {
            "says": NASTY,
            "parity": {
                "rule": "differs",
                "observations": ["outcome"],
                "reason": NASTY,
                "link": "javascript:alert(5)",
                "since": "2026-01-01",
            },
        },
        "text": {"says": NASTY, "parity": {"rule": "same"}},
        "unsupported": {
            "says": NASTY,
            "parity": {"rule": "same"},
            "unsupported": {"burn": NASTY},
        },
    },
    "type": "object",
    "properties": {
        name: {"$ref": f"{REF}{kind}", "description": NASTY}
        for name, kind in {"seen": "text", "named": "ids", NASTY: "text"}.items()
    },
    "required": [],
    "additionalProperties": False,
}
HALF = f'''"""{NASTY}?"""

from support import RELEASE, observe


def run(variant):
    """Say it everywhere: {NASTY}"""
    said = {NASTY!r} + RELEASE
    observe("seen", said)
    observe("named", [said, "b", said])
    observe({NASTY!r}, said)
    if variant == "differs" and "FRAMEWORK" == "burn" or RELEASE == "new" and variant == "text":
        raise type(said, (Exception,), {{}})(said)
'''


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Build the dashboard of a project that says nasty things wherever it may."""
    checkout = Checkout.fresh(tmp_path_factory.mktemp("hostile"))
    kept = {"same", "unsupported"}
    checkout.remove(*(set(checkout.project.contracts) - kept))
    path = checkout.root / "schemas" / "experiments" / "hostile.json"
    path.write_text(json.dumps(CONTRACT), encoding="utf-8")
    for framework in Framework:
        half = checkout.root / framework / "hostile.py"
        half.write_text(HALF.replace("FRAMEWORK", framework), encoding="utf-8")
    checkout.invoke("regress")
    accepted = checkout.invoke("accept", "--all", "--reason", NASTY)
    assert accepted.code == 0, accepted.err
    checkout.release("new", BURN)
    checkout.invoke("run", "hostile")
    noted = {"versions": {NASTY: NASTY, "burn": NASTY}, "at": "2026-01-01T00:00:00Z"}
    for cell, words in {BURN: noted, HEAD: {"unavailable": NASTY, **noted}}.items():
        note = checkout.root / ".emberwatch" / "cells" / f"{cell}.json"
        old = json.loads(note.read_text("utf-8")) if note.exists() else {"cell": cell}
        note.write_text(json.dumps({**old, **words}), encoding="utf-8")
    into = checkout.root / "site"
    built = checkout.invoke("dashboard", "--into", str(into), "--link-base", "https://example.org")
    assert built.code == 0, built.err
    return into


def test_the_nasty_words_are_on_the_pages(hostile):
    """What is said is shown, as the text that it is."""
    texts = "\n".join(browser.Parsed(hostile / "experiments" / "hostile.html").texts)
    for part in ("</script></td><img src=x onerror=alert(1)>", "{{7*7}}{% raw %}", "<!-- ]]>"):
        assert part in texts
    assert SPELLED in texts
    cells = "\n".join(browser.Parsed(hostile / "index.html").texts)
    assert cells.count("<img src=x") >= 4, "two cells' versions, and why one is unavailable"


def test_no_element_comes_of_them(hostile):
    """No page has an image, a handler, an address or an invisible character that is not its own."""
    for path in hostile.rglob("*.html"):
        page = browser.Parsed(path)
        assert not page.tags & {"img", "iframe", "object", "embed", "base"}, path.name
        assert not [name for name, _ in page.attributes if name.startswith("on")], path.name
        assert "autofocus" not in dict(page.attributes), path.name
        for address in page.named("href", "src", "action", "formaction", "xlink:href"):
            assert not address.lower().startswith("javascript:"), path.name
        text = path.read_text("utf-8")
        assert not [one for one in set(text) - {"\n", "\t"} if not one.isprintable()], path.name


def test_nothing_runs_in_a_browser(hostile, visit):
    """No page opens a dialog, asks for anything, or has an element that they named."""
    for path in hostile.rglob("*.html"):
        page = visit(path, bypass_csp=True)  # which would hide a hole
        page.wait_for_load_state()
        assert 0 == page.locator("[src=x], [onfocus], [onerror]").count(), path.name


def test_filters_take_them_as_text(hostile, visit):
    """Typed, or standing in the address, they are looked for, and nothing else."""
    page = visit(hostile / "index.html", bypass_csp=True)
    page.fill("[name=text]", "<img src=x onerror=alert(1)>")
    again = visit(hostile / "index.html", page.evaluate("location.hash"), bypass_csp=True)
    for shown in (page, again):
        assert shown.inner_text("#shown").startswith("3 of ")
        assert 0 == shown.locator("[src=x]").count()
