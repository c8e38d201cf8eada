"""Cell artifacts, written by jobs that may have run anybody's code."""

import json
import os

import builders
import pytest

from harness import artifacts, documents, plan
from harness.errors import ExitCode, HarnessError
from harness.records import Store, to_document

BURN, ARRAY = "burn-0.22.1", "burn-0.22.1-ndarray"
ONE, TWO = f"observed-{BURN}-linux-1", f"observed-{BURN}-linux-2"


@pytest.fixture
def project(tmp_path):
    """Return a checkout with one experiment of two variants."""
    (tmp_path / "checkout").mkdir()
    return builders.project(tmp_path / "checkout")


@pytest.fixture
def folder(tmp_path):
    """Return an empty folder for artifacts."""
    (tmp_path / "all").mkdir()
    return tmp_path / "all"


def put(shard, *variants, cell=BURN, unavailable="", **words):
    """Write an artifact of a cell with these variants' records, and how the cell fared."""
    note = {"cell": cell, "unavailable": unavailable, "versions": {"burn": "0.22.1"}, **words}
    documents.write(shard / "cells" / f"{cell}.json", json.dumps(note))
    for name in variants:
        Store(shard / "records").append(builders.record(cell=cell, variant=name))


def read(project, folder, **limits):
    """Return the artifacts of a folder."""
    most = artifacts.Limits(**limits)
    return artifacts.Artifacts(folder, project.matrix, project.contracts, limits=most)


def noted(project, folder, cell=BURN):
    """Return how a cell fared."""
    return read(project, folder).noted(project.matrix.cells[cell])


def test_shards_of_a_cell_are_merged(project, folder):
    """What several jobs observed of one cell is read together."""
    put(folder / ONE, "plain")
    put(folder / TWO, "other")
    found = read(project, folder)
    assert {"plain", "other"} == set(found.read(BURN, "sample"))
    assert "" == noted(project, folder).unavailable
    assert {"burn": "0.22.1"} == noted(project, folder).versions


def test_a_work_folder_is_one_artifact_of_all_its_cells(project, folder):
    """A folder that holds cells/ and records/ itself is read as it is."""
    put(folder, "plain")
    put(folder, "other", cell=ARRAY)
    found = read(project, folder)
    assert ["plain"] == list(found.read(BURN, "sample"))
    assert ["other"] == list(found.read(ARRAY, "sample"))
    assert [] == found.remarks


def test_a_cell_without_an_artifact_is_missing(project, folder):
    """It is not green, and told from one that could not be prepared."""
    assert noted(project, folder).missing
    assert {} == read(project, folder).read(BURN, "sample")
    put(folder / ONE, unavailable="no network")
    run = noted(project, folder)
    assert ("no network", False) == (run.unavailable, run.missing)


def test_one_shard_that_is_down(project, folder):
    """The others' cases are judged; of the rest it is said why they were not run."""
    put(folder / ONE, "plain")
    put(folder / TWO, unavailable="no network")
    run = noted(project, folder)
    assert ("", f"{TWO}: no network") == (run.unavailable, run.partly)


def test_versions_that_shards_disagree_on(project, folder):
    """A head that moved between two jobs is shown with both versions."""
    put(folder / ONE, versions={"burn": "1"})
    put(folder / TWO, versions={"burn": "2"})
    assert {"burn": "1, 2"} == noted(project, folder).versions


def test_limits_that_shards_lacked(project, folder):
    """What any shard ran without is said of the cell; a shard that says nothing lacked none."""
    put(folder / ONE, lacking=["processes"])
    put(folder / TWO, lacking=["memory", "processes"])
    put(folder / f"observed-{BURN}-linux-3")
    assert ("memory", "processes") == noted(project, folder).lacking


def test_one_case_in_two_shards(project, folder):
    """Which of the two holds cannot be told."""
    put(folder / ONE, "plain")
    put(folder / TWO, "plain")
    with pytest.raises(HarnessError, match=f"both {ONE} and {TWO} hold a record"):
        read(project, folder).read(BURN, "sample")


