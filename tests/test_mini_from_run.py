"""A run in CI, judged and accepted from here: the mini project's artifacts on a fake GitHub."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from fake_github.service import FakeGitHub
from fake_github.state import REPOSITORY, zipped
from mini.checkout import BURN, TORCH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mini.checkout import Answer, Checkout

RUN = 123
REASON = ("--reason", "new")


@dataclass
class Hub:
    """A checkout in which all is accepted, and a run of a new release on a fake GitHub."""

    checkout: Checkout
    fake: FakeGitHub
    #: Artifact → its files; of ubuntu what the new release does, of macos what the old one did.
    uploads: dict[str, dict[str, bytes]]

    def upload(self, system: str, **words: bool) -> None:
        """Upload what the jobs of a system recorded."""
        for name, files in self.uploads.items():
            if f"-{system}-" in name:
                self.fake.state.artifact(RUN, name, zipped(files), **words)

    def invoke(self, verb: str, *words: str) -> Answer:
        """Run a verb on the run."""
        return self.checkout.invoke(verb, *words, "--from-run", str(RUN))

    @property
    def downloads(self) -> int:
        """Return how many artifacts were downloaded."""
        return len([call for call in self.fake.calls if call.path.startswith("/blob/")])

    @property
    def kept(self) -> set[str]:
        """Return the artifacts of the run that lie in the work folder."""
        return {path.name for path in (self.checkout.project.work / "runs").glob("*/*/*")}


@pytest.fixture(scope="module")
def uploads(
    _new_release: Checkout, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, bytes]]:
    """Record two experiments, as the jobs of two systems would: artifact → its files."""
    checkout = _new_release.copied(tmp_path_factory.mktemp("jobs"))
    alone(checkout)
    found = {}
    for system, release in (("macos", "old"), ("ubuntu", "new")):
        checkout.release(release, TORCH, BURN)
        for cell in (TORCH, BURN):
            folder = checkout.root / f"observed-{cell}-{system}-1"
            assert checkout.invoke("run", cell, "--into", str(folder)).code == 0
            files = [path for path in folder.rglob("*") if path.is_file()]
            named = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
            found[folder.name] = named
    return found


def alone(checkout: Checkout) -> None:
    """Leave two experiments: one that changes, and one that does not."""
    checkout.remove(*(set(checkout.project.contracts) - {"changed", "same"}))


@pytest.fixture
def hub(
    accepted: Checkout, uploads: dict[str, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Hub]:
    """Serve a GitHub whose run has uploaded nothing yet."""
    alone(accepted)
    with FakeGitHub() as fake:
        for name, value in (("API_URL", fake.base), ("REPOSITORY", REPOSITORY), ("TOKEN", "t")):
            monkeypatch.setenv(f"GITHUB_{name}", value)
        yield Hub(accepted, fake, uploads)
        assert fake.violations == []


def test_a_run_is_judged_as_its_folder(hub: Hub, tmp_path: Path) -> None:
    """`report --from-run` says what `report --records` says of the artifacts, in full."""
    hub.upload("ubuntu")
    hub.fake.state.artifact(RUN, "report-ubuntu", zipped({"summary.md": "x"}))
    folder = tmp_path / "by_hand"
    ours = {name: files for name, files in hub.uploads.items() if "ubuntu" in name}
    for name, files in ours.items():
        for path, content in files.items():
            (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / path).write_bytes(content)

    there = hub.invoke("report", "--json")
    here = hub.checkout.invoke("report", "--records", str(folder), "--json")

    assert (10, here.out) == (there.code, there.out)
    assert set(ours) == hub.kept


def test_a_run_is_accepted(hub: Hub) -> None:
    """`accept --from-run` makes baselines of what the run observed, and then it is the same."""
    hub.upload("ubuntu")

    answer = hub.invoke("accept", "--all", *REASON)

    assert (0, "") == (answer.code, answer.err.partition("bytes\n")[2])
    assert f"accepted {BURN}  changed / flag" in answer.out
    assert 0 == hub.invoke("report", "changed").code


def test_one_case_of_a_run_is_accepted(hub: Hub) -> None:
    """Words choose, as they do without the option; CI may accept another run."""
    hub.upload("ubuntu")

    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CI", "true")
        answer = hub.invoke("accept", "changed", "flag", BURN, *REASON)

    assert answer.out.splitlines()[0] == f"accepted {BURN}  changed / flag"
    assert answer.out.splitlines()[1].startswith("1 accepted")


def test_a_second_call_downloads_nothing(hub: Hub) -> None:
    """The artifacts of a run stay in the work folder; GitHub is asked whether they are the last."""
    hub.upload("ubuntu")

    first, second = hub.invoke("report"), hub.invoke("report")

    assert (first.code, first.out) == (second.code, second.out)
    assert 2 == hub.downloads
    assert f"run {RUN} of {REPOSITORY}: 2 artifacts" in first.err
    assert "" == second.err


def test_a_run_that_was_started_again(hub: Hub) -> None:
    """Of each name the last attempt's artifact counts, and what is kept is replaced."""
    hub.upload("ubuntu")
    assert 10 == hub.invoke("report", "changed").code
    for name, files in hub.uploads.items():
        if "macos" in name:  # what the old release does, under the same names
            hub.fake.state.artifact(RUN, name.replace("macos", "ubuntu"), zipped(files))

    assert 0 == hub.invoke("report", "changed").code
    assert 1 == len(list((hub.checkout.project.work / "runs" / str(RUN)).iterdir()))


