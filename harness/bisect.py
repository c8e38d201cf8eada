"""Where between two candidates does behaviour change? The search and its verdicts; pure.

A line of candidates runs from one that behaves the old way (`good`, the first) to one that does not
(the last). Behaviour is taken to change once along it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from harness import compare
from harness.model import Change, Difference, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model import Contract, Record

#: Outcomes that say more of the candidate's build or of the machine than of behaviour.
_UNTESTABLE = frozenset(
    {
        Outcome.NOT_BUILT,
        Outcome.TIMED_OUT,
        Outcome.UNSUPPORTED,
        Outcome.UNAVAILABLE,
        Outcome.INVALID,
    }
)


class Verdict(StrEnum):
    """What a candidate's behaviour is."""

    GOOD = "good"
    BAD = "bad"
    #: Neither as at the good end nor as at the bad end: it counts as not good.
    OTHER = "other"
    #: It cannot be told: it does not build, say.
    SKIPPED = "skipped"


@dataclass(slots=True)
class Search:
    """A search along a line of candidates, by their places; the two ends are known."""

    #: How many candidates there are, the two ends with them.
    candidates: int
    #: Place → verdict of what was tried.
    verdicts: dict[int, Verdict] = field(default_factory=dict)

    @property
    def good(self) -> int:
        """The last place that is known to be good."""
        good = [place for place, one in self.verdicts.items() if one is Verdict.GOOD]
        return max((place for place in good if place < self.bad), default=0)

    @property
    def bad(self) -> int:
        """The first place that is known not to be good."""
        bad = {Verdict.BAD, Verdict.OTHER}
        return min(
            (place for place, one in self.verdicts.items() if one in bad),
            default=self.candidates - 1,
        )

    def _between(self) -> range:
        return range(self.good + 1, self.bad)

    def next(self) -> int | None:
        """Return the place to try: the middle of those untried between good and bad, if any.

        What was skipped does not count, so that its nearest neighbour is tried in its stead.
        """
        untried = self._untried()
        return untried[len(untried) // 2] if untried else None

    def _untried(self) -> list[int]:
        return [place for place in self._between() if place not in self.verdicts]

    @property
    def steps_left(self) -> int:
        """The most tries that are left, as long as nothing is skipped."""
        return len(self._untried()).bit_length()

    @property
    def suspects(self) -> range:
        """The places one of which changed the behaviour; one alone when nothing between is open."""
        return range(self.good + 1, self.bad + 1)


def differences(
    contract: Contract,
    expected: Mapping[str, Record],
    observed: Mapping[str, Record],
    observation: str | None,
) -> dict[str, list[Change]]:
    """Return what differs in each variant; with an observation named, what differs in it alone."""
    found = {
        name: _changes(contract, expected[name], observed[name], observation) for name in expected
    }
    return {name: changes for name, changes in found.items() if changes}


def _changes(
    contract: Contract, expected: Record, observed: Record, observation: str | None
) -> list[Change]:
    changes = compare.changes(contract, expected, observed)
    if observation is None:
        return changes
    old, new = (record.observations.get(observation) for record in (expected, observed))
    chosen = [change for change in changes if change.observation == observation]
    if not chosen and (old is None) != (new is None):  # the outcome says it, but is not asked for
        kind = Difference.OBSERVATION_GONE if new is None else Difference.OBSERVATION_ADDED
        return [Change(kind=kind, observation=observation, expected=old, observed=new)]
    return chosen


def verdict(
    contract: Contract,
    good: Mapping[str, Record],
    bad: Mapping[str, Record],
    observed: Mapping[str, Record],
    observation: str | None,
) -> tuple[Verdict, str]:
    """Return what a candidate's records are beside those of the two ends, and why it is skipped."""
    for name, record in observed.items():
        ends = {good[name].outcome, bad[name].outcome}
        if record.outcome in _UNTESTABLE - ends:
            return Verdict.SKIPPED, compare.says(record)
    if not differences(contract, good, observed, observation):
        return Verdict.GOOD, ""
    if not differences(contract, bad, observed, observation):
        return Verdict.BAD, ""
    return Verdict.OTHER, ""


def chosen(contract: Contract, variant: str | None) -> Contract:
    """Return the contract with one of its variants alone; all of them when none is named."""
    if variant is None:
        return contract
    return replace(contract, variants={variant: contract.variants[variant]})


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A candidate as a result names it: a version, or a commit with what tells it from others."""

    name: str
    subject: str = ""
    date: str = ""
    author: str = ""
    #: Why it was skipped, or what it did that neither end does.
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search found out: where behaviour changes, and how."""

    experiment: str
    #: The variant or the observation that alone was looked at, if one was.
    variant: str | None
    observation: str | None
    last_good: Named
    #: The first bad candidate; several where those between cannot be told.
    suspects: tuple[Named, ...]
    others: tuple[Named, ...]
    #: Variant → what changed from the last good to the first bad.
    changes: Mapping[str, list[Change]]
    candidates: int
    steps: int

    @property
    def exact(self) -> bool:
        """Is it one candidate?"""
        return len(self.suspects) == 1
