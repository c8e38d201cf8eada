"""The report and its renderers."""

import itertools
import json
import math

import builders
import click
import pytest

from harness import documents
from harness.errors import ExitCode
from harness.model import Difference, Framework, Scope, Severity, Tolerance
from harness.parity import Status
from harness.records import CellRun
from harness.report import machine_readable, terminal, text
from harness.report.view import CaseLine

D = Difference
CASE = CaseLine(cell=builders.BURN, experiment="sample", variant="plain", text="words")
DOWN = CellRun(cell="burn-main", unavailable="no network")
UNTRIED = CellRun(cell="burn-0.22.1", unavailable="not tried", untried=True)

# --- view -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(D))
def test_a_difference_alone_has_its_code(kind):
    """A break or a change is 10, rounding alone is 0, any other note is 11."""
    expected = 10 if kind.severity is not Severity.NOTE else 0 if kind is D.ROUNDING else 11
    assert expected == builders.report(changes=(builders.line(kind),)).code


@pytest.mark.parametrize("status", list(Status))
def test_parity_alone_has_its_code(status):
    """What no contract explains is 10; what is known, agrees or was not compared is 0."""
    expected = 10 if status in {Status.MISMATCH, Status.LOST, Status.EXPIRED} else 0
    assert expected == builders.report(sides=(builders.side(status),)).code


HOLDS = {
    "break": (10, {"changes": (builders.line(D.FLAG_FLIP),)}),
    "invalid": (10, {"invalid": (CASE,)}),
    "alarm": (10, {"sides": (builders.side(Status.MISMATCH),)}),
    "unavailable": (12, {"cells": (DOWN,)}),
    "inconclusive": (12, {"inconclusive": (CASE,)}),
    "flaky": (12, {"flaky": (builders.flaky_line(),)}),
    "new": (11, {"new": (CASE,)}),
    "nothing": (2, {"cases": {}}),
    "unreferenced": (0, {"unreferenced": ("x",)}),
}


@pytest.mark.parametrize(
    "words", [*itertools.combinations(HOLDS, 1), *itertools.combinations(HOLDS, 2)], ids="+".join
)
def test_precedence_of_exit_codes(words):
    """When several hold: 10 before 12 before 11; 2 only when nothing at all was compared."""
    holds = [HOLDS[word] for word in words]
    codes = {code for code, _ in holds}
    expected = next(code for code in (10, 12, 11, 2, 0) if code in codes)
    report = builders.report(**{key: value for _, more in holds for key, value in more.items()})
    assert ExitCode(expected) is report.code


def test_a_note_beside_rounding():
    """Rounding hides no other note."""
    lines = (builders.line(D.ROUNDING), builders.line(D.MESSAGE_ONLY))
    assert ExitCode.TO_ACCEPT is builders.report(changes=lines).code


def test_changes_are_grouped_and_sorted():
    """By cell and what it was held against, the worst first, otherwise in order."""
    lines = (
        builders.line(D.ROUNDING, cell="a"),
        builders.line(D.VALUE_DRIFT, cell="b"),
        builders.line(D.NEW_PANIC, cell="a"),
        builders.line(D.FLAG_FLIP, cell="a"),
        builders.line(D.FLAG_FLIP, cell="a", against="c"),
    )
    groups = builders.report(changes=lines).by_cell()
    assert {
        ("a", builders.BURN): [D.NEW_PANIC, D.FLAG_FLIP, D.ROUNDING],
        ("a", "c"): [D.FLAG_FLIP],
        ("b", builders.BURN): [D.VALUE_DRIFT],
    } == {key: [line.change.kind for line in found] for key, found in groups.items()}


def test_counts():
    """Every severity is counted, none left out."""
    lines = tuple(map(builders.line, (D.NEW_PANIC, D.FLAG_FLIP, D.ROUNDING)))
    assert {"break": 2, "change": 0, "note": 1} == builders.report(changes=lines).counts()


# --- terminal -------------------------------------------------------------------------------------


def render(**words):
    """Return the report as a terminal shows it, without colours."""
    return terminal.render(builders.report(**words))


