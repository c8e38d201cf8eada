"""Two versions of one framework, held against each other."""

from dataclasses import replace

import builders
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from harness import diff
from harness.diff import Section, Source
from harness.effects import Effect
from harness.errors import ExitCode
from harness.model import Difference, Framework, Observation, Outcome, Scope, Severity

OLD, NEW = builders.cell("burn-1.0.0"), builders.cell("burn-2.0.0")
PINNED = builders.cell(builders.TORCH)
D = Difference
CODE = {Framework.TORCH: "torch()", Framework.BURN: "burn();"}


def side(cell, *records, source=Source.BASELINES):
    """Return a side that holds these records of one experiment."""
    own = {one.variant: replace(one, cell=cell.id) for one in records}
    return diff.Side(cell=cell, source=source, records=lambda _: own)


def build(old=(), new=(), pinned=(), contract=None, cells=(OLD, NEW, PINNED)):
    """Return the diff of two sides that hold these records."""
    sides = [side(cell, *records) for cell, records in zip(cells, (old, new, pinned), strict=True)]
    contract = contract or builders.contract("x", "y")
    return diff.build([contract], *sides, lambda *_: CODE)


def one(old, new, pinned=None, **words):
    """Return the only entry of a diff of two records."""
    (entry,) = build([old], [new], [pinned] if pinned else [], **words).entries
    return entry


@given(strategies.records())
def test_a_version_does_not_differ_from_itself(record):
    """diff(x, x) holds nothing."""
    assert () == build([record], [record]).entries


@given(strategies.records(), strategies.records(), st.none() | strategies.records())
def test_every_case_is_the_same_or_listed(old, new, other):
    """No case is dropped: it is the same, or has an entry, or is listed as not compared."""
    found = build([old], [new], [other] if other else [])

    assert 1 == found.compared + len(found.uncompared)
    assert found.compared == found.same + bool(found.entries)


def test_an_entry_says_what_it_is_about():
    """An entry has the question, what the variant does, both halves' code, both values, the class."""
    entry = one(builders.observed(x=1), builders.observed(x=2))

    assert ("Does it hold?", "as it is", CODE) == (
        entry.subject.question,
        entry.subject.says,
        entry.subject.code,
    )
    assert ("x", 1, 2, D.COUNT_CHANGE) == (
        entry.change.observation,
        entry.change.expected,
        entry.change.observed,
        entry.change.kind,
    )


# --- parity ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "torch", "effect"),
    [
        (1, 2, 2, Effect.TOWARD),
        (1, 2, 1, Effect.AWAY),
        (1, 2, 3, Effect.APART),
        (1, None, 1, Effect.AWAY),
        (1, None, None, Effect.TOWARD),
        (None, 1, 1, Effect.TOWARD),
    ],
)
def test_the_effect_on_parity(old, new, torch, effect):
    """A change moves an observation toward the other framework, away from it, or leaves it apart."""
    records = (builders.observed(**({} if x is None else {"x": x})) for x in (old, new, torch))

    assert effect is one(*records).effect


UPGRADES = {
    "torch": ([[1.0, 2.0]], [[1.0, 3.0]], [[1.0], [3.0]]),
    "burn": ([[1.0], [2.0]], [[1.0], [3.0]], [[1.0, 3.0]]),
}


@pytest.mark.parametrize("upgraded", UPGRADES)
def test_the_effect_with_axes_in_another_order(upgraded):
    """Whichever framework is upgraded, parity compares with the axes in torch's order."""
    rule = Observation(
        name="x", layout={Framework.TORCH: ("out", "in"), Framework.BURN: ("in", "out")}
    )
    old, new, other = (builders.observed(x=builders.tensor(v)) for v in UPGRADES[upgraded])
    partner = {"torch": "burn-1.0.0", "burn": "torch-1.0.0"}[upgraded]
    cells = tuple(map(builders.cell, (f"{upgraded}-1.0.0", f"{upgraded}-2.0.0", partner)))
    found = one(old, new, other, contract=builders.contract(rule), cells=cells)

    assert Effect.TOWARD is found.effect


def test_torch_is_what_burn_is_held_against():
    """The tolerance is relative to torch's value, whichever framework is upgraded."""
    half = replace(builders.differs(), tolerance=builders.tolerance(0.0, rtol=0.5))
    contract = builders.contract("x", variants=[builders.variant(parity=half)])
    old, new, torch = (builders.observed(x=builders.tensor([v])) for v in (9.0, 1.0, 2.0))

    assert Effect.TOWARD is one(old, new, torch, contract=contract).effect


