"""A copy of the repository that a test may change, with the caches of the real one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.project import ROOT, Project

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Checkout:
    """A copy of every file that git knows or would add."""

    root: Path

    @classmethod
    def make(cls, root: Path) -> Checkout:
        """Copy the repository to a new folder."""
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        for name in listed.stdout.splitlines():
            source = ROOT / name
            if source.is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, root / name)
        return cls(root)

    @property
    def project(self) -> Project:
        """Return the copy as a project, read anew."""
        return Project(self.root)

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the copy's own harness."""
        return self.start([sys.executable, "-m", "harness", *arguments], environment)

    def nox(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the copy's own noxfile."""
        return self.start([sys.executable, "-m", "nox", *arguments], environment)

    def start(self, command, environment):
        """Run a command in the copy, both streams apart."""
        clean = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR"}}
        return subprocess.run(
            command,
            cwd=self.root,
            check=False,
            capture_output=True,
            text=True,
            env={**clean, **environment},
            timeout=1200,
        )

    def replace(self, name: str, *pairs: tuple[str, str]) -> None:
        """Replace texts in a file; each must be there exactly once."""
        path = self.root / name
        text = path.read_text("utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, (name, old, text.count(old))
            text = text.replace(old, new)
        path.write_text(text, "utf-8")

    def write(self, name: str, text: str) -> None:
        """Write a file of the copy."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
