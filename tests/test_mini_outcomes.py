"""Every kind of misbehaviour costs its own case, whose record says what it was."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from array import array
from typing import TYPE_CHECKING, Any

import pytest
from mini.checkout import BURN, TORCH

if TYPE_CHECKING:
    from mini.checkout import Checkout

B = {"before": 1}
BA = {"before": 1, "after": 2}

#: (experiment, variant) → outcome, the beginning of its reason or exception, observations.
RECORDS: dict[tuple[str, str], tuple[str, str, dict[str, Any]]] = {
    ("same", "default"): (
        "observed",
        "",
        {
            "before": 1,
            "flag": True,
            "text": "the same words",
            "ids": [0, 1, 0],
            "tensor": {"dtype": "float32", "shape": [2, 2], "values": [[0.1, 0.2], [0.3, 0.4]]},
            "after": 2,
        },
    ),
    ("panics", "plain"): ("raised", "RuntimeError: the second backward", B),
    ("panics", "with_address"): ("raised", "RuntimeError: <object at 0x_> is not a leaf", B),
    ("hangs", "sleeping"): ("timed_out", "no end within 2 s", B),
    ("hangs", "stubborn"): ("timed_out", "no end within 2 s", B),
    ("prints_garbage", "default"): ("observed", "", BA),
    ("breaks_contract", "wrong_type"): (
        "invalid",
        "after: 'two' is not of type 'integer'",
        {"before": 1, "after": "two"},
    ),
    ("breaks_contract", "extra"): (
        "invalid",
        "unheard_of: unknown key; allowed: after, before, tensor",
        {**BA, "unheard_of": 3},
    ),
    ("breaks_contract", "missing"): ("invalid", "'after' is a required property", B),
    ("breaks_contract", "wrong_dtype"): (
        "invalid",
        "tensor.dtype: 'float32' was expected",
        {**BA, "tensor": {"dtype": "float64", "shape": [1], "values": [1.0]}},
    ),
    ("breaks_contract", "wrong_shape"): ("invalid", "event 4: 3 elements for shape [2]", BA),
    ("breaks_contract", "wide_nothing"): ("invalid", "event 3: shape [1000000000, 0] ", B),
    ("breaks_contract", "many_axes"): ("invalid", "event 3: shape [1, 1, 1, ", B),
    ("breaks_contract", "no_event"): ("invalid", "event 3: ", B),
    ("breaks_contract", "nan_literal"): ("invalid", "event 3: ", B),
    ("segfaults", "default"): ("crashed", "killed by SIGSEGV", B),
    ("aborts", "default"): ("crashed", "killed by SIGABRT", B),
    ("overflows_stack", "in_c"): ("crashed", "killed by SIGSEGV", B),
    ("overflows_stack", "as_rust_says"): ("crashed", "stack overflow", B),
    ("eats_memory", "default"): ("crashed", "out of memory", {"before": 1, "within_limit": True}),
    ("raises_out_of_memory", "as_python"): ("crashed", "MemoryError: ", B),
    ("raises_out_of_memory", "as_torch"): ("crashed", "RuntimeError: [enforce fail at", B),
    ("floods_output", "default"): ("crashed", "wrote more than the limit", B),
    ("floods_events", "default"): (
        "crashed",
        "wrote more than the limit",
        {"before": 1, "flood": "flood " * 10_000},
    ),
    ("leaves_grandchild", "in_group"): ("observed", "", BA),
    ("leaves_grandchild", "own_session"): ("observed", "", BA),
    ("leaves_grandchild", "family"): ("observed", "", BA),
    ("cuts_event", "default"): ("crashed", "ended early with exit status 0", B),
    ("exits_early", "as_if_well"): ("crashed", "ended early with exit status 0", B),
    ("exits_early", "with_status"): ("crashed", "ended early with exit status 3", B),
    ("exits_early", "politely"): ("raised", "SystemExit: enough", B),
    ("dies_of_signal", "kill"): ("crashed", "killed by SIGKILL", B),
    ("dies_of_signal", "real_time"): ("crashed", "killed by signal 40", B),
    ("empty_tensor", "default"): (
        "observed",
        "",
        {
            "before": 1,
            "none": {"dtype": "float32", "shape": [0], "values": []},
            "no_rows": {"dtype": "float32", "shape": [0, 3], "values": []},
            "no_columns": {"dtype": "float32", "shape": [3, 0], "values": [[], [], []]},
            "scalar": {"dtype": "int64", "shape": [], "values": 7},
            "after": 2,
        },
    ),
}


@pytest.mark.parametrize("cell", [TORCH, BURN])
@pytest.mark.parametrize(("experiment", "variant"), RECORDS)
def test_each_case_has_its_own_outcome(
    everything: Checkout, cell: str, experiment: str, variant: str
) -> None:
    """A case's record says how it ended and why, and keeps everything observed before."""
    outcome, words, observations = RECORDS[experiment, variant]
    record = everything.record(cell, experiment, variant)
    said = f"{record.raised.type}: {record.raised.text}" if record.raised else record.reason

    assert (outcome, observations) == (record.outcome, dict(record.observations))
    assert words == said[: len(words)]
    assert bool(words) == bool(said)


@pytest.mark.parametrize("variant", ["as_python", "as_torch"])
def test_out_of_memory_is_a_crash_as_an_exception_too(everything: Checkout, variant: str) -> None:
    """Out of memory says something of the machine, not of the framework's exceptions."""
    assert everything.record(TORCH, "raises_out_of_memory", variant).reason == "out of memory"


