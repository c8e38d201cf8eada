"""The repository itself: every experiment complete, every baseline a working detector."""

from __future__ import annotations

import ast
import copy
import re
import subprocess
from dataclasses import replace

import pytest

from harness import compare, documents, tensors, witness
from harness.contracts import Checker
from harness.engines import burn
from harness.model import Change, Difference, Framework, Group, Raised
from harness.project import ROOT, Project

PROJECT = Project()
CONTRACTS = PROJECT.contracts
BASELINES = [
    (experiment, cell, variant)
    for _, experiment, cell in PROJECT.baselines.files()
    for variant in PROJECT.baselines.read(experiment, cell)
]
PINNED = list(PROJECT.matrix.pinned.values())
RELEASED = [cell for cell in PROJECT.matrix.cells.values() if cell.group is not Group.UPSTREAM]


def tracked(*patterns):
    """Return the files that git tracks, by pattern."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def half(framework, experiment):
    """Return where a half lies."""
    folder, suffix = {
        Framework.TORCH: ("harness/experiments", "py"),
        Framework.BURN: ("rust/src/experiments", "rs"),
    }[framework]
    return ROOT / folder / f"{experiment}.{suffix}"


def first_line(path):
    """Return the question that a half opens with."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
    return text.splitlines()[0].removeprefix("//! ")


# --- experiments ------------------------------------------------------------------------------


@pytest.mark.parametrize("framework", Framework)
@pytest.mark.parametrize("experiment", CONTRACTS)
def test_a_half_exists_exactly_where_its_contract_supports_it(experiment, framework):
    """A half has a file unless its contract calls every variant unsupported."""
    expected = not CONTRACTS[experiment].unsupported_everywhere(framework)

    assert expected == half(framework, experiment).exists()


@pytest.mark.parametrize("framework", Framework)
def test_no_half_is_without_a_contract(framework):
    """Every half belongs to a contract of the same stem."""
    example = half(framework, "example")
    stems = {path.stem for path in example.parent.glob(f"*{example.suffix}")}

    assert set() == stems - set(CONTRACTS) - {"__init__", "__main__", "support"}


@pytest.mark.parametrize("framework", Framework)
@pytest.mark.parametrize("experiment", CONTRACTS)
def test_a_half_opens_with_the_question(experiment, framework):
    """The first line of both halves is the contract's title."""
    path = half(framework, experiment)

    assert not path.exists() or CONTRACTS[experiment].question == first_line(path)


@pytest.mark.parametrize("experiment", CONTRACTS)
def test_a_half_can_be_read_at_one_glance(experiment):
    """A half has at most about 60 lines of code, blank lines and comments not counted."""
    for framework in Framework:
        path = half(framework, experiment)
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        code = [line for line in lines if line.strip() and not line.strip().startswith(("//", "#"))]

        assert len(code) <= 75, path


@pytest.mark.parametrize("experiment", CONTRACTS)
def test_a_known_divergence_is_explained(experiment):
    """A known divergence says why in a sentence, and since when."""
    for variant in CONTRACTS[experiment].variants.values():
        if variant.parity.observations:
            assert len(variant.parity.reason.split()) >= 4
            assert variant.parity.since


@pytest.mark.parametrize("experiment", CONTRACTS)
def test_an_exact_value_is_met_by_somebody(experiment):
    """An exact value that neither pinned cell has is a mistake in its derivation, more likely."""
    contract = CONTRACTS[experiment]
    pinned = [(cell, PROJECT.baselines.read(experiment, cell)) for cell in PINNED]
    for variant in contract.variants.values():
        for name in variant.exact:
            seen = [(cell, read[variant.name].observations.get(name)) for cell, read in pinned]
            changes = [
                (
                    cell,
                    Change(kind=Difference.VALUE_DRIFT, observation=name, expected=v, observed=v),
                )
                for cell, v in seen
            ]
            stands = {witness.movement(contract, variant.name, *change) for change in changes}
            assert witness.Movement.RIGHT in stands, (variant.name, name)


@pytest.mark.parametrize("experiment", CONTRACTS)
def test_an_exact_value_is_derived(experiment):
    """The description of an observation with an exact value says how it is derived."""
    contract = CONTRACTS[experiment]
    names = {name for variant in contract.variants.values() for name in variant.exact}
    described = {name for name in names if contract.schema["properties"][name].get("description")}
    assert names == described


# --- baselines --------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", RELEASED, ids=lambda cell: cell.id)
@pytest.mark.parametrize("experiment", CONTRACTS)
def test_every_released_case_has_a_baseline(experiment, cell):
    """A case of a released cell has a baseline unless its contract calls it unsupported."""
    contract = CONTRACTS[experiment]
    expected = {v.name for v in contract.variants.values() if not v.unsupported_in(cell)}

    assert expected == set(PROJECT.baselines.read(experiment, cell.id))


def test_no_baseline_is_unreferenced():
    """Every baseline belongs to a cell, an experiment and a variant that exist."""
    assert [] == PROJECT.baselines.unreferenced(PROJECT.matrix, CONTRACTS)


@pytest.mark.parametrize(("experiment", "cell", "variant"), BASELINES)
def test_a_baseline_keeps_its_contract(experiment, cell, variant):
    """A baseline satisfies the schema of what its half observes."""
    record = PROJECT.baselines.read(experiment, cell)[variant]

    assert not Checker().broken(CONTRACTS[experiment], PROJECT.matrix.cells[cell], record)


@pytest.mark.parametrize(("experiment", "cell", "variant"), BASELINES)
def test_a_baseline_detects_every_change(experiment, cell, variant):
    """A baseline compared with itself is silent, and with any one leaf changed it is not."""
    contract = CONTRACTS[experiment]
    record = PROJECT.baselines.read(experiment, cell)[variant]

    assert [] == compare.changes(contract, record, record, same_machine=True)
    for changed in one_leaf_changes(record):
        assert [] != compare.changes(contract, record, changed)


