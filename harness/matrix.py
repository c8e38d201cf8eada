"""`matrix.yaml` → the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import documents
from harness.errors import HarnessError
from harness.model import Cell, Framework, Group, Limits, Matrix

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path) -> Matrix:
    """Return the matrix; a HarnessError names the file, the line, the key and what is allowed."""
    document = documents.read_yaml(path, "matrix.json")
    cells = {}
    for name, entry in document["cells"].items():
        cell = Cell(
            id=name,
            **{
                **entry,
                "framework": Framework(entry["framework"]),
                "group": Group(entry["group"]),
            },
        )
        _check(path, cell)
        cells[name] = cell
    for cell in cells.values():
        if cell.reference is not None:
            _known(path, cells, f"cells.{cell.id}.reference", cell.reference)
    pinned = {Framework(name): cell for name, cell in document["pinned"].items()}
    for framework, name in pinned.items():
        _known(path, cells, f"pinned.{framework}", name)
        if cells[name].framework is not framework:
            raise HarnessError(f"{path}: pinned.{framework}: {name!r} is no {framework} cell")
    return Matrix(
        cells=cells,
        pinned=pinned,
        limits=Limits(**document["limits"]),
        settings=document["settings"],
    )


def _check(path: Path, cell: Cell) -> None:
    """Refuse a cell whose keys do not fit together."""
    where = f"{path}: cells.{cell.id}"
    if not cell.id.startswith(f"{cell.framework}-"):
        raise HarnessError(f"{where}: the id of a {cell.framework} cell begins {cell.framework}-")
    sources = [key for key in ("version", "git", "index") if getattr(cell, key) is not None]
    if len(sources) != 1:
        raise HarnessError(f"{where}: give exactly one of version, git, index; found {sources}")
    foreign = {"torch": ("git", "ref", "backend"), "burn": ("index",)}[cell.framework]
    for key in foreign:
        if getattr(cell, key) is not None:
            raise HarnessError(f"{where}.{key}: not a key of a {cell.framework} cell")
    if cell.framework is Framework.BURN and cell.backend is None:
        raise HarnessError(f"{where}.backend: missing; allowed: flex, ndarray")
    if (cell.git is None) != (cell.ref is None):
        raise HarnessError(f"{where}: git and ref belong together")


def _known(path: Path, cells: dict[str, Cell], key: str, name: str) -> None:
    if name not in cells:
        raise HarnessError(f"{path}: {key}: no cell {name!r}; allowed: {', '.join(cells)}")
