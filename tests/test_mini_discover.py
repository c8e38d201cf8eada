"""The verb `discover`: new versions become cells, with entry, lock, baselines and what changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mini.checkout import BURN, TORCH

from harness.model import Framework

if TYPE_CHECKING:
    from mini.checkout import Checkout

COMMITTED = ("matrix.yaml", "baselines", "rust", "schemas")


def asked(checkout: Checkout, *words: str) -> dict[str, Any]:
    """Ask for new versions and return the answer, as JSON."""
    answer = checkout.invoke("discover", *words, "--json")
    assert answer.out, answer.err
    found: dict[str, Any] = json.loads(answer.out)
    assert found["exit_code"] == answer.code
    return found


@pytest.fixture
def newer(accepted: Checkout) -> Checkout:
    """Return a checkout for whose burn two versions came out, the second of which changed."""
    accepted.clients.versions[Framework.BURN] = ["0.9.0", "1.0.0", "1.1.0-pre.1", "1.1.0"]
    accepted.remove(*(set(accepted.project.contracts) - {"same", "changed", "aborts"}))
    accepted.engines[Framework.BURN].releases["burn-1.1.0"] = "new"
    return accepted


def test_nothing_newer_is_0(accepted: Checkout) -> None:
    """Where the clients know of nothing newer, that is said."""
    accepted.clients.versions[Framework.BURN] = ["0.9.0", "1.0.0"]
    answer = accepted.invoke("discover")

    assert 0 == answer.code
    assert "Nothing newer" in answer.out
    assert [] == accepted.started()


def test_another_platform_writes_no_cells(newer: Checkout) -> None:
    """On a platform that no baselines come from nothing is written, and nothing runs for it: exit 2."""
    newer.platform = "darwin arm64"
    before = newer.snapshot(*COMMITTED)
    answer = newer.invoke("discover", "--write")

    assert (2, [], before) == (answer.code, newer.started(), newer.snapshot(*COMMITTED))
    assert "--write: refused on macos-arm64, since baselines come from linux-x86_64" in answer.err


@pytest.mark.parametrize("framework", Framework)
def test_clients_that_cannot_be_reached_are_12(accepted: Checkout, framework: Framework) -> None:
    """What could not be asked is inconclusive, with the reason; the other framework is asked."""
    accepted.remove(*(set(accepted.project.contracts) - {"same"}))
    accepted.clients.unreachable.add(framework)
    other = {Framework.TORCH: Framework.BURN, Framework.BURN: Framework.TORCH}[framework]
    accepted.clients.versions[other] = ["1.1.0"]
    found = asked(accepted)

    assert 12 == found["exit_code"]
    assert [f"{framework}: no connection\nTry again."] == found["failures"]
    assert [f"{other}-1.1.0"] == [one["cell"] for one in found["proposals"]]


def test_a_new_version_that_cannot_be_prepared_is_12(newer: Checkout) -> None:
    """A version that does not install is no cell; those before it are proposed."""
    newer.engines[Framework.BURN].unavailable["burn-1.1.0"] = "does not build"
    found = asked(newer)

    assert 12 == found["exit_code"]
    assert ["burn-1.1.0-pre.1"] == [one["cell"] for one in found["proposals"]]


def test_new_versions_are_proposed_and_nothing_is_written(newer: Checkout) -> None:
    """Without --write the checkout stays as it is, whatever is proposed; that is 11."""
    before = newer.snapshot(*COMMITTED), (newer.root / "matrix.yaml").read_bytes()
    found = asked(newer)

    assert 11 == found["exit_code"]
    assert ["burn-1.1.0-pre.1", "burn-1.1.0"] == [one["cell"] for one in found["proposals"]]
    assert [[], []] == [one["written"] for one in found["proposals"]]
    assert before == (newer.snapshot(*COMMITTED), (newer.root / "matrix.yaml").read_bytes())


def test_each_is_held_against_the_newest_older_one(newer: Checkout) -> None:
    """The first new version against the newest cell, the second against the first."""
    first, second = asked(newer)["proposals"]

    assert (BURN, 0) == (first["older"], first["changes"])
    assert "the same. 0 differences." in first["markdown"]
    assert "burn-1.1.0-pre.1" == second["older"]
    assert second["changes"] > 10
    assert "#### changed / flag" in second["markdown"]
    assert "1.0\\-pre.1 → burn\\-1.1.0\n" in second["markdown"]


def test_what_is_written_is_a_cell_that_passes(newer: Checkout) -> None:
    """After --write the new cells run as any other, and do as their baselines say."""
    found = asked(newer, "--write")
    report = newer.regress("burn-1.1.0", "burn-1.1.0-pre.1", "--no-cache", "same", "changed")

    assert 11 == found["exit_code"]
    assert 0 == report["counts"]["break"] == report["counts"]["change"]
    assert report["counts"]["compared"] == report["counts"]["same"] > 20
    assert [] == report["new"]


def test_what_is_written_says_where_it_came_from(newer: Checkout) -> None:
    """Baselines have their reason, the lock is the engine's, what changed lies in the work folder."""
    asked(newer, "--write")
    baseline = json.loads((newer.root / "baselines" / "same" / "burn-1.1.0.json").read_text())
    lock = (newer.root / "rust" / "locks" / "burn-1.1.0.lock").read_text()
    markdown = (newer.root / ".emberwatch" / "discover" / "burn-1.1.0.md").read_text()

    assert "first run of burn-1.1.0" == baseline["variants"]["default"]["accepted"]["reason"]
    assert 'name = "burn"\nversion = "1.1.0"\n' == lock
    assert "changed / flag" in markdown