def test_of_several_systems_one_is_read(project, folder):
    """The same case of another system is no double: it is passed over, with how to read it."""
    put(folder / f"observed-{BURN}-ubuntu-1", "plain")
    put(folder / f"observed-{BURN}-macos-1", "plain", "other")
    usual = read(project, folder)
    other = artifacts.Artifacts(folder, project.matrix, project.contracts, "macos")

    assert ["plain"] == list(usual.read(BURN, "sample"))
    assert ["plain", "other"] == list(other.read(BURN, "sample"))
    assert ("", "macos") == (usual.system, other.system)
    assert ["macos: its artifacts are passed over; --system macos reads them"] == usual.remarks


def test_a_work_folder_is_of_no_system(project, folder):
    """A system is not to be had from a folder that names none."""
    put(folder, "plain")
    with pytest.raises(HarnessError, match="--system macos: no artifact is of it"):
        artifacts.Artifacts(folder, project.matrix, project.contracts, "macos")


def test_an_artifact_is_of_the_cell_that_it_is_named_after(project, folder):
    """The longest name that fits; what it holds of other cells is not read."""
    shard = folder / f"observed-{ARRAY}-linux-1"
    put(shard, "plain", cell=ARRAY)
    put(shard, "plain", cell=BURN)
    found = read(project, folder)
    assert ["plain"] == list(found.read(ARRAY, "sample"))
    assert not found.holds(BURN)


def test_other_folders_are_passed_over(project, folder):
    """What is no cell's artifact is named, not read."""
    (folder / "report").mkdir()
    put(folder / "observed-burn-9.9-linux-1", "plain", cell="burn-9.9")
    remarks = read(project, folder).remarks
    assert ["observed-burn-9.9-linux-1: of no cell", "report: no cell's"] == [
        remark.rpartition(" artifact" if "artifact" in remark else " in ")[0] for remark in remarks
    ]


BAD = {
    "not JSON": b"{",
    "not UTF-8": b'"\xff"',
    "another cell": documents.compact(to_document(builders.record(cell=ARRAY))),
    "another experiment": documents.compact(
        to_document(builders.record(cell=BURN, experiment="other"))
    ),
    "no outcome": b'{"cell": "burn-0.22.1"}',
    "deep": b"[" * 100_000 + b"]" * 100_000,
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD)
def test_a_line_that_is_no_record(project, folder, line):
    """It is passed over and named; the lines around it are read."""
    put(folder / ONE, "plain")
    path = folder / ONE / "records" / BURN / "sample.jsonl"
    path.write_bytes(line + b"\n" + path.read_bytes() + line + b"\n")
    found = read(project, folder)
    assert ["plain"] == list(found.read(BURN, "sample"))
    assert ["plain"] == list(found.read(BURN, "sample"))  # what is read again is told once
    (remark,) = found.remarks
    assert remark.startswith(f"{ONE}/records/{BURN}/sample.jsonl:1: no record, passed over: ")
    assert remark.endswith(" (and 1 more)")


def test_a_line_that_was_cut_off(project, folder):
    """A kill's half line is nobody's fault."""
    put(folder / ONE, "plain")
    with (folder / ONE / "records" / BURN / "sample.jsonl").open("ab") as file:
        file.write(b'{"cell": ')
    found = read(project, folder)
    assert ["plain"] == list(found.read(BURN, "sample"))
    assert [] == found.remarks


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"cell": "burn-0.22.1"}',
        '{"cell": "x", "unavailable": "", "versions": {}}',
        '{"cell": "burn-0.22.1", "unavailable": "", "versions": {}, "lacking": 1}',
        '{"cell": "burn-0.22.1", "unavailable": "", "versions": {}, "lacking": ["light"]}',
        '{"cell": "burn-0.22.1", "unavailable": "", "versions": {}, "lacking": [["memory"]]}',
    ],
)
def test_a_note_that_says_nothing(project, folder, text):
    """A cell of which it cannot be read how it fared is unavailable, never green."""
    put(folder / ONE, "plain")
    (folder / ONE / "cells" / f"{BURN}.json").write_text(text)
    assert "cannot be read" in noted(project, folder).unavailable


def test_records_without_a_note(project, folder):
    """The job ended before it could say how the cell fared."""
    put(folder / ONE, "plain")
    (folder / ONE / "cells" / f"{BURN}.json").unlink()
    assert "says nothing" in noted(project, folder).unavailable


