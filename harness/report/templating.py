"""Templates of pages: every text is escaped, and what a text hides is spelled."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from harness.report import text


@cache
def template(package: str, name: str) -> Template:
    """Return a package's template, `overview` or `report`."""
    return environment(package).get_template(f"{name}.html.jinja")


@cache
def environment(package: str) -> Environment:
    """Return how a package's templates are filled in."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda one: text.spelled(one) if type(one) is str else one,
    )
