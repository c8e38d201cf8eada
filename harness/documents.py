"""Read YAML and JSON, validate against `schemas/`, write canonical JSON atomically."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import orjson
import yaml

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

#: The schemas that ship with the harness, whatever project it runs on.
SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"
#: What the schemas' relative `$id` are relative to.
BASE = "json-schema:///"


# --- reading ----------------------------------------------------------------------------------


def read_json(path: Path) -> Any:
    """Return the document in a JSON file; a HarnessError names file, line and column."""
    try:
        return orjson.loads(path.read_bytes())
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise HarnessError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error


def read_yaml(path: Path, schema: str) -> Any:
    """Return the document in a YAML file that satisfies a schema; errors name file, line, key."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise HarnessError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error
    try:
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else f"{path}"
        problem = getattr(error, "problem", None) or "not YAML"
        raise HarnessError(f"{where}: not YAML: {problem}") from error
    lines: dict[tuple[str | int, ...], int] = {}
    if tree is not None:
        _note_lines(path, tree, (), lines)
    problems = validate(document, schema)
    if problems:
        texts = [f"{path}:{lines.get(where, 1)}: {dotted(where)}{text}" for where, text in problems]
        raise HarnessError("\n".join(texts), f"schemas/{schema} lists every key and value allowed.")
    return document


def _note_lines(
    path: Path,
    node: yaml.Node,
    where: tuple[str | int, ...],
    lines: dict[tuple[str | int, ...], int],
) -> None:
    """Fill `lines` with the line of every key, and refuse a key given twice (YAML would drop one)."""
    lines.setdefault(where, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            below = (*where, str(key.value))
            if below in lines:
                line = key.start_mark.line + 1
                raise HarnessError(
                    f"{path}:{line}: {dotted(below)}given twice, first on line {lines[below]}"
                )
            lines[below] = key.start_mark.line + 1
            _note_lines(path, value, below, lines)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            _note_lines(path, value, (*where, number), lines)


def dotted(where: Iterable[str | int]) -> str:
    """Return a path of keys as `cells.burn-main.ref: `, and nothing for the document itself."""
    return (".".join(map(str, where)) + ": ") if where else ""


# --- validating -------------------------------------------------------------------------------


@cache
def _registry() -> jsonschema_rs.Registry:
    record = read_json(SCHEMAS / "record.json")
    return jsonschema_rs.Registry(
        [(f"{BASE}record.json", record)], draft=jsonschema_rs.Draft202012
    )


def validator(schema: Mapping[str, Any]) -> Callable[[Any], bool]:
    """Return a fast test of whether a document satisfies a schema."""
    return jsonschema_rs.Draft202012Validator(dict(schema), registry=_registry()).is_valid


@cache
def _shipped(name: str) -> tuple[Mapping[str, Any], Callable[[Any], bool]]:
    schema = read_json(SCHEMAS / name)
    return schema, validator(schema)


def validate(document: Any, schema: str) -> list[tuple[tuple[str | int, ...], str]]:
    """Return where and how a document breaks a shipped schema; empty when it does not."""
    shipped, is_valid = _shipped(schema)
    return [] if is_valid(document) else explain(document, shipped)


def explain(document: Any, schema: Mapping[str, Any]) -> list[tuple[tuple[str | int, ...], str]]:
    """Return every violation in the words of the reference validator, as (path, text)."""
    import jsonschema  # noqa: PLC0415 (0.14 s that a valid document never pays)
    from referencing import Registry, Resource  # noqa: PLC0415

    record = Resource.from_contents(read_json(SCHEMAS / "record.json"))
    # the reference validator leaves a contract's relative reference as it is: urljoin knows no BASE
    names = ("record.json", "../record.json", f"{BASE}record.json")
    registry: Registry[Any] = Registry().with_resources([(name, record) for name in names])
    reference = jsonschema.Draft202012Validator(dict(schema), registry=registry)
    problems = []
    for error in sorted(reference.iter_errors(document), key=lambda e: list(map(str, e.path))):
        where = tuple(error.absolute_path)
        text = error.message
        if error.validator == "additionalProperties" and isinstance(error.instance, dict):
            known = sorted(error.schema.get("properties", {}))
            unknown = [key for key in error.instance if key not in known]
            where, text = (*where, unknown[0]), f"unknown key; allowed: {', '.join(known)}"
        elif error.validator == "enum":
            allowed = ", ".join(map(str, error.validator_value))
            text = f"{error.instance!r} is not allowed; allowed: {allowed}"
        problems.append((where, text))
    return problems


# --- writing ----------------------------------------------------------------------------------


def compact(document: Any) -> bytes:
    """Return a document as one line of JSON, keys in the order given."""
    return orjson.dumps(document)


def canonical(document: Any) -> str:
    """Return a document as the JSON that is committed: one value a line, tensors a row a line."""
    return _canonical(document, "") + "\n"


def _canonical(value: Any, indent: str) -> str:
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        lines = [f"{deeper}{_leaf(key)}: {_canonical(below, deeper)}" for key, below in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, (list, tuple)) and any(isinstance(below, (dict, list)) for below in value):
        lines = [deeper + _canonical(below, deeper) for below in value]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_leaf, value)) + "]"
    return _leaf(value)


def _leaf(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, even when the process is killed meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
