"""Accepted records: find, read, accept, and name those that nothing refers to any more."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from harness import compare, documents, tensors
from harness.errors import HarnessError
from harness.model import platforms
from harness.records import from_document, to_document

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from harness.model import Contract, Matrix, Record

_RESTORE = "git restore it, or accept the behaviour anew."


class Baselines:
    """A folder of `<experiment>/<cell>.json`."""

    def __init__(self, folder: Path, platform: str = "") -> None:
        """Take the folder, which need not exist, and the platform whose records alone it takes.

        Without one it takes those of any, as folders of proposals do.
        """
        self.folder = folder
        self.platform = platform

    def path(self, experiment: str, cell: str) -> Path:
        """Return the file of an experiment in a cell."""
        return self.folder / experiment / f"{cell}.json"

    def read(self, experiment: str, cell: str) -> dict[str, Record]:
        """Return the accepted records by variant; a HarnessError names a file that is broken."""
        document = self._document(experiment, cell)
        return {
            variant: from_document(
                {
                    **entry,
                    "cell": cell,
                    "experiment": experiment,
                    "variant": variant,
                    "provenance": entry["accepted"]["provenance"],
                }
            )
            for variant, entry in document["variants"].items()
        }

    def reasons(self, experiment: str, cell: str) -> dict[str, str]:
        """Return why each variant's record was accepted."""
        variants = self._document(experiment, cell)["variants"]
        return {variant: entry["accepted"]["reason"] for variant, entry in variants.items()}

    def _document(self, experiment: str, cell: str) -> dict[str, Any]:
        path = self.path(experiment, cell)
        if not path.exists():
            return {"experiment": experiment, "cell": cell, "variants": {}}
        document: dict[str, Any] = documents.read_json(path)
        problems = documents.validate(document, "baseline.json")
        if problems:
            lines = [f"{path}: {documents.dotted(where)}{text}" for where, text in problems]
            raise HarnessError("\n".join(lines), _RESTORE)
        lines = [
            f"{path}: variants.{variant}.observations.{name}: {problem}"
            for variant, entry in document["variants"].items()
            for name, value in entry["observations"].items()
            if isinstance(value, dict)
            and not _consistent(value)
            and (problem := tensors.contradiction(value))
        ]
        if lines:
            raise HarnessError("\n".join(lines), _RESTORE)
        if (document["experiment"], document["cell"]) != (experiment, cell):
            raise HarnessError(f"{path}: it says that it is another experiment's or cell's")
        return document

    def accept(self, contract: Contract, record: Record, *, reason: str, date: str) -> bool:
        """Make a record the baseline of its case; return whether the file changed.

        Values within tolerance keep the text that they have. Refused are a flaky record and one
        that was made on another platform than baselines come from.
        """
        platform = platforms.of(record)
        if self.platform not in {"", platform}:
            raise HarnessError(
                f"{record.cell} {contract.id} {record.variant}: recorded on {platform}",
                f"Baselines come from {self.platform} alone: run it there.",
            )
        if record.flaky:
            names = ", ".join(record.flaky)
            raise HarnessError(
                f"{record.cell} {contract.id} {record.variant}: flaky: {names}",
                "Only what agrees with itself can be a baseline: mend the half, or observe less.",
            )
        old = self.read(contract.id, record.cell).get(record.variant)
        if old is not None:
            differing = {change.observation for change in compare.changes(contract, old, record)}
            if not differing:
                return False
            record = replace(record, observations=_kept(old, record, differing))
        document = self._document(contract.id, record.cell)
        entry = to_document(record)
        for key in ("cell", "experiment", "variant", "key"):
            del entry[key]
        provenance = {k: v for k, v in entry.pop("provenance").items() if k not in _VOLATILE}
        entry["accepted"] = {"reason": reason, "date": date, "provenance": provenance}
        variants = {**document["variants"], record.variant: entry}
        document["variants"] = {name: variants[name] for name in _order(contract, variants)}
        documents.write(self.path(contract.id, record.cell), documents.canonical(document))
        return True

    def files(self) -> Iterator[tuple[Path, str, str]]:
        """Yield every baseline file with its experiment and cell."""
        for path in sorted(self.folder.glob("*/*.json")):
            yield path, path.parent.name, path.stem

    def unreferenced(
        self,
        matrix: Matrix,
        contracts: Mapping[str, Contract],
        read: Mapping[tuple[str, str], Collection[str]] = {},
    ) -> list[str]:
        """Return the baselines that no cell, experiment or variant refers to any more.

        `read` holds the variants in files that were read just now, by experiment and cell.
        """
        lost = []
        for path, experiment, cell in self.files():
            contract = contracts.get(experiment)
            if cell not in matrix.cells:
                lost.append(f"{path}: no cell {cell} in matrix.yaml")
            elif (reference := matrix.cells[cell].reference) is not None:
                lost.append(f"{path}: {cell} is held against {reference} and has no baselines")
            elif contract is None:
                lost.append(f"{path}: no experiment {experiment} in schemas/experiments/")
            else:
                variants = read.get((experiment, cell))
                if variants is None:
                    variants = self._document(experiment, cell)["variants"]
                for variant in variants:
                    known = contract.variants.get(variant)
                    if known is None or known.unsupported_in(matrix.cells[cell]):
                        lost.append(f"{path}: variants.{variant}: not in the contract for {cell}")
        return lost


def _consistent(tensor: Mapping[str, Any]) -> bool:
    """Is it a tensor of floats as nearly all are: of no great size or number, nested as it says?

    Where a schema of that very shape says no, `tensors.contradiction` says why, if at all.
    """
    dtype, shape = tensor["dtype"], tensor["shape"]
    if dtype not in tensors.FLOATS or math.prod(shape) > tensors.LARGEST:
        return False
    return "values" in tensor and _of_shape(tuple(shape))(tensor["values"])


@lru_cache(maxsize=256)
def _of_shape(shape: tuple[int, ...]) -> Callable[[Any], bool]:
    number = {"type": "number", "minimum": -65504, "maximum": 65504}  # which float16 holds, too
    schema: dict[str, Any] = {"anyOf": [number, {"enum": list(tensors.TAGS)}]}
    for size in reversed(shape):
        schema = {"type": "array", "minItems": size, "maxItems": size, "items": schema}
    return documents.validator({"$id": "values.json", **schema})


#: What differs from run to run or names places of one machine, and would only make the diff of an
#: acceptance longer; `raw` is just what normalising takes away.
_VOLATILE = frozenset({"seconds", "output", "raw"})


def _kept(old: Record, new: Record, differing: set[str]) -> dict[str, Any]:
    return {
        name: value if name in differing else old.observations.get(name, value)
        for name, value in new.observations.items()
    }


def _order(contract: Contract, variants: Mapping[str, Any]) -> list[str]:
    """Return the variants in the contract's order, any others after them."""
    known = [name for name in contract.variants if name in variants]
    return known + [name for name in variants if name not in contract.variants]
