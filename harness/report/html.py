"""A run as one self-contained page; it opens from a disk, without a network and without scripts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from harness.report import page, text
from harness.report.context import Context

if TYPE_CHECKING:
    from jinja2 import Template

    from harness.report.view import Report


def render(report: Report, context: Context | None = None) -> str:
    """Return the page, in the order in which the Markdown has it."""
    return _template().render(page=page.of(report, context or Context()), machine=report.machine)


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["visible"] = text.spelled
    return environment.get_template("report.html.jinja")
