"""What a search found, for people and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from harness import documents
from harness.errors import ExitCode
from harness.model import title
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.bisect import Found, Named


def code(found: Found) -> ExitCode:
    """Return the exit code: a range is inconclusive."""
    return ExitCode.SAME if found.exact else ExitCode.INCONCLUSIVE


def render(found: Found) -> str:
    """Return what was found as text."""
    return "\n\n".join(_parts(found)) + "\n"


def _parts(found: Found) -> Iterator[str]:
    if found.exact:
        yield f"FIRST BAD  {_worded(found.suspects[0])}"
    else:
        lines = [f"  {_worded(one)}{_reason(one)}" for one in found.suspects]
        head = f"ONE OF THESE {len(lines)}, the newest first known to be bad"
        yield "\n".join([head, *reversed(lines)])
    yield f"LAST GOOD  {_worded(found.last_good)}"
    rows = []
    for variant, changes in found.changes.items():
        for change in changes:
            old, new = text.sides(change)
            name = title(found.experiment, variant)
            rows.append([name, change.observation, old, new, change.kind.value])
    headers = ["experiment / variant", "observation", "last good", "first bad", "class"]
    yield tabulate(rows, headers=headers, disable_numparse=True)
    if found.others:
        lines = [f"  {_worded(one)}{_reason(one)}" for one in found.others]
        yield "\n".join(["Neither as the good nor as the bad end, which counts as bad:", *lines])
    tried = text.count(found.steps, "step")
    yield f"{found.candidates} candidates, {tried}.  exit {code(found).value}"


def _worded(one: Named) -> str:
    if not one.subject:
        return one.name
    return f"{one.name[:12]}  {one.subject}  ({one.author}, {one.date[:10]})"


def _reason(one: Named) -> str:
    return f"\n      {text.shortened(one.reason)}" if one.reason else ""


def as_json(found: Found) -> str:
    """Return what was found as canonical JSON."""
    changes = [
        {
            "variant": variant,
            "observation": change.observation,
            "class": change.kind.value,
            "severity": change.kind.severity.value,
            "expected": change.expected,
            "observed": change.observed,
        }
        for variant, changes in found.changes.items()
        for change in changes
    ]
    document: dict[str, Any] = {
        "exit_code": int(code(found)),
        "exact": found.exact,
        "experiment": found.experiment,
        "variant": found.variant,
        "observation": found.observation,
        "last_good": _named(found.last_good),
        "suspects": [_named(one) for one in found.suspects],
        "others": [_named(one) for one in found.others],
        "changes": changes,
        "candidates": found.candidates,
        "steps": found.steps,
    }
    return documents.canonical(document)


def _named(one: Named) -> dict[str, str]:
    return {name: value for name, value in asdict(one).items() if value}
