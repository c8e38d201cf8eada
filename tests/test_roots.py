"""Changes grouped by root."""

import builders
import pytest

from harness.effects import Effect
from harness.model import Difference, Severity
from harness.report import roots

D = Difference

HEAD = "burn-main"


def titles(lines):
    """Return each root's variants, classes and cells."""
    return [(one.variants, one.kinds, one.cells) for one in roots.grouped(lines)]


def test_one_change_in_many_cells_is_one_root():
    """The same change of the same case is listed once, with its cells."""
    lines = [builders.line(cell=cell) for cell in (builders.BURN, HEAD)]
    assert [(("plain",), (D.FLAG_FLIP,), (builders.BURN, HEAD))] == titles(lines)


def test_variants_that_change_alike_are_one_root():
    """Where the same cells see it, the variants are listed together."""
    lines = [builders.line(cell=c, variant=v) for v in ("plain", "other") for c in ("a", "b")]
    assert [(("plain", "other"), (D.FLAG_FLIP,), ("a", "b"))] == titles(lines)


@pytest.mark.parametrize(
    "words",
    [
        {"cell": HEAD, "variant": "other"},
        {"experiment": "another"},
        {"observation": "moved"},
        {"observed": None},
        {"expected": True},
        {"kind": D.BECAME_NO_OP},
    ],
    ids=str,
)
def test_what_differs_is_another_root(words):
    """Another experiment, observation, class or value, or other cells and variants, stay apart."""
    assert 2 == len(roots.grouped([builders.line(), builders.line(**words)]))


def test_rounding_is_no_root():
    """Bits that differ within the tolerance change no behaviour."""
    assert [] == roots.grouped([builders.line(D.ROUNDING)])


def test_numbers_are_told_apart_by_five_digits():
    """One drift in two cells is one root, although the cells differ in the last digits."""
    drifts = [
        builders.line(D.VALUE_DRIFT, cell=cell, expected=builders.tensor([1.0]), observed=seen)
        for cell, seen in (
            ("a", builders.tensor([1.5000001])),
            ("b", builders.tensor([1.5000002])),
            ("c", builders.tensor([1.6])),
        )
    ]
    assert [("a", "b"), ("c",)] == [root.cells for root in roots.grouped(drifts)]


@pytest.mark.parametrize("changed", [builders.BURN, builders.TORCH])
def test_parity_that_a_change_costs_is_no_root_of_its_own(changed):
    """Lost parity belongs to the change of either side, makes it as grave, and leads away."""
    lines = [
        builders.line(D.VALUE_DRIFT, cell=changed, against=changed),
        builders.line(D.PARITY_LOST, against=builders.TORCH),
    ]
    (root,) = roots.grouped(lines)
    assert ((D.VALUE_DRIFT, D.PARITY_LOST), Severity.BREAK) == (root.kinds, root.severity)
    assert (Effect.AWAY, (changed,)) == (root.effect, root.cells)


def test_variants_that_fare_unlike_beside_torch_stay_apart():
    """One change that costs parity in one variant and brings it in another is two roots."""
    lines = [builders.line(variant=variant) for variant in ("plain", "other", "third")]
    for kind, variant in ((D.PARITY_LOST, "plain"), (D.DIVERGENCE_CLOSED, "other")):
        lines.append(builders.line(kind, variant=variant, against=builders.TORCH))
    assert {"plain": Effect.AWAY, "other": Effect.TOWARD, "third": Effect.UNKNOWN} == {
        root.variants[0]: root.effect for root in roots.grouped(lines)
    }


def test_parity_without_a_change_is_a_root():
    """Lost parity that no change explains stands for itself."""
    lines = [
        builders.line(D.PARITY_LOST, against=builders.TORCH),
        builders.line(D.FLAG_FLIP, observation="moved"),
        builders.line(D.ROUNDING, cell=builders.TORCH, against=builders.TORCH),
    ]
    assert {(D.PARITY_LOST,), (D.FLAG_FLIP,)} == {root.kinds for root in roots.grouped(lines)}


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ((Effect.AWAY, Effect.AWAY), Effect.AWAY),
        ((Effect.AWAY, Effect.UNKNOWN), Effect.AWAY),
        ((Effect.AWAY, Effect.TOWARD), Effect.UNKNOWN),
        ((Effect.UNKNOWN, Effect.UNKNOWN), Effect.UNKNOWN),
    ],
)
def test_the_effect_is_what_all_cells_say(effects, expected):
    """Cells that contradict each other leave the consequence for parity open."""
    lines = [builders.line(cell=str(number), effect=one) for number, one in enumerate(effects)]
    assert expected is roots.grouped(lines)[0].effect


def test_the_worst_stands_first():
    """Roots are sorted by severity, otherwise in order."""
    kinds = (D.MESSAGE_ONLY, D.VALUE_DRIFT, D.FLAG_FLIP, D.NEW_PANIC)
    lines = [builders.line(kind, observation=kind.value) for kind in kinds]
    assert [D.FLAG_FLIP, D.NEW_PANIC, D.VALUE_DRIFT, D.MESSAGE_ONLY] == [
        root.change.kind for root in roots.grouped(lines)
    ]


def test_a_key_tells_differences_apart():
    """The key is of the case, the observation, the class and both values, not of the last digit."""
    drift = {"expected": builders.tensor([1.0]), "observed": builders.tensor([1.5000001])}
    near = {**drift, "observed": builders.tensor([1.5000002])}
    far = {**drift, "observed": builders.tensor([1.6])}
    first, second, third = (
        roots.key(builders.line(D.VALUE_DRIFT, **w)) for w in (drift, near, far)
    )
    others = {roots.key(builders.line(cell=cell, variant=v)) for cell in "ab" for v in "cd"}
    assert first == second != third
    assert 4 == len(others)
    assert 16 == len(first)


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), ("1", 1), (None, "None"), ([1, 2], [1, 3]), ([1], [1, 1])]
)
def test_values_of_two_kinds_are_two(one, other):
    """A flag is no count, and a text is no number."""
    assert roots.coarse(one) != roots.coarse(other)