def lines_with(shown, piece):
    """Return the lines that hold a piece of text, their columns one blank apart."""
    return [" ".join(line.split()) for line in shown.split("\n") if piece in line]


MEASURED = "max|diff|=2.50e-01 rel=5.0e-01 at [1] 1 of 3"
DRIFT = {
    "observation": "fc1.bias",
    "expected": builders.tensor([0.0, 0.5, 1.0]),
    "observed": builders.tensor([0.0, 0.75, 1.0]),
    "measure": builders.measure(n=3, max_abs=0.25, max_rel=0.5, index=(1,), differing=1),
}


@pytest.mark.parametrize(
    ("kind", "words", "expected"),
    [
        (
            D.VALUE_DRIFT,
            DRIFT,
            "change sample / plain fc1.bias 0.5 0.75 value_drift",
        ),
        (D.FLAG_FLIP, {}, "break sample / plain seen false true flag_flip"),
        (
            D.COUNT_CHANGE,
            {"expected": 4, "observed": 3},
            "change sample / plain seen 4 3 count_change",
        ),
        (
            D.SHAPE_OR_DTYPE,
            {"expected": builders.tensor([1.0]), "observed": builders.tensor([1.0], "float64")},
            "change sample / plain seen float32 [1] float64 [1] shape_or_dtype",
        ),
        (
            D.OBSERVATION_GONE,
            {"expected": True, "observed": None},
            "change sample / plain seen true – observation_gone",
        ),
        (
            D.NEW_PANIC,
            {"observation": "outcome", "expected": "observed", "observed": "raised panic: no"},
            "break sample / plain outcome observed raised panic: no new_panic",
        ),
    ],
)
def test_a_change_in_a_terminal(kind, words, expected):
    """A line says severity, case, observation, expected, observed, class, how far and where."""
    shown = render(changes=(builders.line(kind, **words),))
    assert [expected] == lines_with(shown, kind.value)
    assert "CHANGED  burn-0.22.1 against its baseline" in shown


def test_how_far_a_drift_is():
    """How far and where stands in the line, or below it where there is no room."""
    shown = render(changes=(builders.line(D.VALUE_DRIFT, **DRIFT),))
    assert [MEASURED] == lines_with(shown, "max|diff|")


def test_against_whom():
    """A cell that is held against another names it."""
    shown = render(changes=(builders.line(cell="burn-main"),))
    assert "CHANGED  burn-main against burn-0.22.1" in shown


def row(name, max_abs, **words):
    """Return a measured row with the tolerance that the scale experiment has."""
    how = {"tolerance": Tolerance(rtol=0.0, atol=1e-6), **words}
    return builders.row(name, measure=builders.measure(max_abs=max_abs, differing=0), **how)


def test_parity_in_a_terminal():
    """The agreed form: observation, number of elements, max|diff|, then the worst and OK."""
    side = builders.side(
        Status.SAME, row("params_after.fc1.bias", 3.73e-09), row("fc1.weight", 1.49e-08)
    )
    shown = render(sides=(side,), agreeing=1, verbose=True)
    assert "PARITY  burn-0.22.1 with torch-2.15.0" in shown
    assert "params_after.fc1.bias    n=  8 max|diff|=3.73e-09" in shown
    assert "worst=1.49e-08 tol=1e-06 OK" in shown
    assert "torch and burn agree on 1, 0 known divergences." in shown


def test_the_tolerance_of_a_relative_rule():
    """Where the rule is relative, both its halves are shown."""
    tolerance = Tolerance(rtol=1.3e-6, atol=1e-5)
    side = builders.side(Status.SAME, row("x", 0.0, tolerance=tolerance))
    shown = render(sides=(side,), verbose=True)
    assert "worst=0.00e+00 tol=1e-05+1.3e-06·|x| OK" in shown


FLIP = builders.change(D.FLAG_FLIP)


