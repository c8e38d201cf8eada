"""The machine's own Chromium, driven by playwright, which never downloads one here."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING

from playwright import sync_api

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What the browser is called by Debian, by others, and on hosted runners.
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
LACKING = "chromium is not installed: apt-get install chromium"


def find() -> str | None:
    """Return the browser found on PATH."""
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


@contextlib.contextmanager
def started(program: str) -> Iterator[sync_api.Browser]:
    """Start it; in its sandbox, which it does not have as root."""
    sandbox = os.name != "posix" or os.geteuid() != 0
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=sandbox)
        yield browser
        browser.close()
