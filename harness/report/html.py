"""A run as one self-contained page; it opens from a disk, without a network and without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report import page, templating
from harness.report.context import Context

if TYPE_CHECKING:
    from harness.report.view import Report


def render(report: Report, context: Context | None = None) -> str:
    """Return the page, in the order in which the Markdown has it."""
    known = page.of(report, context or Context())
    template = templating.template("harness.report", "report")
    return template.render(page=known, machine=report.machine)
