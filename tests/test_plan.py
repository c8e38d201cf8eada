"""Cells × contracts → cases."""

import json

import builders
import pytest

from harness import matrix, plan
from harness.errors import HarnessError
from harness.model import Framework, Scope

IDS = ("alpha", "beta", "beta_two")


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """Return the matrix in which every kind of cell occurs."""
    path = tmp_path_factory.mktemp("plan") / "matrix.yaml"
    path.write_text(builders.MATRIX, encoding="utf-8")
    return matrix.read(path)


@pytest.fixture(scope="module")
def contracts():
    """Return three contracts of one variant each, one of them without a torch half."""
    no_torch = builders.variant(unsupported={Scope(framework=Framework.TORCH): "no such thing"})
    made = [builders.contract("x", id_=name) for name in IDS[:2]]
    made.append(builders.contract("x", id_=IDS[2], variants=[no_torch]))
    return {one.id: one for one in made}


DEFAULT = ["torch-2.15.0", "burn-0.22.1"]
UPSTREAM = ["burn-main", "torch-nightly"]


@pytest.mark.parametrize(
    ("words", "group", "expected", "experiments"),
    [
        ([], None, DEFAULT, IDS),
        ([], "default", DEFAULT, IDS),
        ([], "full", [*DEFAULT, "burn-0.22.1-ndarray"], IDS),
        ([], "upstream", [*DEFAULT, *UPSTREAM], IDS),
        ([], "all", [*DEFAULT, "burn-0.22.1-ndarray", *UPSTREAM], IDS),
        (["burn-main"], None, ["burn-main"], IDS),
        (["burn-main", "burn-main"], None, ["burn-main"], IDS),
        (["burn-main", "torch-2.15.0"], None, ["torch-2.15.0", "burn-main"], IDS),
        (["burn-main"], "default", [*DEFAULT, "burn-main"], IDS),
        (["beta"], None, DEFAULT, ["beta"]),
        (["beta*"], None, DEFAULT, ["beta", "beta_two"]),
        (["beta_two", "alpha"], None, DEFAULT, ["alpha", "beta_two"]),
        (["*a", "burn-main"], None, ["burn-main"], ["alpha", "beta"]),
        (["[ab]*"], "full", [*DEFAULT, "burn-0.22.1-ndarray"], IDS),
    ],
)
def test_what_is_selected(cells, contracts, words, group, expected, experiments):
    """Cells by id or group in the matrix's order, experiments by glob; all of them by default."""
    made = plan.make(cells, contracts, words, group)
    assert expected == [cell.id for cell in made.cells]
    assert list(experiments) == [contract.id for contract in made.contracts]
    assert made.complete == (list(IDS) == list(experiments) and "[ab]*" not in words)


@pytest.mark.parametrize(
    ("words", "group", "says"),
    [
        (["gamma"], None, "gamma: no cell and no experiment has that name"),
        (["beta", "gamma*"], None, "gamma*: no cell and no experiment has that name"),
        (["burn-0.23.0"], None, "burn-0.23.0: no cell and no experiment has that name"),
        (["Beta"], None, "Beta: no cell and no experiment"),
        ([], "nightly", "--group nightly: unknown; allowed: default, full, upstream, all"),
    ],
)
def test_what_is_not_known(cells, contracts, words, group, says):
    """A name that selects nothing is an error, which offers the names there are."""
    with pytest.raises(HarnessError) as caught:
        plan.make(cells, contracts, words, group)
    assert caught.value.message.startswith(says)
    assert not words or "burn-main" in caught.value.advice
    assert not words or "beta_two" in caught.value.advice


def test_an_empty_plan_is_refused(cells, contracts):
    """Without a cell or without an experiment nothing would be compared."""
    with pytest.raises(HarnessError, match="the plan is empty"):
        plan.make(cells, {})
    with pytest.raises(HarnessError, match="the plan is empty"):
        plan.make(
            builders.matrix(builders.cell(), builders.cell(builders.BURN)),
            contracts,
            (),
            "upstream",
        )


def test_cases_of_a_cell(cells, contracts):
    """Every variant is a case, also where it is unsupported."""
    made = plan.make(cells, contracts, ["beta_two"])
    torch, burn = (made.cases_of(cell, contracts["beta_two"])[0] for cell in made.cells)
    assert ("no such thing", None) == (torch.unsupported, burn.unsupported)


def test_a_plan_in_words(cells, contracts):
    """A cell, then its cases and why some are unsupported."""
    made = plan.make(cells, contracts, ["beta*"])
    assert plan.as_text(made) == (
        "torch-2.15.0: 1 cases, 1 unsupported\n"
        "  beta / plain\n"
        "  beta_two / plain  unsupported: no such thing\n"
        "burn-0.22.1: 2 cases, 0 unsupported\n"
        "  beta / plain\n"
        "  beta_two / plain\n"
    )


def test_a_plan_as_json(cells, contracts):
    """The same as JSON, for the jobs of a matrix."""
    [first, second] = json.loads(plan.as_json(plan.make(cells, contracts, ["beta_two"])))
    assert first == {
        "cell": "torch-2.15.0",
        "framework": "torch",
        "group": "default",
        "cases": [{"experiment": "beta_two", "variant": "plain", "unsupported": "no such thing"}],
    }
    assert [""] == [case["unsupported"] for case in second["cases"]]


# --- a git cell from elsewhere ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "ref", "expected"),
    [
        (None, None, ("https://example.org/burn", "main")),
        ("/a/burn", None, ("/a/burn", "HEAD")),
        ("/a/burn", "v1", ("/a/burn", "v1")),
        (None, "v1", ("https://example.org/burn", "v1")),
    ],
)
def test_a_git_cell_can_be_taken_from_elsewhere(cells, contracts, source, ref, expected):
    """A source is taken at its HEAD unless a ref is given; other cells stay as they are."""
    made = plan.make(cells, contracts, ["burn-main", "torch-2.15.0"])
    moved = plan.redirected(made, source, ref)
    torch, burn = moved.cells

    assert expected == (burn.git, burn.ref)
    assert "burn-main" == burn.id
    assert made.cells[0] is torch


@pytest.mark.parametrize("words", [[], ["torch-2.15.0"], ["torch-nightly"]])
def test_only_a_git_cell_can_be_taken_from_elsewhere(cells, contracts, words):
    """Where none is selected, the option would say nothing."""
    made = plan.make(cells, contracts, words)
    for options in (("/a/burn", None), (None, "v1")):
        with pytest.raises(HarnessError, match="needs exactly one git cell among those selected"):
            plan.redirected(made, *options)
