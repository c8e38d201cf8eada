"""Records and baselines → one report."""

from dataclasses import replace

import builders
import pytest

from harness import amend, judge, plan
from harness.accepted import State
from harness.effects import Effect
from harness.errors import ExitCode
from harness.model import Difference, Outcome, Record
from harness.parity import Status
from harness.run import CellRun

MAIN, NIGHTLY, OLD = "burn-main", "torch-nightly", "burn-0.22.1-ndarray"
KNOWN = {"rule": "differs", "observations": ["x"], "reason": "known", "since": "2026-01-01"}


def document(**parity):
    """Return a contract of one variant with this parity, in which nothing is required."""
    rule = parity or {"rule": "same"}
    variants = {"plain": {"says": "as it is", "parity": rule}}
    return builders.contract_document(x_variants=variants, required=[])


class Bench:
    """A project with records and baselines, and the report on them."""

    def __init__(self, root, *documents):
        """Make a project of the contracts."""
        self.project = builders.project(root, *(documents or [document()]))
        self.contract = self.project.contracts["sample"]

    def accept(self, cell, *how, **observations):
        """Make a record the baseline of a cell; either a whole one, or made of these words."""
        record = cell if isinstance(cell, Record) else made(cell, *how, **observations)
        self.project.baselines.accept(self.contract, record, reason="r", date="2026-01-01")

    def saw(self, cell, *how, **observations):
        """Write what a run saw in a cell; either a whole record, or made of these words."""
        record = cell if isinstance(cell, Record) else made(cell, *how, **observations)
        self.project.records.append(record)

    def report(self, *words, group=None, down=(), verbose=False):
        """Judge a plan, some of whose cells were unavailable."""
        chosen = plan.make(self.project.matrix, self.project.contracts, words, group)
        runs = [
            CellRun(cell=cell.id, unavailable="no network" if cell.id in down else "")
            for cell in chosen.cells
        ]
        return judge.Judge(self.project, chosen, verbose=verbose).report(runs)


def made(cell, outcome=Outcome.OBSERVED, reason="", **observations):
    """Return a record of a cell."""
    return builders.record(outcome, cell=cell, reason=reason, observations=observations)


@pytest.fixture
def bench(tmp_path):
    """Return a bench with one contract."""
    return Bench(tmp_path)


def classes(report):
    """Return the classes of a report's changes."""
    return [line.change.kind for line in report.changes]


def test_all_is_the_same(bench):
    """Where records are their baselines, and torch and burn agree, the report is green."""
    for cell in (builders.TORCH, builders.BURN):
        bench.accept(cell, seen=True)
        bench.saw(cell, seen=True)
    report = bench.report(verbose=True)
    assert ExitCode.SAME is report.code
    assert (2, 2, 1) == (report.compared, report.same, report.agreeing)
    assert [Status.SAME] == [side.status for side in report.sides]


def test_nothing_is_accepted_yet(bench):
    """A case without a baseline is new, and to be accepted."""
    bench.saw(builders.TORCH, seen=True)
    bench.saw(builders.BURN, seen=True)
    report = bench.report()
    assert ExitCode.TO_ACCEPT is report.code
    assert [(builders.TORCH, "observed"), (builders.BURN, "observed")] == [
        (line.cell, line.text) for line in report.new
    ]


def test_a_change(bench):
    """A record that differs from its baseline is a change, with its address."""
    bench.accept(builders.TORCH, seen=True)
    bench.saw(builders.TORCH, seen=False)
    report = bench.report(builders.TORCH)
    [line] = report.changes
    assert (builders.TORCH, builders.TORCH, "sample / plain") == (
        line.cell,
        line.against,
        line.title,
    )
    assert Difference.FLAG_FLIP is line.change.kind
    assert (ExitCode.CHANGED, 1, 0) == (report.code, report.compared, report.same)


def test_a_case_that_was_not_run(bench):
    """Without a record nothing was compared, so the report is inconclusive."""
    bench.accept(builders.TORCH, seen=True)
    report = bench.report(builders.TORCH)
    assert (ExitCode.INCONCLUSIVE, 0) == (report.code, report.compared)
    assert ["no record: the case was not run"] == [line.text for line in report.inconclusive]


