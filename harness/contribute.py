"""Changes of cells and baselines, from the job that found them to a pull request.

The job that runs foreign code writes a patch and may push nothing; the job that pushes runs no
foreign code and takes the patch as data: it may touch nothing but cells, locks and baselines.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.engines import process
from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: What a patch may touch, as git's pathspecs and as the paths that come out of them.
PLACES = ("matrix.yaml", "baselines", "rust/locks")
_ALLOWED = re.compile(
    r"matrix\.yaml|baselines/accepted\.yaml|baselines/\w+/[\w.-]+\.json|rust/locks/[\w.-]+\.lock"
)
#: A plain file, that is no link and not to be run.
_PLAIN = "100644"
#: The most characters of a pull request's text on GitHub are 65,536.
BODY = 60_000
_AUTHOR = ("github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The pull request that is to be."""

    branch: str
    title: str
    body: str
    base: str


def bundle(root: Path) -> bytes:
    """Return what differs from HEAD in cells, locks and baselines; the index stays as it is."""
    there = [place for place in PLACES if (root / place).exists()]
    with tempfile.TemporaryDirectory() as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        _git(root, "read-tree", "HEAD", environment=index)
        _git(root, "add", "--", *there, environment=index)
        shown = ("diff", "--cached", "--binary", "--no-renames", "--relative", "HEAD", "--", *there)
        return _git(root, *shown, environment=index)


def propose(root: Path, patch: bytes, wanted: Wanted) -> str:
    """Commit a patch on a branch of its own, push it, open or update its pull request.

    Returns the pull request's address. Needs git, gh and a token in $GH_TOKEN.
    """
    prefix = _git(root, "rev-parse", "--show-prefix").decode().strip()
    check(root, patch)
    top = _top(root)
    _git(top, "switch", "--quiet", "--force-create", wanted.branch)
    where = [f"--directory={prefix}"] if prefix else []
    _git(top, "apply", "--index", *where, given=patch)
    name, address = _AUTHOR
    author = ("-c", f"user.name={name}", "-c", f"user.email={address}")
    _git(top, *author, "commit", "--quiet", "--message", wanted.title)
    # gh hands git the token from the environment, so that no command line and no file holds it
    helper = ("-c", "credential.helper=", "-c", "credential.helper=!gh auth git-credential")
    _git(top, *helper, "push", "--quiet", "--force", "origin", f"HEAD:refs/heads/{wanted.branch}")
    return _pull_request(top, wanted)


def check(root: Path, patch: bytes) -> None:
    """Refuse a patch that touches anything but cells, locks and baselines, or makes a link."""
    paths = names(root, patch)
    foreign = [path for path in paths if not _ALLOWED.fullmatch(path)]
    if not paths or foreign:
        shown = ", ".join(map(repr, foreign[:5])) or "nothing"
        raise HarnessError(
            f"the patch touches {shown}; refused",
            f"It may touch {', '.join(PLACES)}, as `patch` writes it.",
        )
    if re.search(rb"^(?:rename|copy) (?:from|to) ", patch, re.MULTILINE):
        raise HarnessError("the patch renames or copies a file; refused")
    headers = re.findall(rb"^(?:new file mode|new mode|index \S+) (\d{6})$", patch, re.MULTILINE)
    modes = {mode.decode() for mode in headers} - {_PLAIN}
    if modes:
        raise HarnessError(f"the patch makes a file of mode {', '.join(sorted(modes))}; refused")


def names(root: Path, patch: bytes) -> list[str]:
    """Return the files that a patch touches, relative to the project's folder."""
    listed = _git(_top(root), "apply", "--numstat", "-z", given=patch)
    rows = [row.split(b"\t", 2) for row in listed.split(b"\0") if row]
    return [os.fsdecode(row[-1]) for row in rows]


def _top(root: Path) -> Path:
    return Path(_git(root, "rev-parse", "--show-toplevel").decode().rstrip("\n"))


def _pull_request(top: Path, wanted: Wanted) -> str:
    shown = ("--head", wanted.branch, "--state", "open", "--json", "number,url")
    found = json.loads(_gh(top, "list", *shown))
    words = ("--title", wanted.title, "--body-file", "-")
    body = wanted.body.encode()
    if found:
        _gh(top, "edit", str(found[0]["number"]), *words, given=body)
        return str(found[0]["url"])
    ends = ("--head", wanted.branch, "--base", wanted.base)
    return _gh(top, "create", *ends, *words, given=body).decode().strip()


def _gh(top: Path, *words: str, given: bytes = b"") -> bytes:
    return process.exchange(["gh", "pr", *words], cwd=top, given=given)


def _git(
    root: Path,
    *words: str,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> bytes:
    variables = {"GIT_TERMINAL_PROMPT": "0", **(environment or {})}
    return process.exchange(["git", *words], cwd=root, given=given, environment=variables)
