"""The workflows as files: what linters and schemas say of them, and the project's own rules.

`nox -s workflows` runs them besides.
"""

from __future__ import annotations

import re
import subprocess

import click
import pytest
import yaml
from workflows import tools

from harness.cli import entry
from harness.jobs import MOST
from harness.project import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
ACTIONS = sorted(GITHUB.glob("actions/*/action.yml"))
FILES = [*WORKFLOWS, *ACTIONS]
JOBS = [
    (path, name) for path in WORKFLOWS for name in yaml.safe_load(path.read_text("utf-8"))["jobs"]
]
#: Verbs that start programs of a framework, or what a pull request brings.
FOREIGN = {"run", "regress", "discover", "bisect", "prepare"}


def read(path):
    """Return a YAML file; the key `on` stays a word."""
    document = yaml.safe_load(path.read_text("utf-8"))
    return {("on" if key is True else key): value for key, value in document.items()}


def steps(path):
    """Return every step of a workflow or action."""
    document = read(path)
    jobs = document.get("jobs", {"": document.get("runs")}).values()
    return [step for job in jobs for step in job.get("steps", ())]


def verbs(step):
    """Return the verbs that a step calls, each with its long options."""
    calls = re.findall(r"python -m harness ([\w-]+)([^&|\n]*)", step.get("run", ""))
    return [(verb, re.findall(r"(?<!\S)--[\w-]+", words)) for verb, words in calls]


def named(path):
    """Name a file in a test's id."""
    return str(path.relative_to(GITHUB)) if hasattr(path, "parts") else str(path)


def linted(*command, paths=FILES):
    """Return what a linter says; empty when it has nothing to say."""
    ended = subprocess.run(
        [tools.find(command[0]), *command[1:], *map(str, paths)],
        cwd=ROOT,
        env={"PATH": tools.path(), "HOME": "/nonexistent"},
        check=False,
        capture_output=True,
        text=True,
    )
    return (ended.stdout + ended.stderr) if ended.returncode else ""


# --- linters ------------------------------------------------------------------------------------


def test_actionlint_finds_nothing():
    """Syntax, expressions and types hold; shellcheck reads every script."""
    tools.find("shellcheck")

    assert linted("actionlint", "-oneline", "-shellcheck=shellcheck", paths=WORKFLOWS) == ""


def test_actionlint_finds_what_is_wrong(tmp_path):
    """The check above can fail: an unquoted variable in a script is found."""
    path = tmp_path / "x.yml"
    path.write_text(
        "on: push\njobs: {x: {runs-on: ubuntu-latest, steps: [{run: 'echo $GITHUB_REF'}]}}\n"
    )

    assert "SC2086" in linted("actionlint", "-oneline", paths=[path])


def test_zizmor_finds_nothing_at_its_strictest():
    """No finding of the persona auditor but those that a reason stands beside."""
    words = ("zizmor", "--offline", "--no-progress", "--quiet", "--persona", "auditor")

    assert linted(*words, paths=[ROOT]) == ""


def test_zizmor_finds_what_is_wrong(tmp_path):
    """The check above can fail: a tag in place of a commit is found."""
    path = tmp_path / "x.yml"
    path.write_text(WORKFLOWS[0].read_text("utf-8").split("\njobs:")[0] + UNPINNED)

    assert "unpinned-uses" in linted("zizmor", "--offline", "--persona", "auditor", paths=[path])


UNPINNED = """
jobs:
  x:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-python@v7
"""


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("custom.github-workflows-require-timeout", WORKFLOWS),
        ("vendor.github-actions", ACTIONS),
        ("vendor.dependabot", [GITHUB / "dependabot.yml"]),
    ],
)
def test_schemas_hold(schema, paths):
    """The files keep the schemas that GitHub publishes, and every job has a time limit."""
    assert linted("check-jsonschema", "--builtin-schema", schema, paths=paths) == ""


@pytest.mark.parametrize("path", [*FILES, ROOT / "zizmor.yml"], ids=lambda path: path.name)
def test_whoever_is_silenced_has_a_reason(path):
    """An ignored finding says why, in words, on the same line."""
    silenced = [
        line
        for line in path.read_text("utf-8").splitlines()
        if "zizmor: ignore" in line or "disable: true" in line
    ]

    for line in silenced:
        reason = line.rpartition("]")[2] if "ignore" in line else line.partition("#")[2]
        assert len(reason.split()) >= 4, line