@pytest.mark.parametrize(
    ("status", "words", "expected"),
    [
        (Status.SAME, {}, "OK"),
        (Status.MISMATCH, {}, "MISMATCH"),
        (Status.MISMATCH, {"reason": "r"}, "MISMATCH, beyond what is known"),
        (Status.KNOWN, {"reason": "r"}, "KNOWN: r (the manual, 1.2)"),
        (
            Status.KNOWN,
            {"explained": ("accepted of burn-main: e",)},
            "KNOWN: accepted of burn-main: e",
        ),
        (
            Status.CLOSED,
            {"reason": "r", "closed": ("x", "y")},
            "closed: x, y agree now",
        ),
        (Status.EXPIRED, {"reason": "r"}, "MISMATCH, and what was known has expired"),
        (Status.LOST, {}, "MISMATCH, where the baselines agree"),
        (Status.NOT_COMPARED, {"reason": "late"}, "not compared: late"),
    ],
)
def test_every_status_in_a_terminal(status, words, expected):
    """Each status has its own words."""
    shown = render(sides=(builders.side(status, **words),), verbose=True)
    assert [f"sample / plain {expected}"] == lines_with(shown, "sample / plain")[:1]


@pytest.mark.parametrize("status", [Status.MISMATCH, Status.CLOSED, Status.EXPIRED])
def test_what_is_known_stands_below_what_is_not(status):
    """The reason has the document and section that it comes from, then what is accepted."""
    side = builders.side(status, reason="r", explained=("accepted of burn-main: e",))
    shown = render(sides=(side,))
    assert [["known: r (the manual, 1.2)"], ["accepted of burn-main: e"]] == [
        lines_with(shown, "known: "),
        lines_with(shown, "accepted of"),
    ]


QUIET = {Status.SAME, Status.KNOWN, Status.NOT_COMPARED}


@pytest.mark.parametrize("status", list(Status))
def test_what_asks_for_somebody_is_shown_unasked(status):
    """A comparison that is as the contracts say is shown where the report is verbose, alone."""
    side = builders.side(status, builders.row("seen", change=FLIP), reason="r")
    shown, whole = (render(sides=(side,), verbose=verbose) for verbose in (False, True))
    assert (status not in QUIET) == ("PARITY" in shown) == ("sample / plain" in shown)
    assert "PARITY" in whole
    assert "NOT COMPARED" not in whole


def test_what_is_known_is_no_mismatch():
    """The word for what is on record is another than for what is not, with every detail shown."""
    rows = (row("x", 0.5), builders.row("seen", change=FLIP))
    shown = render(sides=(builders.side(Status.KNOWN, *rows, reason="r"),), verbose=True)
    assert ["worst=5.00e-01 tol=1e-06 KNOWN: r (the manual, 1.2)"] == lines_with(shown, "KNOWN")
    assert "MISMATCH" not in shown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"agreeing": 3}, "torch and burn agree on 3, 0 known divergences; --verbose shows each."),
        (
            {"sides": (builders.side(Status.KNOWN),)},
            "torch and burn agree on 0, 1 known divergence; --verbose shows each.",
        ),
        ({"agreeing": 3, "verbose": True}, "torch and burn agree on 3, 0 known divergences."),
        ({}, "torch and burn agree on 0, 0 known divergences."),
    ],
)
def test_how_to_see_what_agrees(words, expected):
    """A report that leaves out what agrees says how it is shown, and no other does."""
    assert expected in render(**words).split("\n")


def unsupported(reasons, given=()):
    """Return a report on variants that contracts call unsupported, and on others not compared."""
    variants = [
        builders.variant(f"v{n}", unsupported={Scope(framework=Framework.BURN): reason})
        for n, reason in enumerate((*reasons, *given))
    ]
    for n in range(len(reasons), len(variants)):
        variants[n] = builders.variant(f"v{n}")
    sides = tuple(
        builders.side(Status.NOT_COMPARED, variant=f"v{n}", reason=reason)
        for n, reason in enumerate((*reasons, *given))
    )
    return {"sides": sides, "contracts": {"sample": builders.contract("x", variants=variants)}}


def test_what_was_not_compared_has_a_number_for_each_reason():
    """The most frequent reasons of contracts come first; what a run lacks stands before them."""
    shown = render(**unsupported(["seldom", "often", "often"], ["no record of burn-0.22.1"]))
    _, _, section = shown.partition("NOT COMPARED  torch with burn\n")
    assert ["1 no record of burn-0.22.1", "2 often", "1 seldom"] == [
        " ".join(line.split()) for line in section.partition("\n\n")[0].split("\n")
    ]


