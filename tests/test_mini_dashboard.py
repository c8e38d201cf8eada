"""The dashboard of the mini project, as the verb builds it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import browser
import pytest
from fake_github.service import FakeGitHub
from fake_github.state import REPOSITORY, zipped
from mini.checkout import BURN, HEAD, TORCH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mini.checkout import Checkout

MAIN = {"repository": REPOSITORY, "ref": "main"}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    """Serve a GitHub, and point the environment at it."""
    with FakeGitHub() as github:
        known = {"API_URL": github.base, "REPOSITORY": REPOSITORY, "TOKEN": "t"}
        for name, value in known.items():
            monkeypatch.setenv(f"GITHUB_{name}", value)
        monkeypatch.delenv("GITHUB_REF_NAME", raising=False)
        yield github
    assert github.violations == []


def built(checkout: Checkout, *words: str) -> Path:
    """Build the site and return its folder."""
    answer = checkout.invoke("dashboard", *words)
    assert answer.code == 0, answer.err
    index = checkout.root / "report" / "dashboard" / "index.html"
    assert str(index.resolve()) == answer.out.strip()
    return index.parent


def recorded(checkout: Checkout, cell: str, folder: Path) -> dict[str, bytes]:
    """Run one cell and return its artifact's files."""
    assert checkout.invoke("run", cell, "--into", str(folder)).code == 0
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_without_a_run(accepted: Checkout):
    """Committed baselines alone make a site, which says that no run is at hand."""
    checkout = accepted
    for path in ("records", "cells"):
        (checkout.project.work / path).rename(checkout.root / path)
    page = (built(checkout) / "index.html").read_text("utf-8")
    assert "no run is at hand" in page
    assert 'class="mark observed"' in page


def test_a_run_at_hand(accepted: Checkout):
    """The verdict is the last run's, and the case that differs is flagged."""
    accepted.release("new", BURN)
    report = accepted.regress("changed")
    site = built(accepted)
    assert report["exit_code"] == 10
    page = (site / "index.html").read_text("utf-8")
    assert "1 behaviour changed" in page or "behaviours changed" in page
    assert "pending" in page
    shown = (site / "experiments" / "changed.html").read_text("utf-8")
    assert "The last run differs from what is accepted" in shown


def test_parity_that_the_last_run_lost_is_flagged(accepted: Checkout):
    """Beside a parity of the baselines stands that it is gone; the review counts it as a break."""
    accepted.release("new", BURN)
    accepted.regress("changed")
    site = built(accepted)
    assert 'class="parity agree pending"' in (site / "index.html").read_text("utf-8")
    shown = (site / "review.html").read_text("utf-8")
    found = re.findall(r"<h3><span class=\"(\w+)\">(\w+)</span> \w+, parity_lost ", shown)
    assert {("break", "break")} == {*found}


def test_what_a_head_does_otherwise_leads_to_its_upgrade(accepted: Checkout):
    """What a moving head observed otherwise than its reference leads to where that is told."""
    accepted.release("new", HEAD)
    accepted.regress("changed", HEAD)
    page = browser.Parsed(built(accepted) / "experiments" / "changed.html")
    links = [link for link in page.named("href") if link.startswith("../upgrade/") and "#" in link]
    assert f"../upgrade/{BURN}..{HEAD}.html#break-changed-flag" in links


def test_another_folder_is_not_replaced(accepted: Checkout, tmp_path: Path):
    """A folder that is no dashboard is refused with what to type, and nothing in it is lost."""
    (tmp_path / "thesis.tex").write_text("years of work")
    answer = accepted.invoke("dashboard", "--into", str(tmp_path))
    assert (2, True) == (answer.code, "--into DIR" in answer.err)
    assert "years of work" == (tmp_path / "thesis.tex").read_text()


def test_a_dashboard_is_replaced_whole(accepted: Checkout):
    """What an earlier site had and this one has not is gone, and nothing is left beside it."""
    site = built(accepted)
    (site / "experiments" / "gone.html").write_text("")
    built(accepted)
    assert not (site / "experiments" / "gone.html").exists()
    assert ["dashboard"] == [path.name for path in site.parent.iterdir()]


def test_the_newest_runs_of_two_workflows(accepted: Checkout, fake: FakeGitHub, tmp_path: Path):
    """A cell is taken from the first workflow that has it, of others' branches nothing."""
    state = fake.state
    accepted.release("new", BURN, HEAD)
    files = {cell: recorded(accepted, cell, tmp_path / cell) for cell in (TORCH, BURN, HEAD)}
    state.run(1, "a", event="schedule", **MAIN)
    state.run(2, "b", event="push", **MAIN)
    state.run(3, "c", repository="fork/models", ref="main")
    state.run(4, "d", event="push", **MAIN, conclusion="cancelled")
    state.run(6, "f", event="workflow_dispatch", **MAIN)
    state.run(5, "e", event="schedule", **MAIN, workflow="upstream.yml")
    for run, cells in (
        (1, (TORCH, BURN)),
        (2, (TORCH,)),
        (6, (BURN,)),
        (3, (BURN,)),
        (5, (HEAD, BURN)),
    ):
        for cell in cells:
            state.artifact(run, f"observed-{cell}-ubuntu-1", zipped(files[cell]))
    workflows = ("regress.yml", "upstream.yml", "other.yml")
    words = [word for name in workflows for word in ("--from-workflow", name)]
    for path in ("records", "cells"):
        (accepted.project.work / path).rename(accepted.root / path)

    answer = accepted.invoke("dashboard", *words)
    assert answer.code == 0, answer.err
    assert "passed over: other.yml: no run on main has finished" in answer.err
    page = (accepted.root / "report/dashboard/index.html").read_text("utf-8")
    assert "no run is at hand" not in page
    assert {"1", "2", "5"} == {path.name for path in (accepted.project.work / "runs").iterdir()}


def test_the_heartbeat(accepted: Checkout, tmp_path: Path):
    """The overview says when the moving heads were last watched."""
    path = tmp_path / "state.json"
    watched = {
        "at": "2026-03-01T04:00:00Z",
        "build": "c" * 40,
        "version": "0.23.0",
        "tried": "2026-03-01T04:00:00Z",
        "problem": "",
        "compared": [],
    }
    path.write_text(
        json.dumps(
            {
                "day": "2026-03-01",
                "writes": 0,
                "watched": {HEAD: watched},
                "sightings": {},
                "reports": [],
            }
        )
    )
    page = (built(accepted, "--watched", str(path)) / "index.html").read_text("utf-8")
    assert "Upstream last watched: " in page
    assert f"<code>{HEAD}</code>" in page


def test_a_case_without_a_baseline(accepted: Checkout):
    """The experiment's page says which cell's last run has nothing to be held against."""
    accepted.project.baselines.path("same", BURN).unlink()
    accepted.regress("same")
    shown = (built(accepted) / "experiments" / "same.html").read_text("utf-8")
    words = shown.partition("The last run has no baseline to be held against")[2]
    assert f"<code>{BURN}</code>" in words[:80]
    assert f"{BURN} has no baseline" in shown
