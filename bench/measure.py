"""Runs contenders in turn, again and again, and takes medians.

What else the machine does hits all contenders of a round alike, so a ratio is the median of the
ratios within each round, and never a quotient of two runs that were far apart.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Contender:
    """One way of doing a piece of work, as a command."""

    name: str
    #: How the lines that are held against it call it.
    short: str = ""
    argv: Sequence[str | Path]
    environment: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    #: Exit codes that mean that the work was done.
    codes: frozenset[int] = frozenset({0})
    #: Called before each run, off the clock.
    before: Callable[[], object] = lambda: None
    #: How many times more work there is than the command does; 1 unless it does a sample.
    scale: float = 1.0


@dataclass(kw_only=True)
class Measured:
    """The runs of one contender, in the order of the rounds."""

    contender: Contender
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    #: What each run printed.
    outputs: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The median wall-clock time of the whole work."""
        return median(self.wall)

    def times(self, other: Measured) -> float:
        """Return how many times longer this takes than another, round by round."""
        return median(a / b for a, b in zip(self.wall, other.wall, strict=True))

    def cpu_times(self, other: Measured) -> float:
        """Return how many times more processor time this takes than another, round by round."""
        return median(a / b for a, b in zip(self.cpu, other.cpu, strict=True))


def say(text: str) -> None:
    """Say on stderr what is going on."""
    print(text, file=sys.stderr, flush=True)


def interleaved(contenders: Sequence[Contender], rounds: int) -> list[Measured]:
    """Run every contender once a round, each round beginning with another one."""
    measured = [Measured(contender=one) for one in contenders]
    for number in range(rounds):
        start = number % len(measured)
        for one in measured[start:] + measured[:start]:
            say(f"  round {number + 1} of {rounds}: {one.contender.name}")
            _run(one)
    return measured


def _run(one: Measured) -> None:
    contender = one.contender
    contender.before()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        before = _children()
        began = time.perf_counter()
        code = subprocess.call(
            contender.argv,
            cwd=contender.cwd,
            env={**os.environ, **contender.environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
        )
        one.wall.append((time.perf_counter() - began) * contender.scale)
        one.cpu.append((_children() - before) * contender.scale)
        output.seek(0)
        one.outputs.append(output.read().decode(errors="replace"))
        if code not in contender.codes:
            errors.seek(0)
            said = (one.outputs[-1] + errors.read().decode(errors="replace"))[-3000:]
            raise SystemExit(f"bench: {contender.name} ended with {code}:\n{said}")


def _children() -> float:
    """Return the processor time of the children that have ended, with all that they started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
