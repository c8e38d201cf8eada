"""Reading, validating and writing documents."""

import json
import math

import builders
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from harness import documents
from harness.errors import HarnessError
from harness.records import to_document

# --- canonical JSON -------------------------------------------------------------------------------


@given(document=strategies.documents)
def test_canonical_json_is_the_document(document):
    """What is written reads back as it was."""
    assert document == json.loads(documents.canonical(document))


@given(document=strategies.documents)
def test_canonical_json_is_stable(document):
    """Writing what was read gives the same text, which ends in one newline."""
    text = documents.canonical(document)
    assert text == documents.canonical(json.loads(text))
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@given(document=st.dictionaries(st.text(), strategies.scalars, min_size=1), data=st.data())
def test_one_value_is_one_line(document, data):
    """A value that changes changes one line."""
    key = data.draw(st.sampled_from(sorted(document)))
    before = documents.canonical(document).split("\n")
    after = documents.canonical({**document, key: "another value"}).split("\n")
    assert len(before) == len(after)
    assert sum(a != b for a, b in zip(before, after, strict=True)) <= 1


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({}, "{}\n"),
        ([], "[]\n"),
        ({"a": {}, "b": []}, '{\n  "a": {},\n  "b": []\n}\n'),
        ({"v": [1.5, "NaN"]}, '{\n  "v": [1.5, "NaN"]\n}\n'),
        ({"v": [[1, 2], [3, 4]]}, '{\n  "v": [\n    [1, 2],\n    [3, 4]\n  ]\n}\n'),
        (
            [[[1], [2]], [[3], [4]]],
            "[\n  [\n    [1],\n    [2]\n  ],\n  [\n    [3],\n    [4]\n  ]\n]\n",
        ),
        ({"b": 1, "a": 2}, '{\n  "b": 1,\n  "a": 2\n}\n'),
        ({"t": "缩放\n"}, '{\n  "t": "缩放\\n"\n}\n'),
        ([{"a": 1}], '[\n  {\n    "a": 1\n  }\n]\n'),
        ({"t": (1, 2)}, '{\n  "t": [1, 2]\n}\n'),
    ],
)
def test_canonical_layout(document, expected):
    """One value a line, a tensor a row a line, keys in the order given, text unescaped."""
    assert expected == documents.canonical(document)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_canonical_json_has_no_nan(value):
    """A NaN or an infinity is refused, never written as null."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        documents.canonical({"x": value})


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"a": 1,\n "b": }', ":2:7: not JSON"),
        (b"", ":1:1: not JSON"),
        (b'{"a": "\xff"}', ": not JSON"),
    ],
)
def test_what_is_no_json(tmp_path, content, says):
    """The error names file, line and column."""
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(HarnessError) as caught:
        documents.read_json(path)
    assert says in caught.value.message
    assert str(path) in caught.value.message


@pytest.mark.parametrize("read", [documents.read_json, lambda path: documents.read_yaml(path, "")])
def test_a_missing_file(tmp_path, read):
    """A file that is not there is named, with the system's words."""
    with pytest.raises(HarnessError, match=r"absent: cannot be read: No such file"):
        read(tmp_path / "absent")


# --- validating -----------------------------------------------------------------------------------


@given(record=strategies.records())
def test_every_record_is_valid(record):
    """Whatever can be recorded satisfies schemas/record.json, by both validators."""
    document = to_document(record)
    assert [] == documents.validate(document, "record.json")
    assert [] == documents.explain(document, documents.read_json(documents.SCHEMAS / "record.json"))


RECORD = {
    "cell": "torch-1",
    "experiment": "x",
    "variant": "y",
    "outcome": "observed",
    "observations": {},
    "key": "",
    "provenance": {},
}


@pytest.mark.parametrize(
    ("keys", "where", "says"),
    [
        ({"outcome": "fine"}, ("outcome",), "allowed: observed, raised, crashed"),
        ({"surprise": 1}, ("surprise",), "unknown key; allowed: cell, experiment"),
        ({"cell": "jax-1"}, ("cell",), "does not match"),
        ({"raised": {"type": "E"}}, ("raised",), "'text' is a required property"),
        ({"observations": {"x": -1}}, ("observations", "x"), "not valid"),
        ({"observations": {"x": 1.5}}, ("observations", "x"), "not valid"),
    ],
)
def test_violations_are_located(keys, where, says):
    """A violation is a path and a sentence."""
    [(place, text)] = documents.validate({**RECORD, **keys}, "record.json")
    assert where == place
    assert says in text


@pytest.mark.parametrize("key", ["Seen", "", "x y"])
def test_a_bad_key_is_part_of_the_path(key):
    """Where a key itself is wrong, the path ends in it."""
    document = {"experiment": "x", "cell": "torch-1", "variants": {key: {}}}
    found = documents.validate(document, "baseline.json")
    assert ("variants", key) in [where for where, text in found if "does not match" in text]


def test_every_unknown_key_is_named():
    """Two unknown keys are two violations."""
    found = documents.validate({**RECORD, "a": 1, "b": 2}, "record.json")
    assert [("a",), ("b",)] == [where for where, _ in found]


def test_a_violation_quotes_no_whole_tensor():
    """A violation stays a sentence, and keeps both its ends, however large the document is."""
    tensor = {**builders.tensor([0.5] * 4000), "shape": None}
    [(_, text)] = documents.validate({**RECORD, "observations": {"x": tensor}}, "record.json")
    assert len(text) < 320
    assert text.startswith("{'dtype': 'float32'")
    assert text.endswith("is not valid under any of the given schemas")


def test_the_path_in_words():
    """A path is dotted; the document itself has none."""
    assert "cells.burn-main.0: " == documents.dotted(("cells", "burn-main", 0))
    assert "" == documents.dotted(())


@pytest.mark.parametrize("path", sorted(documents.SCHEMAS.glob("*.json")), ids=lambda p: p.name)
def test_shipped_schemas_refuse_what_they_do_not_list(path):
    """Every shipped schema is a valid one that refuses a list in a list."""
    assert documents.validate([[]], path.name)


# --- writing --------------------------------------------------------------------------------------


def test_write_makes_folders_and_replaces(tmp_path):
    """A file is written whole, its folders made, with the rights that git expects."""
    path = tmp_path / "a" / "b.json"
    documents.write(path, "old")
    documents.write(path, "new é".encode())
    assert "new é" == path.read_text(encoding="utf-8")
    assert 0o644 == path.stat().st_mode & 0o777
    assert [path] == list(path.parent.iterdir())


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    """When the content cannot be written, the old file stays and nothing else is left behind."""
    path = tmp_path / "b.json"
    documents.write(path, "old")
    with pytest.raises(UnicodeEncodeError):
        documents.write(path, "\ud800")
    assert "old" == path.read_text(encoding="utf-8")
    assert [path] == list(tmp_path.iterdir())


def test_compact_is_one_line():
    """A record's line holds no newline of its own."""
    assert b"\n" not in documents.compact({"text": "two\nlines", "x": builders.tensor([1.0])})
