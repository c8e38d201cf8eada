"""Lock files: which burn-* crates one holds, and one in which all of them have one version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness import documents
from harness.engines import caches, process
from harness.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_PACKAGE = re.compile(r'name = "(burn(?:-[\w-]+)?)"\nversion = "([^"]+)"')
#: The git program reads url.<mirror>.insteadOf; cargo's own client does not.
GIT = {"CARGO_NET_GIT_FETCH_WITH_CLI": "true", "GIT_TERMINAL_PROMPT": "0"}


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

    Cargo takes the newest sub-crates that burn's caret dependencies allow. So it first resolves
    once more with each of them asked for exactly, and the lock of that is the seed: three runs of
    cargo, where `cargo update --precise` takes one for each of some thirty crates. What was found
    is kept in the cache.
    """
    folder = caches.root() / "locks" / f"burn-{version}-{caches.digest(manifest)[:16]}"
    kept = folder / "pinned.lock"
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    what = f"burn {version}"
    lock, asked = completed(what, folder, manifest, ""), set[str]()
    while wrong(lock, version) and not asked >= set(crates(lock)):
        asked |= set(crates(lock))  # a sub-crate that is set back can bring in others
        exact = completed(what, folder, _asking(manifest, asked, version), "")
        lock = completed(what, folder, manifest, exact)
    if wrong(lock, version):
        raise UnavailableError(
            f"{what}: no lock holds every burn-* crate at it: {', '.join(wrong(lock, version))}",
            "Such a version would test other code than it names; it cannot be a cell.",
        )
    documents.write(kept, lock)
    return lock


def _asking(manifest: str, names: Iterable[str], version: str) -> str:
    """Return a manifest that asks for burn's sub-crates, too, each at exactly the version."""
    pin = f'{{ version = "={version}", default-features = false }}'
    lines = "".join(f"{name} = {pin}\n" for name in sorted(names) if name != "burn")
    return manifest.replace("[dependencies]\n", f"[dependencies]\n{lines}", 1)


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
