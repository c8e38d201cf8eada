"""The workflows, run end to end with act on the real cells: `nox -s workflows`.

Each test is one event; the jobs, their artifacts and the verdict are what GitHub would have. What
act does not enforce (permissions, concurrency, time limits of jobs) test_workflows.py reads.
"""

from __future__ import annotations

import json
import re
import shutil
import sys

import pytest
from fake_github.service import FakeGitHub
from workflows import tools
from workflows.act import NAME, Repository, reduced

HALF = "harness/experiments/scale.py"
BASELINE = "baselines/scale/torch-2.15.0.json"
CELLS = {"observed-torch-2.15.0-ubuntu-1", "observed-burn-0.22.1-ubuntu-1"}
REPORTS = {"report-ubuntu", "emberwatch-report"}


@pytest.fixture(scope="module", autouse=True)
def _act():
    tools.find("act")


@pytest.fixture
def repository(tmp_path):
    """Return a small copy of this repository, all of whose baselines hold."""
    return Repository.small(tmp_path, "scale", "scale_err")


def asked(repository, number=7):
    """Return a pull request's payload: the topic branch as it is now, into main."""
    base = repository.git("rev-parse", "main")
    head = repository.git("rev-parse", "HEAD")
    pull = {
        "number": number,
        "head": {"ref": "topic", "sha": head, "repo": {"full_name": "fork/models", "fork": True}},
        "base": {"ref": "main", "sha": base, "repo": {"full_name": NAME}},
    }
    return {"action": "synchronize", "number": number, "pull_request": pull}


def dispatched(**inputs):
    """Return the payload of a run that is started by hand."""
    return {"inputs": inputs, "ref": "refs/heads/main"}


def break_half(repository):
    """Let torch's half of an experiment no longer scale what it should."""
    path = repository.root / HALF
    text = path.read_text("utf-8")
    path.write_text(text.replace("0.5", "0.25"), "utf-8")
    assert path.read_text("utf-8") != text


def test_a_pull_request_that_changes_nothing(repository):
    """A plan → a job for each cell → report: green, with every artifact."""
    repository.commit("a word in the docs", "topic")

    ran = repository.run("pull_request", "regress.yml", asked(repository))

    assert ran.code == 0, ran.log
    assert ran.names == CELLS | REPORTS
    assert (ran.report()["exit_code"], ran.report()["counts"]["compared"]) == (0, 16)
    assert ran.read("emberwatch-report", "pull-request.txt") == "7\n"
    assert "verdict=same exit-code=0" in ran.log
    for name in ("summary.md", "comment.md", "report.html", "junit.xml", "annotations.txt"):
        ran.read("report-ubuntu", name)


@pytest.fixture(scope="module")
def red(tmp_path_factory):
    """Return a fork's pull request that breaks something, as its run left it."""
    repository = Repository.small(tmp_path_factory.mktemp("red"), "scale", "scale_err")
    break_half(repository)
    repository.commit("half", "topic")
    ran = repository.run("pull_request", "regress.yml", asked(repository))
    return repository, ran, ran.names


def test_a_pull_request_that_breaks_something(red):
    """A changed half is red with annotations; the cells' jobs stay green, the report decides."""
    _, ran, names = red

    assert ran.code == 1
    assert names == CELLS | REPORTS | {"proposed-ubuntu"}
    assert ran.report()["exit_code"] == 10
    assert "verdict=changed exit-code=10" in ran.log
    assert "::error" in ran.read("report-ubuntu", "annotations.txt")
    assert {line["cell"] for line in ran.report()["changes"]} >= {"torch-2.15.0"}
    assert [one for one in ran.ended() if one[1] == "failed"] == [("report ubuntu", "failed")]


def test_a_pull_request_has_a_dashboard(red):
    """The site of a run lies in its report; the commands of its review page name the run."""
    _, ran, _ = red

    assert "no run is at hand" not in ran.read("report-ubuntu", "dashboard/index.html")
    shown = ran.read("report-ubuntu", "dashboard/experiments/scale.html")
    assert "The last run differs from what is accepted" in shown
    review = ran.read("report-ubuntu", "dashboard/review.html")
    commands = re.findall(r"nox -s accept -- [^<]*", review)
    assert commands
    assert all(re.search(r"--from-run 1\b", one) for one in commands), commands


