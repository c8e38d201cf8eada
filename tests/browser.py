"""A real browser: pages opened from files, and everything noted that a page should not do."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from bench import chromium

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright import sync_api

#: What a page may ask for without a network.
LOCAL = ("file:", "data:", "blob:")
#: axe would load the stylesheets once more, from files, which no browser lets it.
_AXE = {"resultTypes": ["violations"], "preload": False}
PHONE = {"width": 390, "height": 844}


@contextlib.contextmanager
def started() -> Iterator[sync_api.Browser]:
    """Start one browser; the test is skipped where there is none."""
    program = chromium.find()
    if program is None:
        pytest.skip(chromium.LACKING)
    with chromium.started(program) as one:
        yield one


@dataclass
class Visitor:
    """Opens pages, each in a profile of its own, and hears what they do."""

    browser: sync_api.Browser
    #: Errors, dialogs, and requests that would leave the machine.
    heard: list[str] = field(default_factory=list)

    def __call__(self, path: Path, fragment: str = "", **options: Any) -> sync_api.Page:
        """Open a file; options are those of a playwright context (`color_scheme`, `viewport`)."""
        page = self.browser.new_context(**options).new_page()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))
        page.on("request", self._asked)
        page.on("dialog", self._dialog)
        page.goto(path.as_uri() + fragment)
        return page

    def _said(self, message: sync_api.ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.heard.append(f"console: {message.text}")

    def _asked(self, request: sync_api.Request) -> None:
        if not request.url.startswith(LOCAL):
            self.heard.append(f"request: {request.url}")

    def _dialog(self, dialog: sync_api.Dialog) -> None:
        self.heard.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def close(self) -> None:
        """Close every page."""
        for context in self.browser.contexts:
            context.close()


def barriers(page: sync_api.Page) -> str:
    """Return what axe-core finds that keeps somebody from reading a page; empty where nothing."""
    result = Axe().run(page, options=_AXE)
    return str(result.generate_report()) if result.violations_count else ""


class Parsed(HTMLParser):
    """What stands in a page's text, without a browser."""

    def __init__(self, path: Path) -> None:
        """Read a page."""
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(path.read_text("utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        """Note an element and its attributes."""
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data):
        """Note a text."""
        self.texts.append(data)

    def named(self, *names: str) -> list[str]:
        """Return the values of some attributes."""
        return [value for name, value in self.attributes if name in names]
