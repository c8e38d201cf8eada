"""A run as Markdown: a pull request's comment, a job's summary; fitted to what GitHub takes."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from harness.report import fit, heartbeat, page, text
from harness.report.context import Context
from harness.report.fit import Block, Line
from harness.report.markup import cell, code, fence, row, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.report.listings import Listing
    from harness.report.listings import Row as ListingRow
    from harness.report.page import CellDetails, Detail, Page
    from harness.report.view import Report

#: A comment holds 65,536 characters.
COMMENT = 65_000
#: A step's summary holds 1 MiB, and a larger one is dropped whole.
SUMMARY = 1_000_000
#: The name of the workflow that accepts what a run observed.
WORKFLOW = "accept"


def comment(report: Report, context: Context | None = None, limit: int = COMMENT) -> str:
    """Return the report in at most so many characters."""
    return _render(report, context or Context(), limit, len)


def summary(report: Report, context: Context | None = None, limit: int = SUMMARY) -> str:
    """Return the report in at most so many bytes."""
    return _render(report, context or Context(), limit, lambda words: len(words.encode()))


def _render(report: Report, context: Context, limit: int, size: fit.Size) -> str:
    read = page.of(report, context, quoted=lambda words: code(text.shortened(words)))
    return fit.fit(list(_blocks(read, context)), limit, size, f"the rest: {_full(context)}")


def _full(context: Context) -> str:
    """Return where the whole report is."""
    if context.artifact_link:
        return f"[the full report]({context.artifact_link})"
    if context.artifact:
        return f"the artifact {code(context.artifact)}"
    return "`nox -s report`"


def _blocks(read: Page, context: Context) -> Iterator[Block]:
    yield Block(head=(f"### {read.verdict}",))
    more = f" All of it: {_full(context)}." if context.artifact else ""
    yield Block(head=(read.counts + more,))
    if read.watched:
        yield Block(head=(heartbeat.sentence(context.watched, code),))
    for listing in read.findings:
        yield _table(listing)
    for details in read.cells:
        yield _cell(details)
    for listing in read.rest:
        yield _table(listing)
    if read.steps:
        steps = [f"- {code(command)}: {_words(why)}" for command, why in read.steps]
        if read.run:
            steps.append(f"- or run the workflow *{WORKFLOW}* with run id {code(read.run)}")
        yield Block(head=("#### How to accept", "", *steps))


def _words(why: str) -> str:
    """Return advice, which may quote a command."""
    return code(why) if "`" in why or "--" in why else why


def _table(listing: Listing) -> Block:
    severe = [""] if listing.severe else []
    heads = [*severe, *listing.head]
    count = f" ({len(listing.rows)})" if listing.rows else ""
    top = [f"<details><summary>{listing.title}{count}</summary>"]
    if not listing.folded:
        top = [f"#### {listing.title}"]
    note = ["", listing.note] if listing.note else []
    grid = ["", row(heads), row(["---"] * len(heads))] if listing.rows else []
    return Block(
        head=(*top, *note, *grid),
        lines=tuple(Line(_row(listing, one)) for one in listing.rows),
        tail=("", "</details>") if listing.folded else (),
        weight=listing.weight,
    )


def _row(listing: Listing, one: ListingRow) -> str:
    cells = [cell(words) if words else "" for words in one.cells]
    if one.href:
        cells[0] = f"[{cells[0]}]({one.href})"
    if listing.severe:
        cells.insert(0, _severity(one.severity))
    return row(cells)


def _severity(word: str) -> str:
    return f"**{word}**" if word == "break" else word


def _cell(details: CellDetails) -> Block:
    name = html.escape(visible(details.cell))
    against = html.escape(visible(details.against))
    other = "its baseline" if details.against == details.cell else f"<code>{against}</code>"
    many = text.count(len(details.details), "difference")
    top = f"<details><summary><code>{name}</code> against {other}: {many}</summary>"
    versions = ["", code(details.versions)] if details.versions else []
    lines = (line for one in details.details for line in _detail(one))
    return Block(head=(top, *versions, ""), lines=tuple(lines), tail=("", "</details>"))


def _detail(one: Detail) -> Iterator[Line]:
    told = f" {code(one.measured)}" if one.measured else ""
    what = f"{code(one.kind)} {code(one.title)} {code(one.observation)}"
    values = f"{code(one.expected)} → {code(one.observed)}"
    yield Line(f"- {_severity(one.severity)} {what}: {values}{told}")
    for name, words in one.whole:
        ticks = f"  {fence(words)}"
        yield Line("")
        yield Line(f"  {name}:")
        yield Line("")
        yield Line(f"{ticks}text", closing=ticks)
        for line in visible(words).split("\n"):
            yield Line(f"  {line}", closing=ticks)
        yield Line(ticks)
