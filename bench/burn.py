"""Builds what the burn side is measured against: other mains around the same halves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from bench.checkout import cache, home
from bench.measure import say
from harness.model import Framework

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.checkout import Checkout

HERE = Path(__file__).parent


def crate(one: Checkout, name: str, body: str) -> tuple[Path, dict[str, str]]:
    """Write a crate whose main is `body`, behind the modules of the real one; built as the cell is.

    Returns its folder and the environment that cargo needs.
    """
    folder = home() / name
    folder.mkdir(parents=True, exist_ok=True)
    cell = cache() / "burn" / one.cell(Framework.BURN)
    main = folder / "main.rs"
    main.write_text(f"#![allow(dead_code)]\n{_modules(one.root / 'rust' / 'src')}\n{body}", "utf-8")
    manifest = (cell / "Cargo.toml").read_text("utf-8")
    binary = f'[[bin]]\nname = "emberwatch-{name}"\npath = "{main}"\n'
    manifest = re.sub(r"\[\[bin\]\]\n(?:[^\n]+\n)+", binary, manifest)
    (folder / "Cargo.toml").write_text(manifest, "utf-8")
    shutil.copy2(cell / "Cargo.lock", folder / "Cargo.lock")
    environment = {
        "CARGO_TARGET_DIR": str((cache() / "target").resolve()),
        "EMBERWATCH_RUST": str(one.root / "rust"),
        "EMBERWATCH_LEAVE_OUT": "",
    }
    return folder, environment


def _modules(source: Path) -> str:
    """Return the modules of the real main, wherever the other one lies; nothing else of it."""
    head, _, _ = (source / "main.rs").read_text("utf-8").partition("fn main(")

    def placed(found: re.Match[str]) -> str:
        files = (source / f"{found[1]}.rs", source / found[1] / "mod.rs")
        path = next(path for path in files if path.exists())
        return f'#[path = "{path}"]\nmod {found[1]};'

    head = re.sub(r"^(//!.*|use [^;]*;)$", "", head, flags=re.MULTILINE)
    return re.sub(r"^mod (\w+);$", placed, head, flags=re.MULTILINE)


def floor(one: Checkout) -> Path:
    """Build the one process that runs all halves, and return it."""
    folder, environment = crate(one, "floor", (HERE / "floor.rs").read_text("utf-8"))
    say("bench: building the burn floor")
    cargo(["build", "--locked", "--quiet"], folder, environment)
    return Path(environment["CARGO_TARGET_DIR"]) / "debug" / "emberwatch-floor"


def cargo(words: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
    """Run cargo; its words end the benchmark when it fails."""
    done = subprocess.run(
        ["cargo", *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"bench: cargo {words[0]} failed:\n{done.stderr[-3000:]}")
