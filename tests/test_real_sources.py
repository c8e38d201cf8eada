"""A git repository of burn on this machine: built, redirected to, and searched."""

from __future__ import annotations

import json

import pytest
from checkout import Checkout
from mini.history import History

pytestmark = pytest.mark.real

MANIFEST = """\
[package]
name = "burn"
version = "0.22.1"
edition = "2024"

[features]
std = ["published/std"]
flex = ["published/flex"]
autodiff = ["published/autodiff"]
optim = ["published/optim"]

[dependencies]
published = { package = "burn", version = "=0.22.1", default-features = false }
"""
CRATE = "pub use published::*;\npub fn planted() -> bool {{\n    {}\n}}\n"
#: What the crate says commit by commit; one of them does not compile.
BODIES = ["true", "true", "false", "nonsense", "false", "false"]
HALF = """\
//! What was planted?

use crate::support::observe;

/// Asks the crate.
pub fn run(_variant: &str) {
    observe("planted", burn::planted());
}
"""
CONTRACT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "experiments/planted.json",
    "title": "What was planted?",
    "description": "Planted by a test.",
    "x-topic": "isolation",
    "x-source": [{"document": "test", "section": "test"}],
    "x-variants": {
        "default": {
            "says": "ask",
            "parity": {"rule": "same"},
            "unsupported": {"torch": "nothing was planted there"},
        }
    },
    "type": "object",
    "properties": {"planted": {"$ref": "../record.json#/$defs/flag"}},
    "required": ["planted"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a copy whose only experiment asks a crate called burn what was planted in it."""
    copy = Checkout.make(tmp_path_factory.mktemp("checkout"))
    for old in [*copy.root.glob("rust/src/experiments/*.rs"), *copy.root.glob("schemas/ex*/*")]:
        old.unlink()
    copy.write("rust/src/experiments/planted.rs", HALF)
    copy.write("schemas/experiments/planted.json", json.dumps(CONTRACT))
    return copy


@pytest.fixture(scope="module")
def history(tmp_path_factory, checkout):
    """Return a repository of a crate called burn that lends the published one, with a change."""
    made = History.of(tmp_path_factory.mktemp("history") / "burn", [])
    lock = (checkout.root / "rust" / "locks" / "burn-0.22.1.lock").read_text("utf-8")
    (made.root / "src").mkdir()
    (made.root / "Cargo.toml").write_text(MANIFEST)
    (made.root / "Cargo.lock").write_text(lock)
    for place, body in enumerate(BODIES):
        (made.root / "src" / "lib.rs").write_text(CRATE.format(body))
        made.commit(body, f"{place} says {body}")
    return made


def test_the_commit_that_changed_burn_is_found(checkout, history):
    """Commits are built one after the other; the one that does not compile is passed over."""
    ends = ["--good", history.at(0), "--bad", "main"]
    ended = checkout.run("bisect", "planted", *ends, "--source", str(history.root), "--json")
    found = json.loads(ended.stdout or "{}")

    assert 0 == ended.returncode, ended.stderr
    assert [history.at(2)] == [one["name"] for one in found["suspects"]]
    assert [(True, False)] == [(c["expected"], c["observed"]) for c in found["changes"]]
    assert "skipped: burn-main: cargo cannot build it" in ended.stderr


def test_a_source_stands_in_for_the_address(checkout, history):
    """--source takes its HEAD, --ref another commit; what is uncommitted is no part of it."""
    (history.root / "src" / "lib.rs").write_text(CRATE.format("nonsense"))
    for ref, commit, planted in ((None, history.at(5), False), ("main~4", history.at(1), True)):
        words = ["--ref", ref] if ref else []
        ended = checkout.run("run", "burn-main", "--source", str(history.root), *words)
        record = checkout.project.records.read("burn-main", "planted")["default"]

        assert 0 == ended.returncode, ended.stderr
        assert "1 file with uncommitted changes, which are not part of the run" in ended.stderr
        assert commit == record.provenance["versions"]["commit"]
        assert planted is record.observations["planted"]
    history.git("checkout", "-q", "--", ".")
