"""Since which version a value holds."""

import json
import tracemalloc

import builders
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from harness import documents, history, versions
from harness.history import Statement
from harness.model import Framework, Observation, Outcome, Scope
from harness.report import history_terminal, timeline

NUMBERS = "abcdef"
CELLS = [builders.cell(f"burn-{n}", version=f"1.{at}.0") for at, n in enumerate(NUMBERS)]
EXACT, AT_MOST = Statement.EXACT, Statement.AT_MOST


def records(spec):
    """Return a record of `x` a cell: its value from the text `112.`, in which `.` has none."""
    return [None if one == "." else builders.observed(x=int(one)) for one in spec]


def histories(known, contract=None, cells=CELLS):
    """Return the history of the plain variant when each cell has this record."""
    contract = contract or builders.contract("x")
    held = {cell.id: record for cell, record in zip(cells, known, strict=False)}

    def read(cell, _):
        record = held[cell.id]
        return {} if record is None else {record.variant: record}

    lineages = versions.lineages(cells[: len(held)])
    return list(history.of(contract, contract.variants.values(), lineages, read))


def stages(known, observation="x", **words):
    """Return (value, since, statement) of each stage of an observation."""
    (one,) = histories(known, **words)
    (found,) = [line for line in one.timelines if line.observation == observation]
    return [(stage.value, stage.since[-1], stage.statement) for stage in found.stages]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("11", [(1, "a", AT_MOST)]),
        ("12", [(1, "a", AT_MOST), (2, "b", EXACT)]),
        ("112233", [(1, "a", AT_MOST), (2, "c", EXACT), (3, "e", EXACT)]),
        ("121", [(1, "a", AT_MOST), (2, "b", EXACT), (1, "c", EXACT)]),
        (".1", [(1, "b", AT_MOST)]),
        ("1.2", [(1, "a", AT_MOST), (2, "c", AT_MOST)]),
        ("1.22", [(1, "a", AT_MOST), (2, "c", AT_MOST)]),
        ("1.1", [(1, "a", AT_MOST)]),
        ("1.12", [(1, "a", AT_MOST), (2, "d", EXACT)]),
        ("12.", [(1, "a", AT_MOST), (2, "b", EXACT)]),
        ("..", []),
    ],
)
def test_since_when(spec, expected):
    """Exact where the version just before is recorded and differs; never guessed over a gap."""
    assert expected == stages(records(spec))


@given(strategies.records(), st.integers(1, 6))
def test_equal_cells_are_one_stage(record, number):
    """Where every cell has the same record, each value holds at most since the oldest."""
    (one,) = histories([record] * number)
    known = record.outcome not in {Outcome.INVALID, Outcome.UNAVAILABLE}

    for line in one.timelines:
        assert known == (len(line.stages) == 1)
        assert line.statement is (AT_MOST if known else Statement.UNKNOWN)


@given(st.lists(st.none() | st.integers(0, 2), min_size=1, max_size=6))
def test_what_is_exact_can_be_checked(values):
    """An exact stage differs from the record just before; every record is in its stage."""
    found = stages([v if v is None else builders.observed(x=v) for v in values])

    current = iter([*found, (None, "", AT_MOST)])
    value, since, statement = next(current)
    running = None
    for at, seen in enumerate(values):
        if NUMBERS[at] == since:
            assert (statement is EXACT) == (
                at > 0 and values[at - 1] is not None and running is not None
            )
            running = value
            value, since, statement = next(current)
        assert seen in {None, running}


def test_a_value_is_the_same_within_its_tolerance():
    """Bits do not make a version; the contract's tolerance does."""
    close = [builders.observed(x=builders.tensor([v])) for v in (1.0, 1.0000001, 1.1)]

    assert ["a", "c"] == [since for _, since, _ in stages(close)]


def test_a_value_cannot_creep():
    """Each value is held against where it began, so that small steps add up."""
    loose = builders.contract(Observation(name="x", tolerance=builders.tolerance(1.5)))
    steps = [builders.observed(x=builders.tensor([float(v)])) for v in range(5)]

    assert ["a", "c", "e"] == [since for _, since, _ in stages(steps, contract=loose)]


def test_an_outcome_has_a_history():
    """How a case ends has a history of its own, and what was not observed then is a value, too."""
    known = [builders.observed(x=1), builders.raised(text="no"), builders.observed(x=1)]

    assert [
        ("observed", "a", AT_MOST),
        ("raised panic: no", "b", EXACT),
        ("observed", "c", EXACT),
    ] == stages(known, "outcome")
    assert [(1, "a", AT_MOST), (None, "b", EXACT), (1, "c", EXACT)] == stages(known)


def test_what_is_unsupported_is_known():
    """Where the contract rules a case out, that is how it ends, and no gap."""
    no = builders.variant(unsupported={Scope(framework=Framework.BURN): "no such thing"})
    contract = builders.contract("x", variants=[no])

    assert [("unsupported: no such thing", "a", AT_MOST)] == stages(
        [None, None], "outcome", contract=contract
    )


