"""The words of emberwatch."""

import builders
import pytest

from harness.model import (
    SEVERITY,
    Case,
    Difference,
    Framework,
    Group,
    Outcome,
    Scope,
    Severity,
    title,
)

#: The classes as the documentation lists them.
CLASSES = {
    "break": "new_panic new_crash became_no_op flag_flip api_gone parity_lost",
    "change": (
        "value_drift count_change shape_or_dtype non_finite error_kind text_change observation_gone"
    ),
    "note": "message_only rounding panic_fixed api_new observation_added divergence_closed",
}


@pytest.mark.parametrize("severity", list(Severity))
def test_severities(severity):
    """Every class has the severity that the documentation gives it, and none is left out."""
    found = [kind.value for kind in Difference if kind.severity is severity]
    assert CLASSES[severity].split() == found
    assert set(Difference) == set(SEVERITY)


def test_the_worst_severity_is_first():
    """Reports sort by the order of the words."""
    assert ["break", "change", "note"] == list(Severity)


def test_outcomes():
    """The list of outcomes is the schema's."""
    expected = "observed raised crashed timed_out not_built unsupported invalid unavailable"
    assert expected.split() == list(Outcome)


@pytest.mark.parametrize(
    ("variant", "expected"), [("fix", "scale / fix"), ("default", "scale"), ("d", "scale / d")]
)
def test_titles(variant, expected):
    """A sole variant called default is left out of the title."""
    assert expected == title("scale", variant)


def test_a_case_knows_whether_its_framework_has_it():
    """The contract's reason decides what is unsupported, per framework."""
    variant = builders.variant(unsupported={Scope(framework=Framework.BURN): "no such thing"})
    contract = builders.contract("x", variants=[variant])
    torch, burn = (
        Case(cell=builders.cell(name), contract=contract, variant=variant)
        for name in (builders.TORCH, builders.BURN)
    )
    assert (None, "no such thing") == (torch.unsupported, burn.unsupported)
    assert "burn-0.22.1 sample / plain" == str(burn)


def test_a_moving_head_is_not_released():
    """A cell with a version is released; one with a branch or an index is not."""
    assert builders.cell().released
    assert not builders.cell("burn-main", version=None, git="g", ref="main").released


def test_groups():
    """The groups are the schema's."""
    assert ["default", "full", "upstream"] == list(Group)


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        (Scope(framework=Framework.BURN), "abcdm"),
        (Scope(framework=Framework.BURN, before="0.22.0-pre.4"), "a"),
        (Scope(framework=Framework.BURN, since="0.22.0-pre.4"), "bcdm"),
        (Scope(framework=Framework.BURN, before="0.22.0"), "ab"),
        (Scope(framework=Framework.BURN, since="0.22.0-pre.4", before="0.23.0-pre.1"), "bc"),
        (Scope(framework=Framework.TORCH), ""),
    ],
)
def test_a_scope_covers_versions(scope, covered):
    """A pre-release comes before its release, and a moving head after every version."""
    versions = {"a": "0.22.0-pre.3", "b": "0.22.0-pre.4", "c": "0.22.0", "d": "0.23.0-pre.1"}
    cells = {k: builders.cell(f"burn-{v}", version=v) for k, v in versions.items()}
    cells["m"] = builders.cell("burn-main", version=None, git="g", ref="main")
    assert list(covered) == [letter for letter, one in cells.items() if scope.covers(one)]
