"""The fake framework: its cases are plain Python, forked as torch's or spawned as burn's."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from harness import cli
from harness.engines import Prepared, caches, process
from harness.engines.clients import between
from harness.errors import BuildError, UnavailableError
from harness.model import Framework
from harness.project import Project

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from harness.engines import Engine, Progress
    from harness.model import Cell

NOT_BUILT = {"not_built": "error[E0599]: no method named `gone` found"}


@dataclass
class FakeEngine:
    """Prepares cells at once; what it is told to be is what tests vary."""

    root: Path
    framework: Framework
    #: Cell → its release, `old` unless given; halves may do something else in another one.
    releases: dict[str, str] = field(default_factory=dict)
    #: Cell → why it cannot be prepared.
    unavailable: dict[str, str] = field(default_factory=dict)
    not_built: Mapping[str, str] = field(default_factory=dict)
    entry: str = "support"
    python: Path = Path(sys.executable)

    @property
    def folder(self) -> Path:
        """Where this framework's halves lie."""
        return self.root / self.framework

    def half(self, experiment: str) -> Path:
        """Return the file that holds the half."""
        return self.folder / f"{experiment}.py"

    def lock(self, cell: Cell) -> str:
        """Return the lock of a burn cell; torch has none."""
        burn = self.framework is Framework.BURN
        return f'name = "burn"\nversion = "{cell.version}"\n' if burn else ""

    def prepare(
        self,
        cell: Cell,
        progress: Progress,
        left_out: Collection[str] = (),  # noqa: ARG002 (only what is compiled is left out)
    ) -> Prepared:
        """Return how the cell's cases start."""
        if cell.id in self.unavailable:
            raise UnavailableError(f"{cell.id}: {self.unavailable[cell.id]}", "Try again.")
        progress.say(f"{cell.id}: prepared")
        release = self.releases.get(cell.id, "old")
        if Path(cell.git or "https:").is_dir():  # a repository whose commits are releases
            show = ["git", "-C", str(cell.git), "show", f"{cell.ref}:release"]
            release = subprocess.check_output(show, text=True).strip()
        if release == "broken":
            raise BuildError(f"{cell.id}: does not build")
        environment = {
            "MINI_CELL": cell.id,
            "MINI_LOG": str(self.root / "started"),
            "MINI_MARKER": str(self.root),
            "MINI_RELEASE": release,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        support = self.folder / "support.py"
        launch = process.Launch(
            python=self.python, environment=environment, entry=self.entry, path=str(self.folder)
        )
        if self.framework is Framework.BURN:
            argv = (sys.executable, "-S", str(support))
            launch = process.Launch(python=self.python, environment=environment, argv=argv)
        return Prepared(
            cell=cell,
            launch=launch,
            identity=caches.digest(support, release, process.SERVER),
            versions={"mini": release},
            not_built=self.not_built,
        )


def engines(root: Path) -> dict[Framework, FakeEngine]:
    """Return both engines for a checkout of the mini project."""
    return {
        Framework.TORCH: FakeEngine(root, Framework.TORCH),
        Framework.BURN: FakeEngine(root, Framework.BURN, not_built=NOT_BUILT),
    }


@dataclass
class FakeClients:
    """Package clients that know what they are told."""

    versions: dict[Framework, list[str]] = field(default_factory=dict)
    unreachable: set[Framework] = field(default_factory=set)

    def published(self, framework: Framework, above: str, below: str | None = None) -> list[str]:
        """Return the versions within the bounds."""
        if framework in self.unreachable:
            raise UnavailableError(f"{framework}: no connection", "Try again.")
        return between(self.versions.get(framework, []), above, below)


def machine(platform: str = "linux x86_64") -> dict[str, str]:
    """Return the fingerprint of a machine, on the platform that baselines come from unless told."""
    return {"platform": platform, "cpu": "a CPU", "isa": "avx2"}


def setting(
    root: Path,
    engines: Mapping[Framework, Engine],
    clients: FakeClients | None = None,
    platform: str = "linux x86_64",
) -> cli.Setting:
    """Return what the verbs of `harness.cli` work on."""
    asked = clients or FakeClients()
    return cli.Setting(
        project=Project(root),
        engines=lambda: engines,
        clients=lambda: asked,
        machine=lambda: machine(platform),
    )


def main() -> None:
    """Run `<checkout> <verb> …`, then write which processes are left below this one."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    root = Path(sys.argv[1])
    code = cli.invoke(sys.argv[2:], setting(root, engines(root)))
    children = Path("/proc/self/task") / str(_pid()) / "children"
    if children.exists():
        (root / "left").write_text(children.read_text())
    sys.exit(code)


def _pid() -> int:
    return int(Path("/proc/self").readlink().name)


if __name__ == "__main__":
    main()
