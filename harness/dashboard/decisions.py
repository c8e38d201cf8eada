"""What there is to decide, as the review page shows it and as its script reads it; pure."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harness.model import title

if TYPE_CHECKING:
    from harness.dashboard.patching import Place
    from harness.dashboard.unsettled import Item, Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One difference, expected beside observed, as all cases of a group have it."""

    severity: str
    kinds: str
    observation: str
    expected: str
    observed: str
    #: How far apart, where that is beside the exact value, what it does to parity.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case to decide."""

    number: int
    key: Key
    against: str
    #: Is it accepted by entries of accepted.yaml, not by a baseline?
    by_entries: bool
    command: str
    #: The words with which the command says where the record lies.
    source: tuple[str, ...]
    #: What it says otherwise than the first of its group.
    notes: tuple[str, ...]
    #: What differs, as lines of Markdown.
    told: tuple[str, ...]
    #: The entries that accepting adds, without reason, link and days.
    entries: tuple[str, ...] = ()
    #: The same where its reference's case, by number, is accepted as well.
    reference: int | None = None
    then: tuple[str, ...] = ()
    #: Is one of the entries there already, for another difference?
    replaces: bool = False

    @property
    def title(self) -> str:
        """Return `experiment / variant`."""
        return title(*self.key[1:])

    def document(self) -> dict[str, Any]:
        """Return what the page's script knows of it."""
        cell, experiment, variant = self.key
        return {
            "cell": cell,
            "experiment": experiment,
            "variant": variant,
            "by_entries": self.by_entries,
            "source": self.source,
            "told": self.told,
            "entries": self.entries,
            "reference": self.reference,
            "then": self.then,
            "replaces": self.replaces,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The cases that see the same differences."""

    number: int
    experiment: str
    variants: tuple[str, ...]
    shown: tuple[Shown, ...]
    cases: tuple[Case, ...]

    @property
    def by_entries(self) -> bool:
        """Is one of them accepted by entries of accepted.yaml?"""
        return any(case.by_entries for case in self.cases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that the page shows."""

    groups: tuple[Group, ...]
    unsettled: tuple[Item, ...]
    digest: str
    place: Place | None

    @property
    def cases(self) -> list[Case]:
        """Return the cases by number."""
        found = (case for group in self.groups for case in group.cases)
        return sorted(found, key=lambda case: case.number)

    @property
    def folders(self) -> list[str]:
        """Return the folders that commands name."""
        named = (case.source[1] for case in self.cases if case.source[:1] == ("--records",))
        return list(dict.fromkeys(named))

    @property
    def document(self) -> dict[str, Any]:
        """Return what the page's script works on."""
        return {
            "digest": self.digest,
            "place": asdict(self.place) if self.place else None,
            "cases": [case.document() for case in self.cases],
        }
