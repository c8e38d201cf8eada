"""Git sources: what a ref means, and a commit's files in a folder."""

from __future__ import annotations

from types import SimpleNamespace

import builders
import pytest
from mini.history import History

from harness import progress
from harness.engines import sources
from harness.errors import UnavailableError

CRATE = '[package]\nname = "burn"\nversion = "0.0.0"\n'
SAY = progress.Plain()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Keep what is fetched in a folder of the test's own."""
    monkeypatch.setenv("EMBERWATCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def history(tmp_path):
    """Return a workspace of three commits; the crate burn is not the first of its crates."""
    made = History.of(tmp_path / "burn", ["first"])
    for name in ("also", "burn"):
        (made.root / "crates" / name).mkdir(parents=True)
        (made.root / "crates" / name / "Cargo.toml").write_text(CRATE.replace("burn", name))
    (made.root / "Cargo.toml").write_text('[workspace]\nmembers = ["crates/*"]\n')
    (made.root / "Cargo.lock").write_text("the repository's own\n")
    made.commit("second", "with crates")
    (made.root / "Cargo.lock").unlink()
    (made.root / "added").write_text("")
    made.commit("third", "without a lock")
    return made


def head(git, ref="HEAD"):
    """Return the moving head of burn at an address."""
    return builders.cell("burn-main", version=None, git=str(git), ref=ref)


def had(git, ref="HEAD"):
    """Return the source that a head has, and what its folder holds of the release."""
    source = sources.checked_out(head(git, ref), SAY)
    root = source.crate.parent.parent
    return SimpleNamespace(source=source, root=root, release=(root / "release").read_text())


def addresses(history):
    """Return every kind of address that one repository has."""
    bare = history.root.with_name("bare")
    history.git("clone", "-q", "--bare", str(history.root), str(bare))
    shallow = history.root.with_name("shallow")
    history.git("clone", "-q", "--depth=1", f"file://{history.root}", str(shallow))
    return [history.root, bare, shallow, f"file://{history.root}", history.root / "crates"]


def test_a_commit_comes_from_any_kind_of_repository(history):
    """A checkout, a bare or shallow repository, a folder in one, and a URL give the same files."""
    for address in addresses(history):
        seen = had(address)

        assert ("third", history.at(2)) == (seen.release, seen.source.commit), address
        assert seen.root / "crates" / "burn" == seen.source.crate


@pytest.mark.parametrize("url", [False, True])
def test_a_branch_a_tag_and_a_commit_can_be_named(history, url):
    """Whatever git calls a commit by is one, an annotated tag, too."""
    history.git("branch", "older", history.at(1))
    history.git("tag", "-a", "-m", "words", "v1", history.at(1))
    address = f"file://{history.root}" if url else history.root
    for ref in ("older", "v1", history.at(1)):
        seen = had(address, ref)

        assert ("second", history.at(1)) == (seen.release, seen.source.commit), ref


def test_the_repositorys_own_lock_is_handed_on(history):
    """A lock at the commit is its text; where there is none, it is empty."""
    assert "the repository's own\n" == had(history.root, history.at(1)).source.lock
    assert "" == had(history.root, history.at(2)).source.lock


def test_the_next_commit_touches_only_what_it_changes(history):
    """A file that two commits share keeps its time, and what the next one lacks is gone."""
    crate = had(history.root, history.at(2)).source.crate / "Cargo.toml"
    before = crate.stat().st_mtime_ns
    seen = had(history.root, history.at(1))

    assert before == crate.stat().st_mtime_ns
    assert not (seen.root / "added").exists()


@pytest.mark.parametrize("left", ["mark", "lock"])
def test_an_update_that_was_broken_off_is_made_anew(history, left):
    """What a kill left in the folder is no part of the next build."""
    seen = had(history.root)
    (seen.root / "release").write_text("half written")
    if left == "mark":
        seen.root.with_name("burn-main.commit").unlink()
    else:
        seen.root.with_name("burn-main.index.lock").write_text("")
        (seen.root / "release").write_text("third")

    assert "third" == had(history.root).release


def test_the_repository_is_only_read(history):
    """Neither the checkout's files, nor its index, nor its branch is touched."""
    (history.root / "release").write_text("uncommitted")
    before = history.git("status", "--porcelain"), (history.root / ".git" / "HEAD").read_text()
    had(history.root, history.at(1))
    after = history.git("status", "--porcelain"), (history.root / ".git" / "HEAD").read_text()

    assert before == after
    assert not list((history.root / ".git").glob("worktrees"))


def test_uncommitted_changes_are_counted(history):
    """They are no part of a commit; a bare repository has none."""
    (history.root / "release").write_text("uncommitted")
    (history.root / "new").write_text("")
    bare = history.root.with_name("bare")
    history.git("clone", "-q", "--bare", str(history.root), str(bare))

    assert 2 == sources.uncommitted(str(history.root))
    assert 0 == sources.uncommitted(str(bare))


def test_history_at_an_address_is_kept_and_brought_up_to_date(history, cache):
    """Commits that came after the first look are there at the second."""
    address = f"file://{history.root}"
    sources.with_history(address, SAY)
    newest = history.commit("fourth", "later")
    repository = sources.with_history(address, SAY)

    assert newest == repository.commit("main")
    assert cache in repository.git_dir.parents
    assert "later" == repository.describe(newest).subject
    assert [history.at(2), newest] == repository.between(history.at(1), "main")


@pytest.mark.parametrize(
    ("git", "ref", "said"),
    [
        ("{tmp}/none", "HEAD", "cannot be had"),
        ("{tmp}", "HEAD", "no git repository"),
        ("file://{tmp}/none", "HEAD", "cannot be had"),
        ("{tmp}/burn", "nonsense", "no branch, tag or commit 'nonsense'"),
        ("{tmp}/burn", "-x", "no branch, tag or commit '-x'"),
        ("{tmp}/burn", "main~2", "no crate called burn in it"),
        ("file://{tmp}/burn", "nonsense", "at nonsense cannot be had"),
    ],
)
def test_what_cannot_be_had_is_unavailable(history, tmp_path, git, ref, said):
    """The reason is said, and both ways to mend it."""
    with pytest.raises(UnavailableError) as caught:
        had(git.format(tmp=tmp_path), ref)

    assert said in caught.value.message
    if "crate" not in said:
        assert "insteadOf" in caught.value.advice
        assert "--source" in caught.value.advice
