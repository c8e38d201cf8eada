# /// script
# requires-python = ">=3.11"
# dependencies = ["nox[uv]>=2025.2.9", "pyyaml>=6"]
# ///
"""Every chore of emberwatch; `nox -l` lists them. Arguments go after `--`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import nox
import yaml

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv"
nox.options.reuse_existing_virtualenvs = True
nox.options.error_on_external_run = True
nox.options.sessions = ["lint", "tests"]

ROOT = Path(__file__).parent
CELLS = [
    nox.param(name, id=name, tags=[cell["framework"], cell["group"]])
    for name, cell in yaml.safe_load((ROOT / "matrix.yaml").read_text("utf-8"))["cells"].items()
]


def install(session: nox.Session, *groups: str) -> None:
    """Install the project once; an environment whose requirements are unchanged is left alone."""
    wanted = (ROOT / "pyproject.toml").read_bytes() + repr((ROOT, groups)).encode()
    stamp = Path(session.virtualenv.location) / "emberwatch.sha256"
    digest = hashlib.sha256(wanted).hexdigest()
    if stamp.exists() and stamp.read_text("utf-8") == digest:
        return
    options = [word for group in groups for word in ("--group", group)]
    session.install("--quiet", "-e", ".", *options)
    stamp.write_text(digest, "utf-8")


def verb(session: nox.Session, *words: str) -> None:
    """Run a verb with stdout and stderr kept apart, and end nox with its exit code."""
    install(session)
    python = Path(session.bin) / ("python.exe" if os.name == "nt" else "python")
    command = [python, "-m", "harness", *words, *session.posargs]
    process = subprocess.Popen(command, cwd=session.invoked_from)
    while process.returncode is None:
        with contextlib.suppress(KeyboardInterrupt):  # the verb hears Ctrl-C itself, and tidies up
            process.wait()
    if process.returncode:
        raise SystemExit(process.returncode)


@nox.session
def regress(session: nox.Session) -> None:
    """Run every selected case, compare, report. -- [cell|experiment]... [--group G]"""
    verb(session, "regress")


@nox.session(default=False)
@nox.parametrize("name", CELLS)
def cell(session: nox.Session, name: str) -> None:
    """Run and record one cell; what one job of a matrix runs. `report` judges the records."""
    verb(session, "run", name, "--keep-going")


@nox.session(default=False)
def run(session: nox.Session) -> None:
    """Run and record, without judging. -- [cell|experiment]... [--group G] [--into DIR]"""
    verb(session, "run")


@nox.session(default=False)
def report(session: nox.Session) -> None:
    """Judge what was recorded. -- [cell|experiment]... [--from-run ID] [--write DIR]"""
    verb(session, "report")


@nox.session(default=False, name="prepare")
def prepare_cells(session: nox.Session) -> None:
    """Install and build cells, and say where their programs lie. -- [cell]... [--group G]"""
    verb(session, "prepare")


@nox.session(default=False)
def plan(session: nox.Session) -> None:
    """Show what a run would do. -- [cell|experiment]... [--group G] [--json]"""
    verb(session, "plan")


@nox.session(default=False)
def accept(session: nox.Session) -> None:
    """Make what was observed the baseline. -- experiment [variant] [cell] --reason "…" | --all"""
    verb(session, "accept")


@nox.session(default=False)
def review(session: nox.Session) -> None:
    """Go through the differences one by one: accept, reject, skip, info, all."""
    verb(session, "review")


@nox.session(default=False)
def new(session: nox.Session) -> None:
    """Stub a complete experiment that runs at once. -- id [--question "…?"]"""
    verb(session, "new")


@nox.session(default=False)
def bisect(session: nox.Session) -> None:
    """Find the first bad version or commit. -- experiment [variant] --good END --bad END"""
    verb(session, "bisect")


@nox.session(default=False)
def discover(session: nox.Session) -> None:
    """Ask for newer versions, run them, propose them as cells. -- [--framework F] [--write]"""
    verb(session, "discover")


@nox.session(default=False)
def diff(session: nox.Session) -> None:
    """Say what behaves otherwise in another version. -- old new [experiment]... [--format md]"""
    verb(session, "diff")


@nox.session(default=False)
def history(session: nox.Session) -> None:
    """Say since which version a value holds. -- [experiment [variant]] [--observation X]"""
    verb(session, "history")


@nox.session(default=False)
def dashboard(session: nox.Session) -> None:
    """Build a site of what every version does. -- [--open] [--into DIR] [--records DIR]"""
    verb(session, "dashboard")


@nox.session(default=False)
def comment(session: nox.Session) -> None:
    """Post or update a pull request's comment. -- --report FILE --pull-request N | --run ID"""
    verb(session, "comment")


@nox.session(default=False)
def upstream(session: nox.Session) -> None:
    """Keep issues on what moving heads do otherwise. -- --report FILE --state FILE [--dry-run]"""
    verb(session, "upstream")


@nox.session
def tests(session: nox.Session) -> None:
    """Run every test, with the real torch and burn. -- [pytest arguments]"""
    install(session, "tests")
    session.run("pytest", *session.posargs)


@nox.session(default=False)
def workflows(session: nox.Session) -> None:
    """Check the workflows, and run them on this machine with act. -- [pytest arguments]"""
    install(session, "tests")
    parts = ("tests/test_workflows.py", "tests/workflows/scenarios.py")
    session.run("pytest", *parts, *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types, layers, schemas and the Rust crate; changes nothing."""
    install(session, "lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("lint-imports", "--no-cache")
    schemas = [*ROOT.glob("schemas/*.json"), *ROOT.glob("schemas/experiments/*.json")]
    session.run("check-jsonschema", "--check-metaschema", *map(str, sorted(schemas)))
    cells = session.run("python", "-m", "harness", "prepare", "--json", silent=True, stderr=None)
    found = {cell["framework"]: cell for cell in json.loads(str(cells))}
    other_pythons = r"harness/(experiments/|engines/server\.py)|bench/floor_torch\.py"
    session.run("mypy", "harness", "bench", "--exclude", other_pythons)
    torch = found["torch"]["program"]
    session.run("mypy", "--python-executable", torch, "harness/experiments")
    target = {"CARGO_TARGET_DIR": str(Path(found["burn"]["cache"]) / "target")}
    halves = sorted(map(str, ROOT.glob("rust/src/experiments/*.rs")))
    session.chdir(ROOT / "rust")
    session.run("cargo", "fmt", "--check", external=True)
    session.run("rustfmt", "--check", "--edition", "2024", *halves, external=True)
    clippy = ("cargo", "clippy", "--locked", "--quiet", "--", "-D", "warnings")
    session.run(*clippy, env=target, external=True)


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Measure emberwatch beside its floor and its peers; prints ratios. -- [part]..."""
    install(session, "bench")
    session.run("python", "-m", "bench", *session.posargs)


@nox.session(default=False)
def acceptance(session: nox.Session) -> None:
    """Run every released version, and look for what upstream really changed. -- [--write]"""
    install(session)
    session.run("python", "-m", "harness", "run", "--group", "full", "--keep-going")
    session.run("python", "-m", "acceptance.proof", *session.posargs, env={"PYTHONPATH": "tests"})


@nox.session(default=False)
def noise(session: nox.Session) -> None:
    """Measure how far numbers wander with instruction set and threads. -- [--repeat N] [--write]"""
    install(session)
    session.run("python", "-m", "bench.noise", *session.posargs)


if __name__ == "__main__":
    sys.exit(nox.main())
