"""A plan → the jobs of a workflow, and the parts of a plan."""

import builders
import pytest

from harness import jobs, matrix, plan
from harness.errors import HarnessError
from harness.model import Framework, Scope

RUNNERS = {"ubuntu": "ubuntu-latest"}
NAMES = [f"e{number}" for number in range(7)]


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """Return the matrix in which every kind of cell occurs."""
    path = tmp_path_factory.mktemp("jobs") / "matrix.yaml"
    path.write_text(builders.MATRIX, encoding="utf-8")
    return matrix.read(path)


@pytest.fixture(scope="module")
def contracts():
    """Return seven experiments, and one without a torch half."""
    no_torch = builders.variant(unsupported={Scope(framework=Framework.TORCH): "no such thing"})
    made = [builders.contract("x", id_=name) for name in NAMES]
    made.append(builders.contract("x", id_="burn_only", variants=[no_torch]))
    return {one.id: one for one in made}


def test_a_job_for_each_cell(cells, contracts):
    """The matrix has a job for each cell, with the runner's label and name, and counts them."""
    made = jobs.matrix(plan.make(cells, contracts), RUNNERS)

    common = {"os": "ubuntu", "runner": "ubuntu-latest", "shard": 1, "shards": 1}
    assert made == {
        "count": 2,
        "include": [{"cell": name, **common} for name in (builders.TORCH, builders.BURN)],
        "systems": ["ubuntu"],
        "several": False,
    }


def test_a_job_for_each_runner_and_shard(cells, contracts):
    """Every cell runs on every runner, in as many parts as asked for."""
    made = jobs.matrix(plan.make(cells, contracts), {**RUNNERS, "macos": "macos-latest"}, 3)

    places = [(job["cell"], job["os"], job["shard"]) for job in made["include"]]
    assert len(set(places)) == made["count"] == 2 * 2 * 3
    assert {job["shards"] for job in made["include"]} == {3}
    assert (made["systems"], made["several"]) == (["ubuntu", "macos"], True)


def test_no_job_for_a_cell_in_which_nothing_runs(cells, contracts):
    """A cell all of whose cases are unsupported has no job; there may be none at all."""
    both = jobs.matrix(plan.make(cells, contracts, ["burn_only"]), RUNNERS)
    none = jobs.matrix(plan.make(cells, contracts, ["burn_only", builders.TORCH]), RUNNERS)

    assert [job["cell"] for job in both["include"]] == [builders.BURN]
    assert (none["count"], none["include"]) == (0, [])


def test_never_more_jobs_than_github_takes(cells, contracts):
    """Fewer shards than asked for where the jobs would be too many, or the experiments too few."""
    runners = {f"r{number}": "ubuntu-latest" for number in range(40)}

    made = jobs.matrix(plan.make(cells, contracts), runners, 8)
    few = jobs.matrix(plan.make(cells, contracts, ["e1", "e2"]), RUNNERS, 8)

    assert made["count"] == 2 * 40 * 3 <= jobs.MOST
    assert few["count"] == 2 * 2


def test_more_cells_than_jobs_is_an_error(cells, contracts):
    """What no sharding can help with says what would."""
    runners = {f"r{number}": "ubuntu-latest" for number in range(129)}

    with pytest.raises(HarnessError, match=r"258 jobs; GitHub allows 256") as caught:
        jobs.matrix(plan.make(cells, contracts), runners)

    assert "smaller group" in caught.value.advice


@pytest.mark.parametrize("of", [1, 2, 3, 8, 20])
def test_each_experiment_is_in_one_part(cells, contracts, of):
    """The parts of a plan have every experiment once, whatever their number."""
    whole = plan.make(cells, contracts)
    parts = [jobs.Shard(number=number, of=of).part(whole) for number in range(1, of + 1)]

    names = [contract.id for part in parts for contract in part.contracts]
    assert sorted(names) == sorted(contracts)
    assert {part.cells for part in parts} == {whole.cells}
    assert [part.complete for part in parts] == [of == 1] * of


@pytest.mark.parametrize(("number", "of"), [(0, 2), (3, 2), (1, 0)])
def test_a_part_that_there_is_not(number, of):
    """Parts are counted from 1 to their number."""
    with pytest.raises(HarnessError, match="no such part"):
        jobs.Shard(number=number, of=of)