def test_what_was_compared_is_named(tmp_path):
    """By cell and experiment, the variants with a record and a baseline; nothing else."""
    bench = Bench(tmp_path, builders.contract_document(required=[]))
    for variant in ("plain", "other"):
        bench.accept(replace(made(builders.BURN, seen=True), variant=variant))
    for cell in (MAIN, builders.BURN, builders.TORCH):
        bench.saw(cell, seen=True)
    bench.saw(replace(made(MAIN, seen=True), variant="other"))
    report = bench.report(MAIN, builders.BURN, builders.TORCH, NIGHTLY, down=[NIGHTLY])
    assert report.cases == {
        builders.BURN: {"sample": ["plain"]},
        MAIN: {"sample": ["plain", "other"]},
    }
    assert report.compared == 3


def test_a_cell_that_is_unavailable(bench):
    """Old records never stand for a cell that could not be prepared."""
    bench.accept(builders.TORCH, seen=True)
    bench.saw(builders.TORCH, seen=True)
    report = bench.report(builders.TORCH, down=[builders.TORCH])
    assert (ExitCode.INCONCLUSIVE, 0) == (report.code, report.compared)
    assert ["no network"] == [cell.unavailable for cell in report.cells]


@pytest.mark.parametrize(
    ("how", "observations", "says"),
    [
        ((Outcome.INVALID, "event 3: rubbish"), {}, "event 3: rubbish"),
        ((), {"seen": 1}, "seen: 1 is not of type 'boolean'"),
        ((), {"y": 1}, "y: unknown key; allowed: seen, x"),
    ],
)
def test_a_record_that_breaks_its_contract(bench, how, observations, says):
    """An invalid record is never compared, and says why it is invalid."""
    bench.accept(builders.TORCH, seen=True)
    bench.saw(builders.TORCH, *how, **observations)
    report = bench.report(builders.TORCH)
    assert [says] == [line.text for line in report.invalid]
    assert (ExitCode.CHANGED, 0) == (report.code, report.compared)


def test_a_time_out_without_a_baseline(bench):
    """A case that was late is inconclusive, not new: it says more of the machine."""
    bench.saw(builders.TORCH, Outcome.TIMED_OUT, "no end within 60 s")
    report = bench.report(builders.TORCH)
    assert ["timed_out: no end within 60 s"] == [line.text for line in report.inconclusive]
    assert ExitCode.INCONCLUSIVE is report.code


def test_what_the_contract_calls_unsupported(tmp_path):
    """An unsupported case is counted, neither run nor compared, on either side."""
    one = document()
    one["x-variants"]["plain"]["unsupported"] = {"burn": "no such thing"}
    bench = Bench(tmp_path, one)
    bench.accept(builders.TORCH, seen=True)
    bench.saw(builders.TORCH, seen=True)
    report = bench.report()
    assert (1, 1, ExitCode.SAME) == (report.unsupported, report.compared, report.code)
    assert [(Status.NOT_COMPARED, "no such thing")] == [(s.status, s.reason) for s in report.sides]


def test_a_moving_head_is_held_against_its_reference(bench):
    """Without baselines of its own a head is compared with those of its reference."""
    bench.accept(builders.BURN, seen=True)
    bench.saw(MAIN, seen=False)
    [line] = bench.report(MAIN).changes
    assert (MAIN, builders.BURN) == (line.cell, line.against)


def test_a_baseline_of_a_head_is_not_read(bench):
    """A baseline file of a cell with a reference decides nothing, and is unreferenced."""
    bench.accept(builders.BURN, seen=True)
    bench.accept(MAIN, seen=False)
    bench.saw(MAIN, seen=False)
    report = bench.report(MAIN)
    assert [Difference.FLAG_FLIP] == classes(report)
    [lost] = report.unreferenced
    assert "burn-main is held against burn-0.22.1 and has no baselines" in lost


def test_what_the_reference_has_no_baseline_of(bench):
    """A case of a head is new where its reference has none, and says which cell lacks it."""
    bench.saw(MAIN, seen=True)
    assert [builders.BURN] == [line.missing for line in bench.report(MAIN).new]


# --- accepted differences -------------------------------------------------------------------------

