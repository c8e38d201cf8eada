"""The overview: one row for each variant, one mark for each cell; pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from harness.dashboard import columns
from harness.model import Outcome, Severity
from harness.parity import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.dashboard.columns import Column
    from harness.dashboard.facts import Facts
    from harness.model import Framework
    from harness.parity import Side

#: What a mark says of a case; the glyphs stand in assets/style.css.
WORDS: Mapping[Outcome | None, str] = {
    Outcome.OBSERVED: "ran to its end",
    Outcome.RAISED: "raised an exception or panic",
    Outcome.CRASHED: "crashed",
    Outcome.TIMED_OUT: "timed out",
    Outcome.NOT_BUILT: "does not compile",
    Outcome.UNSUPPORTED: "unsupported",
    Outcome.INVALID: "invalid",
    Outcome.UNAVAILABLE: "unavailable",
    None: "nothing known",
}
#: What is said of torch beside burn: the class of its mark, and the words.
PARITY: Mapping[Status, tuple[str, str]] = {
    Status.SAME: ("agree", "torch and burn agree"),
    Status.KNOWN: ("known", "known divergence"),
    Status.CLOSED: ("alarm", "a known divergence that is gone"),
    Status.MISMATCH: ("alarm", "torch and burn differ, unexplained"),
    Status.LOST: ("alarm", "torch and burn no longer agree"),
    Status.EXPIRED: ("alarm", "a known divergence that has expired"),
    Status.NOT_COMPARED: ("none", "not compared"),
}
#: A pair's worst severity as one letter, so that a row holds those of all pairs.
_LETTERS: Mapping[Severity | None, str] = {
    Severity.BREAK: "b",
    Severity.CHANGE: "c",
    Severity.NOTE: "n",
    None: "-",
}
_ORDER = list(Severity)
#: What is said of a case without a baseline, where severities stand.
NEW = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One case as the grid shows it."""

    framework: Framework
    outcome: Outcome | None
    #: How much it changed since the cell that this one follows.
    changed: Severity | None
    #: How much the last run found it to differ from what is accepted, or `new`.
    pending: str

    @property
    def classes(self) -> str:
        """Return the classes that give the mark its glyph and colour."""
        own = self.outcome.value if self.outcome else "unknown"
        changed = f"since-{self.changed}" if self.changed else ""
        return " ".join(filter(None, (own, changed, "pending" if self.pending else "")))

    @property
    def words(self) -> str:
        """Return the mark in words."""
        parts = [WORDS[self.outcome]]
        if self.changed:
            parts.append(f"{self.changed} since the version before")
        if self.pending:
            parts.append(f"{self.pending} in the last run, not accepted")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One variant of an experiment over all cells."""

    experiment: str
    variant: str
    topic: str
    question: str
    says: str
    marks: tuple[Mark, ...]
    #: The class of the mark, its words, and the reason if one is given.
    parity: tuple[str, str, str]
    #: A letter for each pair, in the order of `columns.pairs`.
    pairs: str

    @property
    def severities(self) -> str:
        """Return what the marks of each framework say: `burn-break torch-pending`."""
        found = {f"{mark.framework}-{mark.changed}" for mark in self.marks if mark.changed}
        found |= {f"{mark.framework}-pending" for mark in self.marks if mark.pending}
        return " ".join(sorted(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """The experiments of one topic, each with its rows."""

    name: str
    experiments: tuple[tuple[Row, ...], ...]

    @property
    def anchor(self) -> str:
        """Return the name as an address may hold it."""
        return anchor(self.name)


def anchor(topic: str) -> str:
    """Return the place of a topic on the overview."""
    return f"topic-{topic.replace(' ', '-')}"


def rows(
    facts: Facts,
    pending: Mapping[tuple[str, str, str], str],
    alarms: Mapping[tuple[str, str], Status],
) -> list[Row]:
    """Return the rows of one experiment.

    Of the last run `pending` says which cases differ from what is accepted, by (cell, experiment,
    variant), and `alarms` how torch stood beside burn, by (experiment, variant).
    """
    contract = facts.contract
    follows = columns.before(facts.columns)
    found = []
    for name, variant in contract.variants.items():
        marks = tuple(
            Mark(
                framework=column.cell.framework,
                outcome=_outcome(facts, column, name),
                changed=facts.severity((follows.get(column.id, ""), column.id), name),
                pending=pending.get((column.id, contract.id, name), ""),
            )
            for column in facts.columns
        )
        found.append(
            Row(
                experiment=contract.id,
                variant=name,
                topic=contract.topic,
                question=contract.question,
                says=variant.says,
                marks=marks,
                parity=_parity(facts.sides[name], alarms.get((contract.id, name))),
                pairs="".join(
                    _LETTERS[facts.severity((old.id, new.id), name)]
                    for old, new in columns.pairs(facts.columns)
                ),
            )
        )
    return found


def _outcome(facts: Facts, column: Column, variant: str) -> Outcome | None:
    record = facts.records.get((column.id, variant))
    return record.outcome if record else None


def _parity(side: Side, last: Status | None) -> tuple[str, str, str]:
    kind, words = PARITY[side.status]
    if last in {None, side.status}:
        return kind, words, side.reason
    return f"{kind} pending", f"{words}; in the last run: {PARITY[last][1]}", side.reason


def topics(found: Sequence[Row]) -> Iterator[Topic]:
    """Yield the rows by topic, those with most experiments first."""
    by_topic: dict[str, list[tuple[Row, ...]]] = {}
    for _, ours in groupby(found, key=lambda row: row.experiment):
        one = tuple(ours)
        by_topic.setdefault(one[0].topic, []).append(one)
    for name in sorted(by_topic, key=lambda name: (-len(by_topic[name]), name)):
        yield Topic(name=name, experiments=tuple(by_topic[name]))
