"""Adds entries to `baselines/accepted.yaml`, and leaves all else as people wrote it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from harness import documents
from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

#: What makes two entries the same one, of which the newer stands.
_SAME = ("cell", "experiment", "variant", "observation", "os")
#: What a file begins with that is written for the first time.
HEAD = "# Accepted differences: docs/accepted.md says what an entry holds.\n"
_BY_HAND = "Add by hand, as an element of a block list (- cell: …):\n"


def add(path: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    """Append entries to the file, each in the place of an older one of the same place and `os`.

    The text around them keeps every character; comments inside a replaced entry move above it.
    """
    text = path.read_bytes().decode() if path.exists() else HEAD
    for entry in entries:
        text = extended(path, text, dict(entry))
    documents.write(path, text)


def extended(path: Path, text: str, entry: dict[str, Any]) -> str:
    """Return the text with one entry more, or with another in its place."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.SequenceNode | None):
        raise HarnessError(f"{path}: no list of entries")
    old: list[dict[str, Any]] = yaml.safe_load(text) or []
    place = next(
        (n for n, e in enumerate(old) if all(e.get(k) == entry.get(k) for k in _SAME)), len(old)
    )
    if root is None or (root.flow_style and not old):
        begin = text[: root.start_mark.index] if root is not None else text
        rest = text[root.end_mark.index :] if root is not None else ""
        begin += "\n" * (not begin.endswith("\n") and bool(begin))
        new = begin + dumped(entry) + rest.lstrip("\n")
    elif root.flow_style:
        raise HarnessError(f"{path}: cannot be added to", _BY_HAND + dumped(entry))
    elif place == len(old):
        indent = " " * root.start_mark.column
        end = _end(root, text)
        lines = dumped(entry).rstrip("\n").split("\n")
        added = "\n\n" + _indented([indent + line for line in lines], "")
        new = text[:end] + added + (text[end:] or "\n")
    else:
        new = _replaced(text, root, place, dumped(entry))
    if _loaded(new) != [*old[:place], entry, *old[place + 1 :]]:
        raise HarnessError(f"{path}: cannot be added to", _BY_HAND + dumped(entry))
    return new


def _loaded(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _replaced(text: str, root: yaml.SequenceNode, place: int, entry: str) -> str:
    """Return the text with an entry in the place of another, below the other's comments."""
    column = root.start_mark.column
    dashes = [
        token.start_mark.index
        for token in yaml.scan(text, Loader=yaml.SafeLoader)
        if isinstance(token, yaml.BlockEntryToken) and token.start_mark.column == column
    ]
    node = root.value[place]
    start, end = dashes[place], _end(node, text)
    comments, at = [], start
    for begin, close in [*_scalars(node), (end, end)]:
        comments += re.findall(r"(?:^|(?<=\s))#.*", text[at:begin], re.MULTILINE)
        at = max(at, close)
    lines = [*(comment.rstrip() for comment in comments), *entry.rstrip("\n").split("\n")]
    return text[:start] + _indented(lines, " " * column) + text[end:]


def _indented(lines: Sequence[str], indent: str) -> str:
    """Return lines, all but the first behind the indent."""
    return "\n".join([lines[0], *(indent + line if line else line for line in lines[1:])])


def _scalars(node: yaml.Node) -> Iterator[tuple[int, int]]:
    """Yield where each key and value that holds no other begins and ends."""
    if isinstance(node, yaml.ScalarNode):
        yield node.start_mark.index, node.end_mark.index
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for below in pair:
                yield from _scalars(below)
    else:
        for below in node.value:
            yield from _scalars(below)


def _end(node: yaml.Node, text: str) -> int:
    """Return where the last line that a node writes on ends; its own mark is beyond comments."""
    ends = [close for _, close in _scalars(node)]
    ends += [flow.end_mark.index for flow in _flows(node)]
    last = len(text[: max(ends)].rstrip())
    line = text.find("\n", last)
    return len(text) if line < 0 else line


def _flows(node: yaml.Node) -> Iterator[yaml.CollectionNode]:
    """Yield the lists and mappings in brackets, whose own mark is where they end."""
    if not isinstance(node, yaml.CollectionNode):
        return
    if node.flow_style:
        yield node
        return
    for below in node.value:
        for one in below if isinstance(below, tuple) else (below,):
            yield from _flows(one)


# --- writing an entry -----------------------------------------------------------------------------


#: What ends a line for YAML or for Python beside a line feed.
_BREAKS = frozenset("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


class _Dumper(yaml.SafeDumper):
    """Writes a row of numbers on one line, and a text of several lines as it reads."""

    def ignore_aliases(self, data: Any) -> bool:
        """Return that nothing is written as a reference to what stands above."""
        del data
        return True


def _text(dumper: _Dumper, data: str) -> yaml.ScalarNode:
    lines = data.split("\n")
    plain = all(line.isprintable() and line == line.strip() for line in lines)
    style = "|" if len(lines) > 1 and plain and lines[0] else None
    if _BREAKS & set(data):
        style = '"'  # YAML ends a line there, and escapes it in quotes alone
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)


def _list(dumper: _Dumper, data: list[Any]) -> yaml.SequenceNode:
    row = not any(isinstance(below, (list, dict)) for below in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=row)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)


def dumped(entry: Mapping[str, Any]) -> str:
    """Return an entry as YAML."""
    text: str = yaml.dump(
        [dict(entry)],
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=100,
    )
    return text
