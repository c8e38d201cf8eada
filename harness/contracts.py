"""`schemas/experiments/<id>.json` → the model, and the schema of each case's observations."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from harness import documents, tensors
from harness.errors import HarnessError
from harness.model import (
    Contract,
    Framework,
    Observation,
    Outcome,
    Parity,
    ParityRule,
    Scope,
    Source,
    Tolerance,
    Variant,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from harness.model import Cell, Record, Value


def read_all(folder: Path) -> dict[str, Contract]:
    """Return every contract of a folder by experiment id, in alphabetical order."""
    with documents.uncollected():
        return {path.stem: read(path) for path in sorted(folder.glob("*.json"))}


def read(path: Path) -> Contract:
    """Return one contract; a HarnessError names the file and the key that is wrong."""
    schema = documents.read_json(path, by_hand=True)
    problems = documents.validate(schema, "contract.json")
    if problems:
        lines = [f"{path}: {documents.dotted(where)}{text}" for where, text in problems]
        raise HarnessError("\n".join(lines), "schemas/contract.json says what a contract holds.")
    if schema["$id"] != f"experiments/{path.name}":
        raise HarnessError(f"{path}: $id: must be experiments/{path.name}")
    contract = Contract(
        id=path.stem,
        question=schema["title"],
        topic=schema["x-topic"],
        description=schema["description"],
        source=tuple(Source(**source) for source in schema["x-source"]),
        variants={
            name: _variant(name, entry, _exact(path, name, entry, schema["properties"]))
            for name, entry in schema["x-variants"].items()
        },
        observations={name: _observation(name, e) for name, e in schema["properties"].items()},
        schema=schema,
        digest=hashlib.sha256(path.read_bytes()).hexdigest(),
    )
    _check(path, contract)
    return contract


def left_out(contracts: Mapping[str, Contract], cell: Cell) -> frozenset[str]:
    """Return the experiments that a cell cannot express at all."""
    return frozenset(name for name, one in contracts.items() if one.unsupported_in(cell))


def _variant(name: str, entry: Mapping[str, Any], exact: Mapping[str, Value]) -> Variant:
    parity = entry["parity"]
    words = {key: parity[key] for key in ("reason", "link", "since", "expires") if key in parity}
    return Variant(
        name=name,
        says=entry["says"],
        parity=Parity(
            rule=ParityRule(parity["rule"]),
            tolerance=_tolerance(parity, ""),
            observations=tuple(parity.get("observations", ())),
            **words,
        ),
        unsupported={_scope(k): v for k, v in entry.get("unsupported", {}).items()},
        requires=tuple(entry.get("requires", ())),
        exact=exact,
    )


def _exact(
    path: Path, variant: str, entry: Mapping[str, Any], properties: Mapping[str, Any]
) -> dict[str, Value]:
    """Return the exact values in a record's form; refuse a wrong name, kind, shape or size."""
    found: dict[str, Value] = {}
    for name, given in entry.get("exact", {}).items():
        where = f"{path}: x-variants.{variant}.exact.{name}"
        if name not in properties:
            raise HarnessError(f"{where}: no property; allowed: {', '.join(properties)}")
        kind = properties[name]["$ref"].rpartition("/")[2]
        value = given
        if kind in tensors.DTYPES:
            try:
                value = tensors.from_nested(kind, given)
            except ValueError as error:
                raise HarnessError(f"{where}: {error}") from error
            if "values" not in value:
                raise HarnessError(f"{where}: at most {tensors.LARGEST} elements")
        schema = _plain(properties[name])
        if not documents.validator(schema)(value):
            problems = documents.explain(value, schema)
            texts = (documents.dotted(at) + text for at, text in problems)
            raise HarnessError(f"{where}: {'; '.join(texts)}")
        found[name] = value
    return found


def _plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of one observation, without what no validator reads."""
    schema = {k: v for k, v in entry.items() if k[:2] != "x-" and k != "description"}
    return {"$id": "experiments/observation.json", **schema}  # its references start there


def _observation(name: str, entry: Mapping[str, Any]) -> Observation:
    only = entry.get("x-only")
    layout = entry.get("x-layout", {})
    return Observation(
        name=name,
        only=_scope(only) if only else None,
        moves=entry.get("x-meaning") == "moves",
        signed_zero=entry.get("x-signed-zero", False),
        layout={Framework(key): tuple(axes) for key, axes in layout.items()},
        tolerance=_tolerance(entry, "x-"),
        curve=entry.get("x-curve", ""),
    )


def _scope(words: str) -> Scope:
    """Return what `burn`, `burn >=0.22.0-pre.4` or `burn >=0.21.0 <0.22.0-pre.4` names."""
    framework, *bounds = words.split()
    since = [bound.removeprefix(">=") for bound in bounds if bound.startswith(">=")]
    before = [bound.removeprefix("<") for bound in bounds if bound.startswith("<")]
    return Scope(
        framework=Framework(framework),
        since=since[0] if since else None,
        before=before[0] if before else None,
    )


def _tolerance(entry: Mapping[str, Any], prefix: str) -> Tolerance | None:
    """Return the tolerance given; a half left out of it is 0, and None means the dtype's own."""
    rtol, atol = entry.get(f"{prefix}rtol"), entry.get(f"{prefix}atol")
    if rtol is None and atol is None:
        return None
    return Tolerance(rtol=rtol or 0.0, atol=atol or 0.0)


