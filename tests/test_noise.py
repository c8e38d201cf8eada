"""The noise session: what it runs under, what it calls a difference, what it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import builders
import pytest

from bench import noise
from harness import progress, run
from harness.errors import ExitCode
from harness.model import Difference
from harness.parity import Status
from harness.records import CellRun
from harness.report.view import CaseLine

if TYPE_CHECKING:
    from mini.checkout import Checkout

ONE = noise.Setting(capability="avx2", threads=1)
AVX512 = {"avx512f", "avx512dq", "avx512bw", "avx512vl"}


@pytest.mark.parametrize(
    ("flags", "names"),
    [
        ([], ["default × 1", "default × 2"]),
        (["avx2"], ["default × 1", "default × 2"]),
        (["avx2", "fma"], ["avx2 × 1", "avx2 × 2", "default × 1", "default × 2"]),
        (
            ["avx2", "fma", "avx512f"],  # torch's kernels would end with SIGILL
            ["avx2 × 1", "avx2 × 2", "default × 1", "default × 2"],
        ),
        (
            ["avx2", "fma", *AVX512],
            [f"{name} × {n}" for name in ("avx2", "avx512", "default") for n in (1, 2)],
        ),
    ],
)
def test_only_what_the_cpu_has_is_run(flags, names):
    """A capability is tried where the CPU has all that it needs; the pinned one comes first."""
    assert names == [one.name for one in noise.settings(flags)]


def test_a_setting_in_the_words_of_the_matrix():
    """A setting is what `--setting` would set."""
    assert {"ATEN_CPU_CAPABILITY": "avx2", "OMP_NUM_THREADS": "1"} == ONE.variables


# --- a row ----------------------------------------------------------------------------------------


def row(record=None, **words):
    """Return the row of a run beside a reference run that observed x = 1.0."""
    records = {("cell", "sample", "plain"): record or observed(1.0)}
    reference = {("cell", "sample", "plain"): observed(1.0)}
    contracts = {"sample": builders.contract("x")}
    return noise.row(ONE, builders.report(**words), contracts, reference, records)


def observed(value, **provenance):
    """Return a record of one float."""
    x = builders.tensor([value])
    return builders.record(observations={"x": x}, provenance=provenance)


def test_nothing_differs():
    """Equal bits and an empty report are a row of zeros."""
    found = row()
    assert (ExitCode.SAME, 1, [], []) == (found.code, found.cases, found.reported, found.bits)
    assert (0, 0.0, 0.0) == (found.own, found.max_abs, found.max_rel)


def test_bits_that_differ_are_counted_and_no_difference():
    """What the tolerance absorbs is counted with its distance, and reported by nobody."""
    found = row(observed(1.000001), changes=(builders.line(Difference.ROUNDING),))
    assert (ExitCode.SAME, [], ["sample"]) == (found.code, found.reported, found.bits)
    assert found.max_abs == pytest.approx(1e-6, rel=0.1)
    assert found.max_rel == pytest.approx(1e-6, rel=0.1)


def test_bits_that_differ_within_the_run_are_counted():
    """What repetitions disagreed on within the tolerance is the run's own noise."""
    assert 2 == row(observed(1.0, repeated={"runs": 2, "rounding": {"x": {}, "y": {}}})).own


FALSE = {
    "changes": (builders.line(Difference.VALUE_DRIFT),),
    "sides": (builders.side(Status.MISMATCH),),
    "flaky": (builders.flaky_line(),),
    "inconclusive": (CaseLine(cell=builders.TORCH, experiment="sample", variant="plain"),),
    "new": (CaseLine(cell=builders.TORCH, experiment="sample", variant="plain"),),
    "cells": (CellRun(cell=builders.TORCH, unavailable="no network"),),
}


@pytest.mark.parametrize("kind", FALSE)
def test_every_false_difference_is_named(kind):
    """Whatever keeps a report from being green is one line, and the row's code is the report's."""
    found = row(**{kind: FALSE[kind]})
    assert 1 == len(found.reported)
    assert builders.report(**{kind: FALSE[kind]}).code is found.code is not ExitCode.SAME


