"""Lock files: which burn-* crates one holds, and one in which all of them have one version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness import documents
from harness.engines import caches, process
from harness.errors import UnavailableError

if TYPE_CHECKING:
    from pathlib import Path

_PACKAGE = re.compile(r'name = "(burn(?:-[\w-]+)?)"\nversion = "([^"]+)"')
#: The git program reads url.<mirror>.insteadOf; cargo's own client does not.
GIT = {"CARGO_NET_GIT_FETCH_WITH_CLI": "true", "GIT_TERMINAL_PROMPT": "0"}
#: So many crates may have to be pinned before it is given up.
_MOST = 200


def burn(lock: str) -> dict[str, str]:
    """Return the version of burn that a lock really holds: that of the crate with the behaviour."""
    return {"burn": dict(_PACKAGE.findall(lock))["burn-core"]}


def crates(lock: str) -> list[str]:
    """Return the burn-* crates in a lock."""
    return [name for name, _ in _PACKAGE.findall(lock)]


def wrong(lock: str, version: str) -> list[str]:
    """Return the burn-* crates, each with its version, that are not of the version."""
    return [f"{name} {found}" for name, found in _PACKAGE.findall(lock) if found != version]


def pinned(version: str, manifest: str) -> str:
    """Return a lock in which every burn-* crate has the version, made by cargo.

    Cargo takes the newest sub-crates that burn's caret dependencies allow, so that each has to be
    set back, one at a time, until none is wrong. What was found is kept in the cache.
    """
    folder = caches.root() / "locks" / f"burn-{version}-{caches.digest(manifest)[:16]}"
    kept = folder / "pinned.lock"
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    documents.write(folder / "Cargo.toml", manifest)
    (folder / "Cargo.lock").unlink(missing_ok=True)
    cargo(folder, f"burn {version}", "generate-lockfile")
    lock = (folder / "Cargo.lock").read_text(encoding="utf-8")
    given_up: set[str] = set()
    for _ in range(_MOST):
        left = [one for one in wrong(lock, version) if one not in given_up]
        if not left:
            break
        name, _, found = left[0].partition(" ")
        words = ("update", "--package", f"{name}@{found}", "--precise", version)
        try:
            cargo(folder, f"burn {version}", *words)
        except UnavailableError:  # another crate may hold it where it is, and is set back first
            given_up.add(left[0])
            continue
        given_up.clear()
        lock = (folder / "Cargo.lock").read_text(encoding="utf-8")
    if wrong(lock, version):
        raise UnavailableError(
            f"burn {version}: no lock holds every burn-* crate at it: "
            f"{', '.join(wrong(lock, version))}",
            "Such a version would test other code than it names; it cannot be a cell.",
        )
    documents.write(kept, lock)
    return lock


def completed(cell: str, folder: Path, manifest: str, seed: str) -> str:
    """Return the lock for a manifest, made in a folder, third-party crates as in the seed.

    They are then those that the commit was developed with; without a seed they are the newest.
    """
    documents.write(folder / "Cargo.toml", manifest)
    lock = folder / "Cargo.lock"
    lock.unlink(missing_ok=True)
    if seed:
        documents.write(lock, seed)
    cargo(folder, cell, *(("update", "--workspace") if seed else ("generate-lockfile",)))
    return lock.read_text(encoding="utf-8")


def cargo(folder: Path, what: str, *words: str) -> None:
    """Let cargo work on the lock in a folder; an UnavailableError holds what it said."""
    finished = process.run_tool(["cargo", *words], cwd=folder, environment=GIT)
    if finished.status:
        raise UnavailableError(
            f"{what}: cargo cannot resolve it: {finished.errors.strip()[-1500:]}",
            "Check the connection to the crate registry and to the git addresses it names; "
            "git config --global url.<mirror>.insteadOf <address> names a mirror.",
        )
