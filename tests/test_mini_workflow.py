"""What the verbs hand to a workflow, on the mini project."""

import json
import re
import subprocess

import pytest

from harness.cli import workflow


@pytest.fixture
def step(tmp_path, monkeypatch):
    """Be a step of a workflow: return what its outputs and summary are."""
    paths = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for name, path in paths.items():
        monkeypatch.setenv(name, str(path))
        path.touch()
    output, summary = paths.values()
    return lambda: (outputs(output.read_text("utf-8")), summary.read_text("utf-8"))


def outputs(text):
    """Read what GitHub would read from the file of a step's outputs."""
    found = re.findall(r"^([\w-]+)<<(\S+)\n(.*?)\n\2$", text, re.MULTILINE | re.DOTALL)
    return {name: value for name, _, value in found}


def test_the_plan_is_one_line(fresh, step):
    """`plan --actions` prints one line of JSON, and the step's outputs say the same by part."""
    answer = fresh.invoke("plan", "--actions", "same")

    (line,) = answer.out.splitlines()
    said = json.loads(line)
    assert [job["cell"] for job in said["include"]] == ["torch-1.0.0", "burn-1.0.0"]
    assert {name: json.loads(value) for name, value in step()[0].items()} == said


def test_words_come_from_the_environment_too(fresh, monkeypatch):
    """Words of $EMBERWATCH_WORDS count as those of the command line; an option stays a word."""
    monkeypatch.setenv("EMBERWATCH_WORDS", " burn-1.0.0  same ")
    one = json.loads(fresh.invoke("plan", "--json").out)
    monkeypatch.setenv("EMBERWATCH_WORDS", "--json")
    refused = fresh.invoke("plan")

    assert [cell["cell"] for cell in one] == ["burn-1.0.0"]
    assert refused.code == 2
    assert refused.err.startswith("emberwatch: --json: no cell and no experiment")


def test_the_group_comes_from_the_environment_too(fresh, monkeypatch):
    """$EMBERWATCH_GROUP is --group; empty is as if it were not there."""
    monkeypatch.setenv("EMBERWATCH_GROUP", "upstream")
    heads = json.loads(fresh.invoke("plan", "--json").out)
    monkeypatch.setenv("EMBERWATCH_GROUP", "")
    default = json.loads(fresh.invoke("plan", "--json").out)

    assert [cell["cell"] for cell in heads] == ["burn-1.0.0", "burn-main"]
    assert [cell["cell"] for cell in default] == ["torch-1.0.0", "burn-1.0.0"]


def test_the_parts_of_a_run_are_the_run(fresh):
    """Two shards run every case of a cell once."""
    for part in ("1/2", "2/2"):
        answer = fresh.invoke("run", "torch-1.0.0", "s*", "non_finite", "--shard", part)
        assert answer.code == 0, answer.err

    ran = fresh.started()
    assert len(ran) == len(set(ran)) == 3
    assert {experiment for _, experiment, _ in ran} == {"same", "segfaults", "non_finite"}


@pytest.mark.parametrize("text", ["", "1", "a/b", "-1/2", "1/2/3", "1.0/2"])
def test_a_shard_is_two_numbers(fresh, text):
    """Anything but I/N is refused with an example."""
    answer = fresh.invoke("run", "same", "--shard", text)

    assert answer.code == 2
    assert "such as 2/3" in answer.err


def test_what_to_keep_of_a_cell(fresh, step):
    """`caches` gives a key and the folders outside the checkout that belong to it."""
    answer = fresh.invoke("caches", "torch-1.0.0")

    said = step()[0]
    assert answer.out.splitlines() == [said["key"], *said["path"].splitlines()]
    assert said["key"].startswith("emberwatch-torch-1.0.0-")
    assert [path.rpartition("/")[2] for path in said["path"].splitlines()] == ["torch"]


def test_another_version_or_lock_is_another_key(fresh):
    """The key changes with the cell, and is the same for the same cell."""
    keys = [fresh.invoke("caches", cell).out.split()[0] for cell in ("torch-1.0.0", "torch-1.0.0")]
    fresh.edit("matrix.yaml", "version: 1.0.0", "version: 1.0.1")
    keys.append(fresh.invoke("caches", "torch-1.0.0").out.split()[0])

    assert keys[0] == keys[1] != keys[2]


def test_a_value_cannot_end_itself(step):
    """An output that holds what looks like a delimiter, or another output, stays one value."""
    value = "end_0000\nverdict=same\nverdict<<x\nsame\nx"

    workflow.outputs({"text": value, "after": ""})

    assert step()[0] == {"text": value, "after": ""}


def test_delimiters_are_drawn_anew(step, tmp_path):
    """No two outputs have the same delimiter."""
    workflow.outputs({"a": "1", "b": "1"})

    drawn = re.findall(r"<<(\w+)", (tmp_path / "GITHUB_OUTPUT").read_text("utf-8"))
    assert len(set(drawn)) == 2


def test_a_long_summary_is_cut_and_says_so(step):
    """GitHub drops a summary of more than 1 MiB; a longer one keeps its beginning."""
    workflow.summary("é" * 100 + "\n" + ("x" * 79 + "\n") * 20_000)

    said = step()[1]
    assert len(said.encode()) <= 1024 * 1024
    assert said.startswith("é" * 100 + "\n")
    assert said.endswith("x\n\n\n… cut here: the report's artifact has the rest.\n")