def test_a_pull_request_that_accepts_something(repository):
    """Judged against its own baselines it is green, and lists what it accepts."""
    document = json.loads((repository.root / BASELINE).read_text("utf-8"))
    reason = "the loss is a copy of the first five steps"
    changed = next(iter(document["variants"]))
    document["variants"][changed]["accepted"]["reason"] = reason
    losses = document["variants"][changed]["observations"]
    name = next(name for name, value in losses.items() if isinstance(value, dict))
    losses[name]["values"] = json.loads(json.dumps(losses[name]["values"]).replace("1", "2"))
    (repository.root / BASELINE).write_text(json.dumps(document), "utf-8")
    repository.commit("baseline", "topic")

    ran = repository.run("pull_request", "regress.yml", asked(repository))

    summary = ran.read("report-ubuntu", "summary.md")
    assert "Accepted in this pull request" in summary
    assert reason in summary


def test_a_schedule(repository):
    """Every day the group full runs."""
    matrix = repository.root / "matrix.yaml"
    first, burn, rest = matrix.read_text("utf-8").partition("  burn-0.22.1:")
    matrix.write_text(first + burn + rest.replace("group: default", "group: full"), "utf-8")
    repository.commit("burn is in the group full")

    ran = repository.run("schedule", "regress.yml", {"schedule": "17 3 * * *"})

    assert ran.code == 0, ran.log
    assert ran.names == CELLS | REPORTS


def test_by_hand(repository):
    """Cells and experiments are chosen, and nothing else runs or is missed."""
    inputs = {"cells": "torch-2.15.0", "experiments": "scale_*", "group": ""}

    ran = repository.run("workflow_dispatch", "regress.yml", dispatched(**inputs))

    assert ran.code == 0, ran.log
    assert ran.names == {"observed-torch-2.15.0-ubuntu-1"} | REPORTS
    assert ran.report()["counts"]["compared"] == 2


def test_an_empty_selection(repository):
    """Where nothing can run there is no job, and no green either."""
    inputs = {"cells": "burn-0.22.1", "experiments": "scale_err", "group": ""}

    ran = repository.run("workflow_dispatch", "regress.yml", dispatched(**inputs))

    assert ran.code == 1
    assert not ran.names & CELLS
    assert (ran.report()["exit_code"], ran.report()["counts"]["compared"]) == (12, 0)


def test_a_word_that_means_nothing(repository):
    """A cell or experiment that does not exist ends the run in its plan."""
    ran = repository.run("workflow_dispatch", "regress.yml", dispatched(cells="burn-9 $(id)"))

    assert ran.code == 1
    assert "burn-9: no cell and no experiment has that name" in ran.log
    assert ran.names == set()


def test_a_missing_artifact(repository):
    """A cell whose job fails uploads nothing; the report says that it is missing, and is not green."""
    for path in (repository.root / "rust" / "locks").glob("*.lock"):
        path.unlink()
    repository.commit("no locks", "topic")

    ran = repository.run("pull_request", "regress.yml", asked(repository))

    assert ran.code == 1
    assert ran.names == (CELLS | REPORTS) - {"observed-burn-0.22.1-ubuntu-1"}
    assert ran.report()["exit_code"] == 12
    assert [one["cell"] for one in ran.report()["cells"] if one["missing"]] == ["burn-0.22.1"]


def test_shards(repository):
    """A cell in several jobs is judged as one."""
    path = repository.root / ".github" / "workflows" / "regress.yml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("    with:\n", "    with:\n      shards: 2\n"), "utf-8")
    repository.commit("two jobs for each cell")

    ran = repository.run("push", "regress.yml")

    assert ran.code == 0, ran.log
    assert ran.names - REPORTS == {
        f"observed-{cell}-ubuntu-{n}" for cell in ("torch-2.15.0", "burn-0.22.1") for n in (1, 2)
    }
    assert ran.report()["counts"]["compared"] == 16


#: A workflow that says what the whole job hands over.
TOLD = """
name: told
on: push
permissions: {}
jobs:
  whole:
    permissions: {contents: read}
    uses: ./.github/workflows/emberwatch.yml
    with: {experiments: scale, decides: false}
  told:
    needs: whole
    runs-on: ubuntu-latest
    steps:
      - env:
          OUTPUTS: ${{ toJSON(needs.whole.outputs) }}
        run: echo told $OUTPUTS
"""


@pytest.mark.parametrize("second", [False, True])
def test_what_the_whole_job_hands_over(repository, second):
    """Of one system its report's outputs; of two the gravest verdict, and the sums of both."""
    break_half(repository)
    path = repository.root / "matrix.yaml"
    more = "\n  second: ubuntu-latest" if second else ""
    text = path.read_text("utf-8")
    path.write_text(text.replace("ubuntu: ubuntu-latest", f"ubuntu: ubuntu-latest{more}"), "utf-8")
    (repository.root / ".github" / "workflows" / "told.yml").write_text(TOLD, "utf-8")
    repository.commit("half")

    ran = repository.run("push", "told.yml")

    assert ran.code == 0, ran.log
    (line,) = [line for line in ran.log.splitlines() if "| told {" in line]
    told = json.loads(line.partition("| told ")[2])
    systems = ["ubuntu", "second"] if second else ["ubuntu"]
    counts = [
        json.loads(ran.read(f"report-{system}", "report.json"))["counts"] for system in systems
    ]
    assert told == {
        "verdict": "changed",
        "exit-code": "10",
        "report": "report-*" if second else "report-ubuntu",
        "compared": str(sum(one["compared"] for one in counts)),
        **{
            f"{name}s": str(sum(one[name] for one in counts))
            for name in ("break", "change", "note")
        },
    }
    assert ran.read("emberwatch-report", "report.json") == ran.read("report-ubuntu", "report.json")
    assert [name for name, _ in ran.ended() if name == "together"] == ["together"] * second