def test_what_is_no_longer_reached_goes_away():
    """What a panic cuts off is away from what the other framework observes there."""
    old, new = builders.raised(observations={"x": 1}), builders.raised()

    assert Effect.AWAY is one(old, new, builders.observed(x=1)).effect


def test_the_contract_s_own_tolerance_decides_on_parity():
    """What drifts within the tolerance between frameworks has no effect on parity."""
    old, new = (builders.observed(x=builders.tensor([v])) for v in (1.0, 1.001))
    loose = builders.variant(parity=replace(builders.differs(), tolerance=builders.tolerance(0.1)))
    contract = builders.contract("x", variants=[loose])

    assert Effect.NONE is one(old, new, old, contract=contract).effect


@pytest.mark.parametrize(
    "other",
    [None, builders.record(Outcome.NOT_BUILT, reason="no"), builders.record(Outcome.INVALID)],
)
def test_an_effect_that_nobody_can_know(other):
    """Where the other framework has no behaviour on record, the effect is unknown."""
    assert Effect.UNKNOWN is one(builders.observed(x=1), builders.observed(x=2), other).effect


def test_an_observation_of_one_framework_has_no_effect():
    """What only one framework observes cannot disagree."""
    contract = builders.contract(Observation(name="x", only=Framework.BURN))
    old, new = builders.observed(x=1), builders.observed(x=2)

    assert Effect.NONE is one(old, new, builders.observed(), contract=contract).effect


def test_an_outcome_has_an_effect():
    """A panic where torch observes goes away from it; one where torch raises comes toward it."""
    fine, panic = builders.observed(), builders.raised()

    assert Effect.AWAY is one(fine, panic, fine).effect
    assert Effect.TOWARD is one(fine, panic, builders.raised("TypeError")).effect


# --- what cannot be compared ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ([], [builders.observed()], "burn-1.0.0 has no baseline"),
        ([builders.observed()], [], "burn-2.0.0 has no baseline"),
        (
            [builders.observed()],
            [builders.record(Outcome.INVALID, reason="x")],
            "burn-2.0.0 invalid: x",
        ),
        ([builders.record(Outcome.UNAVAILABLE)], [builders.observed()], "burn-1.0.0 unavailable"),
    ],
)
def test_a_case_that_one_side_lacks_is_listed(old, new, reason):
    """A case of which one side says nothing is listed with the reason, and nothing is green."""
    found = build(old, new)

    assert [reason] == [case.reason for case in found.uncompared]
    assert ExitCode.INCONCLUSIVE is found.code


def test_a_record_that_is_missing_is_called_so():
    """Where a side is what was run, what it lacks is a record."""
    sides = side(OLD, source=Source.RECORDS), side(NEW, builders.observed()), side(PINNED)
    found = diff.build([builders.contract("x")], *sides, lambda *_: CODE)

    assert ["burn-1.0.0 has no record"] == [case.reason for case in found.uncompared]


def test_what_no_version_supports_is_listed():
    """A case that neither version supports is not compared, for the contract's reason."""
    no = builders.variant(unsupported={Scope(framework=Framework.BURN): "no such thing"})
    found = build([], [], contract=builders.contract("x", variants=[no]))

    assert ["neither has it: unsupported: no such thing"] == [
        case.reason for case in found.uncompared
    ]


@pytest.mark.parametrize("outcome", [Outcome.NOT_BUILT, Outcome.UNSUPPORTED])
def test_an_api_that_is_gone(outcome):
    """What no longer compiles, or is no longer supported, is one entry of a section of its own."""
    entry = one(builders.observed(x=1), builders.record(outcome, reason="gone"))

    assert (Section.API_GONE, f"{outcome}: gone") == (entry.section, entry.change.observed)


@pytest.mark.parametrize("outcome", [Outcome.NOT_BUILT, Outcome.UNSUPPORTED])
def test_an_api_that_is_new(outcome):
    """What the newer version has, and the older lacks, is a note."""
    assert D.API_NEW is one(builders.record(outcome), builders.observed(x=1)).change.kind