# --- the project's own rules --------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_action_is_pinned(path):
    """An action of others is named by its commit, with the tag beside it; ours by its path."""
    text = path.read_text("utf-8")
    uses = re.findall(r"^\s*-?\s*uses: (.*)$", text, re.MULTILINE)

    wrong = [
        one
        for one in uses
        if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./[\w./-]+", one)
    ]
    assert (wrong, bool(uses)) == ([], True)


def test_a_tag_has_one_commit():
    """The same action is at the same commit everywhere."""
    found = {}
    for path in FILES:
        for name, pin in re.findall(r"uses: ([\w.-]+/[\w./-]+)@(.*)", path.read_text("utf-8")):
            found.setdefault(name, set()).add(pin)

    assert {name for name, pins in found.items() if len(pins) > 1} == set()


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_expression_stands_in_a_script(path):
    """What GitHub knows comes through the environment, where no shell reads it as a program."""
    assert [step["run"] for step in steps(path) if "${{" in step.get("run", "")] == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_script_is_a_verb(path):
    """There is no logic in YAML: a script calls one verb, pip or .ci/run, or copies the tool."""
    short = r"python (-m (harness|pip)|\S+lend\.py\S*) |\.ci/run$|mkdir -p observed && python -m harness "
    scripts = [" ".join(step["run"].split()) for step in steps(path) if "run" in step]

    wrong = [
        one for one in scripts if not re.match(short, one) or one.count("&&") > 1 or ";" in one
    ]
    assert wrong == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_permissions_are_given_job_by_job(path):
    """A workflow has no permission; each job has its own, and each of them a reason."""
    text = path.read_text("utf-8")
    document = read(path)

    assert document["permissions"] == {}
    assert all("permissions" in job for job in document["jobs"].values())
    granted = re.findall(r"^      [a-z-]+: (?:read|write)\b(.*)$", text, re.MULTILINE)
    assert granted
    assert all(re.match(r" # \w+", rest) for rest in granted)


@pytest.mark.parametrize(("path", "name"), JOBS, ids=named)
def test_whoever_may_write_runs_no_foreign_code(path, name):
    """A job with a permission to write calls no verb that starts a framework's program."""
    job = read(path)["jobs"][name]
    writes = "write" in job["permissions"].values()
    called = {verb for step in job.get("steps", ()) for verb, _ in verbs(step)}
    runs = {
        step["with"].get("run")
        for step in job.get("steps", ())
        if "emberwatch" in step.get("uses", "")
    }

    assert not writes or not called & FOREIGN
    assert not writes or runs <= {False}


@pytest.mark.parametrize(("path", "name"), JOBS, ids=named)
def test_every_job_has_a_limit(path, name):
    """A job has a time limit, or calls a workflow whose jobs have."""
    job = read(path)["jobs"][name]

    assert job.get("timeout-minutes", 0) > 0 or job["uses"].startswith("./")


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_token_is_left_behind(path):
    """A checkout keeps no credentials for the steps after it."""
    checkouts = [one for one in steps(path) if one.get("uses", "").startswith("actions/checkout")]

    assert [one for one in checkouts if one["with"]["persist-credentials"] is not False] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_runs_do_not_overlap(path):
    """A workflow that starts by itself says what becomes of a run in progress."""
    document = read(path)

    assert (
        set(document["on"]) == {"workflow_call"} or "cancel-in-progress" in document["concurrency"]
    )


@pytest.mark.parametrize("name", ["comment", "pages"])
def test_a_run_that_is_skipped_waits_apart(name):
    """A group keeps one waiting run, the newest: one without a job must not take its place."""
    document = read(GITHUB / f"workflows/{name}.yml")
    (guard,) = [job["if"] for job in document["jobs"].values() if "if" in job]

    looked_at = "github.event.workflow_run.event "
    assert looked_at in guard
    assert looked_at in document["concurrency"]["group"]


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_verb_and_its_options_exist(path):
    """Every verb that a script calls is one, with the options that it is given."""
    for step in steps(path):
        for verb, given in verbs(step):
            command = entry.emberwatch.commands[verb]
            known = {
                name
                for parameter in command.params
                if isinstance(parameter, click.Option)
                for name in parameter.opts
            }
            assert set(given) <= known, (verb, given)


