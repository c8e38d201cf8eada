"""A git repository whose commits are releases of the mini framework."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True)
class History:
    """One repository, its commits on one line."""

    root: Path

    @classmethod
    def of(cls, root: Path, releases: Sequence[str]) -> History:
        """Make a repository with a commit per release, its subject the release and its place."""
        history = cls(root)
        root.mkdir()
        history.git("init", "-q", "-b", "main")
        for place, release in enumerate(releases):
            history.commit(release, f"{place} {release}")
        return history

    def commit(self, release: str, subject: str) -> str:
        """Add one commit."""
        (self.root / "release").write_text(release, encoding="utf-8")
        (self.root / "subject").write_text(subject, encoding="utf-8")  # so that it is never empty
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def at(self, place: int) -> str:
        """Return the commit at a place of the main line."""
        return self.git("rev-list", "--reverse", "--first-parent", "main").split()[place]

    def git(self, *words: str) -> str:
        """Run git there, whoever its user is."""
        who = [
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@localhost",
            "-c",
            "commit.gpgsign=false",
        ]
        command = ["git", "-C", str(self.root), *who, *words]
        return subprocess.check_output(command, text=True).strip()