def test_outside_of_a_workflow_nothing_is_handed_over(monkeypatch):
    """Without a step there are no outputs and no summary."""
    monkeypatch.delenv("GITHUB_OUTPUT", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)

    workflow.outputs({"a": "1"})
    workflow.summary("x")


@pytest.mark.parametrize(("code", "word"), [(0, "same"), (10, "changed"), (12, "inconclusive")])
def test_a_report_is_announced(fresh, step, code, word):
    """`announce` sets the verdict and the counts, adds the summary, prints the annotations."""
    if code:
        fresh.invoke("run", "changed")
    report = json.loads(fresh.invoke("regress", "changed", "--json").out)
    report["exit_code"] = code
    files = {
        "report.json": json.dumps(report),
        "summary.md": "# It\n",
        "annotations.txt": "::x::\n",
    }
    (fresh.root / "report").mkdir()
    for name, text in files.items():
        (fresh.root / "report" / name).write_text(text, encoding="utf-8")

    answer = fresh.invoke("announce", str(fresh.root / "report"), "--pull-request", "7")

    said, summary = step()
    counts = report["counts"]
    assert (answer.code, answer.out, summary) == (0, "::x::\n", "# It\n")
    assert (said["verdict"], said["exit-code"]) == (word, str(code))
    assert [int(said[f"{name}s"]) for name in ("break", "change", "note")] == [
        counts[name] for name in ("break", "change", "note")
    ]
    assert (fresh.root / "report" / "pull-request.txt").read_text() == "7\n"


def test_only_a_report_is_announced(fresh, step):
    """A report that breaks its schema is refused, with what is wrong."""
    (fresh.root / "report.json").write_text("{}")

    answer = fresh.invoke("announce", str(fresh.root))

    assert answer.code == 2
    assert "report.json: 'exit_code' is a required property" in answer.err


def test_what_a_branch_left_alone_is_not_from_it(accepted):
    """A difference that the branch cannot have made stands apart, until it touches what all share."""
    accepted.edit("burn/same.py", 'observe("flag", True)', 'observe("flag", False)')
    (accepted.root / ".gitignore").write_text(".emberwatch/\n__pycache__/\nstarted\n")
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "-m", "first"]):
        author = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", *author, *words], cwd=accepted.root, check=True)
    accepted.invoke("regress", "same")

    said = accepted.invoke("report", "same", "--format", "md", "--since", "HEAD")
    accepted.edit("matrix.yaml", "seconds: 2", "seconds: 1")
    touched = accepted.invoke("report", "same", "--format", "md", "--since", "HEAD")

    assert (10, 10) == (said.code, touched.code)
    assert "Not from this change" in said.out
    assert "Not from this change" not in touched.out


@pytest.fixture
def reports(fresh):
    """Leave the artifacts of two systems: on ubuntu all is the same, on macos something changed."""
    changed = fresh.regress("changed") | {"exit_code": 10}
    same = changed | {
        "exit_code": 0,
        "counts": dict.fromkeys(changed["counts"], 0) | {"compared": 3},
    }
    for name, report in (("ubuntu", same), ("macos", changed)):
        folder = fresh.root / "reports" / f"report-{name}"
        folder.mkdir(parents=True)
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
    return fresh, changed["counts"]


def test_several_systems_are_concluded(reports, step, monkeypatch):
    """`conclude` sets the gravest verdict, the sums, and where the reports lie."""
    checkout, counts = reports
    monkeypatch.setenv("EMBERWATCH_SYSTEMS", "ubuntu macos")

    answer = checkout.invoke("conclude", str(checkout.root / "reports"))

    outputs, summary = step()
    assert (answer.code, answer.out) == (0, "")
    assert outputs == {
        "verdict": "changed",
        "exit-code": "10",
        "report": "report-*",
        "compared": str(counts["compared"] + 3),
        **{f"{name}s": str(counts[name]) for name in ("break", "change", "note")},
    }
    assert "| macos" in summary


def test_a_system_that_left_no_report(reports, step):
    """A system of the plan whose report is missing is not green; others' files are not read."""
    checkout, _ = reports

    for folder, name in (("reports", "windows"), ("nowhere", "macos")):
        checkout.invoke("conclude", str(checkout.root / folder), "ubuntu", name)
        assert step()[0]["verdict"] == "inconclusive"


@pytest.mark.parametrize(
    ("systems", "words"),
    [((), "SYSTEM"), (("../x",), "'../x' is no system"), (("",), "is no system")],
)
def test_what_is_no_system(fresh, systems, words):
    """Nothing is concluded of nothing, and a name stays a name."""
    answer = fresh.invoke("conclude", str(fresh.root), *systems)

    assert answer.code == 2
    assert words in answer.err


def test_only_reports_are_concluded(reports):
    """A report that breaks its schema is refused, with its place."""
    checkout, _ = reports
    (checkout.root / "reports" / "report-macos" / "report.json").write_text("{}")

    answer = checkout.invoke("conclude", str(checkout.root / "reports"), "macos")

    assert answer.code == 2
    assert "report-macos/report.json: 'exit_code' is a required property" in answer.err
