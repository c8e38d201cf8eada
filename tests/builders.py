"""Small contracts, records, matrices, projects and reports; a test says only what it is about."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from harness import tensors
from harness.effects import Effect
from harness.model import (
    Cell,
    Change,
    Contract,
    Difference,
    Flaky,
    Framework,
    Group,
    Limits,
    Matrix,
    Measure,
    Observation,
    Outcome,
    Parity,
    ParityRule,
    Raised,
    Record,
    Source,
    Tolerance,
    Variant,
)
from harness.parity import Row, Side, Status
from harness.project import Project
from harness.records import CellRun
from harness.report.view import ChangeLine, FlakyLine, Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

TORCH, BURN = "torch-2.15.0", "burn-0.22.1"

#: A whole matrix in which each kind of cell occurs once; tests break it by replacing a piece.
MATRIX = """\
pinned:
  torch: torch-2.15.0
  burn: burn-0.22.1
limits:
  seconds: 60
  memory_mib: 4096
  output_mib: 64
settings:
  OMP_NUM_THREADS: "1"
cells:
  torch-2.15.0:
    framework: torch
    version: 2.15.0
    group: default
  burn-0.22.1:
    framework: burn
    version: 0.22.1
    backend: flex
    group: default
  burn-0.22.1-ndarray:
    framework: burn
    version: 0.22.1
    backend: ndarray
    group: full
  burn-main:
    framework: burn
    git: https://example.org/burn
    ref: main
    backend: flex
    group: upstream
    reference: burn-0.22.1
  torch-nightly:
    framework: torch
    index: https://example.org/nightly
    group: upstream
    reference: torch-2.15.0
"""

#: A whole contract; tests break it by changing a key.
CONTRACT: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "experiments/sample.json",
    "title": "Does it hold?",
    "description": "It matters.",
    "x-topic": "parameters",
    "x-source": [{"document": "the manual", "section": "1.2"}],
    "x-variants": {
        "plain": {"says": "as it is", "parity": {"rule": "same"}},
        "other": {"says": "the other way", "parity": {"rule": "same"}},
    },
    "type": "object",
    "properties": {
        "seen": {"$ref": "../record.json#/$defs/flag"},
        "x": {"$ref": "../record.json#/$defs/float32"},
    },
    "required": ["seen"],
    "additionalProperties": False,
}

#: A whole entry of accepted.yaml, of a flag that flips in a moving head.
ACCEPTED: Mapping[str, Any] = {
    "cell": "burn-main",
    "experiment": "sample",
    "variant": "plain",
    "observation": "seen",
    "from": True,
    "to": False,
    "class": "flag_flip",
    "reason": "meant to be so",
    "since": "2026-01-01",
}


# --- the model ------------------------------------------------------------------------------------


def tensor(values: Any, dtype: str = "float32", shape: list[int] | None = None) -> dict[str, Any]:
    """Return the record's form of nested lists; the shape is theirs unless given."""
    return tensors.stored(
        dtype, shape_of(values) if shape is None else shape, [*tensors.flat(values)]
    )


def shape_of(values: Any) -> list[int]:
    """Return the shape of nested lists."""
    return [len(values), *shape_of(values[0])] if isinstance(values, list) and values else []


def variant(name: str = "plain", parity: Parity | None = None, **words: Any) -> Variant:
    """Return a variant on which torch and burn agree unless told."""
    parity = parity or Parity(rule=ParityRule.SAME)
    return Variant(name=name, says="as it is", parity=parity, **words)


def knows(**exact: Any) -> Variant:
    """Return a variant with these exact values, in a record's form."""
    return variant(exact=exact)


def differs(*observations: str, **words: Any) -> Parity:
    """Return the rule of a known divergence."""
    words = {"reason": "known to differ", "since": "2026-01-01", **words}
    return Parity(rule=ParityRule.DIFFERS, observations=observations, **words)


def tolerance(atol: float, rtol: float = 0.0) -> Tolerance:
    """Return a tolerance, absolute unless told."""
    return Tolerance(rtol=rtol, atol=atol)


def contract(
    *observations: Observation | str, variants: Iterable[Variant] = (), id_: str = "sample"
) -> Contract:
    """Return a contract with these observations; a bare name is one without annotations."""
    rules = [Observation(name=o) if isinstance(o, str) else o for o in observations]
    return Contract(
        id=id_,
        question="Does it hold?",
        topic="parameters",
        description="It matters.",
        source=(Source(document="the manual", section="1.2"),),
        variants={one.name: one for one in [*variants] or [variant()]},
        observations={rule.name: rule for rule in rules},
        schema={},
        digest="",
    )


def record(
    outcome: Outcome = Outcome.OBSERVED, platform: str = "linux x86_64", **words: Any
) -> Record:
    """Return a record of torch's plain variant unless told, made on the baselines' platform."""
    words = {"cell": TORCH, "experiment": "sample", "variant": "plain", **words}
    return Record(outcome=outcome, **{"provenance": made_on(platform), **words})


def made_on(platform: str = "linux x86_64", **machine: str) -> dict[str, Any]:
    """Return the provenance of a record that was made on some platform."""
    return {"machine": {"platform": platform, **machine}}


def raised(kind: str = "panic", text: str = "no", **words: Any) -> Record:
    """Return a record that ended in an exception or a panic."""
    return record(Outcome.RAISED, raised=Raised(type=kind, text=text), **words)


