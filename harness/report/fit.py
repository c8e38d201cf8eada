"""Text fitted to a size: every block gets a fair share, and every cut says what it leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    #: How much a text counts against the limit: its characters, or its bytes.
    Size = Callable[[str], int]


class Line(NamedTuple):
    """One line that may be left out, and what must follow where it is the last one kept."""

    text: str
    closing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that stand together; head and tail stay, the lines between are kept from the first."""

    head: tuple[str, ...]
    lines: tuple[Line, ...] = ()
    tail: tuple[str, ...] = ()
    #: How large its share is beside the others'.
    weight: int = 1

    @property
    def fixed(self) -> bool:
        """Does nothing of it ever go?"""
        return not self.lines

    def whole(self) -> list[str]:
        """Return the block uncut, with the blank line that parts it from the next."""
        return [*self.head, *(line.text for line in self.lines), *self.tail, ""]

    def cut(self, keep: int, rest: str) -> list[str]:
        """Return the block with its first lines only; `rest` says where the others are."""
        if keep >= len(self.lines):
            return self.whole()
        kept = self.lines[:keep]
        closing = [kept[-1].closing] if kept and kept[-1].closing else []
        gone = sum(bool(line.text) for line in self.lines[keep:])
        notice = f"… {gone} {'line' if gone == 1 else 'lines'} left out; {rest}"
        texts = (line.text for line in kept)
        return [*self.head, *texts, *closing, "", notice, *self.tail, ""]


def fit(blocks: Sequence[Block], limit: int, size: Size, rest: str) -> str:
    """Return the blocks as a text of at most that size, cut at the ends of lines.

    Blocks without lines to cut stay. Where not even a line of every other block has room, the last
    ones go, and one line says so. A ValueError where the limit cannot even hold what stays.
    """

    def cost(lines: Iterable[str]) -> int:
        return sum(size(line) + 1 for line in lines)

    wholes = [cost(block.whole()) for block in blocks]
    if sum(wholes) <= limit:
        return _joined(block.whole() for block in blocks)
    budget = limit - sum(w for w, block in zip(wholes, blocks, strict=True) if block.fixed)
    cuttable = [number for number, block in enumerate(blocks) if not block.fixed]
    least = {n: min(wholes[n], cost(blocks[n].cut(1, rest))) for n in cuttable}
    dropped: list[int] = []
    while sum(least[n] for n in cuttable) + cost(_gone(blocks, dropped, rest)) > budget:
        if not cuttable:
            raise ValueError(f"a limit of {limit} does not hold what must stay")
        dropped.insert(0, cuttable.pop())
    budget -= sum(least[n] for n in cuttable) + cost(_gone(blocks, dropped, rest))
    needs = [wholes[n] - least[n] for n in cuttable]
    granted = shares(needs, [blocks[n].weight for n in cuttable], budget)
    room = {n: least[n] + more for n, more in zip(cuttable, granted, strict=True)}
    parts: list[list[str]] = []
    for number, block in enumerate(blocks):
        if block.fixed:
            parts.append(block.whole())
        elif number in room:
            parts.append(block.cut(_kept(block, room[number], size, rest), rest))
        elif number == dropped[0]:
            parts.append(_gone(blocks, dropped, rest))
    return _joined(parts)


def _kept(block: Block, room: int, size: Size, rest: str) -> int:
    """Return how many lines of a block have room, given that at least one has."""
    costs = [size(line.text) + 1 for line in block.lines]
    if sum(size(line) + 1 for line in block.whole()) <= room:
        return len(costs)
    # What is left out is worded longest where most is left out.
    frame = sum(size(line) + 1 for line in block.cut(0, rest))
    used, kept = frame, 1
    for number, (line, needed) in enumerate(zip(block.lines, costs, strict=True), 1):
        used += needed
        if used + (size(line.closing) + 1 if line.closing else 0) <= room:
            kept = number
        elif used > room:
            break
    return kept


def _gone(blocks: Sequence[Block], dropped: Sequence[int], rest: str) -> list[str]:
    """Return the lines that stand for whole blocks, if any went."""
    if not dropped:
        return []
    lines = sum(bool(line.text) for number in dropped for line in blocks[number].lines)
    sections = "1 section" if len(dropped) == 1 else f"{len(dropped)} sections"
    return [f"… {sections} of {lines} lines left out; {rest}", ""]


def shares(needs: Sequence[int], weights: Sequence[int], budget: int) -> list[int]:
    """Return how much each gets: all that it needs, or its weight's part of what others leave."""
    granted = [0] * len(needs)
    waiting = [number for number, need in enumerate(needs) if need]
    while waiting:
        total = sum(weights[number] for number in waiting)
        served = [n for n in waiting if needs[n] * total <= budget * weights[n]]
        if not served:
            for number in waiting:
                granted[number] = budget * weights[number] // total
            break
        for number in served:
            granted[number] = needs[number]
            budget -= needs[number]
        waiting = [number for number in waiting if number not in served]
    return granted


def _joined(parts: Iterable[Sequence[str]]) -> str:
    return "\n".join(line for part in parts for line in part).rstrip("\n") + "\n"