def test_of_several_systems_the_usual_one_is_read(hub: Hub) -> None:
    """Without --system it is the first of the matrix's runners; the other is named."""
    hub.upload("macos")
    hub.upload("ubuntu")

    answer = hub.invoke("report", "changed", "--format", "md")

    assert 10 == answer.code
    assert "macos: its artifacts are passed over; --system macos reads them" in answer.err
    assert f"nox -s accept -- --from-run {RUN} --all" in answer.out


def test_the_other_system(hub: Hub) -> None:
    """`--system` chooses, for report and accept, from GitHub and from a folder."""
    hub.upload("ubuntu")
    hub.upload("macos")
    other = ("--system", "macos")

    assert 0 == hub.invoke("report", "changed", *other).code
    (folder,) = (hub.checkout.project.work / "runs" / str(RUN)).iterdir()
    assert 0 == hub.checkout.invoke("report", "changed", "--records", str(folder), *other).code
    assert "nothing to accept" in hub.invoke("accept", "--all", *other, *REASON).err


def test_how_to_accept_names_the_system(hub: Hub) -> None:
    """The report on a system that is not the usual one says how to accept that one."""
    for name, files in hub.uploads.items():
        if "ubuntu" in name:
            hub.fake.state.artifact(RUN, name.replace("ubuntu", "macos"), zipped(files))

    answer = hub.invoke("report", "changed", "--format", "md")

    assert 10 == answer.code
    assert f"nox -s accept -- --from-run {RUN} --system macos --all" in answer.out


def test_artifacts_that_expired(hub: Hub) -> None:
    """Records that GitHub no longer has are an error that says so."""
    hub.upload("ubuntu", expired=True)

    answer = hub.invoke("report")

    assert (2, 0) == (answer.code, hub.downloads)
    assert f"observed-{BURN}-ubuntu-1, observed-{TORCH}-ubuntu-1: expired" in answer.err


def test_a_run_without_artifacts(hub: Hub) -> None:
    """A run that left none is an error with the address that lists what it left."""
    answer = hub.invoke("accept", "--all", *REASON)

    assert 2 == answer.code
    assert f"run {RUN}: 0 artifacts" in answer.err
    assert f"https://github.com/{REPOSITORY}/actions/runs/{RUN}" in answer.err


def test_a_zip_that_wants_harm(hub: Hub) -> None:
    """One artifact that is refused leaves nothing of all."""
    hub.upload("ubuntu")
    hub.fake.state.artifact(RUN, f"observed-{BURN}-ubuntu-2", zipped({"../x.json": "{}"}))

    answer = hub.invoke("report")

    assert 2 == answer.code
    assert "not a name that is expected; refused as a whole" in answer.err
    assert [] == list((hub.checkout.project.work / "runs").iterdir())


@pytest.mark.parametrize(
    ("verb", "more", "words"),
    [
        ("report", ("--records", "."), "--records and --from-run: give one of them"),
        ("accept", ("--records", "."), "--records and --from-run: give one of them"),
        ("accept", ("--proposed", "."), "--proposed and --from-run: give one of them"),
        ("report", ("--system", "beos"), "--system beos: no artifact is of it"),
        ("report", ("no_such",), "no_such: no cell and no experiment"),
    ],
)
def test_what_is_refused(hub: Hub, verb: str, more: tuple[str, ...], words: str) -> None:
    """Two sources, a system or a word that is not there: exit 2, and what is wrong."""
    hub.upload("ubuntu")
    more = more if verb == "report" else (*more, "--all", *REASON)

    answer = hub.invoke(verb, *more)

    assert 2 == answer.code
    assert words in answer.err


def test_a_system_of_the_work_folder(fresh: Checkout) -> None:
    """The work folder is of this machine: there is no other system in it."""
    answer = fresh.invoke("report", "--system", "macos")

    assert 2 == answer.code
    assert "--system macos: of which run?\nGive --from-run ID" in answer.err


@pytest.mark.parametrize(
    ("gone", "command"),
    [
        (["REPOSITORY"], "export GITHUB_REPOSITORY=owner/name\n"),
        (["TOKEN"], "export GITHUB_TOKEN=$(gh auth token)\n"),
        (
            ["REPOSITORY", "TOKEN"],
            "export GITHUB_REPOSITORY=owner/name GITHUB_TOKEN=$(gh auth token)\n",
        ),
    ],
)
def test_where_github_is_not_known(
    fresh: Checkout, monkeypatch: pytest.MonkeyPatch, gone: list[str], command: str
) -> None:
    """The error names every variable that lacks, and the next command to type."""
    for name in ("REPOSITORY", "TOKEN"):
        monkeypatch.setenv(f"GITHUB_{name}", "a/b")
    for name in gone:
        monkeypatch.delenv(f"GITHUB_{name}")

    answer = fresh.invoke("report", "--from-run", "1")

    assert 2 == answer.code
    assert f"{', '.join(f'GITHUB_{name}' for name in gone)}: missing\n{command}" in answer.err