@pytest.mark.parametrize("outcome", [Outcome.INVALID, Outcome.UNAVAILABLE])
def test_what_is_no_behaviour_is_a_gap(outcome):
    """A record that breaks its contract, or of a cell that did not run, tells no value."""
    known = [builders.observed(x=1), builders.record(outcome), builders.observed(x=2)]

    assert [(1, "a", AT_MOST), (2, "c", AT_MOST)] == stages(known)


def test_gaps_are_named():
    """The cells without a record, and the newest that has one, stand beside the values."""
    (one,) = histories(records("1.2."))

    assert (("burn-b", "burn-d"), "burn-c") == (one.missing, one.newest)


def test_every_lineage_has_its_own_history():
    """A backend's past decides nothing about another backend's."""
    cells = [
        builders.cell("burn-a", version="1.0.0", backend="flex"),
        builders.cell("burn-b", version="1.1.0", backend="ndarray"),
        builders.cell("burn-c", version="1.2.0", backend="flex"),
    ]
    found = histories(records("121"), cells=cells)

    assert {"burn-flex": 1, "burn-ndarray": 1} == {
        one.lineage.id: len(one.timelines[1].stages) for one in found
    }


def test_only_what_was_observed():
    """What a variant never observes is left out, unless it is asked for by name."""
    (one,) = histories([builders.observed(x=1)], contract=builders.contract("x", "y"))

    assert ["outcome", "x"] == [line.observation for line in history.only(one, None).timelines]
    assert ["y"] == [line.observation for line in history.only(one, "y").timelines]


def test_what_the_other_framework_alone_observes_is_left_out():
    """An observation of torch alone has no history in burn."""
    contract = builders.contract("x", Observation(name="y", only=Scope(framework=Framework.TORCH)))
    (one,) = histories([builders.observed(x=1)], contract=contract)

    assert ["outcome", "x"] == [line.observation for line in one.timelines]


# --- how it is shown ------------------------------------------------------------------------------


def shown(known, **words):
    """Return the history as a terminal shows it, its columns one blank apart."""
    text = history_terminal.render(histories(known, **words))
    return [" ".join(line.split()) for line in text.splitlines()]


def test_a_history_in_a_terminal():
    """Exact versions stand alone, others after ≤; the values before follow, the newest first."""
    lines = shown(records("1122.3"))

    assert "sample / plain Does it hold?" == lines[0]
    assert "no record: burn-e" in lines
    assert "observation in burn-f since before" in lines
    assert "x 3 ≤ burn-f 2 burn-c, before 1 ≤ burn-a" in lines


def test_an_unknown_history_in_a_terminal():
    """Where nothing is recorded, that is all that is said."""
    assert "unknown: no record of any of these cells" in shown(records(".."))


def test_tensors_are_shown_where_they_part():
    """Of two tensors the element that differs is shown, and where it is, not their common beginning."""
    ones = [1.0] * 9
    known = [builders.observed(x=builders.tensor([*ones, last])) for last in (1.0, 2.0)]

    assert "x 2.0 at [9] burn-b 1.0 at [9] ≤ burn-a" in shown(known)


def document(experiments):
    """Return the exported document of some experiments' histories, which its schema allows."""
    lineages = versions.lineages(CELLS)
    found = json.loads(b"".join(timeline.parts(lineages, experiments)))
    assert documents.validate(found, "timeline.json") == []
    return found


def test_the_exported_document():
    """The export says of each observation what it is, since when, how surely, and what was before."""
    (experiment,) = document([histories(records("112."))])["experiments"]
    (case,) = experiment["cases"]
    _, line = case["timelines"]

    assert ("sample", "plain", ["burn-d"], "burn-c") == (
        experiment["experiment"],
        case["variant"],
        case["missing"],
        case["newest"],
    )
    assert {
        "observation": "x",
        "statement": "exact",
        "since": "burn-c",
        "stages": [
            {"since": "burn-a", "statement": "at_most", "value": 1, "shown": "1"},
            {
                "since": "burn-c",
                "statement": "exact",
                "value": 2,
                "shown": "2",
                "class": "count_change",
            },
        ],
    } == line


@given(st.lists(st.none() | strategies.records(), min_size=1, max_size=6))
def test_every_history_can_be_exported(known):
    """Whatever is recorded, the export satisfies its schema, and a terminal can show it."""
    document([histories(known)])
    shown(known)


def test_an_empty_table():
    """Without an experiment the document is still one."""
    assert [] == document([])["experiments"]


def test_the_export_does_not_grow_in_memory():
    """The document is made an experiment at a time: ten times as many take no more memory."""
    peaks = []
    for number in (20, 200):

        def experiments(count=number):
            for at in range(count):
                big = builders.observed(x=str(at % 10) * 100_000)
                yield histories([big] * 2)

        tracemalloc.start()
        size = sum(map(len, timeline.parts([], experiments())))  # as a file would take them
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert size > number * 100_000
    assert peaks[1] < 1.5 * peaks[0]
