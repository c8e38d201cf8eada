"""A patch of cells and baselines: what it may touch, and how it becomes a pull request."""

import json
import subprocess
import sys

import pytest

from harness import contribute
from harness.contribute import Wanted
from harness.errors import HarnessError

WANTED = Wanted(branch="emberwatch/x", title="It", body="Why\n", base="main")
BASELINE = "baselines/scale/torch-1.0.0.json"
#: A gh that writes down what it is asked, and knows the pull requests of one file.
GH = """
import json, pathlib, sys
here = pathlib.Path({folder!r})
with (here / "asked").open("a") as file:
    file.write(json.dumps([*sys.argv[1:], sys.stdin.read()]) + "\\n")
if sys.argv[1:3] == ["pr", "list"]:
    print((here / "open").read_text() if (here / "open").exists() else "[]")
elif sys.argv[1:3] == ["pr", "create"]:
    print("https://github.invalid/pull/1")
"""


def git(root, *words):
    """Run git in a folder."""
    author = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    command = ["git", "-C", str(root), *author, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(params=["", "below/it"], ids=["at the top", "in a folder"])
def project(request, tmp_path):
    """Return a project in a repository, with a bare one that it is pushed to."""
    top = tmp_path / "work"
    root = top / request.param
    for name in ("matrix.yaml", BASELINE, "rust/locks/burn-1.0.0.lock", "README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("old\n")
    git(tmp_path, "init", "--quiet", "--bare", "origin.git")
    git(tmp_path, "init", "--quiet", "--initial-branch=main", "work")
    git(top, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message", "first")
    git(top, "push", "--quiet", "origin", "main")
    return root


@pytest.fixture
def gh(tmp_path, monkeypatch):
    """Put a gh on PATH; return what it was asked so far, and a way to open a pull request."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "gh.py").write_text(GH.format(folder=str(folder)))
    (folder / "gh").write_text(f'#!/bin/sh\nexec {sys.executable} "{folder}/gh.py" "$@"\n')
    (folder / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")

    class Gh:
        def asked(self):
            lines = (folder / "asked").read_text().splitlines()
            return [json.loads(line) for line in lines]

        def open(self, number):
            url = f"https://github.invalid/pull/{number}"
            (folder / "open").write_text(json.dumps([{"number": number, "url": url}]))

    return Gh()


def changed(root):
    """Change a baseline, add one and a lock, and change what is nobody's business."""
    (root / BASELINE).write_text("new\n")
    for name in ("baselines/scale/burn-2.0.0.json", "rust/locks/burn-2.0.0.lock"):
        (root / name).write_text("added\n")
    (root / "README.md").write_text("other\n")
    return contribute.bundle(root)


def test_a_bundle_has_cells_locks_and_baselines_alone(project):
    """A patch has what changed there, new files too, and nothing else."""
    patch = changed(project)

    names = contribute.names(project, patch)
    assert names == [
        "baselines/scale/burn-2.0.0.json",
        BASELINE,
        "rust/locks/burn-2.0.0.lock",
    ]


def test_bundling_leaves_the_index_alone(project):
    """What is staged stays as it is."""
    changed(project)

    assert git(project, "diff", "--cached", "--name-only") == ""


def test_nothing_changed_is_an_empty_patch(project):
    """A run that changes nothing has nothing to propose."""
    assert contribute.bundle(project) == b""


def test_a_patch_becomes_a_pull_request(project, gh):
    """The branch holds the base and the patch, and gh is asked to open the pull request."""
    patch = changed(project)
    git(project, "reset", "--quiet", "--hard")
    git(project, "clean", "--quiet", "-fd")

    address = contribute.propose(project, patch, WANTED)

    assert address == "https://github.invalid/pull/1"
    listing, create = gh.asked()
    assert listing[:4] == ["pr", "list", "--head", "emberwatch/x"]
    assert create[:6] == ["pr", "create", "--head", "emberwatch/x", "--base", "main"]
    assert create[6:] == ["--title", "It", "--body-file", "-", "Why\n"]
    shown = git(project, "log", "--format=%an %s", "--name-only", "main..origin/emberwatch/x")
    assert shown.splitlines()[0] == "github-actions[bot] It"
    assert len(shown.splitlines()) == 2 + 3


def test_an_open_pull_request_is_updated(project, gh):
    """A second patch replaces the branch, and its pull request gets the new words."""
    patch = changed(project)
    git(project, "stash", "--quiet", "--include-untracked")
    contribute.propose(project, patch, WANTED)
    git(project, "switch", "--quiet", "main")
    gh.open(5)

    address = contribute.propose(project, patch, WANTED)

    assert address == "https://github.invalid/pull/5"
    assert gh.asked()[-1] == ["pr", "edit", "5", "--title", "It", "--body-file", "-", "Why\n"]
    assert len(git(project, "log", "--format=%h", "main..origin/emberwatch/x").split()) == 1


def patch_of(name, mode="100644", text="x"):
    """Return a patch that adds one file."""
    return (
        f"diff --git a/{name} b/{name}\nnew file mode {mode}\n--- /dev/null\n+++ b/{name}\n"
        f"@@ -0,0 +1 @@\n+{text}\n"
    ).encode()


#: It would take a file away that it does not name as its own.
RENAME = b"""diff --git a/README.md b/baselines/scale/x.json
similarity index 100%
rename from README.md
rename to baselines/scale/x.json
"""


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        (patch_of(".github/workflows/x.yml"), "touches '.github/workflows/x.yml'; refused"),
        (patch_of("harness/plan.py"), "touches 'harness/plan.py'; refused"),
        (patch_of("baselines/x/y.py"), "touches 'baselines/x/y.py'; refused"),
        (patch_of("baselines/a/b/c.json"), "touches 'baselines/a/b/c.json'; refused"),
        (patch_of("rust/locks/build.rs"), "touches 'rust/locks/build.rs'; refused"),
        (patch_of(BASELINE, "120000", "/etc/passwd"), "mode 120000; refused"),
        (patch_of(BASELINE, "100755"), "mode 100755; refused"),
        (patch_of("../x"), "touches '../x'; refused"),
        (RENAME, "renames or copies a file; refused"),
        (b"", "git failed: error: "),
        (b"no patch", "git failed: error: "),
    ],
    ids=range(11),
)
def test_a_foreign_patch_is_refused(project, gh, patch, says):
    """A patch that touches anything else, or makes a link or a program, is not applied."""
    git(project, "switch", "--quiet", "main")

    with pytest.raises(HarnessError) as caught:
        contribute.propose(project, patch, WANTED)

    assert says in caught.value.message
    assert git(project, "branch", "--show-current") == "main\n"


def test_without_gh_the_error_names_it(project, monkeypatch, tmp_path):
    """A tool that is not installed is named."""
    with pytest.raises(HarnessError, match="no-such-tool: not found on PATH"):
        contribute.process.exchange(["no-such-tool"], cwd=tmp_path)