@pytest.mark.parametrize("outcomes", [("unsupported", "not_built"), ("not_built", "unsupported")])
def test_what_neither_version_has_is_not_gone(outcomes):
    """Where the older version did not have it either, nothing was lost, and nothing compared."""
    old, new = (builders.record(Outcome(name), reason="no") for name in outcomes)
    found = build([old], [new])

    assert [f"neither has it: {outcomes[1]}: no"] == [case.reason for case in found.uncompared]


# --- order, counts, code --------------------------------------------------------------------------

CASES = {
    "note": (builders.raised(text="a"), builders.raised(text="b")),
    "gone": (builders.observed(x=1), builders.record(Outcome.NOT_BUILT)),
    "change": (builders.observed(x=1), builders.observed(x=2)),
    "break": (builders.observed(x=True), builders.observed(x=False)),
    "more": (builders.observed(x=False, y=1), builders.observed(x=True, y=2)),
    "same": (builders.observed(x=1), builders.observed(x=1)),
}


def many(*names):
    """Return the diff of cases that differ as their names say."""
    contract = builders.contract("x", "y", variants=[builders.variant(name) for name in names])
    old, new = ([replace(CASES[name][n], variant=name) for name in names] for n in (0, 1))
    return build(old, new, contract=contract)


def test_the_order_of_entries():
    """Breaks, changes, API gone, notes; within each the order of the contract."""
    assert [
        ("break", "break"),
        ("more", "break"),
        ("change", "change"),
        ("more", "change"),
        ("gone", "api_gone"),
        ("note", "note"),
    ] == [(entry.subject.variant, entry.section) for entry in many(*CASES).entries]


def test_sections_and_counts():
    """Every entry is in its section under its case, and counted."""
    found = many(*CASES)

    assert {
        Section.BREAK: 2,
        Section.CHANGE: 2,
        Section.API_GONE: 1,
        Section.NOTE: 1,
    } == found.counts()
    assert {
        section: [[e.subject.variant for e in entries] for entries in cases]
        for section, cases in found.sections().items()
    } == {
        "break": [["break"], ["more"]],
        "change": [["change"], ["more"]],
        "api_gone": [["gone"]],
        "note": [["note"]],
    }
    assert (6, 1) == (found.compared, found.same)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["same"], 0),
        (["note", "same"], 11),
        (["change", "note"], 10),
        (["break"], 10),
        (["gone"], 10),
        ([], 12),
    ],
)
def test_the_exit_code(names, code):
    """10 for a break, a change or an API gone, 11 for notes, 12 where nothing was compared."""
    found = many(*names) if names else build()

    assert ExitCode(code) is found.code


@pytest.mark.parametrize(
    ("severity", "left", "hidden"), [("note", 6, 0), ("change", 5, 1), ("break", 3, 3)]
)
def test_a_minimum_severity(severity, left, hidden):
    """What matters less is left out and counted; what remains decides the exit code."""
    found = diff.at_least(many(*CASES), Severity(severity))

    assert (left, hidden) == (len(found.entries), found.hidden)
    assert ExitCode.SAME is diff.at_least(many("note"), Severity.CHANGE).code


# --- rounding -------------------------------------------------------------------------------------

HERE = {"machine": {"cpu": "one"}, "settings": "A=1"}


@pytest.mark.parametrize(
    ("provenance", "entries"),
    [
        (HERE, 1),
        ({**HERE, "settings": "A=2"}, 0),
        ({**HERE, "machine": {"cpu": "other"}}, 0),
        ({}, 0),
    ],
)
def test_rounding_needs_one_machine(provenance, entries):
    """Bits are compared only between records of one machine with the same settings; they stay 0."""
    old, new = (
        builders.record(observations={"x": builders.tensor([v])}, provenance=where)
        for v, where in ((1.0, HERE), (1.0000001, provenance))
    )
    found = build([old], [new])

    assert entries == len(found.entries)
    assert ExitCode.SAME is found.code


def test_one_experiment_at_a_time():
    """Each side is asked for an experiment when the one before was compared."""
    asked = []

    def sides(name):
        return lambda contract: asked.append((contract.id, name)) or {}

    old, new, other = (
        diff.Side(cell=cell, source=Source.BASELINES, records=sides(cell.id))
        for cell in (OLD, NEW, PINNED)
    )
    diff.build(
        [builders.contract(id_="a"), builders.contract(id_="b")], old, new, other, lambda *_: {}
    )

    assert [name for name in ("a", "b") for _ in range(3)] == [
        experiment for experiment, _ in asked
    ]
