"""The whole job on the real torch 2.15.0 and the real burn 0.22.1."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from checkout import Checkout

from harness import compare, documents
from harness.model import Outcome

pytestmark = pytest.mark.real

TORCH, BURN = "torch-2.15.0", "burn-0.22.1"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return an unchanged copy of the repository."""
    return Checkout.make(tmp_path_factory.mktemp("real"))


@pytest.fixture(scope="module")
def first(checkout):
    """Return how `nox -s regress` ended in a fresh copy."""
    return checkout.nox("-s", "regress")


@pytest.fixture(scope="module")
def again(checkout, first):
    """Return the records of the first run and of a second one that had to run every case."""
    before = records(checkout)
    ended = checkout.run("regress", "--no-cache", "--json")
    return before, records(checkout), json.loads(ended.stdout)


def records(checkout):
    """Return every record in a copy's work folder, by cell, experiment and variant."""
    project = checkout.project
    return {
        (cell, experiment, variant): record
        for cell in (TORCH, BURN)
        for experiment in project.contracts
        for variant, record in project.records.read(cell, experiment).items()
    }


def test_a_fresh_copy_is_green(first):
    """`nox -s regress` ends with 0 on the committed baselines."""
    assert first.returncode == 0, first.stdout + first.stderr


def test_the_report_is_on_stdout_and_the_rest_on_stderr(first):
    """The report alone is on stdout; nox and progress are on stderr."""
    assert "nox >" not in first.stdout
    assert first.stdout.startswith("emberwatch on ")
    assert "nox > Running session regress" in first.stderr
    assert "compared with baselines" not in first.stderr


def test_a_green_run_is_a_screenful(first):
    """It has a line per cell and numbers, nothing of what agrees, and says how to see that."""
    assert len(first.stdout.splitlines()) < 40
    assert "PARITY" not in first.stdout
    assert "known divergences; --verbose shows each." in first.stdout


def test_named_experiments_have_the_parity_form(checkout, first):
    """It shows n and max|diff| of a tensor, a case's worst against its tolerance, what is known."""
    shown = checkout.run("regress", "freeze", "scale").stdout

    assert "params_after.fc1.bias    n=  8 max|diff|=3.73e-09" in shown
    assert "tol=1e-06 OK" in shown
    assert "tol=1e-06 KNOWN: " in shown
    assert "MISMATCH" not in shown


def test_every_case_that_is_supported_has_a_record(checkout, first):
    """No case is left out: a record per cell, experiment and variant."""
    expected = {
        (cell, contract.id, variant.name)
        for cell in (TORCH, BURN)
        for contract in checkout.project.contracts.values()
        for variant in contract.variants.values()
        if not variant.unsupported_in(checkout.project.matrix.cells[cell])
    }

    assert expected == set(records(checkout))


