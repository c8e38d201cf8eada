"""What is proposed becomes a baseline, or entries of accepted.yaml, with a reason."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from harness import amend, compare, proposals
from harness.accepted import Entry
from harness.errors import HarnessError
from harness.model import platforms
from harness.records import to_document
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model import Change
    from harness.project import Project
    from harness.proposals import Pending


def refuse_in_ci(verb: str, *, elsewhere: bool) -> None:
    """Refuse to write baselines where CI is set, unless they are what another run observed."""
    if os.environ.get("CI", "").lower() not in {"", "0", "false"} and not elsewhere:
        raise HarnessError(
            f"{verb}: refused, since CI is set: no run in CI accepts what it observed itself",
            "Run it on your machine, or give accept another run (--from-run ID, --records DIR).",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """Why something is accepted, since when, where it is discussed, and until when."""

    reason: str
    date: str
    link: str = ""
    expires: str = ""

    def check(self, chosen: Sequence[Pending]) -> None:
        """Refuse a day that is none or is over, and what baselines have no place for."""
        try:
            late = bool(self.expires) and date.fromisoformat(self.expires).isoformat() < self.date
        except ValueError as error:
            raise HarnessError(f"--expires {self.expires}: {error}", "Say YYYY-MM-DD.") from error
        if late:
            raise HarnessError(f"--expires {self.expires}: that day is over")
        given = [key for key in ("link", "expires") if getattr(self, key)]
        own = [one.record.cell for one in chosen if not one.differs]
        if given and own:
            raise HarnessError(
                f"--{given[0]}: {own[0]} has baselines of its own, which hold none",
                "It is for cells with a reference in matrix.yaml, and for other platforms.",
            )


def accept(project: Project, one: Pending, grounds: Grounds) -> None:
    """Make one record its case's baseline, and take it off the proposals.

    Of a cell with a reference, and of records from another platform than baselines come from, the
    differences become entries of accepted.yaml instead.
    """
    if one.platform not in {"", *platforms.WORDS}:
        raise HarnessError(
            f"{one.title}: no entry of accepted.yaml can name that platform",
            f"Allowed: {', '.join(platforms.WORDS)}",
        )
    if not one.differs:
        reason, day = grounds.reason, grounds.date
        project.baselines.accept(one.contract, one.record, reason=reason, date=day)
    else:
        made = entries(project, one, grounds)
        amend.add(project.accepted_path, [entry.document() for entry in made])
    proposals.drop(project, one)


def nothing_left(one: Pending) -> str:
    """Return what is said of a case that does as what was accepted before it."""
    return f"nothing is left to accept: it does as the new baseline of {one.against}"


def entries(project: Project, one: Pending, grounds: Grounds) -> list[Entry]:
    """Return what accepts the changes of a case that becomes no baseline."""
    return [_entry(project, one, change, grounds) for change in one.changes]


def _entry(project: Project, one: Pending, change: Change, grounds: Grounds) -> Entry:
    case = one.record.cell, one.contract.id, one.record.variant, change.observation
    home = project.matrix.baselines_from
    named = any(  # an entry without `os` would not take the place of one that names this one
        entry.os and entry.applies(home)
        for entry in project.accepted
        if case == (entry.cell, entry.experiment, entry.variant, entry.observation)
    )
    return Entry(
        cell=one.record.cell,
        experiment=one.contract.id,
        variant=one.record.variant,
        observation=change.observation,
        kind=change.kind,
        expected=change.expected,
        observed=change.observed,
        reason=grounds.reason,
        since=grounds.date,
        os=one.platform or (home if named else ""),
        link=grounds.link,
        expires=grounds.expires,
    )


def summary(one: Pending) -> str:
    """Return what would change, a line each."""
    if one.baseline is None:
        observed = text.count(len(one.record.observations), "observation")
        return f"  new: {text.shortened(compare.says(one.record))}, {observed}"
    lines = []
    for change in one.changes:
        expected, observed = text.sides(change)
        measured = text.measured(change.measure)
        head = f"  {change.kind.severity} {change.kind}: {change.observation}"
        lines.append(f"{head}  {expected} → {observed}  {measured}".rstrip())
    return "\n".join(lines)


def details(project: Project, one: Pending) -> str:
    """Return the question, the source, and the whole record."""
    contract = one.contract
    sources = "; ".join(f"{source.document}, {source.section}" for source in contract.source)
    document = json.dumps(to_document(one.record), ensure_ascii=False, indent=2)
    path = project.baselines.path(contract.id, one.record.cell)
    path = project.accepted_path if one.differs else path
    return f"{contract.question}\n{contract.description}\n{sources}\n{path}\n{document}"
