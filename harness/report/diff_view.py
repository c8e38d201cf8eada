"""What every renderer of a diff for people says in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.diff import Section, Source
from harness.effects import Effect
from harness.report import text

if TYPE_CHECKING:
    from harness.diff import Diff, Entry, Side, Uncompared

HEADINGS = {
    Section.BREAK: "Breaks",
    Section.CHANGE: "Changes",
    Section.API_GONE: "API gone",
    Section.NOTE: "Notes",
}
_COUNTED = {
    Section.BREAK: "break",
    Section.CHANGE: "change",
    Section.API_GONE: "API gone",
    Section.NOTE: "note",
}


def origin(side: Side) -> str:
    """Return `burn-0.22.1`, and where a side is no baseline, what it is."""
    return side.cell.id if side.source is Source.BASELINES else f"{side.cell.id} (as last run)"


def summary(diff: Diff) -> str:
    """Return in a sentence what was compared, and in another what differs."""
    total = diff.compared + len(diff.uncompared)
    cases = f"{diff.compared} of {text.count(total, 'case')} compared, {diff.same} the same."
    found = [counted(section, number) for section, number in diff.counts().items() if number]
    differing = text.count(len(diff.entries), "difference")
    hidden = f" {diff.hidden} below the severity asked for." if diff.hidden else ""
    return f"{cases} {differing}{': ' if found else ''}{', '.join(found)}.{hidden}"


def counted(section: Section, number: int) -> str:
    """Return `1 break`, `2 changes`, `3 API gone`."""
    word = _COUNTED[section]
    return f"{number} {word}" if section is Section.API_GONE else text.count(number, word)


def effect(diff: Diff, entry: Entry) -> str:
    """Return what a change does to parity: `away from torch-2.15.0`, `still apart`."""
    match entry.effect:
        case Effect.TOWARD:
            return f"toward {diff.pinned.cell.id}"
        case Effect.AWAY:
            return f"away from {diff.pinned.cell.id}"
        case _:
            return str(entry.effect)


def by_reason(uncompared: tuple[Uncompared, ...]) -> dict[str, list[Uncompared]]:
    """Return the cases that were not compared, by the reason."""
    found: dict[str, list[Uncompared]] = {}
    for case in uncompared:
        found.setdefault(case.reason, []).append(case)
    return found
