"""The page of one experiment; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.dashboard.facts import Facts


def of(facts: Facts) -> dict[str, Any]:
    """Return what the template shows."""
    return {"contract": facts.contract, "facts": facts}