def test_the_comment(red):
    """After a fork's run the default branch's code comments, with what the run uploaded as data."""
    repository, before, _ = red
    head = repository.git("rev-parse", "topic")
    repository.git("switch", "--quiet", "main")
    run = {
        "id": 1,
        "event": "pull_request",
        "head_branch": "topic",
        "head_repository": {"full_name": "fork/models"},
    }
    with FakeGitHub() as fake:
        fake.state.pull(7, head, ref="topic")
        fake.state.run(1, head, ref="topic")
        (archive,) = before.artifacts.glob("*/emberwatch-report.zip")
        fake.state.artifact(1, "emberwatch-report", archive.read_bytes())

        ran = repository.run(
            "workflow_run",
            "comment.yml",
            {"workflow_run": run},
            keep=True,
            GITHUB_API_URL=fake.base,
        )

        assert ran.code == 0, ran.log
        (said,) = fake.state.comments[7]
        assert fake.violations == []
    assert said["body"].startswith("<!-- emberwatch -->")
    assert "torch-2.15.0" in said["body"]


def test_no_comment_after_other_runs(repository):
    """A run that no pull request started gets no comment; the job is not even begun."""
    run = {"id": 1, "event": "push", "head_branch": "main", "head_repository": {"full_name": NAME}}

    ran = repository.run("workflow_run", "comment.yml", {"workflow_run": run})

    assert (ran.code, "Comment" in ran.log) == (0, False)


def test_the_pages(red):
    """After regress on main the site is of the newest run there, and of no fork's main."""
    repository, before, _ = red
    repository.git("switch", "--quiet", "main")
    head = repository.git("rev-parse", "main")
    run = {"id": 1, "event": "push", "head_branch": "main", "head_repository": {"full_name": NAME}}
    with FakeGitHub() as fake:
        fake.state.run(1, head, repository=NAME, ref="main", event="push", conclusion="failure")
        fake.state.run(2, head, ref="main")
        for number in (1, 2):
            for cell in CELLS:
                (archive,) = before.artifacts.glob(f"*/{cell}.zip")
                fake.state.artifact(number, cell, archive.read_bytes())

        ran = repository.run(
            "workflow_run", "pages.yml", {"workflow_run": run}, keep=True, GITHUB_API_URL=fake.base
        )

        assert ran.code == 0, ran.log
        assert (fake.writes, fake.violations) == ([], [])
    site = ran.site()
    assert "no run is at hand" not in site["index.html"]
    assert set(re.findall(r"--from-run (\d+)", site["review.html"])) == {"1"}
    assert ran.ended() == [("build", "succeeded"), ("publish", "succeeded")]


def test_no_pages_after_a_pull_request(repository):
    """Not even one from a branch that a fork calls main builds or publishes anything."""
    fork = {"full_name": "fork/models"}
    run = {"id": 1, "event": "pull_request", "head_branch": "main", "head_repository": fork}

    ran = repository.run("workflow_run", "pages.yml", {"workflow_run": run})

    assert (ran.code, ran.ended(), ran.names) == (0, [], set())


#: A gh that writes down what it is asked.
GH = """#!{python}
import json, pathlib, sys
with open({asked!r}, "a") as file:
    file.write(json.dumps([*sys.argv[1:], sys.stdin.read()]) + "\\n")
print("[]" if sys.argv[2:3] == ["list"] else "https://github.invalid/pull/1")
"""


