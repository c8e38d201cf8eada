"""What people and programs read of a run, in every form, from a work folder and from artifacts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import builders
import pytest
from mini.checkout import BURN, HEAD, TORCH, compared

from harness import documents
from harness.github import upstream, watch

if TYPE_CHECKING:
    from pathlib import Path

    from mini.checkout import Checkout

FORMS = {
    "terminal": "CHANGED  ",
    "md": "### ",
    "html": "<!doctype html>",
    "json": "{",
    "junit": "<testsuites ",
    "annotations": "::error file=",
}


@pytest.fixture
def artifacts(renewed: Checkout, tmp_path: Path) -> Path:
    """Split what a new release does into artifacts, as two jobs would upload them."""
    renewed.remove(*(set(renewed.project.contracts) - {"changed", "same"}))
    renewed.release("new", TORCH, BURN)
    folder = tmp_path / "observed"
    for cell in (TORCH, BURN):
        answer = renewed.invoke("run", cell, "--into", str(folder / f"observed-{cell}-linux-1"))
        assert answer.code == 0, answer.err
    return folder


@pytest.mark.parametrize(("form", "beginning"), FORMS.items())
def test_every_form_says_the_same(
    renewed: Checkout, tmp_path: Path, form: str, beginning: str
) -> None:
    """On stdout or in a file, with the verdict's exit code."""
    path = tmp_path / "out" / "file"
    shown = renewed.invoke("report", "changed", "--format", form)
    written = renewed.invoke("report", "changed", "--format", form, "--output", str(path))

    assert (10, 10, "") == (shown.code, written.code, written.out)
    assert beginning in shown.out
    assert shown.out == path.read_text(encoding="utf-8")


def test_all_forms_in_one_go(renewed: Checkout, tmp_path: Path) -> None:
    """A folder gets every file from one judging, and stdout what is asked for."""
    answer = renewed.invoke("report", "changed", "--write", str(tmp_path / "out"), "--json")
    files = {path.name: path.read_text("utf-8") for path in (tmp_path / "out").iterdir()}

    assert {
        *("summary.md", "comment.md", "report.html", "report.json", "junit.xml", "annotations.txt")
    } == set(files)
    assert answer.out == files["report.json"]
    assert files["summary.md"].splitlines()[0].startswith("### 16 behaviours changed in ")
    assert all(files.values())


def test_when_upstream_was_watched_is_told_where_people_read(
    renewed: Checkout, tmp_path: Path
) -> None:
    """Comment, summary and page say it; what programs read stays what it was."""
    state = tmp_path / "state.json"
    kept = watch.document(upstream.State()) | {"watched": {HEAD: builders.watched()}}
    state.write_text(json.dumps(kept), encoding="utf-8")
    out = str(tmp_path / "out")
    answer = renewed.invoke("report", "changed", "--write", out, "--watched", str(state))
    telling = {
        path.name for path in (tmp_path / "out").iterdir() if "last watched" in path.read_text()
    }

    assert (10, "") == (answer.code, answer.err)
    assert {"summary.md", "comment.md", "report.html"} == telling


def test_the_places_of_annotations(renewed: Checkout) -> None:
    """An annotation is on the line of the half where the variant begins."""
    renewed.remove_variants("changed", "flag")
    answer = renewed.invoke("report", "changed", BURN, "--format", "annotations")
    half = (renewed.root / "burn" / "changed.py").read_text("utf-8").splitlines()
    place, _, _ = answer.out.removeprefix("::error ").partition(",title=")
    file, line = (pair.partition("=")[2] for pair in place.split(","))

    assert "burn/changed.py" == file
    assert '"flag"' in half[int(line) - 1]


def test_junit_lists_what_passed(renewed: Checkout) -> None:
    """Every case of the plan is a testcase of its cell's suite."""
    answer = renewed.invoke("report", "changed", "same", "--format", "junit")
    root = ET.fromstring(answer.out)
    suites = {suite.get("name"): list(suite.iter("testcase")) for suite in root}

    assert {TORCH, BURN} == set(suites)
    assert any(not list(case) and case.get("name") == "same" for case in suites[BURN])


def test_artifacts_are_judged_as_the_work_folder(renewed: Checkout, artifacts: Path) -> None:
    """What two jobs upload says what the run that they are parts of says."""
    here = renewed.report("changed", "same")
    there = renewed.report("changed", "same", "--records", str(artifacts))
    again = renewed.report("changed", "same", "--records", str(renewed.project.work))

    for report in (here, there, again):
        for cell in report["cells"]:
            del cell["ran"], cell["cached"], cell["seconds"]
    assert 10 == there["exit_code"]
    assert here == there == again


def test_every_case_was_compared_or_it_is_said_why_not(renewed: Checkout) -> None:
    """What a report does not list as compared stands in it with the reason, and nothing in both."""
    renewed.cut_off(HEAD)
    report = renewed.regress("--group", "all", "--keep-going")
    plan = json.loads(renewed.invoke("plan", "--group", "all", "--json").out)
    down = {cell["cell"] for cell in report["cells"] if cell["unavailable"]}
    cases = {
        (cell["cell"], case["experiment"], case["variant"])
        for cell in plan
        for case in cell["cases"]
        if not case["unsupported"] and cell["cell"] not in down
    }
    why_not = {
        (line["cell"], line["experiment"], line["variant"])
        for key in ("new", "invalid", "inconclusive")
        for line in report[key]
    }
    found = compared(report)

    assert (len(found), True) == (report["counts"]["compared"], HEAD in down)
    assert {*found} | why_not == cases
    assert not {*found} & why_not


