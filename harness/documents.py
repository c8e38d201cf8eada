"""Read YAML and JSON, validate against `schemas/`, write canonical JSON atomically."""

from __future__ import annotations

import gc
import json
import os
import tempfile
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import orjson
import yaml

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

#: The schemas that ship with the harness, whatever project it runs on.
SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"
#: The schemas that others refer to.
SHARED = ("record.json", "report.json")
#: What the schemas' relative `$id` are relative to.
BASE = "https://emberwatch.invalid/"
#: The most characters of a violation; it may quote a whole tensor.
_QUOTED = 300
_TEXT, _FLOAT = "tag:yaml.org,2002:str", "tag:yaml.org,2002:float"
_JSON_TAGS = {
    f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str", "seq", "map")
}
_NO_JSON = {".inf", ".nan"}


# --- reading ----------------------------------------------------------------------------------


def read_json(path: Path, *, by_hand: bool = False) -> Any:
    """Return the document in a JSON file; a HarnessError names file, line and column.

    What people write `by_hand` may give no key twice: JSON would drop the first without a word.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise HarnessError(f"{path}: {twice}: given twice in one object")
        return dict(pairs)

    try:
        data = path.read_bytes()
        document = orjson.loads(data)
        return json.loads(data, object_pairs_hook=once) if by_hand else document
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise HarnessError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error


def read_yaml(path: Path, schema: str) -> tuple[Any, Callable[..., str]]:
    """Return the document in a YAML file that satisfies a schema; errors name file, line, key.

    The second value gives a path of keys as an error begins: `matrix.yaml:12: cells.burn-main: `.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise HarnessError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error
    lines: dict[tuple[str | int, ...], int] = {}
    try:
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        if tree is not None:
            _note_lines(path, tree, (), lines)
        document = yaml.safe_load(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise HarnessError(f"{path}:{line}: not YAML: {error.reason}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else path
        raise HarnessError(f"{where}: not YAML: {error.problem}") from error
    except RecursionError as error:
        raise HarnessError(f"{path}: nested without end") from error

    def at(*where: str | int) -> str:
        known = where
        while known and known not in lines:  # a key that is missing has its parent's line
            known = known[:-1]
        return f"{path}:{lines.get(known, 1)}: {dotted(where)}"

    problems = validate(document, schema)
    if problems:
        texts = [at(*where) + text for where, text in problems]
        raise HarnessError("\n".join(texts), f"schemas/{schema} lists every key and value allowed.")
    return document, at


def _note_lines(
    path: Path,
    node: yaml.Node,
    where: tuple[str | int, ...],
    lines: dict[tuple[str | int, ...], int],
) -> None:
    """Fill `lines` with the line of every key; refuse what JSON has not, or would drop unseen."""
    line = node.start_mark.line + 1
    lines.setdefault(where, line)
    if node.tag not in _JSON_TAGS or (node.tag == _FLOAT and node.value.lower()[-4:] in _NO_JSON):
        raise HarnessError(f"{path}:{line}: {dotted(where)}no JSON value; if it is text, quote it")
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.tag != _TEXT:
                raise HarnessError(f"{path}:{line}: {dotted(where)}the key is not text; quote it")
            below = (*where, key.value)
            if below in lines:
                raise HarnessError(
                    f"{path}:{line}: {dotted(below)}given twice, first on line {lines[below]}"
                )
            lines[below] = line
            _note_lines(path, value, below, lines)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            _note_lines(path, value, (*where, number), lines)


def dotted(where: Iterable[str | int]) -> str:
    """Return a path of keys as `cells.burn-main.ref: `, and nothing for the document itself."""
    return (".".join(map(str, where)) + ": ") if where else ""


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch the search for reference cycles off: documents have none, and it visits them all."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


# --- validating -------------------------------------------------------------------------------


@cache
def _registry() -> jsonschema_rs.Registry:
    shared = [(BASE + name, read_json(SCHEMAS / name)) for name in SHARED]
    return jsonschema_rs.Registry(shared, draft=jsonschema_rs.Draft202012)


def validator(schema: Mapping[str, Any]) -> Callable[[Any], bool]:
    """Return a fast test of whether a document satisfies a schema."""
    return jsonschema_rs.Draft202012Validator(_based(schema), registry=_registry()).is_valid


def _based(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema under an absolute `$id`, since its references are relative to that."""
    return {**schema, "$id": BASE + schema["$id"]}


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

    registry: Registry[Any] = Registry().with_resources(
        (BASE + name, Resource.from_contents(read_json(SCHEMAS / name))) for name in SHARED
    )
    reference = jsonschema.Draft202012Validator(_based(schema), registry=registry)
    problems = []
    for error in sorted(reference.iter_errors(document), key=lambda e: list(map(str, e.path))):
        where = tuple(error.absolute_path)
        text = error.message
        if error.validator == "additionalProperties" and isinstance(error.instance, dict):
            known = error.schema.get("properties", {})
            text = f"unknown key; allowed: {', '.join(sorted(known))}"
            problems += [((*where, key), text) for key in error.instance if key not in known]
            continue
        if error.validator == "enum":
            allowed = ", ".join(map(str, error.validator_value))
            text = f"{error.instance!r} is not allowed; allowed: {allowed}"
        if "propertyNames" in error.absolute_schema_path:  # the path ends above the key
            where = (*where, error.instance)
        problems.append((where, _short(text)))
    return problems


def _short(text: str) -> str:
    """Return a sentence without the middle of the document that it quotes."""
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED // 2]} … {text[-_QUOTED // 2 :]}"


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
        lines = [
            f"{deeper}{_flat(key)}: {_canonical(below, deeper)}" for key, below in value.items()
        ]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, (list, tuple)) and any(isinstance(below, (dict, list)) for below in value):
        lines = [deeper + _canonical(below, deeper) for below in value]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    return _flat(value)


#: A value without nested ones, on one line; json.dumps would make an encoder for each.
_flat = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, even when the process is killed meanwhile."""
    write_parts(path, [content if isinstance(content, bytes) else content.encode()])


def write_parts(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file as its parts come, none kept; whole or not at all, whatever they raise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
