"""Prepares burn cells: a generated manifest, a committed lock, one binary of all halves."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock
from packaging.version import Version

from harness import documents
from harness.engines import Prepared, caches, locks, process, sources
from harness.errors import BuildError, HarnessError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from harness.engines import Progress
    from harness.engines.sources import Source
    from harness.model import Cell

RUST = Path(__file__).resolve().parent.parent.parent / "rust"
_FEATURES = {"flex": ["flex"], "ndarray": ["flex", "ndarray"]}


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
        files = sorted((self.rust / "src" / "experiments").glob("*.rs"))
        halves = [half for half in files if half.stem not in left_out]
        shared = sorted((self.rust / "src").rglob("*.rs"))
        common = [self.rust / "build.rs", *(path for path in shared if path not in files)]
        folder = caches.root() / "burn" / cell.id
        folder.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(caches.root() / "burn.lock"):
            source = sources.checked_out(cell, progress) if cell.git else None
            manifest = self._manifest(cell, source)
            if source is None:
                lock, commit, places = self.lock(cell), {}, [self.rust]
            else:
                lock = locks.completed(cell.id, folder, manifest, source.lock)
                commit, places = {"commit": source.commit}, [self.rust, source.crate]
            identity = caches.digest(
                _pathless(manifest, places), *commit.values(), lock, rustc, process.SERVER, *common
            )
            names = "\n".join(half.stem for half in halves)
            built = folder / "built" / caches.digest(identity, names, *halves)[:16]
            if not (built / "prepared.json").exists():
                documents.write(folder / "Cargo.toml", manifest)
                documents.write(folder / "Cargo.lock", lock)
                self._build(cell, built, locks.burn(lock) | commit, left_out, progress)
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

    def lock(self, cell: Cell) -> str:
        """Return the lock of a published version: the committed one, else one made for it."""
        assert cell.version is not None
        if cell.listed or (self.rust / "locks" / f"burn-{cell.version}.lock").exists():
            return committed_lock(self.rust, cell.version)
        return locks.pinned(cell.version, self._manifest(cell, None))

    def _manifest(self, cell: Cell, source: Source | None) -> str:
        pin = f'version = "={cell.version}"'
        if source is not None:
            pin = f"path = {json.dumps(str(source.crate))}"
        assert cell.backend is not None
        asked = ["std", *_FEATURES[cell.backend], "autodiff"]
        if cell.version is None or Version(cell.version) > Version("0.21.0"):
            asked.append("optim")  # before, the optimizers were always there
        pin += f", default-features = false, features = {json.dumps(asked)}"
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
upstream = {{ package = "burn", {pin} }}
serde_json = "1"

[profile.dev]
debug = 0

[workspace]
"""

    def _build(
        self,
        cell: Cell,
        built: Path,
        versions: Mapping[str, str],
        left_out: Collection[str],
        progress: Progress,
    ) -> None:
        """Build; leave out the halves that the compiler points at, and build again."""
        folder = built.parent.parent
        not_built: dict[str, str] = {}
        while True:
            build = Build(cell, self.rust, progress)
            status, errors = build.run(folder, left_out=sorted({*not_built, *left_out}))
            if status == 0:
                break
            if not build.broken:
                said = "\n".join(build.errors) or errors
                message = f"{cell.id}: cargo cannot build it: {said.strip()[-3000:]}"
                if build.errors:
                    raise BuildError(message, "rust/src/ does not fit this burn, or it is broken.")
                raise UnavailableError(
                    message,
                    "Check the connection to the crate registry, then run the same command again.",
                )
            not_built |= build.broken
        built.mkdir(parents=True, exist_ok=True)
        assert build.executable is not None
        shutil.copy2(build.executable, built / _binary_name())
        rayon = "on" if build.threads else "off"
        facts = {"backend": cell.backend, "simd": "off", "rayon": rayon, **versions}
        prepared = {"versions": facts, "not_built": not_built}
        documents.write(built / "prepared.json", documents.canonical(prepared))
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
                **locks.GIT,
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
    wrong = locks.wrong(text, version)
    if wrong:
        raise HarnessError(f"{path}: not of version {version}: {', '.join(wrong)}")
    return text


def _pathless(manifest: str, places: Iterable[Path]) -> str:
    """Return a manifest without the folders that it names: it means the same elsewhere."""
    for place in places:
        manifest = manifest.replace(json.dumps(str(place))[1:-1], "")
    return manifest


def _binary_name() -> str:
    return "emberwatch-halves.exe" if os.name == "nt" else "emberwatch-halves"
