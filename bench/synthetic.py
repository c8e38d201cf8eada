"""A made-up project of any size, in the files and formats of a real one.

It has contracts, the records of two cells or of all, and baselines, a few of which differ. A record
is 2 KB: ten observations, three of them arrays of 32 floats. As the real ones do, torch and burn
differ by a rounding in one array of every record, so that no comparison is free.
"""

from __future__ import annotations

import copy
import math
import random
import shutil
import struct
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from harness import documents, tensors
from harness.engines import machine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from harness.model import Cell, Matrix

VARIANTS = 10
#: Differences planted in a project, whatever its size.
PLANTED = 12
_TEMPLATES = 20
_SIDE = 4, 8


def write(root: Path, source: Path, matrix: Matrix, records: int) -> None:
    """Fill a folder with a project of about so many records, half of them in each pinned cell."""
    shutil.copy2(source / "matrix.yaml", root / "matrix.yaml")
    experiments = records // (VARIANTS * len(matrix.pinned))
    pinned = [matrix.cells[name] for name in matrix.pinned.values()]
    templates = [
        _Template(number, matrix, pinned) for number in range(min(_TEMPLATES, experiments))
    ]
    for number in range(experiments):
        templates[number % len(templates)].write(root, number, planted=number < PLANTED)


def site(root: Path, source: Path, matrix: Matrix, cases: int) -> None:
    """Fill a folder with a project of about so many cases over all cells, and with halves.

    Each cell does something of its own in one variant of ten.
    """
    shutil.copy2(source / "matrix.yaml", root / "matrix.yaml")
    cells = list(matrix.cells.values())
    experiments = max(1, cases // (VARIANTS * len(cells)))
    templates = [
        _Template(number, matrix, cells, drifts=True)
        for number in range(min(_TEMPLATES, experiments))
    ]
    halves = ("harness/experiments/freeze.py", "rust/src/experiments/freeze.rs")
    for number in range(experiments):
        templates[number % len(templates)].write(root, number, planted=number < PLANTED)
        for half in halves:
            text = (source / half).read_text(encoding="utf-8")
            name = f"experiment_{number:06}.{half.rpartition('.')[2]}"
            _put(root / "halves" / name, text, "", "")


class _Template:
    """One experiment's files as text, to be written under many names."""

    NAME = "experiment_000000"

    def __init__(
        self, seed: int, matrix: Matrix, cells: Sequence[Cell], *, drifts: bool = False
    ) -> None:
        rng = random.Random(seed)  # noqa: S311 (numbers to measure with)
        self.contract = documents.canonical(_contract(self.NAME))
        self.files: dict[str, tuple[bytes, str, str]] = {}
        variants = {f"variant_{number}": _observations(rng) for number in range(VARIANTS)}
        for place, cell in enumerate(one.id for one in cells):
            provenance = {
                "versions": {cell.partition("-")[0]: cell.partition("-")[2], "python": "3.11.7"},
                "machine": machine.fingerprint(),
                "settings": " ".join(f"{name}={value}" for name, value in matrix.settings.items()),
            }
            lines, accepted = [], {}
            for variant, common in variants.items():
                seen = {"is_leaf": True, **common} if cell.startswith("torch") else _rounded(common)
                if drifts and variant == f"variant_{place % VARIANTS}":
                    seen["gradients_len"] = 5 + place
                lines.append(
                    {
                        "cell": cell,
                        "experiment": self.NAME,
                        "variant": variant,
                        "outcome": "observed",
                        "observations": seen,
                        "key": f"{seed:064x}",
                        "provenance": provenance | {"seconds": 0.0123},
                    }
                )
                accepted[variant] = {
                    "outcome": "observed",
                    "observations": seen,
                    "accepted": {
                        "reason": "made up",
                        "date": "2026-01-01",
                        "provenance": provenance,
                    },
                }
            baseline = {"experiment": self.NAME, "cell": cell, "variants": accepted}
            off = copy.deepcopy(baseline)
            changed = off["variants"]["variant_0"]["observations"]  # type: ignore[index]
            changed["first"]["values"][2][3] += 0.25
            self.files[cell] = (
                b"".join(documents.compact(line) + b"\n" for line in lines),
                documents.canonical(baseline),
                documents.canonical(off),
            )

    def write(self, root: Path, number: int, *, planted: bool) -> None:
        """Write the experiment under its own name; a planted one disagrees with one baseline."""
        name = f"experiment_{number:06}"
        _put(root / "schemas" / "experiments" / f"{name}.json", self.contract, self.NAME, name)
        for place, (cell, (records, baseline, off)) in enumerate(self.files.items()):
            wrong = planted and number % len(self.files) == place
            folder = root / "baselines" / name
            _put(folder / f"{cell}.json", off if wrong else baseline, self.NAME, name)
            path = root / ".emberwatch" / "records" / cell / f"{name}.jsonl"
            _put(path, records.decode(), self.NAME, name)
            noted = root / ".emberwatch" / "cells" / f"{cell}.json"
            if not number:
                at = datetime.now(tz=UTC).isoformat(timespec="seconds")
                document = {"cell": cell, "unavailable": "", "versions": {}, "at": at}
                _put(noted, documents.canonical(document), "", "")


def _put(path: Path, text: str, old: str, new: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")


def _contract(name: str) -> dict[str, Any]:
    def ref(kind: str, **more: Any) -> dict[str, Any]:
        return {"$ref": f"../record.json#/$defs/{kind}", **more}

    observations = {
        "is_leaf": ref("flag", **{"x-only": "torch"}),
        "requires_grad": ref("flag"),
        "gradients_len": ref("count"),
        "order": ref("ids"),
        "first": ref("float32", properties={"shape": {"const": list(_SIDE)}}),
        "second": ref("float32", properties={"shape": {"const": list(_SIDE)}}),
        "third": ref("float32", properties={"shape": {"const": list(_SIDE)}}),
        "moved": ref("flag", **{"x-meaning": "moves"}),
        "max_abs_change": ref("float32", properties={"shape": {"const": []}}),
        "display": ref("text"),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"experiments/{name}.json",
        "title": "What does a made-up experiment observe?",
        "description": "It stands for one that somebody cares about.",
        "x-topic": "made up",
        "x-source": [{"document": "none", "section": "none"}],
        "x-variants": {
            f"variant_{number}": {"says": f"way {number}", "parity": {"rule": "same"}}
            for number in range(VARIANTS)
        },
        "type": "object",
        "properties": observations,
        "required": list(observations),
        "additionalProperties": False,
    }


def _observations(rng: random.Random) -> dict[str, Any]:
    def array() -> dict[str, Any]:
        flat = [tensors.shortest(rng.gauss(0, 1), "float32") for _ in range(math.prod(_SIDE))]
        values = tensors.nested(flat, list(_SIDE))
        return {"dtype": "float32", "shape": list(_SIDE), "values": values}

    scalar = tensors.shortest(rng.random(), "float32")
    return {
        "requires_grad": True,
        "gradients_len": 4,
        "order": [0, 1, 0, 2],
        "first": array(),
        "second": array(),
        "third": array(),
        "moved": True,
        "max_abs_change": {"dtype": "float32", "shape": [], "values": scalar},
        "display": "Linear { d_input: 4, d_output: 8, bias: true, params: 40 }",
    }


def _rounded(observations: dict[str, Any]) -> dict[str, Any]:
    """Return the observations with the neighbouring float32 in every fourth place of an array."""
    other = copy.deepcopy(observations)
    for row in other["second"]["values"]:
        for place in range(0, len(row), 4):
            (bits,) = struct.unpack("<i", struct.pack("<f", row[place]))
            (moved,) = struct.unpack("<f", struct.pack("<i", bits + 1))
            row[place] = tensors.shortest(moved, "float32")
    return other