@pytest.mark.parametrize(
    ("many", "shown", "last"),
    [(6, 6, "1 r5"), (8, 6, "3 for 3 other reasons; --verbose gives them")],
)
def test_of_many_reasons_the_others_are_counted(many, shown, last):
    """A contract's reason that is beyond the first few is told where the report is verbose."""
    given = unsupported([f"r{number}" for number in range(many)])
    _, _, section = render(**given).partition("NOT COMPARED  torch with burn\n")
    lines = section.partition("\n\n")[0].split("\n")
    assert (shown, last) == (len(lines), " ".join(lines[-1].split()))
    assert many == len(lines_with(render(**given, verbose=True), "not compared: r"))


def test_what_differs_between_torch_and_burn():
    """Whatever differs is shown; of what agrees the tensors only, since they agree more or less."""
    rows = (builders.row("same"), builders.row("seen", change=FLIP))
    shown = render(sides=(builders.side(Status.MISMATCH, *rows),))
    assert ["sample / plain seen false in torch, true in burn"] == lines_with(shown, "seen")
    assert [] == lines_with(shown, "same in")


def test_how_far_torch_and_burn_are_apart():
    """Where a tensor differs its line shows both values and the place, so that a NaN is seen."""
    change = builders.change(
        D.NON_FINITE,
        observation="x",
        expected=builders.tensor([0.0, "NaN", 1.0]),
        observed=builders.tensor([0.0, 0.75, 1.0]),
        measure=builders.measure(n=3, max_abs=0.0, index=(1,)),
    )
    one = builders.row("x", change=change, measure=change.measure)
    shown = render(sides=(builders.side(Status.MISMATCH, one),))
    expected = "sample / plain x n= 3 max|diff|=0.00e+00 NaN in torch, 0.75 in burn at [1]"
    assert expected in " ".join(shown.split())


def test_cells_in_a_terminal():
    """The machine, then a line per cell: what was compared, what ran, its versions."""
    cells = (
        CellRun(cell="torch-1", versions={"torch": "1.0", "numpy": "2.0"}, ran=3, seconds=1.25),
        CellRun(cell="burn-1", cached=4),
        DOWN,
    )
    shown = render(cells=cells, cases={"torch-1": {"x": ("a", "b", "c")}}, same_in={"torch-1": 2})
    assert "emberwatch on a CPU (avx2), linux x86_64" in shown
    assert ["torch-1 2 of 3 same 3 run 0 cached 1.2 s torch 1.0 numpy 2.0"] == lines_with(
        shown, "torch-1"
    )
    assert ["burn-1 0 of 0 same 0 run 4 cached"] == lines_with(shown, "burn-1 ")
    assert ["burn-main unavailable", "burn-main is unavailable: no network"] == lines_with(
        shown, "burn-main"
    )


def test_cases_in_a_terminal():
    """What is invalid, inconclusive and new stands under a heading each."""
    shown = render(invalid=(CASE,), inconclusive=(CASE,), new=(CASE,))
    for heading in ("INVALID  records that", "INCONCLUSIVE\n", "NEW  cases without a baseline"):
        assert heading in shown
    assert 3 == len(lines_with(shown, "burn-0.22.1  sample / plain  words"))


def test_many_cases_are_cut():
    """Of very many cases the first fifty are shown, and how many more there are."""
    shown = render(new=(CASE,) * 53)
    assert 50 == len(lines_with(shown, "words"))
    assert "… and 3 more" in shown
    assert "53 new cases" in shown


