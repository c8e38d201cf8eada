"""A server of cases, spoken to directly; a case is a piece of Python."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.engines.process import SERVER

if TYPE_CHECKING:
    from collections.abc import Sequence

ENTRY = """
import os

def warm_up():
    pass

def run(experiment, variant):
    exec(experiment, {})
    return 0
"""


class Served:
    """A server, asked by this process; a case is a piece of Python."""

    def __init__(
        self, folder: Path, how: str, *, without: Sequence[str] = (), **config: Any
    ) -> None:
        """Start it, without some functions of its `os`."""
        (folder / "entry.py").write_text(ENTRY)
        self.folder = folder
        self.how = how
        self.asked = 0
        program = [str(SERVER)]
        if without:
            gone = "; ".join(f"del os.{name}" for name in without)
            run = f"runpy.run_path({str(SERVER)!r}, run_name='__main__')"
            program = ["-c", f"import os, runpy; {gone}; {run}"]
        self.server = subprocess.Popen(
            [sys.executable, "-s", "-P", *program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
        self.send(
            {
                "entry": "entry" if how == "fork" else "",
                "path": str(folder),
                "jobs": 2,
                "seconds": 10,
                "memory": 1 << 30,
                "output": 1 << 20,
                **config,
            }
        )

    def send(self, *lines: dict[str, Any]) -> None:
        """Write lines in one go."""
        assert self.server.stdin is not None
        self.server.stdin.write("".join(json.dumps(line) + "\n" for line in lines).encode())
        self.server.stdin.flush()

    def ask(self, *codes: str) -> None:
        """Ask for cases, all at once."""
        lines = []
        for code in codes:
            lines.append(
                {
                    "case": self.asked,
                    "experiment": code,
                    "variant": "",
                    "argv": [sys.executable, "-S", "-c", code],
                    "events": str(self.folder / f"{self.asked}.events"),
                    "output": str(self.folder / f"{self.asked}.output"),
                }
            )
            self.asked += 1
        self.send(*lines)

    def answers(self, number: int = 1) -> list[dict[str, Any]]:
        """Return the next answers, in the order in which cases ended."""
        assert self.server.stdout is not None
        return [json.loads(self.server.stdout.readline()) for _ in range(number)]

    def output(self, case: int) -> str:
        """Return what a case printed."""
        return (self.folder / f"{case}.output").read_text()

    def pid_from(self, name: str) -> int:
        """Return the pid that a case wrote to a file, once it is there."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            text = (self.folder / name).read_text() if (self.folder / name).exists() else ""
            if text.endswith("\n"):
                return int(text)
            time.sleep(0.005)
        pytest.fail(f"no case wrote {name}")

    def end(self) -> bytes:
        """Close stdin and wait; return what the server said on stderr."""
        return self.server.communicate(timeout=10)[1]


def write_pid(name: str) -> str:
    """Return the statement by which a case writes its pid to a file."""
    return f"print(os.getpid(), file=open({name!r}, 'w'), flush=True)"


def alive(pid: int, patience: float = 0.0) -> bool:
    """Is the process alive still when the patience is over? A zombie is not."""
    deadline = time.monotonic() + patience
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state in "ZX":
            return False
        if time.monotonic() >= deadline:
            return True
        time.sleep(0.01)
