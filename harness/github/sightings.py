"""A change of a moving head, and what is known of it from run to run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What makes two changes one: it is an issue's identity."""

    cell: str
    reference: str
    experiment: str
    observation: str
    kind: str

    @classmethod
    def of(cls, change: Mapping[str, Any]) -> Signature:
        """Return the signature of a change in a report's document."""
        return cls(
            cell=change["cell"],
            reference=change["against"],
            experiment=change["experiment"],
            observation=change["observation"],
            kind=change["class"],
        )

    @property
    def digest(self) -> str:
        """Return what names the signature in an issue's first line."""
        words = [self.experiment, self.observation, self.kind, self.reference, self.cell]
        return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one variant did, in a few characters each."""

    variant: str
    expected: str
    observed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A change, when it was seen, and between which builds it came; times are ISO 8601, UTC."""

    signature: Signature
    severity: str
    first_seen: str
    #: The last build without it; empty where no run knows one.
    last_good: str
    first_bad: str
    rows: tuple[Row, ...] = ()
    #: Since when it was seen in every run.
    since: str = ""
    last_seen: str = ""
    last_bad: str = ""
    #: How the head stands to the other framework there.
    parity: tuple[str, ...] = ()
    #: In how many runs in a row it was seen; 0 once it was not.
    seen: int = 0
    #: In how many runs in a row it was not seen since.
    clean: int = 0
    #: Why it is accepted by now; empty where it is not.
    accepted: str = ""

    def document(self) -> dict[str, Any]:
        """Return the sighting as JSON holds it."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Sighting:
        """Return the sighting that a valid document holds."""
        known = {one.name for one in fields(cls)}
        words = {key: value for key, value in document.items() if key in known}
        words["signature"] = Signature(**document["signature"])
        words["rows"] = tuple(Row(**row) for row in document["rows"])
        words["parity"] = tuple(document["parity"])
        return cls(**words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """When a head was last looked at, and at which build; empty before the first time."""

    at: str = ""
    build: str = ""
    #: What the build calls itself, which several builds may.
    version: str = ""
    #: The last try, which may have failed, and why it did.
    tried: str = ""
    problem: str = ""
    #: The cases (`experiment/variant`) of which that look said something.
    compared: tuple[str, ...] = ()