FLIP = builders.ACCEPTED


def flipped(tmp_path, entry, **parity):
    """Return a project in which main's flag flipped, with an entry in accepted.yaml."""
    bench = Bench(tmp_path, document(**parity))
    bench.accept(builders.BURN, seen=True)
    bench.saw(MAIN, seen=False)
    amend.add(bench.project.accepted_path, [entry])
    return bench


def outdated(report):
    """Return the states of the entries that hold no longer."""
    return [alarm.state for alarm in report.outdated]


@pytest.mark.parametrize(
    ("words", "states", "code"),
    [
        ({}, [], ExitCode.SAME),
        ({"expires": "9999-01-01"}, [], ExitCode.SAME),
        ({"expires": "2026-01-02"}, [State.EXPIRED], ExitCode.CHANGED),
        ({"class": "became_no_op"}, [State.CHANGED], ExitCode.CHANGED),
        ({"from": False}, [State.CHANGED], ExitCode.CHANGED),
        ({"to": True}, [State.CHANGED], ExitCode.CHANGED),
        ({"cell": OLD}, [], ExitCode.CHANGED),
        ({"variant": "other"}, [], ExitCode.CHANGED),
        ({"observation": "x", "from": None, "to": None}, [State.VANISHED], ExitCode.CHANGED),
        ({"observation": "outcome", "from": "a", "to": "b"}, [State.VANISHED], ExitCode.CHANGED),
    ],
)
def test_an_accepted_difference(tmp_path, words, states, code):
    """Only what an entry says exactly is accepted; one that is compared and does not hold alarms."""
    both = {name: {"says": "s", "parity": {"rule": "same"}} for name in ("plain", "other")}
    bench = Bench(tmp_path, builders.contract_document(x_variants=both, required=[]))
    for variant in both:
        bench.accept(replace(made(builders.BURN, seen=True), variant=variant))
    bench.saw(MAIN, seen=False)
    bench.project.records.append(replace(made(MAIN, seen=True), variant="other"))
    amend.add(bench.project.accepted_path, [{**FLIP, **words}])
    report = bench.report(MAIN)
    settled = words.keys() <= {"expires"} and not states
    expected = [State.VANISHED] if "variant" in words else states
    assert (expected, code) == (outdated(report), report.code)
    assert ([] if settled else [Difference.FLAG_FLIP]) == classes(report)
    assert ([FLIP["reason"]] if settled else []) == [one.entry.reason for one in report.accepted]


@pytest.mark.parametrize(
    ("parity", "torch", "status"),
    [
        ({}, True, Status.KNOWN),
        ({**KNOWN, "observations": ["seen"]}, False, Status.KNOWN),
        ({**KNOWN, "observations": ["x"]}, True, Status.CLOSED),
    ],
)
def test_an_accepted_difference_explains_parity(tmp_path, parity, torch, status):
    """What a head may do otherwise than its reference, it may do otherwise than torch, too."""
    bench = flipped(tmp_path, FLIP, **parity)
    bench.accept(builders.TORCH, seen=torch)
    [side] = bench.report(MAIN).sides
    assert (status, ("accepted of burn-main: meant to be so",)) == (side.status, side.explained)


def test_an_accepted_difference_explains_nothing_else(tmp_path):
    """Beside an accepted difference, what else torch and burn differ in is lost, alone."""
    bench = flipped(tmp_path, FLIP)
    for cell in (builders.TORCH, builders.BURN):
        bench.accept(cell, seen=True, x=builders.tensor([1.0]))
    bench.saw(MAIN, seen=False, x=builders.tensor([2.0]))
    report = bench.report(MAIN)
    assert [Status.LOST] == [side.status for side in report.sides]
    assert [("x", Difference.VALUE_DRIFT), ("x", Difference.PARITY_LOST)] == [
        (line.change.observation, line.change.kind) for line in report.changes
    ]


def test_an_entry_of_a_released_cell(bench):
    """A cell with baselines of its own may have accepted differences from them as well."""
    bench.accept(builders.BURN, seen=True)
    bench.saw(builders.BURN, seen=False)
    amend.add(bench.project.accepted_path, [{**FLIP, "cell": builders.BURN}])
    report = bench.report(builders.BURN)
    assert ([], 1, ExitCode.SAME) == (classes(report), len(report.accepted), report.code)


