"""Templates filled in: every text is escaped, and what a text hides is spelled."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from harness.report import text

if TYPE_CHECKING:
    from jinja2 import Template


def render(template: str, **values: Any) -> str:
    """Return the page that a template makes of values."""
    return _template(template).render(values)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("harness.dashboard"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda one: text.spelled(one) if type(one) is str else one,
    )


@cache
def _template(name: str) -> Template:
    return _environment().get_template(f"{name}.html.jinja")