def test_a_new_cell_stands_after_the_older_one(newer: Checkout) -> None:
    """matrix.yaml keeps every line that it had."""
    before = (newer.root / "matrix.yaml").read_text()
    asked(newer, "--write")
    after = (newer.root / "matrix.yaml").read_text()
    added = """\
  burn-1.1.0-pre.1:
    framework: burn
    version: 1.1.0-pre.1
    backend: flex
    group: full
  burn-1.1.0:
    framework: burn
    version: 1.1.0
    backend: flex
    group: full
"""

    assert before == after.replace(added, "")
    assert ["torch-1.0.0", BURN, "burn-1.1.0-pre.1", "burn-1.1.0", "burn-main"] == [
        *newer.project.matrix.cells
    ]


def test_what_cannot_be_a_baseline_is_left_out_and_named(newer: Checkout) -> None:
    """A case that hangs, or breaks its contract, has no baseline made of it."""
    newer.add("hangs_too", "import time\n\n\ndef run(variant):\n    time.sleep(60)\n")
    first, _ = asked(newer, "--write")["proposals"]

    assert ["hangs_too: timed_out: no end within 2 s"] == first["left_out"]
    assert not (newer.root / "baselines" / "hangs_too").exists()


def test_one_framework_can_be_asked_alone(newer: Checkout) -> None:
    """--framework leaves the other one in peace."""
    newer.clients.versions[Framework.TORCH] = ["1.5.0"]
    (proposal,) = asked(newer, "--framework", "torch")["proposals"]

    assert ("torch-1.5.0", TORCH, "") == tuple(proposal[key] for key in ("cell", "older", "lock"))
    assert "backend" not in proposal["entry"]


def test_the_answer_can_be_read(newer: Checkout) -> None:
    """The text shows entry, lock, baselines and what changed, and the next command."""
    answer = newer.invoke("discover")

    assert 11 == answer.code
    for words in (
        "burn-1.1.0 is newer than burn-1.1.0-pre.1",
        "    version: 1.1.0\n",
        "rust/locks/burn-1.1.0.lock: 1 burn crate",
        "baselines: ",
        "#### changed / flag",
        "nox -s discover -- --write",
    ):
        assert words in answer.out
