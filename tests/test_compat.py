"""What the burn halves keep to so that old versions can be lent their spelling."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HALVES = sorted((ROOT / "rust/src").glob("[es]*/*.rs"))

#: What an old version cannot be lent, and how a half says it instead.
NOT_LENT = {
    r"^#\[derive\(Module": "burn::modules! { … } around the struct, which needs a backend in 0.21.0",
    r"\.into_scalar::<": "let x: f32 = ….into_scalar(): 0.21.0 has no type to state in the call",
}


@pytest.mark.parametrize("path", HALVES, ids=lambda path: path.stem)
def test_a_half_is_spelled_so_that_every_version_can_be_lent_it(path):
    """A half writes nothing for which there is no spelling on all versions."""
    text = path.read_text("utf-8")

    assert [] == [how for what, how in NOT_LENT.items() if re.search(what, text, re.MULTILINE)]


@pytest.mark.parametrize("path", sorted((ROOT / "baselines").rglob("burn-*.json")), ids=str)
def test_no_baseline_holds_a_panic_of_compat(path):
    """What compat cannot lend is unsupported in the contract, and no behaviour of burn."""
    assert "compat cannot lend" not in path.read_text("utf-8")
