"""The upgrade report as JSON, for programs; schemas/diff.json describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness import documents
from harness.report import machine_readable, text

if TYPE_CHECKING:
    from harness.diff import Diff, Entry, Side


def render(diff: Diff) -> str:
    """Return the report as canonical JSON."""
    return documents.canonical(document(diff))


def document(diff: Diff) -> dict[str, Any]:
    """Return the report as JSON holds it."""
    return {
        "exit_code": int(diff.code),
        "old": _side(diff.old),
        "new": _side(diff.new),
        "pinned": _side(diff.pinned),
        "counts": {
            "compared": diff.compared,
            "same": diff.same,
            "not_compared": len(diff.uncompared),
            "hidden": diff.hidden,
            **{str(section): number for section, number in diff.counts().items()},
        },
        "entries": [_entry(entry) for entry in diff.entries],
        "not_compared": [
            {"experiment": case.experiment, "variant": case.variant, "reason": case.reason}
            for case in diff.uncompared
        ],
    }


def _side(side: Side) -> dict[str, str]:
    return {"cell": side.cell.id, "source": str(side.source)}


def _entry(entry: Entry) -> dict[str, Any]:
    change, subject = entry.change, entry.subject
    old, new = text.sides(change)
    return {
        "section": str(entry.section),
        "experiment": subject.experiment,
        "variant": subject.variant,
        "question": subject.question,
        "says": subject.says,
        "observation": change.observation,
        "class": str(change.kind),
        "severity": str(change.kind.severity),
        "old": change.expected,
        "new": change.observed,
        "shown": {"old": old, "new": new},
        **machine_readable.measured(change.measure),
        "parity": str(entry.effect),
        "code": {str(framework): lines for framework, lines in subject.code.items()},
    }
