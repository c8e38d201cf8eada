"""What the package clients, uv and cargo, know of published versions."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import uv
from packaging.version import InvalidVersion, Version

from harness.engines import process
from harness.engines.torch import PYTHON
from harness.errors import UnavailableError
from harness.model import Framework

if TYPE_CHECKING:
    from collections.abc import Iterable


class Clients(Protocol):
    """Who is asked which versions of a framework there are."""

    def published(self, framework: Framework, above: str, below: str | None = None) -> list[str]:
        """Return the versions after one and before another, oldest first.

        Of torch those that uv would install here, final ones alone; of burn the pre-releases, too.
        """


class PackageClients:
    """The clients on this machine, with the registries that they are configured for."""

    def published(self, framework: Framework, above: str, below: str | None = None) -> list[str]:
        """Return the versions after one and before another, oldest first."""
        match framework:
            case Framework.TORCH:
                return torch_versions(above, below)
            case Framework.BURN:
                return between(burn_versions(), above, below)


def is_version(text: str) -> bool:
    """Is it a version that others can be compared with?"""
    with suppress(InvalidVersion):
        return bool(Version(text))
    return False


def between(versions: Iterable[str], above: str, below: str | None) -> list[str]:
    """Return the versions after one and before another, oldest first; what is none is left out."""
    found = []
    for text in versions:
        with suppress(InvalidVersion):
            version = Version(text)
            if Version(above) < version and (below is None or version < Version(below)):
                found.append((version, text))
    return [text for _, text in sorted(found)]


def torch_versions(above: str, below: str | None) -> list[str]:
    """Return torch's final versions within bounds, as uv resolves them, oldest first.

    uv has no command that lists versions, but resolves the newest one within bounds; each answer
    becomes the next bound. It is the client that installs the cells, so that what it names can be
    installed here; `pip index versions` is declared experimental and has settings of its own.
    """
    if _resolved("torch") is None:
        raise UnavailableError("uv knows no torch that fits this Python", _UV)
    found: list[str] = []
    while True:
        top = found[0] if found else below
        newest = _resolved(f"torch>{above}" + (f",<{top}" if top else ""))
        if newest is None or newest in found:
            return found
        found.insert(0, newest)


_UV = "Check the connection to the package index; UV_INDEX_URL names a mirror."


def _resolved(requirement: str) -> str | None:
    """Return the newest version of torch that uv finds for a requirement; None when there is none.

    uv ends with 1 where nothing fits, and with another status where it could not look.
    """
    words = ["--quiet", "--no-deps", "--no-header", "--no-annotate", "--prerelease=disallow"]
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder, "requirements.in")
        wanted.write_text(requirement, encoding="utf-8")
        lines: list[str] = []
        tool: list[str | Path] = [uv.find_uv_bin(), "pip", "compile", *words, "--python", PYTHON]
        tool += ["--refresh-package=torch", wanted]
        finished = process.run_tool(tool, on_line=lines.append)
    if finished.status == 1 and "network was disabled" not in finished.errors:
        return None
    if finished.status:
        raise UnavailableError(f"uv cannot look for torch: {finished.errors.strip()[-1500:]}", _UV)
    pins = [line.partition("==")[2].split()[0] for line in lines if line.startswith("torch==")]
    return Version(pins[0]).public if pins else None


def burn_versions() -> list[str]:
    """Return every published version of burn that is not yanked, from cargo's copy of the index.

    No command of cargo lists versions: `cargo info` names the newest, an error of the resolver the
    three newest. But `cargo info` brings cargo's copy of the index up to date, whose entries have
    the documented format of a registry's index, a JSON object per version; what stands around them
    is not read. The newest copy is the one just written, or just confirmed where there is one.
    """
    with tempfile.TemporaryDirectory() as folder:  # no workspace may answer in the registry's stead
        finished = process.run_tool(["cargo", "info", "--quiet", "burn"], cwd=Path(folder))
    if finished.status:
        raise UnavailableError(
            f"cargo cannot look for burn: {finished.errors.strip()[-1500:]}",
            "Check the connection to the crate registry, or cargo's source replacement.",
        )
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    copies = (home / "registry" / "index").glob("*/.cache/bu/rn/burn")
    newest = max(copies, key=lambda path: path.stat().st_mtime, default=None)
    found = versions_in(newest.read_bytes()) if newest else []
    if not found:
        raise UnavailableError(f"{home}/registry/index: cargo keeps no copy of its index there")
    return found


def versions_in(copy: bytes) -> list[str]:
    """Return the versions in cargo's copy of one crate's index entry, without the yanked ones."""
    found = []
    for part in copy.split(b"\0"):
        if not part.startswith(b"{"):
            continue
        with suppress(ValueError, KeyError):
            entry = json.loads(part)
            if not entry.get("yanked", False):
                found.append(entry["vers"])
    return found
