"""Prepares burn cells: a generated manifest, a committed lock, one binary of all halves."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock
from packaging.version import Version

from harness import documents
from harness.engines import Prepared, caches, process
from harness.errors import HarnessError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from harness.engines import Progress
    from harness.model import Cell

RUST = Path(__file__).resolve().parent.parent.parent / "rust"
_FEATURES = {"flex": ["flex"], "ndarray": ["flex", "ndarray"]}
#: The git program reads url.<mirror>.insteadOf; cargo's own client does not.
_GIT = {"CARGO_NET_GIT_FETCH_WITH_CLI": "true", "GIT_TERMINAL_PROMPT": "0"}
_PACKAGE = re.compile(r'name = "(burn(?:-[\w-]+)?)"\nversion = "([^"]+)"')


class BurnEngine:
    """Builds the halves in `rust/src/experiments/` against one burn, and starts them one by one."""

    def __init__(self, rust: Path = RUST) -> None:
        """Take the crate's folder; tests give a copy with planted faults."""
        self.rust = rust

    def half(self, experiment: str) -> Path:
        """Return the file that holds the burn half."""
        return self.rust / "src" / "experiments" / f"{experiment}.rs"

    def prepare(self, cell: Cell, progress: Progress, left_out: Collection[str] = ()) -> Prepared:
        """Build the binary, or take the one that an earlier run built from the same sources."""
        rustc = process.output_of(["rustc", "-vV"])
        manifest = self._manifest(cell)
        lock = committed_lock(self.rust, cell.version) if cell.version else None
        files = sorted((self.rust / "src" / "experiments").glob("*.rs"))
        halves = [half for half in files if half.stem not in left_out]
        sources = sorted((self.rust / "src").rglob("*.rs"))
        common = [self.rust / "build.rs", *(path for path in sources if path not in files)]
        folder = caches.root() / "burn" / cell.id
        folder.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(caches.root() / "burn.lock"):
            if lock is None:
                lock = _resolve(cell, folder, manifest, progress)
            pathless = manifest.replace(json.dumps(str(self.rust))[1:-1], "")
            identity = caches.digest(pathless, lock, rustc, process.SERVER, *common)
            names = "\n".join(half.stem for half in halves)
            built = folder / "built" / caches.digest(identity, names, *halves)[:16]
            if not (built / "prepared.json").exists():
                self._build(cell, built, manifest, lock, left_out, progress)
        stamp = documents.read_json(built / "prepared.json")
        binary = built / _binary_name()
        return Prepared(
            cell=cell,
            launch=process.Launch(
                python=Path(sys.executable),
                environment={},
                argv=(str(binary),),
            ),
            identity=identity,
            versions={**stamp["versions"], "rustc": rustc.split()[1]},
            not_built=stamp["not_built"],
        )

    def _manifest(self, cell: Cell) -> str:
        if cell.version is not None:
            source = f'version = "={cell.version}"'
        else:
            kind = "rev" if re.fullmatch(r"[0-9a-f]{7,40}", cell.ref or "") else "branch"
            source = f'git = "{cell.git}", {kind} = "{cell.ref}"'
        assert cell.backend is not None
        asked = ["std", *_FEATURES[cell.backend], "autodiff"]
        if cell.version is None or Version(cell.version) > Version("0.21.0"):
            asked.append("optim")  # before, the optimizers were always there
        features = json.dumps(asked)
        default = '["ndarray"]' if cell.backend == "ndarray" else "[]"
        return f"""\
[package]
name = "emberwatch-halves"
version = "0.0.0"
edition = "2024"
publish = false
build = {json.dumps(str(self.rust / "build.rs"))}

[lib]
name = "burn"
path = {json.dumps(str(self.rust / "src" / "compat" / "lib.rs"))}

[[bin]]
name = "emberwatch-halves"
path = {json.dumps(str(self.rust / "src" / "main.rs"))}

[features]
default = {default}
ndarray = []

[dependencies]
upstream = {{ package = "burn", {source}, default-features = false, features = {features} }}
serde_json = "1"

[profile.dev]
debug = 0

[workspace]
"""

    def _build(
        self,
        cell: Cell,
        built: Path,
        manifest: str,
        lock: str,
        left_out: Collection[str],
        progress: Progress,
    ) -> None:
        """Build; leave out the halves that the compiler points at, and build again."""
        folder = built.parent.parent
        documents.write(folder / "Cargo.toml", manifest)
        documents.write(folder / "Cargo.lock", lock)
        not_built: dict[str, str] = {}
        while True:
            build = Build(cell, self.rust, progress)
            status, errors = build.run(folder, left_out=sorted({*not_built, *left_out}))
            if status == 0:
                break
            if not build.broken:
                said = "\n".join(build.errors) or errors
                raise UnavailableError(
                    f"{cell.id}: cargo cannot build it: {said.strip()[-3000:]}",
                    "Check the connection to the crate registry, then run the same command again.",
                )
            not_built |= build.broken
        built.mkdir(parents=True, exist_ok=True)
        assert build.executable is not None
        shutil.copy2(build.executable, built / _binary_name())
        rayon = "on" if build.threads else "off"
        versions = {
            "burn": _version(lock),
            "backend": cell.backend,
            "simd": "off",
            "rayon": rayon,
        }
        stamp = {"versions": versions | _commit(lock), "not_built": not_built}
        documents.write(built / "prepared.json", documents.canonical(stamp))
        for stale in sorted(folder.glob("built/*"), key=lambda p: p.stat().st_mtime)[:-4]:
            shutil.rmtree(stale, ignore_errors=True)
        left = f", {len(not_built)} not built" if not_built else ""
        progress.say(f"{cell.id}: built{left}")


