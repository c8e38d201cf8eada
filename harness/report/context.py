"""What a report for people is told of the run that it stands in; the report itself knows none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from harness.report.view import CaseLine

if TYPE_CHECKING:
    from harness.model import Change
    from harness.report.heartbeat import Beat


#: What an address is made of, besides letters and digits; nothing that ends a link.
_IN_ADDRESSES = "/:?=&%#+,;@~!"


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineChange(CaseLine):
    """One baseline that the change under review rewrites, adds or removes (`text` says which)."""

    changes: tuple[Change, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Where links lead, how the run is found again, and what is not of this change's making."""

    #: What paths of the checkout are appended to; empty makes links relative.
    link_base: str = ""
    #: The run's number, by which its artifacts are found.
    run: str = ""
    #: The system that is reported on; empty where it is the one that is read unless told.
    system: str = ""
    #: Address or name of the artifact that holds the whole report.
    artifact: str = ""
    #: Keys (`roots.key`) of differences that the merge base shows as well.
    already: frozenset[str] = frozenset()
    #: Baselines that this pull request changes, as against its merge base.
    accepted_here: tuple[BaselineChange, ...] = ()
    #: When each moving head was last watched.
    watched: tuple[Beat, ...] = ()

    def link(self, path: str) -> str:
        """Return the address of a file of the checkout."""
        base = self.link_base.rstrip("/")
        return quote(f"{base}/{path}" if base else path, safe=_IN_ADDRESSES)

    @property
    def artifact_link(self) -> str:
        """Return the address of the artifact; empty where its name is all that is known."""
        linked = self.artifact.startswith(("https://", "http://"))
        return quote(self.artifact, safe=_IN_ADDRESSES) if linked else ""
