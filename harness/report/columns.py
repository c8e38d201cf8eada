"""Tables and lines for a terminal: what is too wide for one goes on below, not over its edge."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len
from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    Rows = Sequence[Sequence[str]]

#: Columns that a terminal and a log have at least.
WIDTH = 100
#: A table keeps at least so many of its columns, however wide they are.
_LEAST = 2
_INDENT = 4


def table(rows: Rows, head: Sequence[str], below: Sequence[Collection[int]]) -> list[str]:
    """Return the lines of a table; a column that is empty throughout is left out.

    Where a line would be wider than a terminal, the columns of the first of `below` stand below
    each row, with their heads; where that does not do, those of the next, then the last ones.
    """
    rows = _single(rows)
    filled = _filled(rows)
    last = (filled[end:] for end in range(len(filled) - 1, _LEAST - 1, -1))
    kept, lines = filled, _chosen(rows, head, filled)
    for moved in (*below, *last):
        if any(map(wide, lines)):
            kept = [number for number in filled if number not in moved]
            lines = _chosen(rows, head, kept)
    gone = [number for number in filled if number not in kept]
    label = max((len(head[number]) + 2 for number in gone), default=0)
    told = lines[: -len(rows)]
    for line, row in zip(lines[-len(rows) :], rows, strict=True):
        told.append(line)
        for number in gone:
            if row[number]:
                words = f"{'':{_INDENT}}{head[number]:<{label}}{row[number]}"
                told.append(wrapped(words, _INDENT + label))
    return told


def aligned(rows: Rows, indent: int = _INDENT) -> list[str]:
    """Return rows in columns without heads; a row that is too wide has its last one below."""
    rows = _single(rows)
    filled = _filled(rows)
    rows = [[row[number] for number in filled] for row in rows]
    lines = _grid(rows)
    narrow = _grid([row[:-1] for row in rows])
    told = []
    for line, start, row in zip(lines, narrow, rows, strict=True):
        beneath = [start.rstrip(), wrapped(" " * indent + row[-1], indent)]
        told += beneath if wide(line) else [line]
    return told


def _single(rows: Rows) -> Rows:
    return [[" ".join(words.splitlines()) for words in row] for row in rows]


def _filled(rows: Rows) -> list[int]:
    return [number for number in range(len(rows[0])) if any(row[number] for row in rows)]


def _chosen(rows: Rows, head: Sequence[str], kept: Sequence[int]) -> list[str]:
    return _grid([[row[n] for n in kept] for row in rows], [head[n] for n in kept])


def _grid(rows: Rows, head: Sequence[str] = ()) -> list[str]:
    form = "simple" if head else "plain"
    return tabulate(rows, headers=head, tablefmt=form, disable_numparse=True).split("\n")


def wide(line: str) -> bool:
    """Return whether a terminal may break a line."""
    return cell_len(line.rstrip()) > WIDTH


def wrapped(words: str, indent: int) -> str:
    """Return words on lines as wide as a terminal, those after the first with an indent.

    Nothing is parted but at blanks: a path or an address that is wider stays whole.
    """
    lines = [""]
    for word in re.findall(r"\s*\S+", words):
        if lines[-1].strip() and cell_len(lines[-1] + word) > WIDTH:
            lines.append(" " * indent + word.lstrip())
        else:
            lines[-1] += word
    return "\n".join(lines)
