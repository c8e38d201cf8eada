"""What upstream changed is what the committed baselines of its versions say."""

import pytest
from acceptance import proof

from harness.model import Difference
from harness.project import Project

PROJECT = Project()
ENTRIES = proof.entries()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.where.replace(" ", "-"))
def test_an_upstream_change_is_reported_and_nothing_else(entry):
    """Each change is reported with its class and values; cases that are equal report nothing."""
    contract = PROJECT.contracts[entry.experiment]

    def read(cell, experiment):
        return PROJECT.baselines.read(experiment, cell)

    assert "" == proof.problem(entry, contract, read)


def test_the_set_is_not_empty():
    """It holds changes of both frameworks, and cases that stayed."""
    changed = {entry.cells[1].partition("-")[0] for entry in ENTRIES if entry.kind}
    assert {"torch", "burn"} == changed
    assert [entry for entry in ENTRIES if entry.kind is None]
    assert Difference.ROUNDING in {entry.kind for entry in ENTRIES}


@pytest.mark.parametrize(
    ("wanted", "seen", "equal"),
    [
        (True, True, True),
        (True, 1, False),
        ([1.0, "NaN"], {"values": [1.000001, "NaN"]}, True),
        ([1.0], {"values": [1.1]}, False),
        ([1.0], {"values": [1.0, 2.0]}, False),
        ({"dtype": "float64"}, {"dtype": "float64", "values": []}, True),
        ({"dtype": "float64"}, {"dtype": "float32", "values": []}, False),
        (2, {"values": 2.0}, True),
        ("raised", "observed", False),
        ("x", None, False),
    ],
)
def test_what_counts_as_the_value_written_down(wanted, seen, equal):
    """Numbers to five digits; kinds, lengths and tags exactly."""
    assert equal is proof.same(wanted, seen)
