"""What another repository is lent: everything of emberwatch's but experiments, and nothing of its own taken."""

import importlib.util
import shutil
import subprocess
import sys

import pytest
from checkout import Checkout

from harness.project import ROOT

ACTION = ROOT / ".github" / "actions" / "emberwatch" / "lend.py"


@pytest.fixture(scope="module")
def lend():
    """Load the action's program."""
    spec = importlib.util.spec_from_file_location("lend", ACTION)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def theirs(tmp_path):
    """Return a folder with a matrix and one experiment."""
    for name in ("matrix.yaml", "schemas/experiments/scale.json", "harness/experiments/scale.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    return tmp_path


def test_it_plans_its_own_experiments(lend, theirs):
    """With what it is lent, the folder is a project whose only experiment is its own."""
    assert lend.main(theirs) == ""

    planned = Checkout(theirs).run("plan", "torch-2.15.0")
    assert planned.returncode == 0, planned.stderr
    assert {line.split()[0] for line in planned.stdout.splitlines()[1:]} == {"scale"}
    assert sorted(path.stem for path in (theirs / "rust/src/experiments").glob("*.rs")) == []
    assert (theirs / "rust/locks/burn-0.22.1.lock").exists()


def test_lending_twice_changes_nothing(lend, theirs):
    """A folder that has everything already is left as it is."""
    lend.main(theirs)
    (theirs / "noxfile.py").write_text("# theirs by now\n")

    assert lend.main(theirs) == ""
    assert (theirs / "noxfile.py").read_text() == "# theirs by now\n"


def test_emberwatch_itself_needs_nothing(lend):
    """The own checkout is a project already."""
    assert lend.main(ROOT) == ""


def test_nothing_of_theirs_is_overwritten(lend, theirs):
    """A file in the way is named, and nothing is lent; a lock of their own stays."""
    (theirs / "rust" / "locks").mkdir(parents=True)
    (theirs / "rust" / "locks" / "burn-0.22.1.lock").write_text("theirs")
    (theirs / "pyproject.toml").write_text("theirs")

    assert "pyproject.toml: in the way" in lend.main(theirs)
    assert not (theirs / "noxfile.py").exists()
    (theirs / "pyproject.toml").unlink()
    assert lend.main(theirs) == ""
    assert (theirs / "rust" / "locks" / "burn-0.22.1.lock").read_text() == "theirs"


def test_a_folder_without_a_matrix_is_refused(tmp_path):
    """The step fails, and says which input is wrong."""
    ended = subprocess.run(
        [sys.executable, str(ACTION), str(tmp_path)], check=False, capture_output=True, text=True
    )

    assert ended.returncode == 1
    assert "matrix.yaml: missing; `root` names the folder" in ended.stderr


def test_what_is_lent_is_tracked(lend):
    """No build, cache or environment of this checkout is lent."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    own = {str(name) for name in lend.lent(ROOT)}

    assert own - set(listed.stdout.splitlines()) == set()
