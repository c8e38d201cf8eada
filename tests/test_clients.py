"""Versions that the package clients know."""

from __future__ import annotations

import pytest

from harness.engines import clients
from harness.engines.clients import PackageClients
from harness.model import Framework

VERSIONS = [
    "0.22.0",
    "0.22.0-pre.1",
    "0.22.1",
    "0.9.0",
    "nonsense",
    "0.23.0-pre.1",
    "0.22.0-pre.10",
]


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        ("0.22.0", None, ["0.22.1", "0.23.0-pre.1"]),
        ("0.22.0-pre.1", "0.22.1", ["0.22.0-pre.10", "0.22.0"]),
        ("0.22.1", "0.23.0", ["0.23.0-pre.1"]),
        ("0.23.0-pre.1", None, []),
        ("0.22.0", "0.22.1", []),
    ],
)
def test_versions_are_ordered_as_they_came_out(above, below, expected):
    """A pre-release comes before its release, ten after two; the bounds are not among them."""
    assert expected == clients.between(VERSIONS, above, below)


@pytest.mark.parametrize(
    ("text", "expected"), [("1.2.3", True), ("0.1.0-pre.1", True), ("main", False), ("", False)]
)
def test_a_version_is_told_from_other_words(text, expected):
    """A branch is no version."""
    assert expected is clients.is_version(text)


COPIES = [
    (b"", []),
    (
        b'\x03\x02\0\0\0etag\x000.1.0\0{"vers": "0.1.0"}\x000.2.0\0{"vers": "0.2.0"}\0',
        ["0.1.0", "0.2.0"],
    ),
    (b'\0{"vers": "0.1.0", "yanked": true}\0{"vers": "0.2.0", "yanked": false}\0', ["0.2.0"]),
    (b'\0{"vers": "0.1.0"\0{"name": "burn"}\0[1]\0', []),
]


@pytest.mark.parametrize(("copy", "expected"), COPIES)
def test_cargos_copy_of_the_index_is_read(copy, expected):
    """One JSON object a version; what is yanked, cut off or something else is left out."""
    assert expected == clients.versions_in(copy)


@pytest.mark.real
def test_the_clients_know_the_pinned_versions():
    """The clients, asked now, name the versions between two that are long published."""
    ask = PackageClients().published
    burn = ask(Framework.BURN, "0.22.0-pre.1", "0.22.1")
    torch = ask(Framework.TORCH, "2.12.1", "2.14.1")

    assert ["0.22.0-pre.2", "0.22.0-pre.3", "0.22.0-pre.4", "0.22.0"] == burn
    assert ["2.13.0", "2.14.0"] == torch
