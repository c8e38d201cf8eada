"""The review page: what the last run found that somebody has to accept or reject."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from harness import accept, amend, compare
from harness.accepted import Ledger
from harness.dashboard import patching, unsettled
from harness.dashboard.decisions import Case, Group, Page, Shown
from harness.effects import Effect
from harness.proposals import Pending
from harness.report import markup, page, roots, text
from harness.report.view import ChangeLine

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from datetime import date

    from harness.accepted import Entry
    from harness.dashboard.latest import Latest
    from harness.dashboard.unsettled import Key
    from harness.model import Change, Record, Value
    from harness.project import Project
    from harness.report.roots import Root
    from harness.report.view import CaseLine

#: What of an entry is said when it is accepted.
_GROUNDS = frozenset({"reason", "link", "since", "expires"})


def of(project: Project, latest: Latest, today: date) -> Page:
    """Return the page of the last run."""
    return _Maker(project, latest, today).page()


class _Maker:
    """Makes the page of one run."""

    def __init__(self, project: Project, latest: Latest, today: date) -> None:
        self.project = project
        self.report = report = latest.report
        self.origins = latest.origins
        self.today = today.isoformat()
        self.read = lru_cache(maxsize=64)(latest.records.read)
        self.changes: dict[Key, list[ChangeLine]] = {}
        self.new: dict[Key, CaseLine] = {}
        for line in report.acceptable:
            key = line.cell, line.experiment, line.variant
            if isinstance(line, ChangeLine):
                self.changes.setdefault(key, []).append(line)
            elif not line.missing:
                self.new[key] = line
        self.keys = {key: n for n, key in enumerate((*self.changes, *self.new))}
        entries = project.accepted
        self.held = {
            (one.cell, one.experiment, one.variant, one.observation, one.os) for one in entries
        }

    def page(self) -> Page:
        found = [*self._changed(), *self._added()]
        groups = tuple(replace(group, number=number) for number, group in enumerate(found))
        explained = {
            key: [line.change.observation for line in lines]
            for key, lines in self.changes.items()
            if self._pending(key).differs
        }
        return Page(
            groups=groups,
            unsettled=tuple(unsettled.of(self.report, explained)),
            digest=self._digest(),
            place=patching.place(self.project.accepted_path),
        )

    def _digest(self) -> str:
        """Return what tells these decisions from those on another run."""
        parts = [roots.key(line) for lines in self.changes.values() for line in lines]
        parts += ["\0".join((*key, line.text)) for key, line in self.new.items()]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def _pending(self, key: Key, changes: Sequence[Change] = ()) -> Pending:
        """Return a case as `accept` takes it."""
        return Pending(
            contract=self.project.contracts[key[1]],
            record=self._record(key),
            baseline=None,
            home=self.project.matrix.baselines_from,
            changes=list(changes),
            reference=self.project.matrix.cells[key[0]].reference,
        )

    # --- what differs -----------------------------------------------------------------------------

    def _changed(self) -> list[Group]:
        """Return the cases that changed, together where they have all roots in common."""
        found = roots.grouped(self.report.changes)
        number = {id(line): n for n, root in enumerate(found) for line in root.lines}
        groups: dict[tuple[int, ...], list[Key]] = {}
        for key, lines in self.changes.items():
            groups.setdefault(tuple(sorted({number[id(line)] for line in lines})), []).append(key)
        return [
            self._group([found[n] for n in numbers], groups[numbers]) for numbers in sorted(groups)
        ]

    def _group(self, found: Sequence[Root], keys: Sequence[Key]) -> Group:
        notes = {
            key: [
                (line.change.observation, note)
                for line in self.changes[key]
                for note in self._notes(line)
            ]
            for key in keys
        }
        common = set.intersection(*map(set, notes.values()))
        shown = [
            _shown(
                line,
                next(root for root in found if any(line is one for one in root.lines)),
                tuple(one for one in self._notes(line) if (line.change.observation, one) in common),
            )
            for line in self.changes[keys[0]]
        ]
        cases = []
        for key in keys:
            own = (one for one in notes[key] if one not in common)
            told = dict.fromkeys(f"{observation}: {note}" for observation, note in own)
            cases.append(self._case(key, tuple(told)))
        return Group(
            number=0,
            experiment=keys[0][1],
            variants=tuple(dict.fromkeys(variant for *_, variant in keys)),
            shown=tuple(shown),
            cases=tuple(cases),
        )

    def _notes(self, line: ChangeLine) -> tuple[str, ...]:
        effect = "" if line.effect is Effect.UNKNOWN else f"parity: {line.effect}"
        told = (text.measured(line.change.measure), self.report.movement(line), effect)
        return tuple(filter(None, told))

    # --- what is new ------------------------------------------------------------------------------

    def _added(self) -> list[Group]:
        """Return the cases without a baseline, together where they observed the same."""
        groups: dict[Hashable, list[Key]] = {}
        for key in self.new:
            record = self._record(key)
            seen = tuple((name, roots.coarse(v)) for name, v in record.observations.items())
            same = (key[1], key[2], compare.says(record), seen)
            groups.setdefault(same, []).append(key)
        return [self._new_group(keys) for keys in groups.values()]

    def _new_group(self, keys: Sequence[Key]) -> Group:
        record = self._record(keys[0])
        observed = {"outcome": page.limited(compare.says(record))}
        observed |= {name: _whole(v, text.value(v)) for name, v in record.observations.items()}
        return Group(
            number=0,
            experiment=record.experiment,
            variants=(record.variant,),
            shown=tuple(
                Shown(severity="", kinds="", observation=name, expected="–", observed=value)
                for name, value in observed.items()
            ),
            cases=tuple(self._case(key, ()) for key in keys),
        )

    def _record(self, key: Key) -> Record:
        cell, experiment, variant = key
        return self.read(cell, experiment)[variant]

    # --- how it is accepted -----------------------------------------------------------------------

    def _case(self, key: Key, notes: tuple[str, ...]) -> Case:
        changes = [line.change for line in self.changes.get(key, ())]
        pending = self._pending(key, changes)
        reference = pending.reference
        cell, experiment, variant = key
        told = [_markdown(change) for change in changes]
        if key in self.new:
            told = [f"new: {markup.code(text.shortened(self.new[key].text))}"]
        words = ["nox", "-s", "accept", "--", experiment, variant, cell]
        source = self.origins.get(cell, ())
        case = Case(
            number=self.keys[key],
            key=key,
            against=reference or cell,
            by_entries=pending.differs,
            command=f'{shlex.join((*words, *source))} --reason "…"',
            source=source,
            notes=notes,
            told=tuple(told),
        )
        if not pending.differs:
            return case
        made = self._entries(pending)
        case = replace(
            case,
            entries=self._dumped(made),
            replaces=any((*key, one.observation, one.os) in self.held for one in made),
        )
        partner = (reference or "", experiment, variant)
        if partner not in self.keys or self._pending(partner).differs:
            return case  # only a baseline changes what the head is held against
        contract = self.project.contracts[experiment]
        found = compare.changes(contract, self._record(partner), self._record(key))
        ledger = Ledger(self.project.accepted, self.today)
        standing, _ = ledger.settle(contract, pending.record, found)
        then = self._dumped(self._entries(self._pending(key, standing)))
        return replace(case, reference=self.keys[partner], then=then)

    def _entries(self, pending: Pending) -> list[Entry]:
        grounds = accept.Grounds(reason="…", date=self.today)
        return accept.entries(self.project, pending, grounds)

    @staticmethod
    def _dumped(made: Sequence[Entry]) -> tuple[str, ...]:
        documents = (one.document() for one in made)
        return tuple(
            amend.dumped({name: one[name] for name in one if name not in _GROUNDS})
            for one in documents
        )


def _shown(line: ChangeLine, root: Root, notes: tuple[str, ...]) -> Shown:
    """Return a change with the classes of its root, which says what followed from it."""
    change = line.change
    expected, observed = text.sides(change)
    return Shown(
        severity=str(root.severity),
        kinds=", ".join(root.kinds),
        observation=change.observation,
        expected=_whole(change.expected, expected),
        observed=_whole(change.observed, observed),
        notes=notes,
    )


def _whole(value: Value | None, brief: str) -> str:
    """Return a text or a list in full; tensors have a measure."""
    match value:
        case str():
            return page.limited(value)
        case list():
            return page.limited(", ".join(map(str, value)))
        case _:
            return brief


def _markdown(change: Change) -> str:
    expected, observed = map(markup.code, text.sides(change))
    what = f"{change.kind.severity} {change.kind} {markup.code(change.observation)}"
    return f"{what}: {expected} → {observed}"
