"""Runs this repository's workflows on this machine with act, from a repository made small.

Nothing comes from GitHub: actions/checkout, upload-artifact, download-artifact and
upload-pages-artifact are stand-ins that keep the services' rules; what sets tools up, caches or
deploys does nothing. The pins stay in the workflows.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from checkout import Checkout
from workflows import tools

from harness.project import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

STANDINS = Path(__file__).with_name("standins")
NAME = "acme/models"
_USES = re.compile(r"uses: *([\w.-]+/[\w./-]+@[0-9a-f]{40})")
#: What a job inherits of this machine beside PATH: caches and tools, no settings.
_KEPT = (
    "CARGO_HOME",
    "RUSTUP_HOME",
    "UV_CACHE_DIR",
    "UV_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "SSL_CERT_FILE",
)


@dataclass(frozen=True)
class Ran:
    """How a workflow ended: act's exit code, what it printed, what it left."""

    code: int
    log: str
    artifacts: Path

    def job(self, name: str) -> str:
        """Return what one job printed."""
        lines = self.log.splitlines()
        return "\n".join(line for line in lines if re.match(rf"\[[^]]*{re.escape(name)}", line))

    def ended(self) -> list[tuple[str, str]]:
        """Return how each job ended: its name, and `succeeded` or `failed`."""
        found = re.findall(r"^\[(?:[^]/]*/)*([^]]*?) *\].*🏁  Job (\w+)", self.log, re.MULTILINE)
        return [(name, how) for name, how in found]

    @property
    def names(self) -> set[str]:
        """Return the names of the artifacts."""
        return {path.name.removesuffix(".zip") for path in self.artifacts.glob("*/*.zip")}

    def files(self, artifact: str) -> dict[str, bytes]:
        """Return the files of an artifact by their names."""
        (path,) = self.artifacts.glob(f"*/{artifact}.zip")
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def read(self, artifact: str, name: str) -> str:
        """Return a file of an artifact."""
        return self.files(artifact)[name].decode()

    def site(self) -> dict[str, str]:
        """Return the pages of the artifact that GitHub Pages publishes, by their names."""
        ((name, packed),) = self.files("github-pages").items()
        assert name == "artifact.tar"
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            assert all(one.isfile() or one.isdir() for one in archive)  # Pages takes no links
            pages = [one for one in archive if one.name.endswith(".html")]
            return {
                one.name.removeprefix("./"): archive.extractfile(one).read().decode()
                for one in pages
            }

    def report(self) -> Any:
        """Return the report."""
        return json.loads(self.read("report-ubuntu", "report.json"))


