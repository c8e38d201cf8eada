"""Prepares torch cells: an environment of their own, made by uv."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import filelock
import uv

from harness import documents
from harness.engines import Prepared, caches, process
from harness.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection

    from harness.engines import Progress
    from harness.model import Cell

ROOT = Path(__file__).resolve().parent.parent.parent
#: The Python that the cells' environments are made with, whichever environment runs this.
PYTHON = Path(sys.executable).resolve()
HALVES = ROOT / "harness" / "experiments"


class TorchEngine:
    """Runs the halves in `harness/experiments/` on a torch that the harness never imports."""

    def half(self, experiment: str) -> Path:
        """Return the file that holds the torch half."""
        return HALVES / f"{experiment}.py"

    def lock(self, cell: Cell) -> str:
        """Return nothing: torch is pinned by its version."""
        del cell
        return ""

    def prepare(
        self,
        cell: Cell,
        progress: Progress,
        left_out: Collection[str] = (),  # noqa: ARG002 (halves are not compiled)
    ) -> Prepared:
        """Make the environment, or take the one that an earlier run made."""
        wanted = _installs(cell)
        backend = os.environ.get("UV_TORCH_BACKEND", "")
        name = caches.digest(repr(wanted), backend, str(PYTHON), sys.version)[:12]
        folder = caches.root() / "torch" / f"{cell.id}-{name}"
        folder.parent.mkdir(parents=True, exist_ok=True)
        stamp = folder / "prepared.json"
        if not stamp.exists() or not cell.released:
            with filelock.FileLock(f"{folder}.lock"):
                if not stamp.exists() or not cell.released:
                    _install(cell, folder, wanted, progress)
        versions = documents.read_json(stamp)
        return Prepared(
            cell=cell,
            launch=launch(_python(folder)),
            identity=caches.digest(
                caches.digest_of(versions.items()), HALVES / "support.py", process.SERVER
            ),
            versions={"torch": versions["torch"], "numpy": versions["numpy"]},
        )


def launch(python: Path) -> process.Launch:
    """Return how torch cases start: forks of one process where fork exists, else a Python each."""
    if hasattr(os, "fork"):
        entry = "harness.experiments.support"
        return process.Launch(python=python, environment={}, entry=entry, path=str(ROOT))
    argv = (str(python), "-m", "harness.experiments")
    return process.Launch(python=python, environment={"PYTHONPATH": str(ROOT)}, argv=argv)


def _installs(cell: Cell) -> list[list[str]]:
    """Return what is asked of uv: one installation after the other.

    A moving head takes torch from its own index alone, since a released torch must never stand in
    for it; only then may what torch depends on come from anywhere.
    """
    if cell.index is None:
        return [[f"torch=={cell.version}", "numpy"]]
    head = ["torch", "--prerelease=allow"]
    return [
        [*head, f"--default-index={cell.index}", "--upgrade", "--no-deps"],
        [*head, f"--index={cell.index}", "numpy"],
    ]


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _install(cell: Cell, folder: Path, wanted: list[list[str]], progress: Progress) -> None:
    """Fill the folder; its stamp is written last, so that a broken-off try is made anew."""
    progress.update(f"{cell.id}: installing, 20 s to 3 min")
    tool = uv.find_uv_bin()
    if not (folder / "prepared.json").exists():
        shutil.rmtree(folder, ignore_errors=True)
    (folder / "prepared.json").unlink(missing_ok=True)
    install: list[str | Path] = [tool, "pip", "install", "--python", _python(folder)]
    steps: list[list[str | Path]] = [[*install, "--compile-bytecode", *words] for words in wanted]
    steps.append([tool, "pip", "list", "--python", _python(folder), "--format", "json"])
    if not _python(folder).exists():
        steps.insert(0, [tool, "venv", "--python", PYTHON, folder])
    # uv's torch backend would choose the index of a moving head, too
    backend = {} if cell.released else {"UV_TORCH_BACKEND": None}
    lines: list[str] = []
    for step in steps:
        lines.clear()
        finished = process.run_tool(step, environment=backend, on_line=lines.append)
        if finished.status:
            raise UnavailableError(
                f"{cell.id}: {wanted[0][0]} cannot be installed: {finished.errors.strip()[-1500:]}",
                _advice(cell),
            )
    packages = {entry["name"]: entry["version"] for entry in json.loads("".join(lines))}
    documents.write(folder / "prepared.json", documents.canonical(packages))
    progress.say(f"{cell.id}: torch {packages['torch']} installed")


def _advice(cell: Cell) -> str:
    """Return how to point at another index: a moving head's is the matrix's, else uv's own."""
    where = f"`index` of {cell.id} in matrix.yaml" if cell.index else "UV_INDEX_URL"
    return f"Check the connection to the package index; {where} may name a mirror."