def one_leaf_changes(record):
    """Yield the record with each leaf changed in turn, by more than any tolerance."""
    if record.raised is not None:
        yield replace(record, raised=Raised(type=record.raised.type + "X", text="other"))
        yield replace(record, raised=Raised(type=record.raised.type, text="other"))
    for name, value in record.observations.items():
        for other in other_values(value):
            yield replace(record, observations={**record.observations, name: other})
        rest = {key: kept for key, kept in record.observations.items() if key != name}
        yield replace(record, observations=rest)


#: A value far from any that is observed, where the dtype cannot hold 7,000,000.
FAR = {"bool": False, "float16": 60_000}


def other_values(value):
    """Yield values that are not this one."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case str():
            yield value + "."
        case list():
            yield [*value, len(value)]
        case {"values": values, "shape": shape, "dtype": dtype}:
            flat = list(tensors.flat(values))
            yield {**value, "dtype": "float64" if dtype != "float64" else "float32"}
            other = FAR.get(dtype, 7_000_000)
            for index in range(len(flat)):
                changed = copy.copy(flat)
                changed[index] = other if changed[index] is not other else True
                yield {**value, "values": tensors.nested(changed, shape)}


@pytest.mark.parametrize("path", tracked("baselines/*.json"), ids=lambda path: path.name)
def test_a_baseline_file_is_canonical(path):
    """A committed baseline reads as the harness would write it, so that accepting stays quiet."""
    assert path.read_text("utf-8") == documents.canonical(documents.read_json(path))


@pytest.mark.parametrize("path", tracked("baselines/*.json"), ids=lambda path: path.name)
def test_a_baseline_names_no_place_of_a_machine(path):
    """Paths of whoever accepted a behaviour are none of it."""
    assert not re.search(r"/(root|home|tmp|Users)/|[A-Z]:\\\\", path.read_text("utf-8"))


def test_accepted_differences_can_be_read():
    """The committed accepted.yaml names cells, experiments and observations that exist."""
    assert PROJECT.accepted_path.exists()
    assert all(entry.where for entry in PROJECT.accepted)


# --- locks, documents, sources ----------------------------------------------------------------


@pytest.mark.parametrize(
    "cell", [c for c in RELEASED if c.framework is Framework.BURN], ids=lambda cell: cell.id
)
def test_a_lock_holds_its_cells_version(cell):
    """Every burn-* crate in a cell's lock has the cell's version."""
    assert burn.committed_lock(burn.RUST, cell.version)


@pytest.mark.parametrize("cell", RELEASED, ids=lambda cell: cell.id)
def test_a_released_burn_cell_has_a_lock_of_its_version(cell):
    """Every burn-* crate of a committed lock has the version that the cell names."""
    if cell.framework is Framework.BURN:
        lock = burn.committed_lock(burn.RUST, cell.version)
        assert f'name = "burn"\nversion = "{cell.version}"' in lock


def test_the_crate_builds_what_the_pinned_cell_builds():
    """`rust/Cargo.lock` is the pinned burn cell's lock."""
    version = PROJECT.matrix.cells[PROJECT.matrix.pinned[Framework.BURN]].version

    lock = (ROOT / "rust/locks" / f"burn-{version}.lock").read_text("utf-8")

    assert lock == (ROOT / "rust/Cargo.lock").read_text("utf-8")


def test_only_compat_knows_burn_versions():
    """`cfg(burn_…)` stands nowhere in `rust/` but in `src/compat/`."""
    knowing = [
        p for p in tracked("rust/*.rs") if re.search(r"cfg\w*!?\(.*burn_\d", p.read_text("utf-8"))
    ]

    assert [] == [path for path in knowing if "compat" not in path.parts]


def test_no_registry_host_is_named():
    """No tracked file names a package registry's host; a Cargo.lock names its index."""
    hosts = re.compile(r"(pypi|pythonhosted|static\.crates|index\.crates|npmjs)\.(org|io|com)")

    named = [
        path
        for path in tracked()
        if path.suffix != ".lock"
        and path.name != "test_repository.py"
        and hosts.search(path.read_text("utf-8", errors="replace"))
    ]

    assert [] == named


@pytest.mark.parametrize("path", tracked("*.py", "*.rs"), ids=lambda path: path.name)
def test_a_source_file_stays_small(path):
    """A source file outside the tests has at most about 260 lines."""
    is_test = path.is_relative_to(ROOT / "tests")

    assert is_test or len(path.read_text("utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", tracked("*.md"), ids=lambda path: path.name)
def test_links_between_documents_hold(path):
    """A relative link in a document leads to a file."""
    text = path.read_text("utf-8")
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)", text)

    assert [] == [target for target in targets if not (path.parent / target).exists()]


def test_ci_runs_the_commands_that_the_readme_gives():
    """The README's two commands are one line each, and `.ci/run` takes the test command from it."""
    readme = (ROOT / "README.md").read_text("utf-8")
    lines = [line for line in readme.splitlines() if line.startswith("python3 -m venv")]

    assert ["nox -s regress", "nox -s tests"] == [line[line.index("nox -s") :] for line in lines]
    assert "README.md" in (ROOT / ".ci/run").read_text("utf-8")


def test_every_class_of_difference_is_documented():
    """docs/verdicts.md explains every class under its severity."""
    text = (ROOT / "docs/verdicts.md").read_text("utf-8")

    for kind in Difference:
        assert re.search(rf"`{kind}` \| {kind.severity}", text), kind