@pytest.mark.parametrize(
    "name", ["", "records", f"records/{BURN}", f"records/{BURN}/sample.jsonl", "cells"]
)
def test_no_link_is_followed(project, folder, tmp_path, name):
    """Whatever is a link on the way to a record, is an error that names it."""
    outside = tmp_path / "outside"
    put(outside, "plain")
    put(folder / ONE, "plain")
    path = folder / ONE / name if name else folder / ONE
    path.rename(tmp_path / "away")
    path.symlink_to(outside / name)
    with pytest.raises(HarnessError, match="a link, which is not followed") as caught:
        read(project, folder).read(BURN, "sample")
    assert str(path) in caught.value.message


def test_what_is_no_file(project, folder):
    """A pipe would keep the reader waiting for ever."""
    put(folder / ONE)
    (folder / ONE / "records" / BURN).mkdir(parents=True)
    os.mkfifo(folder / ONE / "records" / BURN / "sample.jsonl")
    with pytest.raises(HarnessError, match="no plain file"):
        read(project, folder).read(BURN, "sample")


def test_a_file_that_is_too_large(project, folder):
    """Its size is looked at before it is read."""
    put(folder / ONE, "plain")
    with pytest.raises(HarnessError, match="more than the 10 allowed"):
        read(project, folder, file=10).read(BURN, "sample")


def test_files_that_are_too_large_together(project, folder):
    """Each file counts once, however often it is read."""
    put(folder / ONE, "plain")
    put(folder / TWO, "other")
    size = sum(path.stat().st_size for path in folder.glob("*/records/*/*"))
    enough = read(project, folder, total=size)
    for _ in range(3):
        enough.read(BURN, "sample")
    with pytest.raises(HarnessError, match="bytes allowed in all"):
        read(project, folder, total=size - 1).read(BURN, "sample")


def test_a_folder_with_too_many_entries(project, folder):
    """A listing without end is not listed."""
    for number in range(3):
        (folder / str(number)).mkdir()
    with pytest.raises(HarnessError, match="more than 2 entries"):
        read(project, folder, entries=2)
    assert 3 == len(read(project, folder, entries=3).remarks)


def test_a_variant_that_the_contract_lacks(project, folder):
    """A record of a variant that is no longer there is nobody's."""
    put(folder / ONE, "plain", "gone")
    assert ["plain"] == list(read(project, folder).read(BURN, "sample"))


HERE = {"platform": "here", "cpu": "mine", "isa": "none"}


@pytest.mark.parametrize(
    ("machines", "cpu"),
    [([], "no machine"), (["a"], "a"), (["a", "a"], "a"), (["a", "b"], "2 machines")],
)
def test_where_it_ran(project, folder, machines, cpu):
    """The machine is the jobs', not the one that judges."""
    put(folder / ONE)
    for number, name in enumerate(machines):
        machine = {"platform": "linux", "cpu": name, "isa": "avx2"}
        variant = ("plain", "other")[number]
        words = {"cell": BURN, "variant": variant, "provenance": {"machine": machine}}
        Store(folder / ONE / "records").append(builders.record(**words))
    found = read(project, folder)
    found.read(BURN, "sample")
    assert cpu == found.machine(HERE)["cpu"]


def test_an_artifact_is_what_was_recorded(project, folder):
    """Written and read again, it holds the plan's records and how each cell fared."""
    put(project.work, "plain")
    put(project.work, "plain", cell=ARRAY, unavailable="no network")
    chosen = plan.make(project.matrix, project.contracts, [BURN, ARRAY])
    runs = [project.noted(cell) for cell in chosen.cells]
    stale = folder / ONE / "records" / BURN / "gone.jsonl"
    documents.write(stale, "")
    artifacts.write(project, chosen, runs, folder / ONE)

    assert ["plain"] == list(read(project, folder / ONE).read(BURN, "sample"))
    assert "no network" == noted(project, folder / ONE, ARRAY).unavailable
    assert not stale.exists()
    assert not (folder / ONE / "records" / ARRAY).exists()


def test_a_folder_that_is_none(project, folder):
    """What cannot be listed is an error with its name."""
    with pytest.raises(HarnessError, match="cannot be read") as caught:
        read(project, folder / "nowhere")
    assert ExitCode.USAGE is caught.value.code
