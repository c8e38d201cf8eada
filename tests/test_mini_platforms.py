"""Another platform than baselines come from, over the whole pipeline: what is accepted, and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from mini.checkout import BURN, HEAD, TORCH

from harness.model import Framework

if TYPE_CHECKING:
    from pathlib import Path

    from mini.checkout import Checkout

MAC, WINDOWS, LINUX = "darwin arm64", "windows AMD64", "linux x86_64"
REASON = ("--reason", "its libm rounds otherwise")


@pytest.fixture(scope="module")
def differing(settled: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Run burn on a platform where a flag and a count come out otherwise."""
    checkout = settled.copied(tmp_path_factory.mktemp("differing"))
    checkout.remove_variants("changed", "flag", "count")
    checkout.platform = MAC
    checkout.release("new", BURN)
    checkout.regress("changed", BURN)
    return checkout


@pytest.fixture
def mac(differing: Checkout, tmp_path: Path) -> Checkout:
    """Copy that checkout as it stands on that platform, nothing accepted."""
    checkout = differing.copied(tmp_path)
    checkout.platform = MAC
    checkout.release("new", BURN)
    return checkout


@pytest.fixture
def accepted_mac(mac: Checkout) -> Checkout:
    """Accept what differs there."""
    answer = mac.invoke("accept", "--all", *REASON)
    assert 0 == answer.code, answer.err
    return mac