@dataclass
class Repository:
    """A repository that workflows run in: a clone to work in, and the bare one it is pushed to."""

    root: Path
    origin: Path
    #: Other repositories by `owner/name@commit`, each a plain folder, that stand in for remote ones.
    others: dict[str, Path] = field(default_factory=dict)

    @classmethod
    def small(cls, folder: Path, *experiments: str) -> Repository:
        """Make a copy of this repository that has but some experiments and the pinned cells."""
        copy = reduced(folder / "work", *experiments)
        return cls.of(copy.root, folder / "origin")

    @classmethod
    def of(cls, root: Path, origins: Path, name: str = NAME) -> Repository:
        """Make a folder a repository with one commit."""
        origin = origins / f"{name}.git"
        origin.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "init", "--quiet", "--bare", str(origin)], check=True)
        made = cls(root, origin)
        made.git("init", "--quiet", "--initial-branch=main")
        made.git("remote", "add", "origin", f"https://github.com/{name}")
        made.commit("first")
        return made

    def git(self, *words: str) -> str:
        """Run git in the clone."""
        author = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        command = ["git", "-C", str(self.root), *author, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, words: str, branch: str = "main") -> str:
        """Commit all that there is to a branch, push it, and return the commit."""
        if self.git("branch", "--list", "main"):
            self.git("switch", "--quiet", "--force-create", branch)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", words)
        self.git("push", "--quiet", "--force", str(self.origin), branch)
        return self.git("rev-parse", "HEAD")

    def run(
        self,
        event: str,
        workflow: str,
        payload: Mapping[str, Any] | None = None,
        *,
        keep: bool = False,
        programs: Path | None = None,
        **environment: str,
    ) -> Ran:
        """Run one workflow as GitHub would on an event.

        `keep` leaves what an earlier run uploaded; `programs` is a folder that PATH begins with.
        """
        place = self.root.parent / "act"
        shutil.rmtree(place, ignore_errors=True)
        artifacts = self.root.parent / "artifacts"
        if not keep:
            shutil.rmtree(artifacts, ignore_errors=True)
        (place / "config" / "act").mkdir(parents=True)
        (place / "config" / "act" / "actrc").touch()
        repository = {
            "full_name": NAME,
            "name": "models",
            "owner": {"login": "acme"},
            "default_branch": "main",
        }
        (place / "event.json").write_text(json.dumps({"repository": repository, **(payload or {})}))
        given = {
            "ACT_ORIGIN": str(self.origin.parent.parent),
            "ACT_ARTIFACTS": str(artifacts),
            "EMBERWATCH_CACHE": os.environ.get("EMBERWATCH_CACHE")
            or str(tools.CACHE.parent.parent),
            "CARGO_HOME": str(Path.home() / ".cargo"),
            "RUSTUP_HOME": str(Path.home() / ".rustup"),
            "UV_CACHE_DIR": str(Path.home() / ".cache" / "uv"),
            **{name: os.environ[name] for name in _KEPT if name in os.environ},
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            **environment,
        }
        command = [tools.find("act"), event, "--workflows", f".github/workflows/{workflow}"]
        command += [
            "--eventpath",
            str(place / "event.json"),
            "--platform",
            "ubuntu-latest=-self-hosted",
        ]
        command += [
            "--action-offline-mode",
            "--pull=false",
            "--no-cache-server",
            "--no-skip-checkout",
        ]
        command += ["--secret", "GITHUB_TOKEN=not-a-token"]
        for name, value in given.items():
            command += ["--env", f"{name}={value}"]
        command += [
            f"--local-repository={uses}={where}" for uses, where in self._standins().items()
        ]
        home = {"HOME": str(place / "home"), "XDG_CACHE_HOME": str(place / "cache")}
        (place / "home").mkdir()
        places = [programs, _python(place), Path(sys.executable).parent, os.environ["PATH"]]
        searched = os.pathsep.join(str(one) for one in places if one is not None)
        ended = subprocess.run(
            command,
            cwd=self.root,
            env={"PATH": searched, "XDG_CONFIG_HOME": str(place / "config"), **home},
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=900,
        )
        (self.root.parent / f"{event}.log").write_text(ended.stdout)
        return Ran(ended.returncode, ended.stdout, artifacts)

    def _standins(self) -> dict[str, Path]:
        """Return a folder for each action that the workflows pin."""
        found = dict(self.others)
        places = (self.root / ".github", ROOT / ".github", STANDINS)
        for path in [path for place in places for path in place.glob("**/*.yml")]:
            for uses in _USES.findall(path.read_text("utf-8")):
                path_in, _, commit = uses.partition("@")
                owner, name, *_ = path_in.split("/")
                there = (STANDINS / name).is_dir()
                found.setdefault(
                    f"{owner}/{name}@{commit}", STANDINS / (name if there else "nothing")
                )
        return found


def reduced(root: Path, *experiments: str) -> Checkout:
    """Copy the repository with but some experiments, and the pinned cells."""
    copy = Checkout.make(root)
    for kind in (
        "schemas/experiments/*.json",
        "harness/experiments/*.py",
        "rust/src/experiments/*.rs",
    ):
        for path in copy.root.glob(kind):
            if path.stem not in {*experiments, "support", "__init__", "__main__"}:
                path.unlink()
    for path in (copy.root / "baselines").glob("*"):
        if path.is_dir() and path.name not in experiments:
            shutil.rmtree(path)
    copy.write("matrix.yaml", small_matrix((copy.root / "matrix.yaml").read_text("utf-8")))
    for path in copy.root.glob("baselines/*/*.json"):
        if path.stem not in copy.project.matrix.cells:
            path.unlink()
    copy.write("baselines/accepted.yaml", "[]\n")
    shutil.rmtree(copy.root / "tests")
    backend = os.environ.get("UV_TORCH_BACKEND", "")  # torch comes from where this machine has it
    for path in copy.root.glob(".github/**/*.yml"):
        text = path.read_text("utf-8")
        given = f"UV_TORCH_BACKEND: {backend}" if backend else 'UV_NO_PROGRESS: "1"'
        path.write_text(text.replace("UV_TORCH_BACKEND: cpu", given), "utf-8")
    return copy


def _python(place: Path) -> Path:
    """Return a folder with a `python` for which pip has nothing to do: all is installed already."""
    folder = place / "bin"
    folder.mkdir()
    for name in ("python", "python3"):
        program = folder / name
        words = f'[ "$1 $2" = "-m pip" ] && exit 0\nexec {sys.executable} "$@"'
        program.write_text(f"#!/bin/sh\n{words}\n")
        program.chmod(0o755)
    return folder


def small_matrix(text: str) -> str:
    """Return matrix.yaml with the pinned cells alone."""
    document = yaml.safe_load(text)
    pinned = set(document["pinned"].values())
    document["cells"] = {name: cell for name, cell in document["cells"].items() if name in pinned}
    return yaml.safe_dump(document, sort_keys=False)
