"""The plots of one experiment; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.dashboard import curves, drift, elements

if TYPE_CHECKING:
    from harness.dashboard.charts import Plot
    from harness.dashboard.facts import Facts


def of(facts: Facts) -> list[Plot]:
    """Return the plots of an experiment, still without drawings; none where no number asks."""
    observations = facts.contract.observations.values()
    found = [curves.of(facts, one) for one in observations if one.curve]
    return [plot for plot in (*found, elements.of(facts), drift.of(facts)) if plot is not None]