def test_variables_of_steps_are_read():
    """Every EMBERWATCH_ variable that a step sets is one that a verb reads."""
    read_by_verbs = (ROOT / "harness/cli").glob("*.py")
    sources = "".join(path.read_text("utf-8") for path in read_by_verbs)
    given = {name for path in FILES for step in steps(path) for name in step.get("env", {})}

    assert {
        name for name in given if name.startswith("EMBERWATCH_") and name not in sources
    } == set()


def test_artifacts_are_named_by_their_job():
    """What a cell's job uploads is named by cell, system and part, so that no two collide."""
    workflow = read(GITHUB / "workflows/emberwatch.yml")
    (upload,) = [s for s in workflow["jobs"]["cell"]["steps"] if "upload" in s.get("uses", "")]

    names = ("cell", "os", "shard")
    assert upload["with"]["name"] == "-".join(
        ["observed", *(f"${{{{ matrix.{n} }}}}" for n in names)]
    )


@pytest.mark.parametrize("name", ["emberwatch", "comment", "pages"])
def test_what_is_restored_is_what_upstream_keeps(name):
    """A cache is found by the path and the beginning of the key that it was saved with."""
    (saved,) = [
        s for s in steps(GITHUB / "workflows/upstream.yml") if "cache@" in s.get("uses", "")
    ]
    found = steps(GITHUB / f"workflows/{name}.yml")
    (restored,) = [s for s in found if "cache/restore@" in s.get("uses", "")]
    given = [
        s["env"]["EMBERWATCH_WATCHED"] for s in found if "EMBERWATCH_WATCHED" in s.get("env", {})
    ]

    assert restored["with"]["path"] == saved["with"]["path"]
    assert restored["with"]["restore-keys"] == saved["with"]["restore-keys"]
    assert saved["with"]["key"].startswith(restored["with"]["restore-keys"])
    assert {one.rpartition("/")[2] for one in given} == {restored["with"]["path"]}


def test_outputs_are_those_of_all_systems():
    """Of several systems the job that reads all reports says it; of one, its report."""
    workflow = read(GITHUB / "workflows/emberwatch.yml")
    together = workflow["jobs"]["together"]

    assert set(together["outputs"]) == set(workflow["on"]["workflow_call"]["outputs"])
    for name, output in workflow["on"]["workflow_call"]["outputs"].items():
        one = "artifact" if name == "report" else name
        several = f"jobs.plan.outputs.several == 'true' && jobs.together.outputs.{name}"
        assert output["value"] == f"${{{{ {several} || jobs.report.outputs.{one} }}}}"
    assert "several == 'true'" in together["if"]


def test_one_job_writes_the_report_for_the_comment():
    """Names that say no system are written by the first one's job alone."""
    jobs = read(GITHUB / "workflows/emberwatch.yml")["jobs"]
    uploads = [s for s in jobs["report"]["steps"] if "upload-artifact" in s.get("uses", "")]
    shared = [s for s in uploads if "matrix.os" not in s["with"]["name"]]

    assert [s["with"]["name"] for s in shared] == ["emberwatch-report"]
    assert "matrix.os == fromJSON(needs.plan.outputs.systems)[0]" in shared[0]["if"]


def test_an_empty_matrix_is_guarded():
    """GitHub refuses a matrix without a job, or with more than it takes."""
    workflow = read(GITHUB / "workflows/emberwatch.yml")

    assert workflow["jobs"]["cell"]["if"] == "needs.plan.outputs.count != '0'"
    assert MOST == 256


def test_a_skipped_tool_says_how_to_get_it(monkeypatch):
    """Where a tool is not installed, the reason of the skip is a command."""
    monkeypatch.setattr(tools, "path", lambda: "")

    with pytest.raises(pytest.skip.Exception, match=r"go install github\.com/nektos/act@v"):
        tools.find("act")