def test_what_a_missing_shard_would_have_run_was_not_compared(
    renewed: Checkout, tmp_path: Path
) -> None:
    """One of two jobs of a cell left its artifact: the other's cases are none that were compared."""
    folder = tmp_path / "observed"
    cases = []
    for part in ("1", "2"):
        into = str(folder / f"observed-{BURN}-linux-{part}")
        answer = renewed.invoke("run", BURN, "--shard", f"{part}/2", "--into", into)
        assert answer.code == 0, answer.err
        cases.append(compared(renewed.report(BURN, "--records", str(folder))))

    assert set(cases[0]) < set(cases[1])


def test_a_cell_without_an_artifact_is_12(renewed: Checkout, artifacts: Path) -> None:
    """A cell of the plan that left nothing is missing, whatever the work folder holds."""
    report = renewed.report("same", BURN, HEAD, "--records", str(artifacts))
    (cell,) = [cell for cell in report["cells"] if cell["cell"] == HEAD]

    assert 12 == report["exit_code"]
    assert cell["missing"]
    assert "no artifact in" in cell["unavailable"]
    answer = renewed.invoke("report", "same", BURN, HEAD, "--records", str(artifacts))
    assert f"not in the plan, passed over: {TORCH}" in answer.err


def test_accept_takes_what_a_run_in_ci_observed(renewed: Checkout, artifacts: Path) -> None:
    """The artifacts' records become baselines, in CI as well, and nothing else is proposed."""
    before = renewed.snapshot(".emberwatch/proposed")
    answer = renewed.invoke(
        *("accept", "changed", "flag", BURN, "--reason", "new", "--records", str(artifacts))
    )

    assert (0, f"accepted {BURN}  changed / flag") == (answer.code, answer.out.splitlines()[0])
    assert before == renewed.snapshot(".emberwatch/proposed")
    report = renewed.report("changed", "--records", str(artifacts))
    changed = {(line["cell"], line["variant"]) for line in report["changes"]}
    assert (BURN, "flag") not in {one for one in changed if one[0] == BURN}
    assert (TORCH, "flag") in changed


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--proposed", "{folder}"), "--proposed and --records: give one of them"),
        ((), "no artifact of a cell in matrix.yaml"),
    ],
)
def test_accept_says_what_is_wrong(
    renewed: Checkout, tmp_path: Path, more: tuple[str, ...], message: str
) -> None:
    """Two sources, or one that holds nothing, are refused."""
    (tmp_path / "empty").mkdir()
    folder = str(tmp_path / "empty")
    options = [word.format(folder=folder) for word in more]
    answer = renewed.invoke("accept", "--all", "--reason", "r", "--records", folder, *options)

    assert 2 == answer.code
    assert message in answer.err


def test_what_the_merge_base_shows_is_set_apart(renewed: Checkout, tmp_path: Path) -> None:
    """Of two reports on one behaviour, the second has nothing that is from this change."""
    base = tmp_path / "base.json"
    renewed.invoke("report", "changed", "--format", "json", "--output", str(base))
    answer = renewed.invoke("report", "changed", "--format", "md", "--base", str(base))

    assert answer.out.startswith("### nothing changed: ")
    assert "Not from this change (16)" in answer.out
    base.write_text("{}")
    refused = renewed.invoke("report", "changed", "--base", str(base))
    assert (2, True) == (refused.code, "nox -s report -- --format json" in refused.err)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--format", "md", "--json"), "--json and --format md"),
        (("--link-base", "main"), "it begins with https://"),
        (("--format", "pdf"), "is not one of"),
        (("--run-id", "x"), "not a valid integer"),
    ],
)
def test_report_says_what_is_wrong(renewed: Checkout, words: tuple[str, ...], message: str) -> None:
    """Options that contradict each other or cannot be read are refused."""
    answer = renewed.invoke("report", *words)

    assert 2 == answer.code
    assert message in answer.err


def test_links_and_the_run(renewed: Checkout) -> None:
    """What the run in CI is known by comes into the Markdown."""
    answer = renewed.invoke(
        *("report", "changed", "--format", "md", "--run-id", "42", "--artifact", "report"),
        *("--link-base", "https://example.org/main"),
    )

    assert "](https://example.org/main/schemas/experiments/changed.json)" in answer.out
    assert "All of it: the artifact `report`." in answer.out
    assert "with run id `42`" in answer.out


def test_the_effect_on_parity_is_in_the_json(renewed: Checkout) -> None:
    """Both frameworks change alike here: they agreed, and agree still."""
    renewed.remove_variants("changed", "flag")
    report = renewed.report("changed")

    assert {"no effect"} == {line["effect"] for line in report["changes"]}
    assert documents.validate(json.loads(json.dumps(report)), "report.json") == []
