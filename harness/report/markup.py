"""Foreign text in Markdown: what a framework said, a cell's reason, a name.

It stands in code only, where Markdown gives it no meaning, and GitHub none to mentions, references
and addresses. What would open an HTML comment is parted as well, since markers are looked for in
the text itself, not in what it is rendered to.
"""

from __future__ import annotations

import re

from harness.report import text

_PUNCTUATION = re.compile(r"([\\`*_{}\[\]<>()#|~&!@$-])")
#: Parts what belongs together without being seen.
_NOTHING = "\u200b"


def plain(words: str) -> str:
    """Return words that Markdown gives no meaning to."""
    return _PUNCTUATION.sub(r"\\\1", visible(" ".join(words.split())))


def code(words: str) -> str:
    """Return a text as code within a line, whatever backticks it holds."""
    words = visible(" ".join(words.split())) or " "
    ticks = "`" * (_longest(words) + 1)
    blank = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{ticks}{blank}{words}{blank}{ticks}"


def cell(words: str) -> str:
    """Return a text as code within a cell of a table, which ends at a bar even within code."""
    return code(words).replace("|", "\\|")


def row(cells: list[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def fence(lines: str) -> str:
    """Return what opens and ends a block of code that none of the lines can end."""
    return "`" * max(3, _longest(lines) + 1)


def fenced(lines: str, language: str) -> str:
    """Return lines as a block of code that none of them can end."""
    return f"{fence(lines)}{language}\n{visible(lines)}\n{fence(lines)}"


def _longest(words: str) -> int:
    """Return the length of the longest run of backticks."""
    return max(map(len, re.findall(r"`+", words)), default=0)


def visible(words: str) -> str:
    """Return a text with all that it hides spelled, and no opening of a comment."""
    return text.spelled(words).replace("<!", f"<{_NOTHING}!")