def _check(path: Path, contract: Contract) -> None:
    """Refuse a contract that names an observation it does not list."""
    named = [("required", name) for name in contract.schema["required"]]
    for variant in contract.variants.values():
        where = f"x-variants.{variant.name}"
        named += [(f"{where}.requires", name) for name in variant.requires]
        differing = [name for name in variant.parity.observations if name != "outcome"]
        named += [(f"{where}.parity.observations", name) for name in differing]
        for name in differing:
            if name in contract.observations and contract.observations[name].only is not None:
                raise HarnessError(
                    f"{path}: {where}.parity.observations: {name} is x-only, and never compared"
                )
    for key, name in named:
        if name not in contract.observations:
            known = ", ".join(contract.observations)
            raise HarnessError(f"{path}: {key}: no property {name!r}; allowed: {known}")
    for observation in contract.observations.values():
        _check_annotations(f"{path}: properties.{observation.name}", contract, observation)


def _check_annotations(where: str, contract: Contract, observation: Observation) -> None:
    """Refuse an annotation that would say nothing of an observation's kind."""
    if observation.name == "outcome":
        raise HarnessError(f"{where}: the name stands for how a case ends; choose another")
    kind = contract.schema["properties"][observation.name]["$ref"].rpartition("/")[2]
    for key, given, kinds in (
        ("x-meaning", observation.moves, {"flag"}),
        ("x-signed-zero", observation.signed_zero, tensors.FLOATS),
        ("x-rtol or x-atol", observation.tolerance, tensors.FLOATS),
        ("x-layout", observation.layout, tensors.DTYPES),
        ("x-curve", observation.curve, tensors.FLOATS),
    ):
        if given and kind not in kinds:
            raise HarnessError(f"{where}.{key}: not for {kind}; for {', '.join(sorted(kinds))}")
    if observation.layout:
        ours, theirs = (sorted(observation.layout[framework]) for framework in Framework)
        if ours != theirs or len(set(ours)) < len(ours):
            raise HarnessError(f"{where}.x-layout: both sides name the same axes, each once")


def schema_for(
    contract: Contract, variant: Variant, cell: Cell, *, complete: bool
) -> dict[str, Any]:
    """Return the JSON Schema of what a half observes; nothing is required of a broken-off case."""
    allowed = {
        name: entry
        for name, entry in contract.schema["properties"].items()
        if _observes(contract, name, cell)
    }
    required = [*contract.schema["required"], *variant.requires] if complete else []
    return {
        "$schema": contract.schema["$schema"],
        "$id": contract.schema["$id"],
        "type": "object",
        "properties": allowed,
        "required": sorted({name for name in required if name in allowed}),
        "additionalProperties": False,
    }


def _observes(contract: Contract, name: str, cell: Cell) -> bool:
    """May a cell make this observation?"""
    only = contract.observations[name].only
    return only is None or only.covers(cell)


class Checker:
    """Tells whether records keep their contracts.

    An observation's schema is compiled once, however many contracts, variants and cells have the
    same one: to compile the schema of a whole contract takes as long as to check twenty records.
    """

    def __init__(self) -> None:
        """Start with nothing compiled."""
        self._compiled: dict[bytes, Callable[[Any], bool]] = {}
        self._newest: tuple[str, str] | None = None
        self._allowed: dict[str, Callable[[Any], bool]] = {}

    def broken(self, contract: Contract, cell: Cell, record: Record) -> str:
        """Return how the record's observations break their contract; empty when they keep it."""
        complete = record.outcome is Outcome.OBSERVED
        variant = contract.variants[record.variant]
        if self._newest != (contract.id, cell.id):
            self._newest = (contract.id, cell.id)
            self._allowed = self._tests(contract, cell)
        allowed, seen = self._allowed, record.observations
        required = (*contract.schema["required"], *variant.requires) if complete else ()
        if all(name in seen for name in required if name in allowed) and all(
            name in allowed and allowed[name](value) for name, value in seen.items()
        ):
            return ""
        schema = schema_for(contract, variant, cell, complete=complete)
        problems = documents.explain(dict(seen), schema)
        return "; ".join(f"{documents.dotted(where)}{text}" for where, text in problems)

    def _tests(self, contract: Contract, cell: Cell) -> dict[str, Callable[[Any], bool]]:
        """Return the test of each observation that this cell may make."""
        tests = {}
        for name, entry in contract.schema["properties"].items():
            if _observes(contract, name, cell):
                schema = _plain(entry)
                key = documents.compact(schema)
                if key not in self._compiled:
                    self._compiled[key] = documents.validator(schema)
                tests[name] = self._compiled[key]
        return tests