HERE = {**builders.made_on(cpu="a CPU"), "settings": {"OMP_NUM_THREADS": "1"}}
THERE = {**builders.made_on(cpu="another"), "settings": {"OMP_NUM_THREADS": "1"}}
OTHERWISE = {**builders.made_on(cpu="a CPU"), "settings": {"OMP_NUM_THREADS": "2"}}


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (HERE, HERE, [Difference.ROUNDING]),
        (HERE, THERE, []),
        (HERE, OTHERWISE, []),
        (HERE, {}, []),
    ],
)
def test_bits_are_compared_where_they_can_be(bench, before, now, expected):
    """Rounding is a note on one machine with the same settings, nothing elsewhere, green always."""
    old, new = (made(builders.TORCH, x=builders.tensor([x])) for x in (1.0, 1.0000001))
    bench.accept(replace(old, provenance=before))
    bench.saw(replace(new, provenance=now))
    report = bench.report(builders.TORCH)
    assert (expected, ExitCode.SAME) == (classes(report), report.code)


# --- parity ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parity", "before", "now", "status", "expected"),
    [
        ({}, (True, True), (True, False), Status.LOST, {Difference.PARITY_LOST}),
        ({}, (True, False), (True, False), Status.MISMATCH, set()),
        ({}, None, (True, False), Status.MISMATCH, set()),
        ({**KNOWN, "observations": ["seen"]}, (True, False), (True, False), Status.KNOWN, set()),
        (
            {**KNOWN, "observations": ["seen"]},
            (True, False),
            (True, True),
            Status.CLOSED,
            {Difference.DIVERGENCE_CLOSED},
        ),
    ],
)
def test_parity_over_time(tmp_path, parity, before, now, status, expected):
    """Lost is what agreed in the baselines, closed what was known to differ."""
    bench = Bench(tmp_path, document(**parity))
    for number, cell in enumerate((builders.TORCH, builders.BURN)):
        if before:
            bench.accept(cell, seen=before[number])
        bench.saw(cell, seen=now[number])
    report = bench.report()
    assert [status] == [side.status for side in report.sides]
    found = set(classes(report)) & {Difference.PARITY_LOST, Difference.DIVERGENCE_CLOSED}
    assert expected == found


def test_a_divergence_that_closed(tmp_path):
    """What closed is said by its name, with what was on record and what burn does now."""
    bench = Bench(tmp_path, document(**{**KNOWN, "observations": ["x", "seen"]}))
    for cell, x in ((builders.TORCH, 1.0), (builders.BURN, 2.0)):
        bench.saw(cell, seen=True, x=builders.tensor([x]))
    [line] = bench.report().changes
    assert (builders.BURN, builders.TORCH) == (line.cell, line.against)
    assert ("seen", "differs: known", True) == (
        line.change.observation,
        line.change.expected,
        line.change.observed,
    )


@pytest.mark.parametrize(
    ("expires", "x"), [("9999-01-01", 2.0), ("9999-01-01", 1.0), ("2026-01-02", 2.0)]
)
def test_parity_lost_is_said_of_what_is_not_on_record(tmp_path, expires, x):
    """Beside a divergence, known, closed or expired, what else differs now is lost, alone."""
    bench = Bench(tmp_path, document(**KNOWN, expires=expires))
    for cell, value in ((builders.TORCH, 1.0), (builders.BURN, x)):
        bench.accept(cell, seen=True, x=builders.tensor([value]))
        bench.saw(cell, seen=cell == builders.TORCH, x=builders.tensor([value]))
    lost = [
        line.change.observation
        for line in bench.report().changes
        if line.change.kind is Difference.PARITY_LOST
    ]
    assert ["seen"] == lost