@pytest.mark.parametrize(
    ("versions", "lines"),
    [
        ({"torch": "2.15.0", "threads": 1, "isa": "AVX2"}, 0),
        ({"torch": "2.15.0", "threads": 2, "isa": "AVX2"}, 1),
        ({"torch": "2.15.0", "threads": 2, "isa": "DEFAULT"}, 2),
        ({"burn": "0.22.1", "isa": "avx2 fma"}, 0),
        ({"torch": "2.15.0"}, 0),  # it ended before it could say
    ],
)
def test_a_setting_that_was_not_in_effect_is_no_measurement(versions, lines):
    """Where a half says that it ran otherwise than asked, the row says so and is not green."""
    found = row(observed(1.0, versions=versions))
    assert lines == len(found.reported)
    assert (ExitCode.INCONCLUSIVE if lines else ExitCode.SAME) is found.code


# --- a whole run ----------------------------------------------------------------------------------


def test_a_project_is_run_under_every_setting(accepted: Checkout) -> None:
    """Every setting has a row over all cases, and the project's own work folder is left alone."""
    before = accepted.snapshot(".emberwatch", "baselines")
    accepted.remove("changed", "floods_events", "floods_output", "eats_memory", "huge_tensor")
    chosen = noise.settings(["avx2", "fma"])[:2]
    with progress.shown() as shown:
        rows = list(
            noise.measure(
                accepted.root, accepted.engines, chosen, run.Options(jobs=4, repeat=2), shown
            )
        )
    started = accepted.started()

    assert [ExitCode.SAME] * 2 == [one.code for one in rows], rows
    assert [[], []] == [one.reported for one in rows]
    assert rows[0].cases == rows[1].cases > 20
    assert {4} == {started.count(case) for case in started}
    assert before == accepted.snapshot(".emberwatch", "baselines")


# --- the document ---------------------------------------------------------------------------------


def test_the_table_has_a_line_per_setting():
    """The first line has nothing to differ from; the others say how many bits do, and where."""
    first = noise.Row(setting=ONE, code=ExitCode.SAME, cases=3)
    other = noise.Row(
        setting=noise.Setting(capability="default", threads=2),
        code=ExitCode.CHANGED,
        cases=3,
        reported=["one"],
        bits=["scale", "freeze", "scale"],
        own=1,
        max_abs=1e-8,
        max_rel=2.5e-6,
    )
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in noise.markdown([first, other]).splitlines()[2:]
    ]

    assert ["avx2 × 1", "3", "0", "–", "", "", "0", ""] == lines[0]
    assert ["default × 2", "3", "1", "3", "1.0e-08", "2.5e-06", "1", "scale, freeze"] == lines[1]


def test_the_heading_says_when_where_and_with_what():
    """The date, the CPU, its instruction sets and the versions stand above the table."""
    runs = [CellRun(cell=builders.TORCH, versions={"torch": "2.15.0", "numpy": "2.4.6"})]
    here = {"cpu": "a CPU", "isa": "avx2", "platform": "linux x86_64"}
    said = noise.heading(runs, 2, here)

    for words in ("20", "a CPU", "(avx2)", "linux x86_64", "torch 2.15.0 numpy 2.4.6", "2 times"):
        assert words in said


def test_the_table_replaces_what_stands_between_the_marks():
    """Around the marks the document stays as it is; without them nothing is written."""
    document = noise.DOCUMENT.read_text("utf-8")
    once = noise.written(document, r"new \1 table")

    assert once.startswith(document.partition("-->")[0])
    assert "-->\nnew \\1 table\n<!-- end -->" in once
    assert once == noise.written(once, r"new \1 table")
    with pytest.raises(SystemExit, match="the marks are gone"):
        noise.written("no marks", "table")


def test_the_committed_table_is_green():
    """docs/noise.md holds a real table in which no setting has a difference reported."""
    found = noise.DOCUMENT.read_text("utf-8").partition("--write -->")[2].partition("<!-- end")[0]
    rows = [line.split("|") for line in found.splitlines() if " × " in line][1:]

    assert rows
    assert {"0"} == {row[3].strip() for row in rows}
