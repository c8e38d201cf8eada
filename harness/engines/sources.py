"""Git sources of burn: which commit a name means, what it holds, and its files in a folder.

A commit is built from its files, as a path, and not by cargo's own git client: a shallow or partial
repository will do, nothing is written to somebody's checkout, and since the folder stays the same,
the next commit rebuilds only the crates that it changes.
"""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.engines import caches, process
from harness.errors import UnavailableError

if TYPE_CHECKING:
    from harness.engines import Progress
    from harness.model import Cell

ADVICE = """\
Either way helps where the address cannot be reached:
  git config --global url.<mirror>.insteadOf <address>   git takes the mirror instead
  --source <checkout or bare repository>                 a local one stands in for the address"""
#: Nobody is there to answer, and somebody's index is left alone.
_QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_DIR": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit, as people tell it from others."""

    id: str
    subject: str
    date: str
    author: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A commit's files in a folder of ours."""

    commit: str
    #: The folder of the crate called burn.
    crate: Path
    #: The repository's own Cargo.lock; empty when it has none.
    lock: str


class Repository:
    """A git repository on this machine, which is only read."""

    def __init__(self, git_dir: Path, address: str) -> None:
        """Take its git directory, and what to call it."""
        self.git_dir = git_dir
        self.address = address

    def commit(self, ref: str) -> str:
        """Return the commit that a branch, tag or commit means."""
        words = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"]
        status, out, _ = self._git(words)
        if status:
            raise UnavailableError(f"{self.address}: no branch, tag or commit {ref!r}", ADVICE)
        return out.strip()

    def describe(self, commit: str) -> Commit:
        """Return a commit's subject, date and author."""
        words = ["show", "--no-patch", "--format=%H%n%s%n%aI%n%an", commit]
        identifier, subject, date, author = self._need(words).splitlines()
        return Commit(id=identifier, subject=subject, date=date, author=author)

    def between(self, good: str, bad: str) -> list[str]:
        """Return the commits after `good` up to and with `bad`, along first parents, oldest first.

        Along first parents the history is one line, which a binary search needs; a merge is one
        step of it, whatever its branch held. Empty when `good` is no ancestor of `bad`.
        """
        words = ["rev-list", "--reverse", "--first-parent", "--ancestry-path", f"{good}..{bad}"]
        return self._need(words).split()

    def merge_base(self, one: str, other: str) -> str:
        """Return the newest commit that both descend from; empty when there is none."""
        return self._git(["merge-base", one, other])[1].strip()

    def check_out(self, commit: str, folder: Path) -> Source:
        """Make a folder hold a commit's files; those that are the same already stay untouched."""
        index = folder.with_name(f"{folder.name}.index")
        index.with_name(f"{index.name}.lock").unlink(missing_ok=True)  # a kill left it
        mark = folder.with_name(f"{folder.name}.commit")
        if not mark.exists():  # nothing yet, or an update was broken off
            shutil.rmtree(folder, ignore_errors=True)
            index.unlink(missing_ok=True)
        mark.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        tree = [f"--work-tree={folder}", "read-tree", "--no-sparse-checkout", "--reset", "-u"]
        self._need([*tree, commit], GIT_INDEX_FILE=str(index))
        mark.write_text(commit, encoding="utf-8")
        lock = folder / "Cargo.lock"
        return Source(
            commit=commit,
            crate=self._crate(folder, index),
            lock=lock.read_text(encoding="utf-8") if lock.exists() else "",
        )

    def _crate(self, folder: Path, index: Path) -> Path:
        words = [f"--work-tree={folder}", "ls-files", "--", "*Cargo.toml"]
        for name in self._need(words, GIT_INDEX_FILE=str(index)).splitlines():
            manifest = folder / name
            package = tomllib.loads(manifest.read_text(encoding="utf-8")).get("package", {})
            if package.get("name") == "burn":
                return manifest.parent
        raise UnavailableError(f"{self.address}: no crate called burn in it")

    def _need(self, words: list[str], **environment: str) -> str:
        status, out, errors = self._git(words, **environment)
        if status:
            raise UnavailableError(f"{self.address}: {errors.strip()[-1500:]}", ADVICE)
        return out

    def _git(self, words: list[str], **environment: str) -> tuple[int, str, str]:
        return _git([f"--git-dir={self.git_dir}", *words], **environment)


def checked_out(cell: Cell, progress: Progress) -> Source:
    """Return the files of the commit that a git cell means now.

    They lie beside the cell's manifest, never below: cargo would take them into its workspace.
    """
    assert cell.git is not None
    assert cell.ref is not None
    progress.update(f"{cell.id}: asking {cell.git} for {cell.ref}")
    folder = caches.root() / "sources" / cell.id
    local = local_repository(cell.git)
    if local is not None:
        return local.check_out(local.commit(cell.ref), folder)
    newest = _newest(cell.git, cell.ref)
    return newest.check_out(newest.commit("FETCH_HEAD"), folder)


def local_repository(address: str) -> Repository | None:
    """Return the repository in a folder, a checkout or a bare one; None for any other address."""
    folder = Path(address).expanduser()
    if "://" in address or not folder.is_dir():
        return None
    status, out, errors = _git(["-C", str(folder), "rev-parse", "--absolute-git-dir"])
    if status:
        raise UnavailableError(f"{address}: no git repository: {errors.strip()}", ADVICE)
    return Repository(Path(out.strip()), address)


def uncommitted(address: str) -> int:
    """Return how many files of a local checkout have changes that no commit holds."""
    status, out, _ = _git(["-C", str(Path(address).expanduser()), "status", "--porcelain"])
    return 0 if status else len(out.splitlines())  # a bare repository has no files


def with_history(address: str, progress: Progress) -> Repository:
    """Return a repository that knows all commits: the local one, or a copy kept in the cache.

    The copy leaves out what the files held until a commit is checked out, where the other side
    knows how (`--filter=blob:none`).
    """
    local = local_repository(address)
    if local is not None:
        return local
    progress.update(f"asking {address} for its history, a minute at first")
    folder = _folder(address, "history")
    words = ["-C", str(folder), "fetch", "--quiet", "--prune", "origin", "+refs/*:refs/*"]
    if not (folder / "HEAD").exists():
        shutil.rmtree(folder, ignore_errors=True)
        words = ["clone", "--quiet", "--bare", "--filter=blob:none", "--", address, str(folder)]
    status, _, errors = _git(words)
    if status:
        raise UnavailableError(f"{address} cannot be had: {errors.strip()[-1500:]}", ADVICE)
    return Repository(folder, address)


def _newest(address: str, ref: str) -> Repository:
    """Return a repository whose FETCH_HEAD is what a ref at an address means now."""
    folder = _folder(address, "newest")
    for words in (
        ["init", "--quiet", "--bare", str(folder)],
        ["-C", str(folder), "fetch", "--quiet", "--depth=1", "--no-tags", "--", address, ref],
    ):
        status, _, errors = _git(words)
        if status:
            said = errors.strip()[-1500:]
            raise UnavailableError(f"{address} at {ref} cannot be had: {said}", ADVICE)
    return Repository(folder, address)


def _folder(address: str, kind: str) -> Path:
    folder = caches.root() / "git" / f"{caches.digest(address)[:16]}-{kind}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder


def _git(words: list[str], **environment: str) -> tuple[int, str, str]:
    """Run git; return its exit status, stdout and stderr."""
    lines: list[str] = []
    variables = {**_QUIET, **environment}
    finished = process.run_tool(["git", *words], environment=variables, on_line=lines.append)
    return finished.status, "".join(lines), finished.errors
