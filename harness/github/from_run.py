"""The cell artifacts that another workflow run uploaded, brought here."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from harness import systems
from harness.errors import HarnessError
from harness.github.unpack import Limits, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from harness.github.client import Client
    from harness.github.resources import Artifact

_MIB = 1 << 20
LIMITS = Limits(archive=64 * _MIB, files=5_000, file=64 * _MIB, total=512 * _MIB, ratio=200)
#: So many artifacts a run may have; GitHub's own limit of jobs is below.
_MOST = 256
_NAME = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9._+-]*/){0,4}[A-Za-z0-9][A-Za-z0-9._+-]*\.jsonl?")


def download(client: Client, run: int, into: Path, say: Callable[[str], object]) -> Path:
    """Unpack a run's cell artifacts, each into a folder of its name; return the folder of these.

    It is `<run>/<id of what was uploaded last>` below `into`, and whole: it is taken as it is where
    it is there already, and replaced once the run, started again, uploads anew. Only JSON files
    come out; a HarnessError says which artifact is refused, and nothing is left.
    """
    found = [one for one in client.artifacts(run) if systems.origin(one.name)]
    page = f"{client.place.server}/{client.place.repository}/actions/runs/{run}"
    if not found or len(found) > _MOST:
        raise HarnessError(
            f"run {run}: {len(found)} artifacts are named {systems.PREFIX}<cell>-<system>-<shard>",
            f"{page} lists what there is.",
        )
    whole = into / str(run) / str(max(one.id for one in found))
    if whole.is_dir():
        return whole
    _check(run, found)
    size = sum(one.size for one in found)
    say(f"run {run} of {client.place.repository}: {len(found)} artifacts, {size:,} bytes")
    part = into / ".part"
    shutil.rmtree(part, ignore_errors=True)  # what a kill left
    try:
        _unpack(client, run, found, part)
        shutil.rmtree(whole.parent, ignore_errors=True)
        whole.parent.mkdir()
        (part / "whole").replace(whole)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return whole


def _check(run: int, found: Sequence[Artifact]) -> None:
    """Refuse what GitHub says it has no more of, or too much."""
    gone = sorted(one.name for one in found if one.expired)
    if gone:
        raise HarnessError(
            f"run {run}: {', '.join(gone)}: expired", "Start the workflow again: new records."
        )
    heavy = [one for one in found if one.size > LIMITS.archive]
    if heavy or sum(one.size for one in found) > LIMITS.total:
        raise HarnessError(f"run {run}: its artifacts have more bytes than records can have")


def _unpack(client: Client, run: int, found: Sequence[Artifact], part: Path) -> None:
    left = LIMITS.total
    for one in found:
        folder, archive = part / "whole" / one.name, part / "artifact.zip"
        folder.mkdir(parents=True)
        client.download(one, archive, LIMITS.archive)
        files = unpack(archive, folder, LIMITS, lambda name: bool(_NAME.fullmatch(name)))
        left -= sum(path.stat().st_size for path in files)
        if left < 0:
            raise HarnessError(f"run {run}: its artifacts unpack to more than records can have")
