"""One report, with the eyes on one head: what is there, what is gone, what it says nothing of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.github import brief, issue_text
from harness.github.sightings import Row, Sighting, Signature, Watched
from harness.model import Difference, Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

#: How a report says of a comparison of torch with burn that there was none.
_NOT_COMPARED = "not compared"


def compared(report: Mapping[str, Any], cell: str) -> set[str]:
    """Return the cases (`experiment/variant`) of a cell that were compared with a baseline."""
    return {
        f"{experiment}/{variant}"
        for group in report["compared"]
        if cell in group["cells"]
        for experiment, variants in group["experiments"].items()
        for variant in variants
    }


def flaky(report: Mapping[str, Any], cell: str) -> set[str]:
    """Return the cases of a cell that disagree with themselves."""
    return {_case(line) for line in report["flaky"] if line["cell"] == cell}


def _case(line: Mapping[str, Any]) -> str:
    return f"{line['experiment']}/{line['variant']}"


def build_of(versions: Mapping[str, str]) -> str:
    """Return what names a head's build: burn's commit, torch's version."""
    return versions.get("commit") or versions.get("torch") or versions.get("burn") or ""


def version_of(versions: Mapping[str, str]) -> str:
    """Return what a head's build calls itself."""
    return versions.get("burn") or versions.get("torch") or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a report says of a head's changes, known and new."""

    report: Mapping[str, Any]
    head: str
    now: str
    build: str
    before: Watched
    #: The cells that were unavailable.
    lost: Collection[str]
    #: The cases that were compared, and agree with themselves: the others count neither way.
    told: Collection[str]

    def at(self, known: Mapping[str, Sighting]) -> Iterator[tuple[str, Sighting]]:
        """Yield what becomes of the head's sightings, known and new."""
        present = self._present()
        for name, changes in present.items():
            yield name.digest, self._seen(name, changes, known.get(name.digest))
        for key, one in known.items():
            if one.signature.cell != self.head or one.signature in present:
                continue
            if self._looked_at(one):
                accepted = self._accepted(one.signature)
                yield key, replace(one, seen=0, clean=one.clean + 1, accepted=accepted)

    def _present(self) -> dict[Signature, list[Mapping[str, Any]]]:
        """Return the changes that matter, by signature, in the report's order.

        A parity that is lost is a consequence, told with the change that it comes from.
        """
        changes = [
            one
            for one in self.report["changes"]
            if one["cell"] == self.head
            and one["severity"] != Severity.NOTE
            and _case(one) in self.told
        ]
        drifted = {
            (one["experiment"], one["variant"], one["observation"])
            for one in changes
            if one["class"] != Difference.PARITY_LOST
        }
        found: dict[Signature, list[Mapping[str, Any]]] = {}
        for one in changes:
            place = (one["experiment"], one["variant"], one["observation"])
            if one["class"] != Difference.PARITY_LOST or place not in drifted:
                found.setdefault(Signature.of(one), []).append(one)
        return found

    def _looked_at(self, one: Sighting) -> bool:
        """Would the run have seen the change, were it there: in each variant that had it?"""
        name = one.signature
        cases = self._cases(name, one.rows)
        if not cases or not cases <= set(self.told) or name.reference in self.lost:
            return False
        if name.kind != Difference.PARITY_LOST:
            return True
        apart = (side for side in self._sides(name, one.rows) if side["status"] == _NOT_COMPARED)
        pairs = ({side["torch"], side["burn"]} for side in apart)
        return {self.head, name.reference} not in pairs and not cases & flaky(
            self.report, name.reference
        )

    def _seen(
        self, name: Signature, changes: Sequence[Mapping[str, Any]], old: Sighting | None
    ) -> Sighting:
        rows = [self._row(one) for one in changes]
        if old is None:
            known = self._cases(name, rows) <= set(self.before.compared)
            old = Sighting(
                signature=name,
                severity=changes[0]["severity"],
                first_seen=self.now,
                last_good=self.before.build if known else "",
                first_bad=self.build,
            )
        # What had it and was not looked at today may have it still.
        rows += [row for row in old.rows if not self._cases(name, [row]) & set(self.told)]
        return replace(
            old,
            rows=tuple(rows),
            parity=self._parity(name, rows),
            since=old.since if old.seen else self.now,
            last_seen=self.now,
            last_bad=self.build,
            seen=old.seen + 1,
            clean=0,
            accepted="",
        )

    @staticmethod
    def _cases(name: Signature, rows: Iterable[Row]) -> set[str]:
        return {f"{name.experiment}/{row.variant}" for row in rows}

    @staticmethod
    def _row(change: Mapping[str, Any]) -> Row:
        expected, observed = brief.sides(change)
        return Row(variant=change["variant"], expected=expected, observed=observed)

    def _sides(self, name: Signature, rows: Iterable[Row]) -> list[Mapping[str, Any]]:
        """Return how the head stands to the other framework where the change is."""
        variants = {row.variant for row in rows}
        return [
            side
            for side in self.report["parity"]
            if side["experiment"] == name.experiment
            and side["variant"] in variants
            and self.head in {side["torch"], side["burn"]}
        ]

    def _parity(self, name: Signature, rows: Iterable[Row]) -> tuple[str, ...]:
        sides = (
            (side, side["burn"] if side["torch"] == self.head else side["torch"])
            for side in self._sides(name, rows)
        )
        return tuple(f"{side['variant']} with {other}: {side['status']}" for side, other in sides)

    def _accepted(self, name: Signature) -> str:
        """Return why the change is accepted by now; empty where it is not."""
        reasons = (one["reason"] for one in self.report["accepted"] if Signature.of(one) == name)
        return issue_text.shortened(next(reasons, ""))
