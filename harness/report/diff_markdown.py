"""The upgrade report as Markdown, for a pull request or migration notes.

What a framework said (a panic, a Display) is foreign text: it stands in code only, where Markdown
gives it no meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model import Framework
from harness.report import diff_view, text
from harness.report.markup import cell, code, fenced, plain, row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.diff import Diff, Entry, Subject

_LANGUAGE = {Framework.TORCH: "python", Framework.BURN: "rust"}


def render(diff: Diff) -> str:
    """Return the report as GitHub's Markdown, without a heading of the first level."""
    old, new = diff_view.origin(diff.old), diff_view.origin(diff.new)
    parts = [
        f"## {plain(old)} → {plain(new)}",
        f"{plain(diff_view.summary(diff))} Parity with {code(diff.pinned.cell.id)}.",
        *_sections(diff),
        *_uncompared(diff),
    ]
    return "\n\n".join(parts) + "\n"


def _sections(diff: Diff) -> Iterator[str]:
    told: set[str] = set()
    for section, cases in diff.sections().items():
        yield f"### {diff_view.HEADINGS[section]}"
        for entries in cases:
            subject = entries[0].subject
            yield f"#### {plain(subject.title)}"
            yield f"{plain(subject.question)}  \n{plain(subject.says)}"
            yield _table(diff, entries)
            if subject.title not in told:
                yield from _snippets(subject)
            told.add(subject.title)


def _table(diff: Diff, entries: list[Entry]) -> str:
    rows = [
        ["observation", code(diff.old.cell.id), code(diff.new.cell.id), "class", "parity", "apart"],
        ["---"] * 6,
    ]
    for entry in entries:
        old, new = text.sides(entry.change)
        far = text.measured(entry.change.measure)
        effect = diff_view.effect(diff, entry)
        kind = entry.change.kind.value
        cells = [*map(cell, (entry.change.observation, old, new, kind)), plain(effect)]
        rows.append([*cells, cell(far) if far else ""])
    return "\n".join(map(row, rows))


def _snippets(subject: Subject) -> Iterator[str]:
    for framework, lines in subject.code.items():
        yield f"{framework}:\n\n{fenced(lines, _LANGUAGE[framework])}"


def _uncompared(diff: Diff) -> Iterator[str]:
    if diff.uncompared:
        yield "### Not compared"
        rows = [
            row([plain(case.title), cell(text.shortened(case.reason))]) for case in diff.uncompared
        ]
        yield "\n".join(["| case | reason |", "| --- | --- |", *rows])
