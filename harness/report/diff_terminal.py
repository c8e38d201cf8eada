"""The upgrade report that a person reads in a terminal or a log."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from tabulate import tabulate

from harness.errors import ExitCode
from harness.report import diff_view, terminal, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.diff import Diff, Entry, Section
    from harness.report.terminal import Paint

_COLOURS = {"break": "red", "change": "yellow", "api_gone": "red", "note": "cyan"}
#: Of cases that were not compared for one reason, so many are named; JSON has them all.
_NAMED = 8
#: The most characters of a reason.
_REASON = 200


def render(diff: Diff, paint: Paint = terminal.unpainted) -> str:
    """Return the report as text; `paint(words, colour)` may colour it."""
    old, new = diff_view.origin(diff.old), diff_view.origin(diff.new)
    parts = [
        f"DIFF  {old} → {new}, parity with {diff.pinned.cell.id}",
        *_sections(diff, paint),
        *_uncompared(diff),
        "\n".join([f"{diff_view.summary(diff)}  exit {diff.code:d}", *_next(diff)]),
    ]
    return "\n\n".join(parts) + "\n"


def _sections(diff: Diff, paint: Paint) -> Iterator[str]:
    told: set[str] = set()
    for section, cases in diff.sections().items():
        yield paint(diff_view.HEADINGS[section].upper(), _COLOURS[section])
        for entries in cases:
            code = entries[0].subject.title not in told
            told.add(entries[0].subject.title)
            yield "\n".join(_case(diff, section, entries, paint, code=code))


def _case(
    diff: Diff, section: Section, entries: list[Entry], paint: Paint, *, code: bool
) -> Iterator[str]:
    """Yield a case's lines; its code is shown where the case is met first."""
    subject = entries[0].subject
    yield f"{paint(subject.title, _COLOURS[section])}  {subject.question}"
    yield f"  {subject.says}"
    rows = []
    for entry in entries:
        old, new = text.sides(entry.change)
        far = text.measured(entry.change.measure)
        kind = entry.change.kind.value
        effect = diff_view.effect(diff, entry)
        rows.append([entry.change.observation, old, new, kind, effect, far])
    head = ["observation", diff.old.cell.id, diff.new.cell.id, "class", "parity", ""]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    table = tabulate(rows, headers=head, tablefmt="simple", disable_numparse=True)
    yield textwrap.indent(table, "  ")
    for framework, lines in subject.code.items() if code else ():
        yield textwrap.indent(lines, f"  {framework:<5} | ", lambda _: True)


def _uncompared(diff: Diff) -> Iterator[str]:
    if diff.uncompared:
        rows = []
        for reason, cases in diff_view.by_reason(diff.uncompared).items():
            titles = [case.title for case in cases]
            more = f", … and {len(titles) - _NAMED} more" if len(titles) > _NAMED else ""
            why = textwrap.shorten(reason, _REASON, placeholder="…")
            rows.append(f"{', '.join(titles[:_NAMED])}{more}: {why}")
        yield "NOT COMPARED\n" + "\n".join(rows)


def _next(diff: Diff) -> Iterator[str]:
    if diff.code is ExitCode.INCONCLUSIVE:
        cells = f"{diff.old.cell.id} {diff.new.cell.id}"
        yield f"next  nox -s regress -- {cells}, then nox -s review"
