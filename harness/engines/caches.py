"""Where cells are kept between runs: outside the checkout, so that a fresh clone is fast too."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from collections.abc import Iterable


def root() -> Path:
    """Return the cache folder: $EMBERWATCH_CACHE, else the user's own; it need not exist."""
    return Path(os.environ.get("EMBERWATCH_CACHE") or platformdirs.user_cache_path("emberwatch"))


def digest(*parts: str | bytes | Path) -> str:
    """Return the content hash of texts and files, in order."""
    total = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else part
        data = data.encode() if isinstance(data, str) else data
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()


def digest_of(mapping: Iterable[tuple[str, object]]) -> str:
    """Return the content hash of names and values, in order of the names."""
    return digest(*(f"{name}={value}" for name, value in sorted(mapping)))
