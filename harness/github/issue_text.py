"""An issue's title and text on a change upstream, and what can be read back from them."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

from harness.github.sightings import Sighting
from harness.report import text
from harness.report.markup import cell, code, row

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARKER = re.compile(r"<!-- emberwatch upstream ([0-9a-f]{16}) -->")
_DATA = re.compile(r"<!-- (\{.*\}) -->")
#: GitHub takes no longer title.
_TITLE = 250
#: So many variants are listed.
_ROWS = 20
_LONGEST = 200


def shortened(words: str) -> str:
    """Return a text on one line, cut where it is long."""
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def plain(body: str) -> str:
    """Return a body without what GitHub does to line ends."""
    return body.replace("\r\n", "\n").strip()


def digest(body: str) -> str:
    """Return the digest of the signature that a body is about; empty where it has no marker."""
    found = _MARKER.fullmatch(body.lstrip().split("\n", 1)[0].strip())
    return found[1] if found else ""


def title(one: Sighting) -> str:
    """Return the title of an issue."""
    name = one.signature
    words = f"{name.cell}: {name.experiment} / {name.observation}: {name.kind}"
    return words if len(words) <= _TITLE else words[: _TITLE - 1] + "…"


def body(one: Sighting, earlier: Sequence[int], persists: int, clean: int) -> str:
    """Return the text of an issue; `earlier` are the closed ones on the same change."""
    name = one.signature
    hidden = json.dumps(_kept(one), sort_keys=True).replace(">", "\\u003e")
    says = (
        f"{code(name.cell)} behaves otherwise than {code(name.reference)}: "
        f"{code(name.kind)} ({one.severity}) of {code(name.observation)} "
        f"in {code(name.experiment)}."
    )
    rows = [
        "| variant | expected | observed |",
        "| --- | --- | --- |",
        *(
            row([*map(cell, (seen.variant, seen.expected, seen.observed))])
            for seen in one.rows[:_ROWS]
        ),
    ]
    more = len(one.rows) - _ROWS
    rows += [f"| {text.count(more, 'more variant')} | | |"] if more > 0 else []
    facts = [
        f"- first seen {_when(one.first_seen)} at {code(one.first_bad)}",
        f"- last seen {_when(one.last_seen)} at {code(one.last_bad)}",
        f"- last good … first bad: {_range(one)}",
        *(f"- parity of {code(line)}" for line in one.parity),
        *([f"- earlier: {', '.join(f'#{number}' for number in earlier)}"] if earlier else []),
    ]
    parts = [
        f"<!-- emberwatch upstream {name.digest} -->\n<!-- {hidden} -->",
        says,
        "\n".join(rows),
        "\n".join(facts),
        *_advice(one),
        _ending(one, persists, clean),
    ]
    return "\n\n".join(parts) + "\n"


def _kept(one: Sighting) -> dict[str, object]:
    """Return what must outlive a lost state: all but the counts of runs."""
    counted = {"since", "seen", "clean", "accepted"}
    return {key: value for key, value in one.document().items() if key not in counted}


def read(words: str) -> Sighting | None:
    """Return what an issue's text says of its change; None where it is not ours."""
    lines = plain(words).split("\n", 2)
    found = _DATA.fullmatch(lines[1].strip()) if len(lines) > 1 else None
    if not digest(words) or found is None:
        return None
    try:
        told = Sighting.from_document(json.loads(found[1]))
    except (ValueError, KeyError, TypeError):
        return None
    return told if told.signature.digest == digest(words) else None


def _when(time: str) -> str:
    return time.replace("T", " ").partition("+")[0].removesuffix("Z")[:16] + " UTC"


def _range(one: Sighting) -> str:
    good = code(one.last_good) if one.last_good else "not known"
    same = one.last_good == one.first_bad
    note = " (one build: it is not the code that changed)" if same else ""
    return f"{good} … {code(one.first_bad)}{note}"


def _advice(one: Sighting) -> list[str]:
    """Return the commands that find out more."""
    name = one.signature
    variant = one.rows[0].variant if one.rows else "default"
    good = one.last_good or name.reference
    bisect = ["nox", "-s", "bisect", "--", name.experiment, variant, "--good", good]
    bisect += ["--bad", one.first_bad, "--observation", name.observation]
    accept = ["nox", "-s", "accept", "--", name.experiment, variant, name.cell, "--reason"]
    lines = [shlex.join(accept) + ' "…"   # it is right']
    if one.last_good != one.first_bad:
        lines.insert(0, shlex.join(bisect))
    return ["\n".join(f"    {line}" for line in lines)]


def _ending(one: Sighting, persists: int, clean: int) -> str:
    if one.accepted:
        return f"Accepted: {code(one.accepted)}"
    if one.clean:
        return f"Not seen in the last {text.count(one.clean, 'run')}; closed after {clean}."
    return (
        f"Kept up to date by emberwatch: opened after {persists} runs in a row, closed after "
        f"{clean} without it. Closed as not planned, it stays closed."
    )
