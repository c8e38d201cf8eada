"""The few lines of a half that one variant runs; pure.

Every arm and branch that the variant takes is shown, an arm for all others only where nothing names
this one; where nothing asks for the name, the body of `run` is. A sole call of a function of the
file stands for that function's body.
"""

from __future__ import annotations

import textwrap

from harness.snippets import python, rust

LINES = 15  # to be read at one glance; the rest is in the file


def of(source: str, suffix: str, variant: str) -> str:
    """Return a variant's code in a half, given its text and its file's suffix, `.py` or `.rs`."""
    language = python if suffix == ".py" else rust
    return shortened("\n".join(map(_plain, language.pieces(source, variant))))


def line(source: str, suffix: str, variant: str) -> int:
    """Return the line, counted from 1, on which a variant's code begins in a half."""
    if suffix == ".py":
        return next((first for first, _, _ in python.spans(source, variant)), 1)
    places = (source.count("\n", 0, first) for first, _, _ in rust.spans(source, variant))
    return next(places, 0) + 1


def shortened(code: str) -> str:
    """Return the first lines of a code, and a last line `…` where there were more."""
    lines = code.splitlines()
    return "\n".join(lines if len(lines) <= LINES else [*lines[: LINES - 1], "…"])


def _plain(piece: str) -> str:
    """Return lines without their common indent, and without blank ones around them."""
    return textwrap.dedent(piece).strip("\n").rstrip()