def test_unreferenced_baselines_in_a_terminal():
    """What nothing names any more is listed and counted."""
    shown = render(unreferenced=("baselines/gone.json: no experiment",))
    assert "UNREFERENCED  baselines that nothing names any more\nbaselines/gone.json: no" in shown
    assert "1 unreferenced baseline." in shown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, "1 case compared with baselines, 1 the same, 0 unsupported."),
        ({}, "0 differences.  exit 0"),
        ({"changes": (builders.line(),)}, "1 difference: 1 break.  exit 10"),
        (
            {"changes": (builders.line(), builders.line(D.ROUNDING), builders.line(D.ROUNDING))},
            "3 differences: 1 break, 2 notes.  exit 10",
        ),
        ({"new": (CASE,)}, "0 differences, 1 new case.  exit 11"),
        ({"cells": (DOWN,)}, "0 differences, 1 unavailable cell.  exit 12"),
        ({"invalid": (CASE, CASE)}, "0 differences, 2 invalid records.  exit 10"),
        ({"sides": (builders.side(Status.LOST),)}, "0 differences, 1 parity alarm.  exit 10"),
    ],
)
def test_the_summary(words, expected):
    """The last lines count everything and say the exit code."""
    assert expected in render(**words)


KNOWN = builders.contract("x", variants=[builders.variant(parity=builders.differs("x"))])


@pytest.mark.parametrize(
    ("words", "commands"),
    [
        ({}, []),
        ({"changes": (builders.line(D.ROUNDING),)}, []),
        (
            {"changes": (builders.line(),)},
            ["nox -s review", "nox -s accept -- sample plain burn-0.22.1 --reason"],
        ),
        (
            {"changes": (builders.line(D.MESSAGE_ONLY),)},
            ["nox -s review", "nox -s accept -- sample plain burn-0.22.1 --reason"],
        ),
        (
            {
                "changes": (builders.line(D.PARITY_LOST),),
                "sides": (builders.side(Status.LOST),),
            },
            ["edit schemas/experiments/sample.json  add the known divergence"],
        ),
        (
            {
                "changes": (builders.line(D.DIVERGENCE_CLOSED),),
                "sides": (builders.side(Status.CLOSED, closed=("x",)),),
                "contracts": {"sample": KNOWN},
            },
            ["edit schemas/experiments/sample.json  update the known divergence"],
        ),
        (
            {"new": (CASE,)},
            ["nox -s review", "nox -s accept -- sample plain burn-0.22.1 --reason"],
        ),
        ({"cells": (DOWN,)}, []),
        ({"cells": (DOWN, UNTRIED)}, ["nox -s regress -- --keep-going"]),
        (
            {"flaky": (builders.flaky_line("x"), builders.flaky_line("seen"))},
            ["nox -s regress -- sample burn-0.22.1 --repeat 20"],
        ),
        (
            {
                "changes": (builders.line(),),
                "new": (CASE,),
                "flaky": (builders.flaky_line(),),
            },
            ["nox -s regress -- sample burn-0.22.1 --repeat 20"],
        ),
        ({"invalid": (CASE,)}, ["nox -s regress -- sample burn-0.22.1 --no-cache"]),
        (
            {"sides": (builders.side(Status.MISMATCH),)},
            ["edit schemas/experiments/sample.json  add the known divergence"],
        ),
        (
            {"sides": (builders.side(Status.MISMATCH),), "contracts": {"sample": KNOWN}},
            ["edit schemas/experiments/sample.json  update the known divergence"],
        ),
    ],
)
def test_the_commands_to_type_next(words, commands):
    """What is to be done is said as commands, and nothing when all is the same."""
    _, _, after = render(**words).partition("exit ")
    steps = [line.removeprefix("next").strip() for line in after.split("\n")[1:] if line]
    assert len(commands) == len(steps)
    for command, step in zip(commands, steps, strict=True):
        assert step.startswith(command)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({}, "burn-0.22.1 sample / plain x 3 of 5 agree 1 2"),
        ({"first": None, "other": True}, "burn-0.22.1 sample / plain x 3 of 5 agree – true"),
        (
            {"first": "x" * 60 + "a", "other": "x" * 60 + "b"},
            f"burn-0.22.1 sample / plain x 3 of 5 agree …{'x' * 12}a …{'x' * 12}b",
        ),
        (
            {"first": 0.5, "other": "NaN", "measure": builders.measure()},
            "burn-0.22.1 sample / plain x 3 of 5 agree 0.5 NaN",
        ),
    ],
)
def test_what_is_flaky_has_a_line(words, said):
    """FLAKY says how many runs agree with the first, and what was seen, texts where they part."""
    shown = render(flaky=(builders.flaky_line(**words),))

    assert [said] == lines_with(shown.partition("FLAKY")[2], "of 5 agree")
    assert "1 flaky case" in shown


