"""The verdict as a badge: an image, and the JSON of which shields.io makes one; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anybadge

from harness.errors import ExitCode
from harness.report import verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.report.roots import Root
    from harness.report.view import Report

LABEL = "behaviour"
_GREY = "#57606a"
#: White text has a contrast of at least 4.5 on each.
COLOURS: Mapping[ExitCode, str] = {
    ExitCode.SAME: "#116329",
    ExitCode.CHANGED: "#b3261e",
    ExitCode.TO_ACCEPT: "#0550ae",
    ExitCode.INCONCLUSIVE: "#7a5000",
}


def of(report: Report | None, roots: Sequence[Root]) -> dict[str, Any]:
    """Return the badge of the last run in the form of shields.io's endpoints."""
    return {
        "schemaVersion": 1,
        "label": LABEL,
        "message": verdict.brief(report, roots) if report else "baselines only",
        "color": COLOURS.get(report.code, _GREY) if report else _GREY,
    }


def drawn(badge: Mapping[str, Any]) -> str:
    """Return the same badge as an SVG image, which asks for nothing else."""
    image = anybadge.Badge(badge["label"], badge["message"], default_color=badge["color"])
    image.mask_str = "ends"  # anybadge counts the badges of a process, so that no two would agree
    return str(image.badge_svg_text)
