"""The third witness: the exact value, and who has it."""

import json

import builders
import pytest
import strategies
from hypothesis import given

from harness import contracts, witness
from harness.model import Difference, Framework, Observation, Tolerance
from harness.parity import Status
from harness.report import machine_readable, terminal
from harness.witness import Holder, Movement

LAYOUT = {Framework.TORCH: ("out", "in"), Framework.BURN: ("in", "out")}
one = builders.tensor


def moved(exact, old, new, rule=None, cell=builders.TORCH):
    """Return where a value moved from `old` to `new`."""
    rule = rule or Observation(name="x")
    contract = builders.contract(rule, variants=[builders.knows(x=exact)])
    change = builders.change(observation="x", expected=old, observed=new)
    return witness.movement(contract, "plain", cell, change)


@pytest.mark.parametrize(
    ("exact", "old", "new", "expected"),
    [
        (one(1.0), one(1.0), one(1.5), Movement.LOST),
        (one(1.0), one(1.5), one(1.0000001), Movement.FOUND),
        (one(1.0), one(1.000009), one(0.999991), Movement.RIGHT),
        (one(1.0), one(3.0), one(2.0), Movement.NEARER),
        (one(1.0), one(2.0), one(-1.0), Movement.FARTHER),
        (one(1.0), one(2.0), one(0.0), Movement.WRONG),
        (one([1.0, 1.0]), one([1.0, 5.0]), one([4.0, 4.0]), Movement.NEARER),
        (one([1.0, 1.0]), one([1.0, "NaN"]), one([9.0, 9.0]), Movement.NEARER),
        (one([1.0, 1.0]), one([1.0, 2.0]), one([1.0, "Infinity"]), Movement.FARTHER),
        (one(["NaN", 1.0]), one([1.0, 1.0]), one(["NaN", 1.0]), Movement.FOUND),
        (one([1.0, 1.0]), one([1.0, 2.0]), one([[1.0, 1.0]]), Movement.WRONG),
        (one([1.0, 1.0]), one([1.0, 1.0], "float64"), one([1.0, 1.0]), Movement.FOUND),
        (4, 4, 5, Movement.LOST),
        (4, 9, 5, Movement.NEARER),
        (4, 5, 9, Movement.FARTHER),
        (4, 5, 3, Movement.WRONG),
        (True, False, True, Movement.FOUND),
        ("a", "b", "c", Movement.WRONG),
        ([0, 1], [0, 0], [0, 1], Movement.FOUND),
        (4, None, 4, None),
        (4, 4, None, None),
        (4, "four", 5, Movement.WRONG),
    ],
)
def test_where_a_value_moved(exact, old, new, expected):
    """Right is within the tolerance; of two wrong values the nearer one is said, if any."""
    assert expected == moved(exact, old, new)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Observation(name="x", tolerance=Tolerance(rtol=0, atol=0.5)), Movement.RIGHT),
        (Observation(name="x", tolerance=Tolerance(rtol=0, atol=1e-3)), Movement.LOST),
    ],
)
def test_the_observations_tolerance(rule, expected):
    """Where the contract gives a tolerance, it says what is right."""
    assert expected == moved(one(1.0), one(1.0), one(1.25), rule)


def test_a_zeros_sign():
    """Where the contract tells −0 from 0, the exact value's sign is part of it."""
    rule = Observation(name="x", signed_zero=True)
    assert Movement.FOUND is moved(one([0.0]), one([-0.0]), one([0.0]), rule)
    assert Movement.WRONG is moved(one([0.0]), one([-0.0]), one([-0.0]), rule)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [(builders.TORCH, Movement.LOST), ("burn-main", Movement.FOUND)],
)
def test_an_exact_tensor_is_in_torchs_layout(cell, expected):
    """A burn cell's tensor is turned before it is compared with the exact one."""
    rule = Observation(name="x", layout=LAYOUT)
    exact, turned = one([[1.0, 2.0], [3.0, 4.0]]), one([[1.0, 3.0], [2.0, 4.0]])
    assert expected == moved(exact, exact, turned, rule, cell)


