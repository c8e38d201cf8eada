"""Finds the tools that check and run workflows; each test that lacks one says how to get it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import platformdirs
import pytest

#: Where `.ci/run` installs them, outside of the checkout.
CACHE = Path(platformdirs.user_cache_path("emberwatch")) / "tools" / "bin"
#: What Go installs, at the version that the tests were written for.
SOURCES = {
    "actionlint": "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12",
    "act": "github.com/nektos/act@v0.2.89",
}


def path() -> str:
    """Return where tools are looked for: this environment, PATH, Go's folder, the cache."""
    places = [sysconfig.get_path("scripts"), os.environ.get("PATH", ""), *_of_go(), str(CACHE)]
    return os.pathsep.join(places)


def _of_go() -> list[str]:
    go = shutil.which("go")
    if go is None:
        return []
    told = subprocess.run([go, "env", "GOPATH"], check=False, capture_output=True, text=True)
    return [str(Path(told.stdout.strip()) / "bin")] if told.stdout.strip() else []


def find(name: str) -> str:
    """Return a tool's program; the test is skipped where it is not installed."""
    found = shutil.which(name, path=path())
    if found is None:
        pytest.skip(f"{name} is not installed: GOBIN={CACHE} go install {SOURCES[name]}")
    return found