def test_of_very_much_that_is_flaky_some_is_shown():
    """The fifty-first line and those after it are only counted; cases are counted once."""
    shown = render(flaky=tuple(builders.flaky_line(f"x{number}") for number in range(52)))

    assert 50 == shown.count("3 of 5 agree")
    assert "… and 2 more" in shown
    assert "1 flaky case" in shown


def test_a_run_that_repeated_says_so():
    """A cell's line has how often each case ran."""
    cells = (CellRun(cell=builders.TORCH, ran=4, repeat=3), CellRun(cell=builders.BURN, ran=4))
    shown = render(cells=cells)

    assert ["torch-2.15.0 1 of 1 same 4 run × 3 0 cached 0.0 s"] == lines_with(shown, "× 3")
    assert ["burn-0.22.1 0 of 0 same 4 run 0 cached 0.0 s"] == lines_with(shown, "burn-0.22.1")


def test_colours_change_nothing_but_colours():
    """Without its escapes the coloured report is the plain one."""
    report = builders.report(
        changes=tuple(map(builders.line, D)),
        sides=tuple(map(builders.side, Status)),
        verbose=True,
    )
    coloured = terminal.render(report, lambda words, colour: click.style(words, fg=colour))
    assert coloured != click.unstyle(coloured)
    assert terminal.render(report) == click.unstyle(coloured)


# --- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "place", "expected"),
    [
        (None, None, "–"),
        (True, None, "true"),
        (12, None, "12"),
        ("two\n words", None, "two words"),
        ("x" * 50, None, "x" * 43 + "…"),
        ([0, 1, 0], None, "[0, 1, 0]"),
        (builders.tensor(1.5), None, "1.5"),
        (builders.tensor([1.5, 2.0]), None, "[2] 1.5, 2.0"),
        (builders.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), None, "[2, 3] 1.0, 2.0, 3.0, 4.0, …"),
        (builders.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), (1, 2), "6.0"),
        (builders.tensor(1.5), (), "1.5"),
        (builders.tensor([], shape=[0]), (0,), "[0] "),
        (builders.tensor([0.0] * 5000), None, "float32 [5000]"),
    ],
)
def test_a_value_in_a_few_characters(value, place, expected):
    """A value is one short line; of a tensor its first elements, or the one that is asked for."""
    assert expected == text.value(value, place)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a", "b", ("a", "b")),
        ("x" * 60 + "old", "x" * 60 + "new", ("…" + "x" * 12 + "old", "…" + "x" * 12 + "new")),
        ("x" * 60, "x" * 61, ("…" + "x" * 12, "…" + "x" * 13)),
        ("a b", "a  b", ("'a b'", "'a  b'")),
        ("a", "a\n", ("'a'", r"'a\n'")),
        ("x" * 60 + " a", "x" * 60 + "\ta", ("'…" + "x" * 12 + " a'", "'…" + "x" * 12 + r"\ta'")),
        ("old" + "x" * 60, "new" + "x" * 60, ("old" + "x" * 40 + "…", "new" + "x" * 40 + "…")),
    ],
)
def test_long_texts_are_shown_where_they_part(old, new, expected):
    """Two long texts are shown from shortly before their first difference."""
    assert expected == text.from_first_difference(old, new)


@pytest.mark.parametrize(("number", "expected"), [(0, "0 notes"), (1, "1 note"), (2, "2 notes")])
def test_counting(number, expected):
    """One has no plural."""
    assert expected == text.count(number, "note")


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (None, ""),
        (builders.measure(), "max|diff|=2.50e-01 rel=5.0e-01 at [3] 1 of 8"),
        (builders.measure(index=(), n=1), "max|diff|=2.50e-01 rel=5.0e-01 1 of 1"),
        (builders.measure(differing=0), "max|diff|=2.50e-01 rel=5.0e-01 at [3]"),
        (builders.measure(max_rel=math.inf), "max|diff|=2.50e-01 rel=inf at [3] 1 of 8"),
    ],
)
def test_how_far_and_where(measure, expected):
    """How far apart, at which index, and how many elements."""
    assert expected == text.measured(measure)


