"""The records that another workflow run uploaded, brought here."""

from __future__ import annotations

import re
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.github.failures import printable
from harness.github.unpack import Limits, unpack

if TYPE_CHECKING:
    from harness.github.client import Client

#: The artifacts that hold records.
PATTERN = "observed-*"
_MIB = 1 << 20
LIMITS = Limits(archive=64 * _MIB, files=5_000, file=64 * _MIB, total=512 * _MIB, ratio=200)
#: So many artifacts a run may have; GitHub's own limit of jobs is below.
_MOST = 256
_NAME = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9._+-]*/){0,4}[A-Za-z0-9][A-Za-z0-9._+-]*\.jsonl?")


def download(client: Client, run: int, into: Path, pattern: str = PATTERN) -> Path:
    """Unpack a run's artifacts whose names match into one folder, and return it.

    Only JSON files come out; a HarnessError says which artifact is refused, and nothing is left.
    """
    found = [one for one in client.artifacts(run) if fnmatchcase(one.name, pattern)]
    gone = sorted(printable(one.name) for one in found if one.expired)
    if gone:
        raise HarnessError(
            f"run {run}: {', '.join(gone)}: expired", "Start the workflow again: new records."
        )
    if not found or len(found) > _MOST:
        raise HarnessError(
            f"run {run}: {len(found)} artifacts match {pattern}",
            f"https://github.com/{client.place.repository}/actions/runs/{run} lists them.",
        )
    heavy = [one for one in found if one.size > LIMITS.archive]
    if heavy or sum(one.size for one in found) > LIMITS.total:
        raise HarnessError(f"run {run}: its artifacts have more bytes than records can have")
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into, prefix=".part-") as folder:
        whole = Path(folder) / "whole"
        left = LIMITS.total
        for number, one in enumerate(found):
            archive = Path(folder) / f"{number}.zip"
            client.download(one, archive, LIMITS.archive)
            files = unpack(archive, whole, LIMITS, lambda name: bool(_NAME.fullmatch(name)))
            archive.unlink()
            left -= sum(path.stat().st_size for path in files)
            if left < 0:
                raise HarnessError(f"run {run}: its artifacts unpack to more than records can have")
        for path in sorted(whole.iterdir()):
            path.replace(into / path.name)
    return into
