"""A run as workflow commands, which GitHub shows beside the lines that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model import Severity, title
from harness.report import listings, roots, text, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.report.roots import Root
    from harness.report.view import Report

    #: (cell, experiment, variant) → the file below the checkout, and the line.
    Places = Callable[[str, str, str], tuple[str, int]]

#: So many of each kind are shown a step; the runner drops others without a word.
MOST = 10
_COMMANDS = {Severity.BREAK: "error", Severity.CHANGE: "warning", Severity.NOTE: "notice"}
_MESSAGE = 500


def render(report: Report, places: Places) -> str:
    """Return a command a line: the roots by severity, then what is wrong besides them."""
    found: dict[Severity, list[str]] = {severity: [] for severity in Severity}
    for root in roots.grouped(report.changes):
        found[root.severity].append(_difference(root, places))
    for severity, command in _besides(report, places):
        found[severity].append(command)
    lines = [line for severity, kept in found.items() for line in _limited(severity, kept)]
    return "".join(f"{line}\n" for line in lines)


def _limited(severity: Severity, commands: list[str]) -> list[str]:
    """Return as many as are shown; the last one says how many more there are."""
    if len(commands) <= MOST:
        return commands
    more = len(commands) - MOST + 1
    words = f"and {text.count(more, f'more {severity}')}; the report has all of them"
    return [*commands[: MOST - 1], _command(severity, {"title": "emberwatch"}, words)]


def _difference(root: Root, places: Places) -> str:
    expected, observed = text.sides(root.change)
    far = text.measured(root.change.measure)
    name = title(root.experiment, root.variants[0])
    more = f" and {len(root.variants) - 1} more" if len(root.variants) > 1 else ""
    said = f"{root.change.observation}: {expected} → {observed}" + (f" ({far})" if far else "")
    words = f"{said}, in {listings.listed(root.cells)}"
    properties = {
        **_place(places, root.cells[0], root.experiment, root.variants[0]),
        "title": f"{root.severity} {', '.join(root.kinds)}: {name}{more}",
    }
    return _command(root.severity, properties, words)


def _besides(report: Report, places: Places) -> Iterator[tuple[Severity, str]]:
    for line in report.invalid:
        properties = _place(places, line.cell, line.experiment, line.variant)
        properties["title"] = f"invalid: {line.title} in {line.cell}"
        yield Severity.BREAK, _command(Severity.BREAK, properties, line.text)
    for side in verdict.unexplained(report):
        properties = _place(places, side.burn, side.experiment, side.variant)
        properties["title"] = f"parity: {title(side.experiment, side.variant)}"
        names = [row.observation for row in side.rows if row.change]
        words = f"{side.burn} and {side.torch} differ in {listings.listed(names)}: {side.status}"
        yield Severity.BREAK, _command(Severity.BREAK, properties, words)
    for alarm in report.outdated:
        file, _, number = alarm.entry.where.rpartition(":")
        properties = {"file": file, "line": number} if number.isdecimal() else {}
        properties["title"] = f"{alarm.state}: {title(alarm.entry.experiment, alarm.entry.variant)}"
        yield Severity.CHANGE, _command(Severity.CHANGE, properties, alarm.advice)


def _place(places: Places, cell: str, experiment: str, variant: str) -> dict[str, str]:
    file, line = places(cell, experiment, variant)
    return {"file": file, "line": str(line)}


def _command(severity: Severity, properties: dict[str, str], words: str) -> str:
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[severity]} {told}::{_data(_limited_words(words))}"


def _limited_words(words: str) -> str:
    return words if len(words) <= _MESSAGE else words[: _MESSAGE - 1] + "…"


def _data(words: str) -> str:
    """Return a message as the runner reads it; it undoes these three and no others."""
    words = words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.spelled(words)


def _property(words: str) -> str:
    """Return a property's value, which ends at a comma or at two colons."""
    return _data(words).replace(":", "%3A").replace(",", "%2C")