@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_every_runnable_case_has_one_record(everything: Checkout, cell: str) -> None:
    """A misbehaving neighbour costs no other case its record."""
    project = everything.project
    wanted = {
        (experiment, variant.name)
        for experiment, contract in project.contracts.items()
        for variant in contract.variants.values()
        if not variant.unsupported_in(project.matrix.cells[cell])
    }
    lines = [
        (path.stem, line.count(b'"outcome"'))
        for path in (project.records.folder / cell).glob("*.jsonl")
        for line in path.read_bytes().splitlines()
    ]

    assert wanted == {(e, v) for c, e, v in everything.finished() if c == cell}
    assert len(wanted) == len(lines)
    assert {1} == {outcomes for _, outcomes in lines}


def test_forked_and_spawned_cases_observe_the_same(everything: Checkout) -> None:
    """How a case is started decides nothing of what it observes."""
    cases = {(e, v) for c, e, v in everything.finished() if c == BURN} - {("not_built", "default")}
    different = [
        case
        for case in sorted(cases)
        if everything.record(TORCH, *case).observations
        != everything.record(BURN, *case).observations
        and case[0] != "non_finite"  # NaN is a tag there, but −0 equals 0
    ]

    assert [] == different


def test_non_finite_numbers_are_kept_as_they_are(everything: Checkout) -> None:
    """NaN and the infinities are tags, and −0 keeps its sign."""
    record = everything.record(TORCH, "non_finite")
    tensor: Any = record.observations["tensor"]

    assert repr(["NaN", "Infinity", "-Infinity", -0.0, 0.0]) == repr(tensor["values"])


@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_a_huge_tensor_is_a_summary(everything: Checkout, cell: str) -> None:
    """A million elements are stored as statistics, a digest, and a sample of 1,024."""
    record = everything.record(cell, "huge_tensor")
    tensor: Any = record.observations["tensor"]
    elements = array("d", [0.0, 1.0, 2.0, 3.0] * 250_000)

    assert ["dtype", "shape", "statistics", "digest", "sample"] == list(tensor)
    assert [1000, 1000] == tensor["shape"]
    assert f"sha256:{hashlib.sha256(elements.tobytes()).hexdigest()}" == tensor["digest"]
    assert 1024 == len(tensor["sample"])
    assert {
        "mean": 1.5,
        "std": 1.25**0.5,
        "min": 0.0,
        "max": 3.0,
        "nan": 0,
        "infinite": 0,
    } == tensor["statistics"]


@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_no_number_is_too_large(everything: Checkout, cell: str) -> None:
    """Statistics are right also where the sum of the elements, or a square, exceeds float64."""
    record = everything.record(cell, "extreme_numbers")
    tensor: Any = record.observations["tensor"]

    assert "observed" == record.outcome
    assert pytest.approx(0.6e308) == tensor["statistics"]["mean"]
    assert pytest.approx(1.2e308) == tensor["statistics"]["std"]
    assert (-1.5e308, 1.5e308) == (tensor["statistics"]["min"], tensor["statistics"]["max"])


@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_a_case_sees_the_settings_and_only_them(everything: Checkout, cell: str) -> None:
    """A case has the settings in effect, the limits, no input, no terminal, and no secrets."""
    seen = everything.record(cell, "reads_settings").observations
    same_seed = subprocess.run(
        [sys.executable, "-c", "print(hash('emberwatch'))"],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()

    assert {
        "before": 1,
        "setting": "mild",
        "secret": False,
        "hash": same_seed,
        "core": 0,
        "stdin": True,
        "leads_session": True,
        "after": 2,
    } == dict(seen)


@pytest.mark.parametrize(("cell", "experiment"), [(TORCH, "not_built"), (BURN, "unsupported")])
def test_an_unsupported_case_is_not_run(everything: Checkout, cell: str, experiment: str) -> None:
    """What the contract calls unsupported has no record, and no half."""
    assert {} == everything.project.records.read(cell, experiment)
    assert not (everything.root / cell.partition("-")[0] / f"{experiment}.py").exists()


def test_a_half_that_does_not_compile_is_a_record(everything: Checkout) -> None:
    """A half that is not built is recorded with the compiler's words, and never started."""
    record = everything.record(BURN, "not_built")

    assert ("not_built", "error[E0599]: no method named `gone` found") == (
        record.outcome,
        record.reason,
    )
    assert not [case for case in everything.started() if case[1] == "not_built"]


def test_a_cut_off_event_is_kept_as_provenance(everything: Checkout) -> None:
    """A line that was cut off is no event, and is not lost either."""
    record = everything.record(BURN, "cuts_event")

    assert {"cut off": '{"name":"after","cou'} == record.provenance["raw"]


def test_the_end_of_the_output_is_kept(everything: Checkout) -> None:
    """Of a flood, the record keeps the last 8 KiB."""
    output = everything.record(TORCH, "floods_output").provenance["output"]

    assert 8192 == len(output)
    assert set("flood ") == set(output)


def test_a_record_says_what_really_ran(everything: Checkout) -> None:
    """Provenance holds the versions that the case itself stated, the machine and the settings."""
    provenance = everything.record(BURN, "same").provenance

    assert {"mini": "old"} == provenance["versions"]
    assert "PYTHONHASHSEED=0 MINI_SETTING=mild" == provenance["settings"]
    assert {"platform", "cpu", "isa"} == set(provenance["machine"])


def test_nothing_outlives_the_run(everything: Checkout) -> None:
    """No process of any case is alive, in its group or out of it, and no scratch file is left."""
    assert [] == everything.survivors()
    assert [] == list((everything.root / ".emberwatch" / "scratch").iterdir())
