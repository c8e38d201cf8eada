"""When the moving heads were last watched, in words: from the file that `upstream` keeps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

#: A head that was last compared more days ago is stale.
STALE = 3
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHORT = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """When one head was last compared, and what became of the last try."""

    head: str
    #: The day of the last comparison; empty before the first one.
    day: str
    #: How many days ago that was.
    age: int
    #: What was compared: `0.23.0-pre.1 at abc1234`.
    build: str
    #: How many cases were compared.
    cases: int
    #: The day of the last try, and why it failed; empty where it did not.
    tried: str
    problem: str

    @property
    def stale(self) -> bool:
        """Is the last comparison too long ago, or was there none?"""
        return not self.day or self.age > STALE


class Piece(NamedTuple):
    """Words of the sentence; foreign ones stand in code."""

    words: str
    foreign: bool = False


def of(document: Mapping[str, Any], today: date) -> tuple[Beat, ...]:
    """Return the heartbeat in a document that schemas/upstream.json allows; days are UTC's.

    A ValueError where a time has a day that no calendar has.
    """
    return tuple(_beat(head, one, today) for head, one in sorted(document["watched"].items()))


def _beat(head: str, one: Mapping[str, Any], today: date) -> Beat:
    day, tried = (time.partition("T")[0] for time in (one["at"], one["tried"]))
    return Beat(
        head=head,
        day=day,
        age=(today - date.fromisoformat(day)).days if day else 0,
        build=_build(one["version"], one["build"]),
        cases=len(one["compared"]),
        tried=tried,
        problem=one["problem"],
    )


def _build(version: str, build: str) -> str:
    short = build[:_SHORT] if _COMMIT.fullmatch(build) else build
    return f"{version} at {short}" if version not in {"", build} else short


def sentence(beats: Iterable[Beat], quoted: Callable[[str], str]) -> str:
    """Return all of it in a line; `quoted` gives foreign words their form within a sentence."""
    return "".join(quoted(one.words) if one.foreign else one.words for one in pieces(beats))


def pieces(beats: Iterable[Beat]) -> list[Piece]:
    """Return the sentence in pieces, for a template; none where no head is known."""
    found = [Piece("Upstream last watched: ")]
    for one in beats:
        found += [Piece("; ")] if len(found) > 1 else []
        found += _pieces(one)
    return [*found, Piece(".")] if len(found) > 1 else []


def _pieces(one: Beat) -> Iterator[Piece]:
    yield Piece(text.shortened(one.head), foreign=True)
    if one.day:
        yield Piece(f" {one.day} (")
        if one.build:
            yield Piece(text.shortened(one.build), foreign=True)
            yield Piece(", ")
        yield Piece(f"{text.count(one.cases, 'case')})")
        if one.stale:
            yield Piece(f", stale: {text.count(one.age, 'day')} ago")
    else:
        yield Piece(" never")
    if one.problem:
        yield Piece(f", last try {one.tried} failed: ")
        yield Piece(text.shortened(one.problem), foreign=True)
