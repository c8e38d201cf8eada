"""A copy of the mini project, and what tests ask of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner
from mini import framework

from harness import cli, documents
from harness.model import Framework
from harness.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.model import Record

HERE = Path(__file__).resolve().parent
TORCH, BURN, HEAD = "torch-1.0.0", "burn-1.0.0", "burn-main"


@dataclass(frozen=True)
class Answer:
    """What a verb said, and its exit code."""

    code: int
    out: str
    err: str


@dataclass
class Checkout:
    """A project root of its own, with its own engines."""

    root: Path
    engines: dict[Framework, framework.FakeEngine] = field(init=False)
    clients: framework.FakeClients = field(default_factory=framework.FakeClients)
    #: What its runs record as their platform, whatever this one is.
    platform: str = "linux x86_64"

    def __post_init__(self) -> None:
        """Give it engines that nothing was told yet."""
        self.engines = framework.engines(self.root)

    @classmethod
    def fresh(cls, root: Path) -> Checkout:
        """Copy the mini project; each framework gets the halves that its contracts let it have."""
        for name in ("matrix.yaml", "schemas", "baselines"):
            copy = shutil.copytree if (HERE / name).is_dir() else shutil.copy
            copy(HERE / name, root / name)
        for name in Framework:
            shutil.copytree(HERE / "halves", root / name, ignore=shutil.ignore_patterns("__*"))
        for contract in Project(root).contracts.values():
            for name in Framework:
                if contract.unsupported_everywhere(name):
                    (root / name / f"{contract.id}.py").unlink()
        return cls(root)

    def add(self, experiment: str, half: str) -> None:
        """Add an experiment that observes `before` and `after`, its half the same in both."""
        contract = self.root / "schemas" / "experiments" / "aborts.json"
        text = contract.read_text(encoding="utf-8").replace("aborts", experiment)
        contract.with_name(f"{experiment}.json").write_text(text, encoding="utf-8")
        for name in Framework:
            (self.root / name / f"{experiment}.py").write_text(half, encoding="utf-8")

    def remove(self, *experiments: str) -> None:
        """Take experiments away, contract and halves; what was recorded of them stays."""
        for experiment in experiments:
            for path in ("schemas/experiments/{}.json", "torch/{}.py", "burn/{}.py"):
                (self.root / path.format(experiment)).unlink(missing_ok=True)

    def remove_variants(self, experiment: str, *keep: str) -> None:
        """Take all variants of an experiment away but some."""
        path = self.root / "schemas" / "experiments" / f"{experiment}.json"
        contract = json.loads(path.read_text(encoding="utf-8"))
        contract["x-variants"] = {name: contract["x-variants"][name] for name in keep}
        path.write_text(json.dumps(contract), encoding="utf-8")

    def copied(self, root: Path) -> Checkout:
        """Copy this checkout as it stands, with what its runs left."""
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        return Checkout(root)

    def release(self, name: str, *cells: str) -> None:
        """Make some cells another release, in which halves may do something else."""
        for cell in cells:
            self._engine(cell).releases[cell] = name

    def cut_off(self, cell: str) -> None:
        """Let a cell be one that cannot be prepared."""
        self._engine(cell).unavailable[cell] = "no network"

    def _engine(self, cell: str) -> framework.FakeEngine:
        return self.engines[self.project.matrix.cells[cell].framework]

    @property
    def project(self) -> Project:
        """Read the project anew, since tests edit it."""
        return Project(self.root)

    def invoke(self, *arguments: str, stdin: str = "") -> Answer:
        """Run a verb in this process, through the same door as the console script."""
        with CliRunner().isolation(input=stdin) as (out, err, _):
            how = framework.setting(self.root, self.engines, self.clients, self.platform)
            code = cli.invoke(arguments, how)
            texts = [stream.getvalue().decode() for stream in (out, err)]
        return Answer(int(code), *texts)

    def regress(self, *words: str) -> dict[str, Any]:
        """Run `regress --json` and return its report, which its schema allows."""
        return self._judged("regress", *words)

    def report(self, *words: str) -> dict[str, Any]:
        """Run `report --json` and return its report, which its schema allows."""
        return self._judged("report", *words)

    def _judged(self, *arguments: str) -> dict[str, Any]:
        answer = self.invoke(*arguments, "--json")
        assert answer.out, answer.err
        report: dict[str, Any] = json.loads(answer.out)
        assert documents.validate(report, "report.json") == []
        assert report["exit_code"] == answer.code
        return report

    def start(self, *arguments: str, group: bool = False) -> subprocess.Popen[bytes]:
        """Start a verb in a process of its own, to be interrupted."""
        program = [sys.executable, str(HERE / "framework.py"), str(self.root), *arguments]
        paths = f"{HERE.parent}:{HERE.parent.parent}"
        return subprocess.Popen(
            program,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": paths, "MINI_MARKER": str(self.root)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=group,
        )

    def started(self) -> list[tuple[str, ...]]:
        """Return the (cell, experiment, variant) that really started since the last call."""
        log = self.root / "started"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return [tuple(line.split()) for line in lines]

    def record(self, cell: str, experiment: str, variant: str = "default") -> Record:
        """Return the record of one case."""
        return self.project.records.read(cell, experiment)[variant]

    def finished(self) -> set[tuple[str, str, str]]:
        """Return the (cell, experiment, variant) of every record that can be read."""
        return {
            (path.parent.name, path.stem, variant)
            for path in self.project.records.folder.glob("*/*.jsonl")
            for variant in self.project.records.read(path.parent.name, path.stem)
        }

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a text in one file of the checkout."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def survivors(self, patience: float = 0.0) -> list[str]:
        """Return the processes of this checkout that are alive when the patience is over."""
        return until(lambda: _marked(f"MINI_MARKER={self.root}".encode()), patience)

    def killed(self, patience: float = 0.0) -> list[str]:
        """Kill what is alive when the patience is over, and return what was."""
        found = self.survivors(patience)
        for process in found:
            with suppress(ProcessLookupError):
                os.kill(int(process.split()[0]), signal.SIGKILL)
        return found

    def snapshot(self, *folders: str) -> dict[str, tuple[bytes, int]]:
        """Return the bytes and the time of change of every file below some folders."""
        return {
            str(path.relative_to(self.root)): (path.read_bytes(), path.stat().st_mtime_ns)
            for folder in folders
            for path in sorted((self.root / folder).rglob("*"))
            if path.is_file()
        }


def compared(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return (cell, experiment, variant) of the cases that a report says were compared."""
    return [
        (cell, experiment, variant)
        for group in report["compared"]
        for cell in group["cells"]
        for experiment, variants in group["experiments"].items()
        for variant in variants
    ]


def until(look: Callable[[], list[str]], patience: float) -> list[str]:
    """Look again until there is nothing to see or the patience is over; return what is seen."""
    deadline = time.monotonic() + patience
    while (seen := look()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return seen


def _marked(marker: bytes) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and marker in (process / "environ").read_bytes().split(b"\0"):
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ")
                found.append(f"{process.name} {command.decode(errors='replace')}")
        except OSError:  # it ended while we looked
            continue
    return found
