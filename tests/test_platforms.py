"""The words for platforms, taken from what records say of their machine."""

import json

import builders
import pytest

from harness.engines import machine
from harness.model import platforms
from harness.project import ROOT


@pytest.mark.parametrize(
    ("platform", "word"),
    [
        ("linux x86_64", "linux-x86_64"),
        ("linux aarch64", "linux-arm64"),
        ("darwin arm64", "macos-arm64"),
        ("darwin x86_64", "macos-x86_64"),
        ("windows AMD64", "windows-x86_64"),
        ("windows ARM64", "windows-arm64"),
        ("linux riscv64", "linux-riscv64"),
        ("freebsd amd64", "freebsd-x86_64"),
        ("linux ", "linux-unknown"),
        (" ", "unknown platform"),
        ("\x1b[31mLinux\n/../x86", "31mlinux-x86"),
    ],
)
def test_a_platform_has_a_word(platform, word):
    """What Python calls a platform is one word here, and what has none keeps its own."""
    assert word == platforms.named(platform)


@pytest.mark.parametrize(
    "provenance", [{}, {"machine": None}, {"machine": {}}, {"machine": {"platform": 1}}]
)
def test_a_record_that_does_not_say(provenance):
    """A record may come from anybody: one that names no platform is of no known platform."""
    assert "unknown platform" == platforms.of(builders.record(provenance=provenance))


def test_what_this_machine_records_is_read():
    """The platform in a record's fingerprint is the one that the words are made of."""
    record = builders.record(provenance={"machine": machine.fingerprint()})
    assert platforms.named(machine.fingerprint()["platform"]) == platforms.of(record)


def test_the_schema_lists_the_words():
    """What `os` may be in accepted.yaml is what records can be of."""
    schema = json.loads((ROOT / "schemas" / "accepted.json").read_text("utf-8"))
    assert list(platforms.WORDS) == schema["items"]["properties"]["os"]["enum"]


def test_baselines_come_from_a_platform_with_its_machine():
    """What `baselines_from` may be in matrix.yaml is every platform, and no system alone."""
    schema = json.loads((ROOT / "schemas" / "matrix.json").read_text("utf-8"))
    allowed = schema["properties"]["baselines_from"]["enum"]
    assert [word for word in platforms.WORDS if "-" in word] == allowed
    assert platforms.USUAL in allowed
