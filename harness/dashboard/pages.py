"""Templates of the dashboard filled in."""

from __future__ import annotations

from typing import Any

from harness.report import templating


def render(template: str, **values: Any) -> str:
    """Return the page that a template makes of values."""
    return templating.template("harness.dashboard", template).render(values)
