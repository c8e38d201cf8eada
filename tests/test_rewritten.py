"""The baselines that a branch rewrites."""

import subprocess

import builders
import pytest

from harness import rewritten
from harness.baselines import Baselines
from harness.project import Project


def git(root, *words):
    """Run git in a folder."""
    author = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", "-C", str(root), *author, *words], check=True, capture_output=True)


def accept(root, variant, seen, reason):
    """Make what a case observed its baseline."""
    project = Project(root)
    record = builders.record(variant=variant, observations={"seen": seen})
    Baselines(root / "baselines").accept(
        project.contracts["sample"], record, reason=reason, date="2026-01-01"
    )


@pytest.fixture
def root(tmp_path):
    """Return a project with one baseline on main, and a branch to work on."""
    builders.project(tmp_path)
    accept(tmp_path, "plain", False, "first")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "first")
    git(tmp_path, "switch", "--quiet", "--create", "topic")
    return tmp_path


def test_a_changed_baseline_is_listed(root):
    """What changes in it, and the reason that it was accepted with."""
    accept(root, "plain", True, "it is right")

    (one,) = rewritten.since(Project(root), "main")

    assert (one.experiment, one.variant, one.text, one.reason) == (
        "sample",
        "plain",
        "",
        "it is right",
    )
    assert [(change.observation, change.observed) for change in one.changes] == [("seen", True)]


def test_new_and_removed_baselines_are_listed(root):
    """A baseline that comes or goes is said to; committed or not is the same."""
    accept(root, "other", True, "a new variant")
    path = next((root / "baselines" / "sample").glob("*.json"))
    gone = path.with_name("burn-0.0.1.json")
    gone.write_text(path.read_text().replace(path.stem, gone.stem))
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "more")

    found = rewritten.since(Project(root), "main")
    path.unlink()
    after = rewritten.since(Project(root), "HEAD")

    assert [(one.variant, one.text, one.reason) for one in found if one.cell == path.stem] == [
        ("other", "new", "a new variant")
    ]
    assert {(one.variant, one.text) for one in after} == {
        ("plain", "removed"),
        ("other", "removed"),
    }


def test_an_unchanged_branch_lists_nothing(root):
    """What main did since is not the branch's doing."""
    git(root, "switch", "--quiet", "main")
    accept(root, "plain", True, "on main")
    git(root, "commit", "--quiet", "--all", "--message", "on main")
    git(root, "switch", "--quiet", "topic")

    assert rewritten.since(Project(root), "main") == ()


@pytest.mark.parametrize(
    ("name", "alone"),
    [
        ("docs/page.md", {"sample", "other"}),
        ("README.md", {"sample", "other"}),
        ("tests/test_x.py", {"sample", "other"}),
        ("schemas/experiments/sample.json", {"other"}),
        ("harness/experiments/sample.py", {"other"}),
        ("rust/src/experiments/other.rs", {"sample"}),
        ("baselines/other/burn-0.22.1.json", {"sample"}),
        ("harness/experiments/support.py", set()),
        ("rust/src/support/mod.rs", set()),
        ("matrix.yaml", set()),
        ("baselines/accepted.yaml", set()),
        ("harness/compare.py", set()),
    ],
)
@pytest.mark.parametrize("committed", [True, False])
def test_what_a_branch_cannot_have_changed(root, name, alone, committed):
    """An experiment is left alone where neither its own files nor what all share are touched."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("changed\n")
    if committed:
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "more")

    assert alone == rewritten.untouched(Project(root), "main", ["sample", "other"])