def test_records_are_valid(checkout, first):
    """Every line in the work folder satisfies schemas/record.json."""
    lines = [
        json.loads(line)
        for path in checkout.project.records.folder.glob("*/*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    ]

    assert lines
    assert [] == [problem for line in lines for problem in documents.validate(line, "record.json")]


def test_records_say_what_really_ran(checkout, first):
    """Provenance holds the versions that the frameworks themselves report."""
    for (cell, *_), record in records(checkout).items():
        version = record.provenance["versions"][cell.partition("-")[0]]

        assert version.split("+")[0] == cell.partition("-")[2]


def test_an_unchanged_run_runs_nothing(checkout, first):
    """A second run with nothing changed takes every case from its record."""
    ended = checkout.run("regress", "--json")

    assert ended.returncode == 0
    assert {0} == {cell["ran"] for cell in json.loads(ended.stdout)["cells"]}


def test_every_cell_run_twice_differs_in_nothing(checkout, again):
    """Two runs of a cell on one machine agree bit for bit."""
    before, after, report = again
    contracts = checkout.project.contracts

    assert report["exit_code"] == 0
    assert all(cell["cached"] == 0 for cell in report["cells"])
    for case, record in before.items():
        assert [] == compare.changes(contracts[case[1]], record, after[case], same_machine=True)


def test_json_is_alone_on_stdout_and_valid(again):
    """`--json` prints one document that satisfies schemas/report.json."""
    assert [] == documents.validate(again[2], "report.json")


def test_a_cell_session_records_without_judging(checkout, first):
    """`nox -s "cell(…)"` ends with 0, and `nox -s report` judges what it recorded."""
    ran = checkout.nox("-s", f"cell({BURN})")
    judged = checkout.nox("-s", "report", "--", "--json")

    assert ran.returncode == 0
    assert judged.returncode == 0
    assert "compared with baselines" not in ran.stdout
    assert json.loads(judged.stdout)["counts"]["compared"]


def test_a_new_experiment_runs_at_once(tmp_path):
    """`new` stubs all parts, and the stub's parity is OK on both frameworks."""
    checkout = Checkout.make(tmp_path)
    made = checkout.run("new", "doubling", "--question", "What does doubling do?")
    ended = checkout.run("regress", "doubling", "--json")
    report = json.loads(ended.stdout)

    assert made.returncode == 0
    assert ended.returncode == 11
    assert len(report["new"]) == 2
    assert [side["status"] for side in report["parity"]] == ["same"]


def test_a_cell_that_cannot_be_had_is_unavailable(tmp_path):
    """A source that does not exist ends with 12 and says so; the other cell still runs."""
    checkout = Checkout.make(tmp_path)
    checkout.replace(
        "matrix.yaml", ("git: https://github.com/tracel-ai/burn", f"git: file://{tmp_path}/none")
    )
    checkout.replace(
        "matrix.yaml", ("https://download.pytorch.org/whl/nightly/cpu", "file:///none")
    )
    cells = ("burn-main", "torch-nightly", BURN)
    ended = checkout.run("regress", *cells, "remap", "--keep-going")

    assert ended.returncode == 12
    assert "burn-main is unavailable" in ended.stdout
    assert "torch-nightly is unavailable" in ended.stdout
    assert "3 cases compared with baselines, 3 the same" in ended.stdout


def test_a_moving_head_is_built_and_its_commit_recorded(tmp_path):
    """A git cell is built from the branch's newest commit and held against its reference cell."""
    checkout = Checkout.make(tmp_path / "checkout")
    metadata = ["cargo", "metadata", "--locked", "--format-version=1", "--manifest-path"]
    listed = checkout.start([*metadata, str(checkout.root / "rust/Cargo.toml")], {})
    packages = json.loads(listed.stdout)["packages"]
    (manifest,) = (p["manifest_path"] for p in packages if p["name"] == "burn")
    head = tmp_path / "head"
    shutil.copytree(Path(manifest).parent, head)
    git = ["git", "-C", str(head), "-c", "user.name=test", "-c", "user.email=test@localhost"]
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "head"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.check_output([*git, "rev-parse", "HEAD"], text=True).strip()
    checkout.replace(
        "matrix.yaml", ("git: https://github.com/tracel-ai/burn", f"git: file://{head}")
    )

    ended = checkout.run("regress", "burn-main", "remap")
    record = checkout.project.records.read("burn-main", "remap")["fix"]

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "3 cases compared with baselines, 3 the same" in ended.stdout
    assert commit == record.provenance["versions"]["commit"]


def test_a_half_that_does_not_compile_costs_itself_alone(tmp_path):
    """It is `not_built` with the compiler's code, which is an api_gone; the others still run."""
    checkout = Checkout.make(tmp_path)
    checkout.replace(
        "rust/src/experiments/remap.rs",
        ("weight.map(|w| w * 0.5)", "weight.map_that_was_removed(|w| w * 0.5)"),
    )
    ended = checkout.run("regress", BURN, "remap", "freeze", "--json")
    report = json.loads(ended.stdout)
    record = checkout.project.records.read(BURN, "remap")["map"]

    assert ended.returncode == 10
    assert {"api_gone"} == {change["class"] for change in report["changes"]}
    assert {"remap"} == {change["experiment"] for change in report["changes"]}
    assert record.outcome is Outcome.NOT_BUILT
    assert record.reason.startswith("error[E0599]: no method named `map_that_was_removed`")


CONTRACT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "experiments/provoke.json",
    "title": "What becomes of a process that is driven too far?",
    "description": "Planted by a test.",
    "x-topic": "isolation",
    "x-source": [{"document": "test", "section": "test"}],
    "x-variants": {},
    "type": "object",
    "properties": {
        "before": {"$ref": "../record.json#/$defs/flag"},
        "million": {"$ref": "../record.json#/$defs/float32"},
        "strange": {"$ref": "../record.json#/$defs/float32"},
    },
    "required": ["before"],
    "additionalProperties": False,
}
TORCH_HALF = '''"""What becomes of a process that is driven too far?"""

import ctypes
import os
import time

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Provoke what the variant is called."""
    observe("before", True)
    match variant:
        case "aborts":
            os.abort()
        case "segfaults":
            ctypes.string_at(0)
        case "overflows_stack":
            torch.ones(1, requires_grad=True).register_hook(lambda g: g)
            raise SystemExit(run("overflows_stack"))
        case "hangs":
            time.sleep(60)
        case "eats_memory":
            torch.ones(1 << 40)
        case "million":
            observe("million", torch.arange(1_000_000, dtype=torch.float32) / 7)
        case "strange":
            observe("strange", torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0]))
'''
BURN_HALF = """//! What becomes of a process that is driven too far?

use burn::prelude::*;

use crate::support::{device, observe};

/// Provokes what the variant is called.
pub fn run(variant: &str) {
    observe("before", true);
    match variant {
        "aborts" => std::process::abort(),
        "overflows_stack" => println!("{}", deeper(0)),
        "hangs" => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        "eats_memory" => println!("{}", Tensor::<1>::ones([1_usize << 40], &device()).sum()),
        "million" => {
            observe("million", Tensor::<1, Int>::arange(0..1_000_000, &device()).float() / 7.0)
        }
        "strange" => {
            let values = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0];
            observe("strange", Tensor::<1>::from_data(values, &device()))
        }
        _ => {}
    }
}

#[expect(unconditional_recursion, reason = "it is what the variant asks for")]
fn deeper(depth: u64) -> u64 {
    let page = std::hint::black_box([depth; 512]);
    deeper(depth + 1) + page[0]
}
"""
PROVOKED = [
    (TORCH, "aborts", Outcome.CRASHED, "killed by SIGABRT"),
    (TORCH, "segfaults", Outcome.CRASHED, "killed by SIGSEGV"),
    (TORCH, "overflows_stack", Outcome.RAISED, ""),
    (TORCH, "hangs", Outcome.TIMED_OUT, "no end within 4 s"),
    (TORCH, "eats_memory", Outcome.CRASHED, "out of memory"),
    (TORCH, "million", Outcome.OBSERVED, ""),
    (TORCH, "strange", Outcome.OBSERVED, ""),
    (TORCH, "neighbour", Outcome.OBSERVED, ""),
    (BURN, "aborts", Outcome.CRASHED, "killed by SIGABRT"),
    (BURN, "overflows_stack", Outcome.CRASHED, "stack overflow"),
    (BURN, "hangs", Outcome.TIMED_OUT, "no end within 4 s"),
    (BURN, "eats_memory", Outcome.CRASHED, "out of memory"),
    (BURN, "million", Outcome.OBSERVED, ""),
    (BURN, "strange", Outcome.OBSERVED, ""),
    (BURN, "neighbour", Outcome.OBSERVED, ""),
]


@pytest.fixture(scope="module")
def provoked(tmp_path_factory):
    """Return the records of an experiment whose halves go too far, by cell and variant."""
    checkout = Checkout.make(tmp_path_factory.mktemp("provoked"))
    variants = {name: {"says": name, "parity": {"rule": "same"}} for _, name, *_ in PROVOKED}
    variants["segfaults"]["unsupported"] = {"burn": "safe Rust has no null pointer to read"}
    contract = json.dumps({**CONTRACT, "x-variants": variants})
    checkout.write("schemas/experiments/provoke.json", contract)
    checkout.write("harness/experiments/provoke.py", TORCH_HALF)
    checkout.write("rust/src/experiments/provoke.rs", BURN_HALF)
    checkout.replace("matrix.yaml", ("seconds: 60 ", "seconds: 4 "))
    ended = checkout.run("run", "provoke")
    assert ended.returncode == 0, ended.stderr
    read = checkout.project.records.read
    return {cell: read(cell, "provoke") for cell in (TORCH, BURN)}


@pytest.mark.parametrize(("cell", "variant", "outcome", "reason"), PROVOKED)
def test_a_case_that_goes_too_far_costs_itself_alone(provoked, cell, variant, outcome, reason):
    """Each ends as its own outcome, with its reason and with what was observed before."""
    record = provoked[cell][variant]

    assert outcome is record.outcome, record
    assert reason == record.reason
    assert record.observations["before"] is True


def test_a_large_tensor_is_summarised_alike(provoked):
    """A million elements are stored as statistics, digest and sample, the same from both sides."""
    torch, burn = (provoked[cell]["million"].observations["million"] for cell in (TORCH, BURN))

    assert torch == burn
    assert torch["shape"] == [1_000_000]
    assert len(torch["sample"]) == 1024


@pytest.mark.parametrize("cell", [TORCH, BURN])
def test_strange_numbers_survive(provoked, cell):
    """NaN, the infinities and −0 are kept as they are."""
    values = provoked[cell]["strange"].observations["strange"]["values"]

    assert ["NaN", "Infinity", "-Infinity", "-0.0"] == [str(value) for value in values]


# --- settings and repetitions ---------------------------------------------------------------------

WORKS = """\"\"\"How is long work done?\"\"\"

import os

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    \"\"\"Multiply and add a million numbers, then count the threads.\"\"\"
    x = torch.arange(1_000_000, dtype=torch.float32) / 7
    observe("product", torch.addcmul(x, x, x.sin())[-1000:])
    observe("threads", len(os.listdir("/proc/self/task")))
"""


@pytest.fixture(scope="module")
def works(tmp_path_factory):
    """Return what runs a half that does long work under some settings, and gives its record."""
    checkout = Checkout.make(tmp_path_factory.mktemp("works"))
    contract = {
        **CONTRACT,
        "$id": "experiments/works.json",
        "title": "How is long work done?",
        "x-variants": {
            "default": {
                "says": "multiplies and adds",
                "parity": {"rule": "same"},
                "unsupported": {"burn": "planted for torch alone"},
            }
        },
        "properties": {
            "product": {"$ref": "../record.json#/$defs/float32"},
            "threads": {"$ref": "../record.json#/$defs/count"},
        },
        "required": ["product", "threads"],
    }
    checkout.write("schemas/experiments/works.json", json.dumps(contract))
    checkout.write("harness/experiments/works.py", WORKS)

    def run(*settings, repeat=1):
        words = [word for setting in settings for word in ("--setting", setting)]
        ended = checkout.run("run", "works", TORCH, f"--repeat={repeat}", *words)
        assert ended.returncode == 0, ended.stderr
        record = checkout.project.records.read(TORCH, "works")["default"]
        assert record.outcome is Outcome.OBSERVED, record
        return record

    return run


def test_as_the_matrix_says_one_thread_of_avx2_is_in_effect(works):
    """The case states its threads and its capability, and no second thread ever ran."""
    record = works()

    assert (1, "AVX2") == tuple(record.provenance["versions"][key] for key in ("threads", "isa"))
    assert 1 == record.observations["threads"]


def test_two_threads_are_really_in_effect(works):
    """OMP_NUM_THREADS=2 is two threads in the forked case, which ends, and is recorded."""
    record = works("OMP_NUM_THREADS=2", repeat=3)

    assert 2 == record.provenance["versions"]["threads"]
    assert "OMP_NUM_THREADS=2" in record.provenance["settings"].split()
    assert (2, {}) == (record.observations["threads"], record.flaky)


def test_another_capability_is_really_in_effect(works):
    """ATEN_CPU_CAPABILITY=default takes other kernels: the case says so, and its bits do."""
    pinned, plain = works(), works("ATEN_CPU_CAPABILITY=default")

    assert "DEFAULT" == plain.provenance["versions"]["isa"]
    assert pinned.observations["product"] != plain.observations["product"]


def test_no_cell_differs_from_itself(checkout, first):
    """Five runs of every case agree with themselves on both frameworks."""
    ended = checkout.run("regress", "--repeat", "5", "--json")
    report = json.loads(ended.stdout)

    assert (0, []) == (ended.returncode, report["flaky"])
    assert {(0, 5)} == {(cell["cached"], cell["repeat"]) for cell in report["cells"]}


def test_a_record_says_which_cpu_it_comes_from(checkout, first):
    """Each record names the CPU, what it can do, and what the framework makes of it."""
    for record in records(checkout).values():
        assert record.provenance["machine"]["cpu"]
        assert {"platform", "cpu", "isa"} == set(record.provenance["machine"])
        assert record.provenance["versions"]["isa"]
