"""`emberwatch new`."""

import ast

import builders
import pytest

from harness import contracts, scaffold
from harness.errors import HarnessError

QUESTION = "Does {x} hold, at 50 %?"


def test_a_new_experiment_is_complete(tmp_path):
    """Contract and both halves are there, valid, and open with the same question."""
    contract_file, torch, burn = scaffold.create(tmp_path, "my_case2", QUESTION)
    contract = contracts.read(contract_file)
    assert ("my_case2", QUESTION, ["default"]) == (
        contract.id,
        contract.question,
        list(contract.variants),
    )
    module = ast.parse(torch.read_text("utf-8"))
    assert QUESTION == ast.get_docstring(module)
    assert f"//! {QUESTION}" == burn.read_text("utf-8").split("\n")[0]
    assert [
        "schemas/experiments/my_case2.json",
        "harness/experiments/my_case2.py",
        "rust/src/experiments/my_case2.rs",
    ] == [path.relative_to(tmp_path).as_posix() for path in (contract_file, torch, burn)]


def test_what_the_stub_observes_keeps_its_contract(tmp_path):
    """The literal tensor of both halves, doubled, is what the contract asks for."""
    contract = contracts.read(scaffold.create(tmp_path, "stub", QUESTION)[0])
    record = builders.record(
        variant="default", observations={"doubled": builders.tensor([2.0, 4.0, 6.0])}
    )
    for cell in (builders.TORCH, builders.BURN):
        assert not contracts.Checker().broken(contract, builders.cell(cell), record)


@pytest.mark.parametrize(
    ("experiment", "question", "says"),
    [
        ("Scale", QUESTION, "not a snake_case id"),
        ("2scale", QUESTION, "not a snake_case id"),
        ("my-case", QUESTION, "not a snake_case id"),
        ("../x", QUESTION, "not a snake_case id"),
        ("x\n", QUESTION, "not a snake_case id"),
        ("", QUESTION, "not a snake_case id"),
        ("x", "It holds.", "one line that ends in ?"),
        ("x", "One\ntwo?", "one line that ends in ?"),
        ("x", 'Is it "so"?', "without quotes"),
    ],
)
def test_unfit_names_and_questions(tmp_path, experiment, question, says):
    """What could be no file, module or first line is refused, and nothing is written."""
    with pytest.raises(HarnessError, match=says):
        scaffold.create(tmp_path, experiment, question)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("taken", [0, 1, 2])
def test_what_exists_stays(tmp_path, taken):
    """Where one of the three files exists, none is written."""
    files = scaffold.create(tmp_path, "x", QUESTION)
    for number, path in enumerate(files):
        if number == taken:
            path.write_text("mine", "utf-8")
        else:
            path.unlink()
    with pytest.raises(HarnessError, match="exists already"):
        scaffold.create(tmp_path, "x", "Other?")
    assert [number == taken for number in range(3)] == [path.exists() for path in files]
    assert "mine" == files[taken].read_text("utf-8")
