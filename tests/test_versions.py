"""Cells in the order of their versions, and what is known of a case."""

import builders
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import versions
from harness.errors import HarnessError
from harness.model import Case, Framework, Outcome, Scope

ORDER = ["0.21.0", "0.22.0-pre.1", "0.22.0-pre.2", "0.22.0-pre.10", "0.22.0", "0.22.1", "0.100.0"]


def cells(numbers, backend="flex"):
    """Return a burn cell for each version."""
    return [builders.cell(f"burn-{n}", version=n, backend=backend) for n in numbers]


@given(st.permutations(ORDER))
def test_versions_are_ordered_as_releases_are(shuffled):
    """Pre-releases come before their release, numbers count as numbers, the matrix decides nothing."""
    (lineage,) = versions.lineages(cells(shuffled))

    assert ORDER == [cell.version for cell in lineage.cells]


def test_a_lineage_is_a_framework_and_a_backend():
    """Each backend is a lineage of its own; a moving head is in none."""
    head = builders.cell("burn-main", version=None, git="g", ref="main", backend="flex")
    found = versions.lineages(
        [*cells(["1.0.0"], "ndarray"), head, *cells(["2.0.0"]), builders.cell("torch-1.0.0")]
    )

    assert [
        ("burn-ndarray", ["burn-1.0.0"]),
        ("burn-flex", ["burn-2.0.0"]),
        ("torch", ["torch-1.0.0"]),
    ] == [(one.id, [cell.id for cell in one.cells]) for one in found]


def test_a_version_without_an_order_is_refused():
    """A version that cannot be ordered is named with its key."""
    with pytest.raises(HarnessError, match=r"matrix\.yaml: cells\.burn-1\.0\.0x-y\.version"):
        versions.lineages(cells(["1.0.0x-y"]))


def test_what_a_contract_rules_out_is_known():
    """An unsupported case is known to be so, whatever lies about; another is known by its record."""
    no = builders.variant("plain", unsupported={Scope(framework=Framework.BURN): "no such thing"})
    contract = builders.contract(variants=[no])
    record = builders.observed(x=1)
    burn, torch = (
        versions.known(
            Case(cell=builders.cell(name), contract=contract, variant=no), {"plain": record}
        )
        for name in (builders.BURN, builders.TORCH)
    )

    assert (Outcome.UNSUPPORTED, "no such thing") == (burn.outcome, burn.reason)
    assert record is torch
