"""Which limits a system lacks."""

import pytest

from harness.engines import limits
from harness.model import platforms


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux x86_64", []),
        ("linux aarch64", []),
        ("darwin arm64", ["memory", "processes"]),
        ("darwin x86_64", ["memory", "processes"]),
        ("windows AMD64", ["memory", "output", "processes"]),
        ("freebsd amd64", ["memory", "output", "processes"]),
        ("", ["memory", "output", "processes"]),
    ],
)
def test_what_a_platform_lacks(platform, expected):
    """Only what is known to be enforced counts as enforced."""
    assert expected == list(limits.lacking(platforms.named(platform)))