# --- JSON -----------------------------------------------------------------------------------------

FULL = {
    "changes": (
        builders.line(D.VALUE_DRIFT, **DRIFT),
        builders.line(D.NEW_PANIC, observation="outcome", expected="a", observed="b"),
        builders.line(D.OBSERVATION_GONE, observed=None),
        builders.line(D.VALUE_DRIFT, **{**DRIFT, "measure": builders.measure(max_rel=math.inf)}),
    ),
    "cells": (DOWN, CellRun(cell=builders.TORCH, versions={"torch": "2.15.0"}, seconds=0.12345)),
    "new": (CASE,),
    "invalid": (CASE,),
    "inconclusive": (CASE,),
    "flaky": (
        builders.flaky_line(first=None, other="words"),
        builders.flaky_line(first=0.5, other="NaN", measure=builders.measure(max_abs=math.inf)),
    ),
    "unreferenced": ("baselines/x.json: gone",),
    "sides": (
        *(builders.side(status, reason="r") for status in Status),
        builders.side(
            Status.MISMATCH,
            row("x", 0.0),
            builders.row("seen", torch=False, burn=True, change=FLIP),
        ),
    ),
}


#: What two ends of float64 are apart is beyond it.
FAR = builders.line(D.VALUE_DRIFT, measure=builders.measure(max_abs=math.inf))


@pytest.mark.parametrize(
    "words",
    [{}, FULL, {"changes": tuple(map(builders.line, D))}, {"changes": (FAR,)}],
    ids=["none", "all", "classes", "far"],
)
def test_the_json_satisfies_its_schema(words):
    """What programs read is what schemas/report.json describes."""
    document = json.loads(machine_readable.render(builders.report(**words)))
    assert [] == documents.validate(document, "report.json")


def test_the_json_says_what_was_compared():
    """Cells of which the same cases were compared stand together."""
    both, one = {"sample": ("plain", "other"), "more": ("plain",)}, {"sample": ("plain",)}
    cases = {builders.TORCH: both, builders.BURN: one, "burn-main": dict(reversed(both.items()))}
    document = machine_readable.document(builders.report(cases=cases))

    assert document["compared"] == [
        {"cells": [builders.TORCH, "burn-main"], "experiments": {k: [*v] for k, v in both.items()}},
        {"cells": [builders.BURN], "experiments": {"sample": ["plain"]}},
    ]
    assert document["counts"]["compared"] == 7


def test_what_was_compared_is_said_in_few_words():
    """Ten thousand cases, each cell's its own, take no more than their names."""
    numbers = range(1000)
    cases = {
        f"burn-0.{cell}.0": {f"experiment_{n}": ("plain",) for n in numbers if n != cell}
        for cell in range(10)
    }
    said = machine_readable.render(builders.report(cases=cases))
    assert len(said) < 10_000 * len('        "experiment_000": ["plain"],\n') + 5_000


def test_the_json_says_what_the_terminal_says():
    """Code, counts, changes with the worst first, and both sides of what differs."""
    document = machine_readable.document(builders.report(**FULL))
    assert (10, 3) == (document["exit_code"], document["counts"]["change"])
    assert ["new_panic", "value_drift", "observation_gone", "value_drift"] == [
        change["class"] for change in document["changes"]
    ]
    drift = document["changes"][1]
    assert ("change", builders.BURN, builders.BURN) == (
        drift["severity"],
        drift["cell"],
        drift["against"],
    )
    assert {"n": 3, "max_abs": 0.25, "max_rel": 0.5, "index": [1], "differing": 1} == drift[
        "measure"
    ]
    assert "Infinity" == document["changes"][3]["measure"]["max_rel"]
    same, seen = document["parity"][-1]["rows"]
    assert (True, False) == (same["agrees"], seen["agrees"])
    assert ("flag_flip", False, True) == (seen["class"], seen["torch"], seen["burn"])
    assert [0.0, 0.123] == [cell["seconds"] for cell in document["cells"]]
