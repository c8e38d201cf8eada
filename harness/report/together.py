"""What the reports on several systems say together, and each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from harness.errors import ExitCode, gravest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: What is counted, by its name in a report → its name among a workflow's outputs.
COUNTS = {"break": "breaks", "change": "changes", "note": "notes", "compared": "compared"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A verdict's code, and its counts by the names that outputs have."""

    code: ExitCode
    counts: Mapping[str, int]

    @property
    def verdict(self) -> str:
        """Return the code's word."""
        return self.code.name.lower()


def of(report: Mapping[str, Any]) -> Said:
    """Return what a report says, as its schema has it."""
    counts = {plural: report["counts"][name] for name, plural in COUNTS.items()}
    return Said(code=ExitCode(report["exit_code"]), counts=counts)


def together(systems: Iterable[Said | None]) -> Said:
    """Return the gravest code and the sums; a system without a report makes it inconclusive."""
    every = list(systems)
    said = [one for one in every if one is not None]
    codes = [one.code if one else ExitCode.INCONCLUSIVE for one in every]
    counts = {name: sum(one.counts[name] for one in said) for name in COUNTS.values()}
    return Said(code=gravest(codes), counts=counts)


def table(systems: Mapping[str, Said | None]) -> str:
    """Return Markdown: a line for each system, and one for all of them."""
    lines = {**systems, "together": together(systems.values())}
    rows = [
        [name, one.verdict, *one.counts.values()] if one else [name, "no report"]
        for name, one in lines.items()
    ]
    return tabulate(rows, headers=["system", "verdict", *COUNTS.values()], tablefmt="github") + "\n"