def test_accept(red, tmp_path):
    """What a run proposed becomes a pull request with its reason, into the branch it is started on."""
    repository, _, _ = red
    repository.git("switch", "--quiet", "topic")
    gh = tmp_path / "bin" / "gh"
    gh.parent.mkdir()
    gh.write_text(GH.format(python=sys.executable, asked=str(tmp_path / "asked")))
    gh.chmod(0o755)
    reason = 'it is "right" $(id)'

    ran = repository.run(
        "workflow_dispatch",
        "accept.yml",
        dispatched(run="1", reason=reason, cases="", system="ubuntu"),
        keep=True,
        programs=gh.parent,
    )

    assert ran.code == 0, ran.log
    asked_of_gh = [json.loads(line) for line in (tmp_path / "asked").read_text().splitlines()]
    assert [words[:2] for words in asked_of_gh] == [["pr", "list"], ["pr", "create"]]
    assert asked_of_gh[1][asked_of_gh[1].index("--title") + 1] == f"Accepted: {reason}"
    repository.git("fetch", "--quiet", str(repository.origin), "emberwatch/accept-1")
    repository.git("switch", "--quiet", "--detach", "FETCH_HEAD")
    kept = json.loads((repository.root / BASELINE).read_text("utf-8"))["variants"].values()
    assert reason in {entry["accepted"]["reason"] for entry in kept}


HEAD = """
  burn-main:
    framework: burn
    git: file:///nowhere/burn
    ref: main
    backend: flex
    group: upstream
    reference: burn-0.22.1
"""


def test_upstream_that_cannot_be_had(repository):
    """The moving head is unavailable, which is no change: the job that keeps issues opens none."""
    matrix = repository.root / "matrix.yaml"
    first, cells, rest = matrix.read_text("utf-8").partition("cells:\n")
    matrix.write_text(first + cells + HEAD.lstrip("\n") + rest, "utf-8")
    repository.commit("a head")
    with FakeGitHub() as fake:
        ran = repository.run(
            "schedule", "upstream.yml", {"schedule": "43 4 * * *"}, GITHUB_API_URL=fake.base
        )

        assert fake.writes == []
        assert fake.violations == []
    assert ran.names >= {"observed-burn-main-ubuntu-1", "observed-burn-0.22.1-ubuntu-1"}
    assert ran.report()["exit_code"] == 12
    assert "nothing to do" in ran.log
    assert ("issues", "succeeded") in ran.ended()


# --- another repository -------------------------------------------------------------------------

TOOL = "acme/emberwatch"
CALLER = """
name: behaviour
on: [push, pull_request]
permissions: {}
jobs:
  behaviour:
    permissions: {contents: read}
    uses: acme/emberwatch/.github/workflows/emberwatch.yml@COMMIT
    with:
      root: behaviour
      emberwatch-repository: acme/emberwatch
      emberwatch-ref: COMMIT
"""
STEPS = """
name: behaviour
on: [push]
permissions: {}
jobs:
  behaviour:
    runs-on: ubuntu-latest
    permissions: {contents: read}
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1
        with: {persist-credentials: false}
      - id: it
        uses: acme/emberwatch/.github/actions/emberwatch@COMMIT
        with: {root: behaviour}
      - env:
          VERDICT: ${{ steps.it.outputs.verdict }}
          COMPARED: ${{ steps.it.outputs.compared }}
          REPORT: ${{ steps.it.outputs.report }}
        run: echo "said $VERDICT $COMPARED $REPORT"
"""


@pytest.fixture
def another(tmp_path):
    """Return a repository with a matrix and an experiment of its own, and nothing of emberwatch's."""
    tool = reduced(tmp_path / "tool", "scale", "scale_err").root
    lender = Repository.of(tool, tmp_path / "origin", TOOL)
    folder = tmp_path / "other" / "behaviour"
    for name in (
        "matrix.yaml",
        "schemas/experiments/scale.json",
        HALF,
        "rust/src/experiments/scale.rs",
        "baselines",
    ):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (tool / name).is_dir() else shutil.copy2
        copy(tool / name, target)
    shutil.rmtree(folder / "baselines" / "scale_err")
    (folder.parent / ".github" / "workflows").mkdir(parents=True)
    made = Repository.of(folder.parent, tmp_path / "origin")
    made.others[f"{TOOL}@{lender.git('rev-parse', 'HEAD')}"] = tool
    return made


def write_workflow(repository, text):
    """Give it one workflow."""
    (place,) = repository.others
    text = text.replace("COMMIT", place.partition("@")[2])
    (repository.root / ".github" / "workflows" / "behaviour.yml").write_text(text, "utf-8")
    repository.commit("workflow")


def test_another_repository_by_action(another):
    """One step runs and judges a matrix and experiments of its own, and hands over the verdict."""
    write_workflow(another, STEPS)

    ran = another.run("push", "behaviour.yml")

    assert ran.code == 0, ran.log
    assert "said same 14 report" in ran.log


def test_another_repository_by_workflow(another):
    """Ten lines give it plan, cells and report, with artifacts, by the reusable workflow."""
    write_workflow(another, CALLER)

    ran = another.run("push", "behaviour.yml")

    assert ran.code == 0, ran.log
    assert ran.names == CELLS | REPORTS
    assert ran.report()["counts"]["compared"] == 14
