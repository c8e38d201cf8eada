"""The work folder's records."""

import json
from dataclasses import replace

import builders
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from harness import documents
from harness.model import Outcome
from harness.records import Store, from_document, to_document


@given(record=strategies.records())
def test_a_record_comes_back(record):
    """What is written as JSON reads as the same record."""
    assert record == from_document(json.loads(json.dumps(to_document(record))))


@given(record=strategies.records(), flaky=st.dictionaries(strategies.names, strategies.flaky))
def test_a_flaky_record_comes_back(record, flaky):
    """What repetitions disagreed on is kept, distances beyond every number included."""
    record = replace(record, flaky=flaky)
    document = json.loads(json.dumps(to_document(record), allow_nan=False))

    assert record == from_document(document)
    assert [] == documents.validate(document, "record.json")


@pytest.fixture
def store(tmp_path):
    """Return a store whose folder does not exist yet."""
    return Store(tmp_path / "records")


def numbered(number, variant="plain"):
    """Return a record that observes a number."""
    return builders.record(variant=variant, observations={"x": number})


def counts(store):
    """Return what the store's records observed, by variant."""
    found = store.read(builders.TORCH, "sample")
    return {variant: record.observations["x"] for variant, record in found.items()}


def test_nothing_is_no_error(store):
    """Where no run was, there are no records."""
    assert {} == store.read(builders.TORCH, "sample")


def test_the_newest_record_stands(store):
    """A later record of a variant replaces the earlier one."""
    for record in (numbered(1), numbered(2, "other"), numbered(3)):
        store.append(record)
    assert {"plain": 3, "other": 2} == counts(store)


def test_replacing_drops_what_is_outdated(store):
    """An experiment's records can be written anew, whole."""
    store.append(numbered(1))
    store.replace(builders.TORCH, "sample", [numbered(2, "other")])
    assert {"other": 2} == counts(store)
    store.replace(builders.TORCH, "sample", [])
    assert {} == counts(store)


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_line_that_was_cut_off(store, cut):
    """A line that a kill cut off is not read, and does not swallow the next one."""
    store.append(numbered(1, "other"))
    store.append(numbered(2))
    path = store.path(builders.TORCH, "sample")
    path.write_bytes(path.read_bytes()[:-cut])
    assert {"other": 1} == counts(store)
    store.append(numbered(3))
    assert {"other": 1, "plain": 3} == counts(store)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"rubbish",
        b"[]",
        b'{"cell": "torch-2.15.0"}',
        json.dumps({**to_document(numbered(9)), "outcome": "fine"}).encode(),
        json.dumps({**to_document(numbered(9)), "observations": {"x": -1}}).encode(),
    ],
)
def test_lines_that_are_no_records_are_left_out(store, line):
    """Rubbish in the file costs the rubbish alone."""
    store.append(numbered(1))
    path = store.path(builders.TORCH, "sample")
    path.write_bytes(line + b"\n" + path.read_bytes() + line + b"\n")
    assert {"plain": 1} == counts(store)


def test_what_is_empty_is_left_out():
    """Without an exception, a reason or anything flaky the keys are absent."""
    assert not {"raised", "reason", "flaky"} & set(to_document(builders.record()))
    document = to_document(replace(builders.raised(), reason="late"))
    assert ({"type": "panic", "text": "no"}, "late") == (document["raised"], document["reason"])
    assert Outcome.RAISED is from_document(document).outcome