@given(value=strategies.observations, other=strategies.observations)
def test_the_exact_value_itself_is_right(value, other):
    """Whatever is observed is right where it is the exact value, and never moves from it."""
    assert Movement.RIGHT is moved(value, value, value)
    assert moved(value, value, other) in {Movement.RIGHT, Movement.LOST}
    assert moved(value, other, value) in {Movement.RIGHT, Movement.FOUND}


@pytest.mark.parametrize(
    ("torch", "burn", "expected"),
    [
        (4, 5, Holder.TORCH),
        (5, 4, Holder.BURN),
        (4, 4, Holder.BOTH),
        (5, 6, Holder.NEITHER),
        (None, 4, Holder.BURN),
        (4, None, Holder.TORCH),
        (None, None, Holder.NEITHER),
    ],
)
def test_who_has_the_exact_value(torch, burn, expected):
    """Torch, burn, both or neither; what was not observed has nothing."""
    contract = builders.contract("x", variants=[builders.knows(x=4)])
    row = builders.row(torch=torch, burn=burn)
    assert expected == witness.holder(contract, "plain", row)


@pytest.mark.parametrize("variant", ["plain", "no_such_variant"])
def test_without_an_exact_value_nothing_is_said(variant):
    """Where the contract gives no exact value, there is no witness."""
    contract = builders.contract("x", variants=[builders.knows(y=4)])
    change = builders.change(observation="x", expected=1, observed=2)
    assert witness.movement(contract, variant, builders.TORCH, change) is None
    assert witness.holder(contract, variant, builders.row()) is None


# --- in a contract --------------------------------------------------------------------------------


def test_exact_values_are_read(tmp_path):
    """An exact value is kept in a record's form, in the observation's dtype."""
    given = {"seen": True, "x": [[0.1, "NaN"], [2, -0.0]]}
    variants = {"plain": {"says": "s", "parity": {"rule": "same"}, "exact": given}}
    path = builders.write_contract(tmp_path, builders.contract_document(x_variants=variants))
    exact = contracts.read(path).variants["plain"].exact
    assert True is exact["seen"]
    assert builders.tensor([[0.1, "NaN"], [2.0, -0.0]]) == exact["x"]


def test_an_exact_value_keeps_the_contract(tmp_path):
    """An exact value of another shape than the contract allows is refused."""
    variants = {"plain": {"says": "s", "parity": {"rule": "same"}, "exact": {"x": [1, 2]}}}
    document = builders.contract_document(x_variants=variants)
    document["properties"]["x"]["properties"] = {"shape": {"const": [3]}}
    with pytest.raises(contracts.HarnessError, match=r"x-variants\.plain\.exact\.x: shape: \[3\]"):
        contracts.read(builders.write_contract(tmp_path, document))


# --- in a report ----------------------------------------------------------------------------------


def report():
    """Return a report in which a count drifted and torch and burn differ in it."""
    change = builders.change(Difference.COUNT_CHANGE, observation="x", expected=4, observed=5)
    lost = builders.line(Difference.PARITY_LOST, observation="x", expected=4, observed=5)
    return builders.report(
        changes=(builders.line(change.kind, observation="x", expected=4, observed=5), lost),
        sides=(builders.side(Status.LOST, builders.row(torch=4, burn=5, change=change)),),
        contracts={"sample": builders.contract("x", variants=[builders.knows(x=4)])},
    )


def test_the_terminal_says_who_moved_and_who_is_right():
    """A drift line and a parity line name the exact value's side; a parity alarm does it there."""
    shown = terminal.render(report())
    assert 1 == shown.count("right before, wrong now")
    assert "4 in torch, 5 in burn; exact: torch\n" in shown


def test_the_json_says_who_moved_and_who_is_right():
    """A change and a row have the witness where there is one, and no key where there is none."""
    document = json.loads(machine_readable.render(report()))
    assert {"right before, wrong now", None} == {
        line.get("witness") for line in document["changes"]
    }
    assert ["torch"] == [row["witness"] for side in document["parity"] for row in side["rows"]]
