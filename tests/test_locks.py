"""Lock files in which every burn-* crate has one version."""

from __future__ import annotations

import pytest

from harness.engines import locks
from harness.engines.burn import RUST, BurnEngine, committed_lock
from harness.errors import HarnessError, UnavailableError
from harness.model import Cell, Framework, Group

LOCK = """\
[[package]]
name = "burn"
version = "0.22.0"

[[package]]
name = "burn-core"
version = "0.22.1"

[[package]]
name = "burning"
version = "9.9.9"
"""
MANIFEST = """\
[package]
name = "sample"
version = "0.0.0"
edition = "2024"

[lib]
path = "lib.rs"

[dependencies]
"""


def test_a_crate_of_another_version_is_wrong():
    """Every burn-* crate counts, and no other."""
    assert ["burn-core 0.22.1"] == locks.wrong(LOCK, "0.22.0")
    assert ["burn 0.22.0"] == locks.wrong(LOCK, "0.22.1")


def test_the_version_is_that_of_the_crate_with_the_behaviour():
    """What burn re-exports is burn-core."""
    assert {"burn": "0.22.1"} == locks.burn(LOCK)
    assert ["burn", "burn-core"] == locks.crates(LOCK)


def test_a_cell_of_the_matrix_needs_its_committed_lock(tmp_path):
    """A listed cell without one is refused: it would not be the same code on the next machine."""
    cell = Cell(id="burn-9.9.9", framework=Framework.BURN, group=Group.FULL, version="9.9.9")

    with pytest.raises(HarnessError, match=r"burn-9\.9\.9\.lock: missing"):
        BurnEngine(tmp_path).lock(cell)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Keep what cargo resolves in a folder of the test's own."""
    monkeypatch.setenv("EMBERWATCH_CACHE", str(tmp_path / "cache"))


@pytest.mark.real
def test_cargo_pins_every_crate(cache):
    """A version whose carets let in a newer one gets a lock that holds it alone."""
    cell = Cell(
        id="burn-0.22.0",
        framework=Framework.BURN,
        group=Group.FULL,
        version="0.22.0",
        backend="flex",
        listed=False,
    )
    lock = locks.pinned("0.22.0", BurnEngine()._manifest(cell, None))

    assert [] == locks.wrong(lock, "0.22.0")
    assert set(locks.crates(committed_lock(RUST, "0.22.0"))) == set(locks.crates(lock))


@pytest.mark.real
def test_a_version_that_does_not_exist_has_no_lock(cache):
    """Cargo's own words say so."""
    with pytest.raises(UnavailableError, match="failed to select a version"):
        locks.pinned("99.0.0", f'{MANIFEST}burn = "=99.0.0"\n')


@pytest.mark.real
def test_a_seed_decides_third_party_crates(tmp_path):
    """What the seed holds stays, though a newer one would do; what it lacks is added."""
    seed = '[[package]]\nname = "itoa"\nversion = "1.0.9"\nsource = "{}"\nchecksum = "{}"\n'
    seed = "version = 3\n\n" + seed.format(
        "registry+https://github.com/rust-lang/crates.io-index",
        "af150ab688ff2122fcef229be89cb50dd66af9e01a4ff320cc137eecc9bacc38",
    )
    manifest = f'{MANIFEST}itoa = "1"\nryu = "1"\n[workspace]\n'
    (tmp_path / "lib.rs").write_text("")
    seeded = locks.completed("burn-main", tmp_path, manifest, seed)
    fresh = locks.completed("burn-main", tmp_path, manifest, "")

    assert 'name = "itoa"\nversion = "1.0.9"' in seeded
    assert 'name = "itoa"\nversion = "1.0.9"' not in fresh
    assert all('name = "ryu"' in lock for lock in (seeded, fresh))
