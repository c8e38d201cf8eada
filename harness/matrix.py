"""`matrix.yaml` → the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from harness import documents
from harness.errors import HarnessError
from harness.model import Cell, Framework, Group, Limits, Matrix

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def read(path: Path) -> Matrix:
    """Return the matrix; a HarnessError names the file, the line, the key and what is allowed."""
    document, at = documents.read_yaml(path, "matrix.json")
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
        _check(at, cell)
        cells[name] = cell
    for cell in cells.values():
        if cell.reference is not None:
            where = at("cells", cell.id, "reference")
            _refers(where, cells, cell.framework, cell.reference)
            if cells[cell.reference].reference is not None:
                raise HarnessError(f"{where}{cell.reference} has a reference itself")
    pinned = {Framework(name): cell for name, cell in document["pinned"].items()}
    for framework, name in pinned.items():
        _refers(at("pinned", framework), cells, framework, name)
    return Matrix(
        cells=cells,
        pinned=pinned,
        limits=Limits(**document["limits"]),
        settings=document["settings"],
        **{key: document[key] for key in ("baselines_from", "runners") if key in document},
    )


def _check(at: Callable[..., str], cell: Cell) -> None:
    """Refuse a cell whose keys do not fit together."""
    where = at("cells", cell.id)
    if not cell.id.startswith(f"{cell.framework}-"):
        raise HarnessError(f"{where}the id of a {cell.framework} cell begins {cell.framework}-")
    sources = [key for key in ("version", "git", "index") if getattr(cell, key) is not None]
    if len(sources) != 1:
        raise HarnessError(f"{where}give exactly one of version, git, index; found {sources}")
    foreign = {"torch": ("git", "ref", "backend"), "burn": ("index",)}[cell.framework]
    for key in foreign:
        if getattr(cell, key) is not None:
            place = at("cells", cell.id, key)
            raise HarnessError(f"{place}not a key of a {cell.framework} cell")
    if cell.framework is Framework.BURN and cell.backend is None:
        raise HarnessError(f"{at('cells', cell.id, 'backend')}missing; allowed: flex, ndarray")
    if (cell.git is None) != (cell.ref is None):
        raise HarnessError(f"{where}git and ref belong together")


def _refers(where: str, cells: dict[str, Cell], framework: Framework, name: str) -> None:
    """Refuse a name that is no cell of the framework."""
    allowed = [cell.id for cell in cells.values() if cell.framework is framework]
    if name not in allowed:
        raise HarnessError(f"{where}no {framework} cell {name!r}; allowed: {', '.join(allowed)}")


def entry(cell: Cell) -> str:
    """Return a released cell as the lines that `matrix.yaml` holds it in."""
    keys = {"framework": cell.framework, "version": cell.version, "backend": cell.backend}
    lines = [f"    {key}: {value}" for key, value in keys.items() if value is not None]
    return "\n".join([f"  {cell.id}:", *lines, f"    group: {cell.group}", ""])


def inserted(text: str, cell: Cell, after: str) -> str:
    """Return `matrix.yaml` with a released cell after another one; all else stays as it is."""
    tree = yaml.compose(text, Loader=yaml.SafeLoader)
    assert tree is not None
    cells = next(value for key, value in tree.value if key.value == "cells")
    block = next(value for key, value in cells.value if key.value == after)
    end = max(value.end_mark.line for _, value in block.value)
    lines = text.splitlines(keepends=True)
    lines[end] = lines[end].rstrip("\n") + "\n"  # the file may end without one
    return "".join([*lines[: end + 1], entry(cell), *lines[end + 1 :]])