@pytest.mark.parametrize(
    ("words", "group", "pairs"),
    [
        ([], None, [(builders.TORCH, builders.BURN)]),
        ([builders.TORCH], None, [(builders.TORCH, builders.BURN)]),
        ([builders.BURN], None, [(builders.TORCH, builders.BURN)]),
        ([MAIN], None, [(builders.TORCH, MAIN)]),
        ([NIGHTLY], None, [(NIGHTLY, builders.BURN)]),
        ([builders.TORCH, MAIN], None, [(builders.TORCH, MAIN)]),
        ([builders.BURN, NIGHTLY], None, [(NIGHTLY, builders.BURN)]),
        ([MAIN, OLD], None, [(builders.TORCH, MAIN)]),
        ([MAIN, NIGHTLY], None, [(builders.TORCH, MAIN), (NIGHTLY, builders.BURN)]),
        (
            [builders.TORCH, NIGHTLY],
            None,
            [(builders.TORCH, builders.BURN), (NIGHTLY, builders.BURN)],
        ),
        (
            [],
            "upstream",
            [(builders.TORCH, builders.BURN), (builders.TORCH, MAIN), (NIGHTLY, builders.BURN)],
        ),
    ],
)
def test_who_is_compared_with_whom(bench, words, group, pairs):
    """Pinned cells and heads stand beside the other framework's pinned one, old releases do not."""
    report = bench.report(*words, group=group)
    assert pairs == [(side.torch, side.burn) for side in report.sides]


def agreeing(tmp_path, now):
    """Return a bench of three variants: one that agrees, one of a known divergence, one of `now`."""
    one = document()
    known = {"says": "s", "parity": {**KNOWN, "observations": ["seen"]}}
    one["x-variants"] |= {"known": known, "changed": one["x-variants"]["plain"]}
    bench = Bench(tmp_path, one)
    for cell in (builders.TORCH, builders.BURN):
        burn = cell == builders.BURN
        tensor = builders.tensor([1.0])
        for variant, before, after in (
            ("plain", True, True),
            ("known", burn, burn),
            ("changed", True, now[burn]),
        ):
            record = made(cell, seen=before, x=tensor)
            bench.accept(replace(record, variant=variant))
            bench.saw(replace(made(cell, seen=after, x=tensor), variant=variant))
    return bench


@pytest.mark.parametrize(
    ("words", "how", "whole"),
    [
        ([], {}, False),
        ([builders.BURN], {}, False),
        (["sample"], {}, True),
        (["s*", builders.BURN], {}, True),
        ([], {"verbose": True}, True),
    ],
)
def test_what_agrees_is_kept_for_whoever_looks_at_it(tmp_path, words, how, whole):
    """Of a run of all experiments that agree there is a number; of named ones, each with its rows."""
    report = agreeing(tmp_path, (True, True)).report(*words, **how)
    rows = {side.variant: [row.observation for row in side.rows] for side in report.sides}
    both = ["seen", "x"]
    expected = {"plain": both, "known": both, "changed": both} if whole else {"known": ["seen"]}
    assert (expected, 2, whole) == (rows, report.agreeing, report.verbose)


@pytest.mark.parametrize(
    ("now", "status", "rows"),
    [((False, False), Status.SAME, []), ((True, False), Status.LOST, ["seen", "x"])],
)
def test_parity_of_what_changed_is_kept(tmp_path, now, status, rows):
    """Of a case that changed it is told whether torch and burn agree now; of an alarm, all rows."""
    report = agreeing(tmp_path, now).report()
    (side,) = [side for side in report.sides if side.variant == "changed"]
    assert (status, rows) == (side.status, [row.observation for row in side.rows])


def test_what_was_held_against_baselines_by_cell(bench):
    """Each cell has its own numbers, and the report has their sums."""
    for cell, seen in ((builders.TORCH, True), (builders.BURN, False)):
        bench.accept(cell, seen=True)
        bench.saw(cell, seen=seen)
    report = bench.report()
    assert {builders.TORCH: (1, 1), builders.BURN: (1, 0)} == {
        cell: (report.compared_in(cell), report.same_in[cell]) for cell in report.cases
    }
    assert (2, 1) == (report.compared, report.same)


def test_a_cell_that_no_run_knows(bench):
    """A cell of the plan that no run speaks of is unavailable, never green."""
    chosen = plan.make(bench.project.matrix, bench.project.contracts, [builders.TORCH])
    report = judge.Judge(bench.project, chosen).report([])
    assert ["not run"] == [cell.unavailable for cell in report.unavailable]
    assert ExitCode.INCONCLUSIVE is report.code