@pytest.fixture
def linux(settled: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Copy the settled checkout on the baselines' platform, beside the other one."""
    checkout = settled.copied(tmp_path_factory.mktemp("linux"))
    checkout.remove_variants("changed", "flag", "count")
    return checkout


def entries(checkout: Checkout) -> list[dict[str, Any]]:
    """Return what accepted.yaml holds."""
    path = checkout.project.accepted_path
    return list(yaml.safe_load(path.read_text()) or []) if path.exists() else []


def baselines(checkout: Checkout) -> dict[str, tuple[bytes, int]]:
    """Return every file of baselines but accepted.yaml."""
    found = checkout.snapshot("baselines")
    return {name: one for name, one in found.items() if not name.endswith(".yaml")}


def states(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the entries that hold no longer, by state and platform."""
    return [(one["state"], one["os"]) for one in report["outdated"]]


# --- accepting ------------------------------------------------------------------------------------


def test_what_differs_there_is_an_entry_and_no_baseline(mac: Checkout) -> None:
    """Accepting writes entries of that platform, says so, and touches no baseline; then it is green."""
    before = baselines(mac)
    answer = mac.invoke(
        "accept", "--all", *REASON, "--link", "https://x", "--expires", "2999-01-01"
    )

    assert (0, before) == (answer.code, baselines(mac)), answer.err
    assert f"accepted {BURN}  changed / flag  on macos-arm64" in answer.out
    assert "on macos-arm64: entries of accepted.yaml, of that alone; baselines come" in (answer.out)
    assert [("macos-arm64", "flag"), ("macos-arm64", "count")] == [
        (one["os"], one["observation"]) for one in entries(mac)
    ]
    report = mac.report("changed", BURN)
    assert (0, [], []) == (report["exit_code"], report["changes"], report["outdated"])
    assert ["macos-arm64"] * 2 == [one["os"] for one in report["accepted"]]
    known = f"accepted of {BURN} on macos-arm64: {REASON[1]}"
    assert [("known", known)] * 2 == [(one["status"], one["reason"]) for one in report["parity"]]


@pytest.mark.parametrize("form", ["terminal", "md", "html", "json", "junit"])
def test_every_form_names_the_platform(accepted_mac: Checkout, form: str) -> None:
    """An accepted line says of which platform it is, and so does one that holds no longer."""
    held = accepted_mac.invoke("report", "changed", BURN, "--format", form).out
    accepted_mac.release("old", BURN)
    accepted_mac.regress("changed", BURN)
    gone = accepted_mac.invoke("report", "changed", BURN, "--format", form).out

    assert "macos-arm64" in held
    assert "vanished" in gone
    assert form == "junit" or "macos-arm64" in gone


def test_nothing_of_another_platform_is_a_proposed_baseline(mac: Checkout) -> None:
    """What a run proposes as baselines holds no record of another platform, a new case's neither."""
    mac.project.baselines.path("changed", TORCH).unlink()
    mac.regress("changed")

    assert [] == list(mac.project.proposed.files())
    assert [BURN] == [
        one.stem for one in mac.project.proposed.folder.glob("other-platforms/*/*.json")
    ]


def test_review_writes_entries_of_the_platform(mac: Checkout) -> None:
    """`review` names the platform before it asks, and accepts by the same way."""
    before = baselines(mac)
    answer = mac.invoke("review", stdin="A\nbecause\n")

    assert f"1 of 2  {BURN}  changed / flag  on macos-arm64" in answer.out
    assert (["macos-arm64"] * 2, before) == ([one["os"] for one in entries(mac)], baselines(mac))
    assert "Nothing to review" in mac.invoke("review").out


def test_what_is_rejected_there_is_no_proposal_any_more(mac: Checkout) -> None:
    """Rejecting takes another platform's case off the proposals as well."""
    mac.invoke("review", stdin="r\nr\n")

    assert "Nothing to review" in mac.invoke("review").out


@pytest.mark.parametrize("moved", [False, True])
def test_another_platforms_proposals(mac: Checkout, linux: Checkout, *, moved: bool) -> None:
    """`--proposed` goes by what the records say, wherever the file lies and whoever accepts."""
    proposed, before = mac.project.proposed.folder, baselines(linux)
    if moved:
        (proposed / "other-platforms" / "changed").rename(proposed / "changed")
    answer = linux.invoke("accept", "--all", "--proposed", str(proposed), *REASON)

    assert (0, before) == (answer.code, baselines(linux)), answer.err
    assert ["macos-arm64"] * 2 == [one["os"] for one in entries(linux)]


def test_artifacts_of_another_platform(mac: Checkout, linux: Checkout, tmp_path: Path) -> None:
    """Judged and accepted on Linux, records stay those of the platform that they were made on."""
    folder, before = tmp_path / "all", baselines(linux)
    mac.invoke("run", "changed", BURN, "--into", str(folder / f"observed-{BURN}-macos-1"))
    records = ("--records", str(folder))
    answer = linux.invoke("accept", "--all", *REASON, *records)
    report = linux.report("changed", BURN, *records)

    assert (0, before) == (answer.code, baselines(linux)), answer.err
    assert ["macos-arm64"] * 2 == [one["os"] for one in entries(linux)]
    assert (0, 2) == (report["exit_code"], len(report["accepted"]))
    assert [["memory", "processes"]] == [cell["lacking"] for cell in report["cells"]]


@pytest.mark.parametrize("release", ["old", "new"])
def test_on_linux_such_an_entry_says_nothing(accepted_mac: Checkout, release: str) -> None:
    """Where the records come from the baselines' platform, it accepts nothing and does not alarm."""
    accepted_mac.platform = LINUX
    accepted_mac.release(release, BURN)
    accepted_mac.invoke("run", "changed", BURN, "--no-cache")
    report = accepted_mac.report("changed", BURN)

    assert ([], []) == (report["accepted"], report["outdated"])
    assert (0 if release == "old" else 10) == report["exit_code"]


def test_an_entry_that_vanished_there_alarms(accepted_mac: Checkout) -> None:
    """Where its own platform does as the baselines again, it is outdated."""
    accepted_mac.release("old", BURN)
    report = accepted_mac.regress("changed", BURN)

    assert (10, [("vanished", "macos-arm64")] * 2) == (report["exit_code"], states(report))


def test_what_is_new_there_is_accepted_on_linux_first(mac: Checkout, tmp_path: Path) -> None:
    """Without a baseline there is nothing to differ from: the report and `accept` say where to."""
    mac.project.baselines.path("changed", BURN).unlink()
    mac.release("old", BURN)  # as torch does
    told = mac.invoke("regress", "changed", BURN)
    refused = mac.invoke("accept", "--all", *REASON)
    folder = tmp_path / "all" / f"observed-{BURN}-macos-1"
    mac.invoke("run", "changed", BURN, "--into", str(folder))
    passed = mac.invoke("accept", "--all", *REASON, "--records", str(folder.parent))

    assert (11, 2, 2) == (told.code, refused.code, passed.code)
    assert f"nox -s regress -- changed {BURN}" in told.out
    assert "on linux-x86_64, and accept it there first" in told.out
    said = f"{BURN} changed flag: without a baseline, passed over: baselines come from linux-x86_64"
    assert said in passed.err
    assert not mac.project.baselines.path("changed", BURN).exists()


def test_a_platform_that_no_entry_can_name(linux: Checkout) -> None:
    """Of a platform without a word nothing is accepted: exit 2, with the words that there are."""
    linux.platform = "freebsd amd64"
    linux.release("new", BURN)
    linux.regress("changed", BURN)
    before = linux.snapshot("baselines")
    answer = linux.invoke("accept", "--all", *REASON)

    assert (2, before) == (answer.code, linux.snapshot("baselines"))
    assert "on freebsd-x86_64: no entry of accepted.yaml can name that platform" in answer.err
    assert "Allowed: linux, linux-x86_64" in answer.err


def test_a_heads_entry_of_linux_alone_is_renewed(linux: Checkout) -> None:
    """Accepting again what an entry of Linux alone accepted otherwise takes effect there."""
    linux.remove_variants("changed", "flag")
    linux.release("new", HEAD)
    linux.regress("changed", HEAD)
    linux.invoke("accept", "--all", *REASON)
    linux.edit("baselines/accepted.yaml", "observation: flag", "observation: flag\n  os: linux")
    linux.edit("baselines/accepted.yaml", "flag_flip", "became_no_op")
    before = linux.report("changed", HEAD)
    linux.invoke("accept", "--all", *REASON)
    after = linux.report("changed", HEAD)

    assert (10, [("changed", "linux")]) == (before["exit_code"], states(before))
    assert (0, []) == (after["exit_code"], states(after))
    assert ["linux-x86_64"] == [one["os"] for one in after["accepted"]]


# --- where baselines come from --------------------------------------------------------------------


@pytest.fixture
def mac_home(linux: Checkout) -> Checkout:
    """Copy the settled checkout, let its baselines come from macOS from now on, and change both."""
    path = linux.root / "matrix.yaml"
    path.write_text("baselines_from: macos-arm64\n" + path.read_text())
    linux.release("new", TORCH, BURN)
    return linux


def test_another_home_accepts_baselines(mac_home: Checkout) -> None:
    """On the platform that matrix.yaml names, accepting writes baselines and no entry."""
    mac_home.platform = MAC
    mac_home.project.baselines.path("changed", TORCH).unlink()
    mac_home.regress("changed")
    answer = mac_home.invoke("accept", "--all", *REASON)
    report = mac_home.report("changed")

    assert (0, []) == (answer.code, entries(mac_home)), answer.err
    assert "macos" not in answer.out
    assert (0, [], []) == (report["exit_code"], report["accepted"], report["changes"])
    made = mac_home.project.baselines.read("changed", TORCH)["flag"]
    assert MAC == made.provenance["machine"]["platform"]


def test_another_home_makes_linux_another_platform(mac_home: Checkout) -> None:
    """There Linux gets entries, proposals that stand apart, and no baseline; messages name macOS."""
    before = baselines(mac_home)
    mac_home.regress("changed")
    proposed = [one.parent.parent.name for one in mac_home.project.proposed.folder.rglob("*.json")]
    answer = mac_home.invoke("accept", "--all", *REASON)
    report = mac_home.report("changed")

    assert ["other-platforms"] * 2 == proposed
    assert (0, before) == (answer.code, baselines(mac_home)), answer.err
    assert ["linux-x86_64"] * 4 == [one["os"] for one in entries(mac_home)]
    assert (
        "on linux-x86_64: entries of accepted.yaml, of that alone; baselines come from macos"
        in (answer.out)
    )
    assert (0, 4) == (report["exit_code"], len(report["accepted"]))


def test_what_is_new_on_linux_is_accepted_at_another_home_first(
    mac_home: Checkout, tmp_path: Path
) -> None:
    """Report, page and `accept` of Linux say on which platform a new case gets its baseline."""
    for cell in (TORCH, BURN):
        mac_home.project.baselines.path("changed", cell).unlink()
    told = mac_home.invoke("regress", "changed")
    mac_home.invoke("dashboard", "--into", str(tmp_path / "site"))
    page = (tmp_path / "site" / "review.html").read_text()
    folder = tmp_path / "all"
    mac_home.invoke("run", "changed", BURN, "--into", str(folder / f"observed-{BURN}-ubuntu-1"))
    passed = mac_home.invoke("accept", "--all", *REASON, "--records", str(folder))

    assert (11, 2) == (told.code, passed.code)
    said = "on macos-arm64, and accept it there first: baselines come from it"
    assert said in told.out
    assert said in page
    assert "without a baseline, passed over: baselines come from macos-arm64" in passed.err
    assert not mac_home.project.baselines.path("changed", BURN).exists()


@pytest.mark.parametrize(("platform", "code"), [(MAC, 11), (LINUX, 2)])
def test_another_home_discovers(mac_home: Checkout, platform: str, code: int) -> None:
    """`discover --write` makes cells on the platform that matrix.yaml names, and refuses Linux."""
    mac_home.remove(*(set(mac_home.project.contracts) - {"same"}))
    mac_home.clients.versions[Framework.BURN] = ["1.1.0"]
    mac_home.platform = platform
    answer = mac_home.invoke("discover", "--write")

    assert code == answer.code, answer.err
    assert (code == 11) == mac_home.project.baselines.path("same", "burn-1.1.0").exists()
    refusal = "--write: refused on linux-x86_64, since baselines come from macos-arm64 alone"
    assert (code == 2) == (refusal in answer.err)


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "lacking"),
    [
        (LINUX, []),
        (MAC, ["memory", "processes"]),
        (WINDOWS, ["memory", "output", "processes"]),
    ],
)
def test_limits_that_a_system_lacks_are_said(
    linux: Checkout, platform: str, lacking: list[str]
) -> None:
    """Each cell's note and report say once what its cases ran without, and are green with it."""
    linux.platform = platform
    report = linux.regress("same")
    forms = [
        linux.invoke("report", "same", "--format", form).out for form in ("terminal", "md", "html")
    ]

    assert (0, [lacking] * 2) == (
        report["exit_code"],
        [cell["lacking"] for cell in report["cells"]],
    )
    words = f"ran without limits on {', '.join(lacking)}, which its system lacks"
    assert [2 * bool(lacking)] * 3 == [form.count(words) for form in forms]
    assert [bool(lacking)] * 2 == ["Not fully checked" in form for form in forms[1:]]


def test_of_a_cell_that_is_unavailable_no_limit_is_said(linux: Checkout) -> None:
    """A cell that did not run lacked nothing."""
    linux.platform = WINDOWS
    linux.cut_off(BURN)
    report = linux.regress("same", BURN)

    assert [(BURN, [])] == [(cell["cell"], cell["lacking"]) for cell in report["cells"]]
