"""Specifications → SVG, and the script that makes them answer to the mouse; both kept in the cache.

vl-convert draws without a browser; its import takes a second, so it waits until there is a plot
that was never drawn before.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import replace
from html import escape
from importlib import metadata
from typing import TYPE_CHECKING

import orjson

from harness import documents
from harness.engines import caches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from harness.dashboard.charts import Plot

#: Seconds after which a drawing that was not asked for is removed.
_KEPT = 30 * 24 * 3600
_LICENCE = "/* Vega, Vega-Lite, Vega-Embed: BSD-3-Clause, https://github.com/vega */\n"


class Drawings:
    """Draws plots, each once as long as it does not change."""

    def __init__(self, folder: Path | None = None) -> None:
        """Keep drawings in a folder; the cache's own unless told."""
        self.folder = folder or caches.root() / "plots"
        self.version = metadata.version("vl-convert-python")

    def drawn(self, plots: Iterable[Plot]) -> list[Plot]:
        """Return plots with their drawings, each with its words for who does not see it."""
        return [replace(plot, svg=_labelled(self._svg(plot), plot)) for plot in plots]

    def library(self) -> str:
        """Return the one script that holds Vega, Vega-Lite and Vega-Embed; it fetches nothing."""
        return self._kept("vega.js", "", _library)

    def forget(self) -> None:
        """Remove the drawings that no site asked for in a month; several share the cache."""
        oldest = time.time() - _KEPT
        try:
            for path in self.folder.iterdir():
                if path.stat().st_mtime < oldest:
                    path.unlink()
        except OSError:
            return  # what cannot be cleaned up does no harm

    def _svg(self, plot: Plot) -> str:
        spec = orjson.dumps(plot.spec)
        return self._kept(".svg", spec, lambda: _svg(spec.decode()))

    def _kept(self, ending: str, made_of: str | bytes, make: Callable[[], str]) -> str:
        """Return a text that depends on nothing else; an unusable cache costs time."""
        name = f"{caches.digest(self.version, made_of)[:32]}-{ending}"
        path = self.folder / name
        try:
            found = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            made = make()
        else:
            with suppress(OSError):
                path.touch()
            return found
        try:
            documents.write(path, made)
        except OSError:
            return made
        return made


def _svg(spec: str) -> str:
    import vl_convert  # noqa: PLC0415 (a second, where a plot is new)

    svg: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return svg


def _library() -> str:
    import vl_convert  # noqa: PLC0415 (the same)

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return f"{_LICENCE}{{{script}}}\n"  # a block, so that its names are not the page's


def _labelled(svg: str, plot: Plot) -> str:
    """Return a drawing as one picture with one text, its names apart from other drawings'."""
    own = re.sub(r'\bid="|url\(#', lambda found: f"{found[0]}{plot.id}-", svg)
    return own.replace("<svg ", f'<svg role="img" aria-label="{escape(plot.says)}" ', 1)