class Build:
    """One run of cargo, and what its JSON diagnostics say."""

    def __init__(self, cell: Cell, rust: Path, progress: Progress) -> None:
        """Prepare to listen."""
        self.cell = cell
        self.experiments = rust / "src" / "experiments"
        self.progress = progress
        self.broken: dict[str, str] = {}
        self.errors: list[str] = []
        self.executable: str | None = None
        self.compiled = 0
        self.threads = False

    def run(self, folder: Path, left_out: list[str]) -> tuple[int, str]:
        """Run cargo in a cell's folder; return its exit status and its stderr."""
        self.progress.update(f"{self.cell.id}: building, 2 min at first")
        finished = process.run_tool(
            ["cargo", "build", "--locked", "--message-format=json"],
            cwd=folder,
            environment={
                "CARGO_TARGET_DIR": str(caches.root() / "target"),
                "EMBERWATCH_RUST": str(self.experiments.parent.parent),
                "EMBERWATCH_LEAVE_OUT": ",".join(left_out),
                **_GIT,
            },
            on_line=self._hear,
        )
        return finished.status, finished.errors

    def _hear(self, line: str) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return
        match message.get("reason"):
            case "compiler-artifact":
                self.compiled += 1
                self.threads |= message["target"]["name"] == "rayon"
                self.progress.update(f"{self.cell.id}: building", done=self.compiled)
                if message["target"]["name"] == "emberwatch-halves" and message["executable"]:
                    self.executable = message["executable"]
            case "compiler-message" if message["message"]["level"] == "error":
                self._diagnose(message["message"])

    def _diagnose(self, diagnostic: Mapping[str, Any]) -> None:
        """Note which half an error points at; the first error of a half is its reason."""
        self.errors.append(diagnostic["rendered"])
        code = (diagnostic.get("code") or {}).get("code", "")
        text = f"error[{code}]: {diagnostic['message']}" if code else diagnostic["message"]
        for span in diagnostic["spans"]:
            path = Path(span["file_name"])
            if path.parent.name == "experiments" and path.parent.parent.name == "src":
                self.broken.setdefault(path.stem, text)


def committed_lock(rust: Path, version: str) -> str:
    """Return a version's lock, in which every burn-* crate must have that version."""
    path = rust / "locks" / f"burn-{version}.lock"
    if not path.exists():
        raise HarnessError(
            f"{path}: missing: without a lock the cell would test other code than it names"
        )
    text = path.read_text(encoding="utf-8")
    wrong = [f"{name} {found}" for name, found in _PACKAGE.findall(text) if found != version]
    if wrong:
        raise HarnessError(f"{path}: not of version {version}: {', '.join(wrong)}")
    return text


def _resolve(cell: Cell, folder: Path, manifest: str, progress: Progress) -> str:
    """Return a fresh lock for a moving head, which has none committed."""
    progress.update(f"{cell.id}: asking {cell.git} for {cell.ref}")
    documents.write(folder / "Cargo.toml", manifest)
    (folder / "Cargo.lock").unlink(missing_ok=True)
    finished = process.run_tool(["cargo", "generate-lockfile"], cwd=folder, environment=_GIT)
    if finished.status:
        raise UnavailableError(
            f"{cell.id}: {cell.git} at {cell.ref} cannot be had: {finished.errors.strip()[-1500:]}",
            "Point git at a mirror: git config --global url.<mirror>.insteadOf <address>",
        )
    return (folder / "Cargo.lock").read_text(encoding="utf-8")


def _version(lock: str) -> str:
    versions: dict[str, str] = dict(_PACKAGE.findall(lock))
    return versions["burn-core"]


def _commit(lock: str) -> dict[str, str]:
    """Return the commit that a git source was resolved to, if there is one."""
    found = re.search(r'name = "burn"\n.*\nsource = "git\+[^"]*#([0-9a-f]+)"', lock)
    return {"commit": found[1]} if found else {}


def _binary_name() -> str:
    return "emberwatch-halves.exe" if os.name == "nt" else "emberwatch-halves"