def observed(**observations: Any) -> Record:
    """Return a record that came to its end with these observations."""
    return record(observations=observations)


def flaky(*names: str, **words: Any) -> dict[str, Flaky]:
    """Return how two of five runs saw 2 instead of 1, under each of these names."""
    return {
        name: Flaky(**{"runs": 5, "agreed": 3, "first": 1, "other": 2, **words}) for name in names
    }


def cell(id_: str = TORCH, **words: Any) -> Cell:
    """Return a released cell of the default group unless told; its id names the framework."""
    framework = Framework(id_.partition("-")[0])
    return Cell(
        id=id_, framework=framework, **{"group": Group.DEFAULT, "version": "1.0.0", **words}
    )


def matrix(*cells: Cell) -> Matrix:
    """Return a matrix of these cells, its first torch and burn cells pinned."""
    cells = cells or (cell(TORCH), cell(BURN, backend="flex"))
    pinned = {one.framework: one.id for one in reversed(cells)}
    limits = Limits(seconds=60, memory_mib=4096, output_mib=64)
    return Matrix(cells={one.id: one for one in cells}, pinned=pinned, limits=limits, settings={})


# --- files ----------------------------------------------------------------------------------------


def contract_document(**keys: Any) -> dict[str, Any]:
    """Return the contract `sample` as JSON with some top-level keys replaced (x_variants, …)."""
    document = copy.deepcopy(dict(CONTRACT))
    for key, value in keys.items():
        name = key.replace("x_", "x-") if key.startswith("x_") else key
        document[name] = value
    return document


def write_contract(folder: Path, document: Mapping[str, Any], name: str = "sample") -> Path:
    """Write a contract file and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def project(root: Path, *documents: Mapping[str, Any]) -> Project:
    """Return a checkout that holds the matrix above and these contracts, else `sample` alone."""
    (root / "matrix.yaml").write_text(MATRIX, encoding="utf-8")
    for document in documents or [contract_document()]:
        name = document["$id"].removeprefix("experiments/").removesuffix(".json")
        write_contract(root / "schemas" / "experiments", document, name)
    return Project(root)


# --- reports --------------------------------------------------------------------------------------


def measure(**words: Any) -> Measure:
    """Return how far apart eight elements are."""
    words = {"n": 8, "max_abs": 0.25, "max_rel": 0.5, "index": (3,), "differing": 1, **words}
    return Measure(**words)


def change(kind: Difference = Difference.FLAG_FLIP, **words: Any) -> Change:
    """Return a change of the observation `seen` from false to true unless told."""
    words = {"observation": "seen", "expected": False, "observed": True, **words}
    return Change(kind=kind, **words)


def line(kind: Difference = Difference.FLAG_FLIP, **words: Any) -> ChangeLine:
    """Return a report's line on a change in burn's plain variant unless told."""
    names = {"cell": BURN, "experiment": "sample", "variant": "plain", "against": BURN}
    names = {name: words.pop(name, default) for name, default in names.items()}
    effect = words.pop("effect", Effect.UNKNOWN)
    return ChangeLine(**names, change=change(kind, **words), effect=effect)


def flaky_line(name: str = "x", **words: Any) -> FlakyLine:
    """Return a report's line on an observation of burn's plain variant that is flaky."""
    names = {"cell": BURN, "experiment": "sample", "variant": "plain"}
    names = {key: words.pop(key, default) for key, default in names.items()}
    return FlakyLine(**names, observation=name, flaky=flaky(name, **words)[name])


def side(status: Status = Status.SAME, *rows: Row, **words: Any) -> Side:
    """Return the plain variant, torch beside burn."""
    words = {"experiment": "sample", "variant": "plain", "torch": TORCH, "burn": BURN, **words}
    return Side(status=status, rows=rows, **words)


def row(name: str = "x", **words: Any) -> Row:
    """Return one observation on both sides, which agree unless a change is given."""
    words = {"torch": 1, "burn": 1, "tolerance": None, "measure": None, "change": None, **words}
    return Row(observation=name, **words)


def watched(**words: Any) -> dict[str, Any]:
    """Return when a head was watched, as upstream's state has it."""
    return {
        "at": "2026-03-01T04:00:00Z",
        "build": "c" * 40,
        "version": "0.23.0",
        "tried": "2026-03-01T04:00:00Z",
        "problem": "",
        "compared": ["sample/other", "sample/plain"],
        **words,
    }


def report(**words: Any) -> Report:
    """Return a report in which one case was compared and nothing differs, unless told.

    `same` is torch's cell's.
    """
    nothing = dict.fromkeys(
        ("changes", "new", "invalid", "inconclusive", "sides", "unreferenced"), ()
    )
    words = {
        "cells": (CellRun(cell=TORCH, versions={"torch": "2.15.0"}, ran=1, seconds=1.25),),
        **nothing,
        "cases": {TORCH: {"sample": ("plain",)}},
        "same_in": {TORCH: words.pop("same", 1)},
        "unsupported": 0,
        "agreeing": 0,
        "machine": {"platform": "linux x86_64", "cpu": "a CPU", "isa": "avx2"},
        "contracts": {"sample": contract("seen", "x")},
        "baselines_from": "linux-x86_64",
        **words,
    }
    return Report(**words)