def test_a_cell_that_does_not_run_is_taken_from_its_baselines(bench):
    """Parity of one cell alone is judged against what is on record of the other."""
    bench.accept(builders.BURN, seen=False)
    bench.saw(builders.TORCH, seen=True)
    report = bench.report(builders.TORCH)
    assert [Status.MISMATCH] == [side.status for side in report.sides]


def test_without_a_record_there_is_no_parity(bench):
    """Where one side has neither record nor baseline, the other is not compared, and it says so."""
    bench.saw(builders.TORCH, seen=True)
    [side] = bench.report(builders.TORCH).sides
    assert (Status.NOT_COMPARED, "no record of burn-0.22.1") == (side.status, side.reason)


def test_unreferenced_baselines_are_reported(bench):
    """Baselines that nothing names any more stand in the report."""
    bench.project.baselines.accept(
        bench.contract, made("torch-1.0.0"), reason="r", date="2026-01-01"
    )
    assert 1 == len(bench.report().unreferenced)


# --- what runs noted ------------------------------------------------------------------------------


def test_runs_that_were_noted(bench):
    """A report without a run reads how each cell fared; a cell without a note was not run."""
    chosen = plan.make(bench.project.matrix, bench.project.contracts)
    folder = bench.project.work / "cells"
    folder.mkdir(parents=True)
    note = '{"cell": "torch-2.15.0", "unavailable": "", "versions": {"torch": "2.15.0"}}'
    (folder / "torch-2.15.0.json").write_text(note, "utf-8")
    torch, burn = judge.noted_runs(bench.project, chosen)
    assert ("", {"torch": "2.15.0"}) == (torch.unavailable, torch.versions)
    assert "no run of this cell is in the work folder" == burn.unavailable


# --- what a change does to parity -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("torch", "burn", "effect"),
    [
        ((1, 1), (1, 2), Effect.AWAY),
        ((1, 1), (2, 1), Effect.TOWARD),
        ((1, 1), (2, 3), Effect.APART),
        ((1, 2), (1, 2), Effect.NONE),
        ((1, 2), (2, 1), Effect.APART),
    ],
)
def test_a_change_toward_the_other_framework_or_away(bench, torch, burn, effect):
    """The baselines beside each other say what was, the records beside each other what is."""
    for cell, (before, now) in ((builders.TORCH, torch), (builders.BURN, burn)):
        bench.accept(cell, x=builders.tensor([float(before)]))
        bench.saw(cell, x=builders.tensor([float(now)]))
    report = bench.report()
    found = [line for line in report.changes if line.change.kind is Difference.VALUE_DRIFT]

    assert {effect} == {line.effect for line in found}


@pytest.mark.parametrize("named", [(MAIN,), (OLD,), (builders.BURN,)])
def test_the_effect_in_a_run_without_the_other_framework(bench, named):
    """A cell that runs alone is held beside the other's baseline, whether parity is judged or not."""
    for cell in (builders.TORCH, builders.BURN, OLD):
        bench.accept(cell, x=builders.tensor([1.0]))
    bench.saw(named[0], x=builders.tensor([2.0]))
    lines = bench.report(*named).changes

    assert Effect.AWAY in {line.effect for line in lines}
    assert Effect.UNKNOWN not in {line.effect for line in lines}


def test_an_effect_that_cannot_be_told(bench):
    """Without the other framework's baseline nothing is known of parity."""
    bench.accept(builders.BURN, x=builders.tensor([1.0]))
    bench.saw(builders.BURN, x=builders.tensor([2.0]))
    (line,) = bench.report(builders.BURN).changes

    assert Effect.UNKNOWN is line.effect


def test_why_a_part_of_a_cell_was_not_run(bench):
    """A cell of which a part is down says so of each case that it left out."""
    chosen = plan.make(bench.project.matrix, bench.project.contracts, [builders.BURN])
    run = CellRun(cell=builders.BURN, partly="shard 2: no network")
    (line,) = judge.Judge(bench.project, chosen).report([run]).inconclusive

    assert "no record: shard 2: no network" == line.text
