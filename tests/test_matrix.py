"""`matrix.yaml` as a file."""

import builders
import pytest

from harness import matrix
from harness.errors import HarnessError
from harness.model import Cell, Framework, Group, Limits


def read(folder, text):
    """Write a matrix and read it."""
    path = folder / "matrix.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return matrix.read(path)


def test_a_matrix_is_read(tmp_path):
    """Cells, pins, limits and settings come from the file, in its order."""
    found = read(tmp_path, builders.MATRIX)
    assert [
        "torch-2.15.0",
        "burn-0.22.1",
        "burn-0.22.1-ndarray",
        "burn-main",
        "torch-nightly",
    ] == list(found.cells)
    assert {Framework.TORCH: builders.TORCH, Framework.BURN: builders.BURN} == found.pinned
    assert Limits(seconds=60, memory_mib=4096, output_mib=64) == found.limits
    assert {"OMP_NUM_THREADS": "1"} == found.settings
    assert found.cells["burn-main"] == Cell(
        id="burn-main",
        framework=Framework.BURN,
        group=Group.UPSTREAM,
        git="https://example.org/burn",
        ref="main",
        backend="flex",
        reference="burn-0.22.1",
    )


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "None is not of type 'object'"),
        ("[]", 1, "[] is not of type 'object'"),
        ("cells: [\n", 2, "not YAML: expected the node content"),
        ("a: b: c", 1, "not YAML: mapping values are not allowed here"),
        ("\ta: 1", 1, "not YAML: found character"),
        ("a: 1\n---\nb: 2", 2, "not YAML: but found another document"),
        ("a: !place b", 1, "no JSON value; if it is text, quote it"),
        ("a: 1\nb: \x07", 2, "not YAML: special characters are not allowed"),
        ("a:\n  - 1: b", 2, "a.0: the key is not text; quote it"),
        ("? [1, 2]\n: 3", 1, "the key is not text; quote it"),
        ("a: {yes: b}", 1, "a: the key is not text; quote it"),
        ("a: {<<: {b: c}}", 1, "a: the key is not text; quote it"),
        ("a:\n  b: 2026-01-01", 2, "a.b: no JSON value; if it is text, quote it"),
        ("a: !!binary aGk=", 1, "a: no JSON value; if it is text, quote it"),
        ("a: !!set {b}", 1, "a: no JSON value"),
        ("a: .nan", 1, "a: no JSON value; if it is text, quote it"),
        ("a: -.Inf", 1, "a: no JSON value; if it is text, quote it"),
    ],
)
def test_what_is_no_document(tmp_path, text, line, says):
    """The error names file and line."""
    with pytest.raises(HarnessError) as caught:
        read(tmp_path, text)
    assert caught.value.message.startswith(f"{tmp_path / 'matrix.yaml'}:{line}:")
    assert says in caught.value.message


@pytest.mark.parametrize("text", ["a: &x\n  b: *x", "[" * 500])
def test_what_has_no_end(tmp_path, text):
    """A document that holds itself, or very many levels, is refused."""
    with pytest.raises(HarnessError, match="nested without end"):
        read(tmp_path, text)


def test_what_is_not_utf_8(tmp_path):
    """A file in another encoding is refused, with the place."""
    with pytest.raises(HarnessError, match="not UTF-8: invalid start byte at byte 2"):
        read(tmp_path, b"a:\xff")


def broken(folder, old, new):
    """Return what is said of the matrix with one piece of its text replaced."""
    assert builders.MATRIX.count(old)
    with pytest.raises(HarnessError) as caught:
        read(folder, builders.MATRIX.replace(old, new, 1))
    return caught.value


T, B, N, M = (
    f"cells.{name}" for name in (builders.TORCH, builders.BURN, "burn-0.22.1-ndarray", "burn-main")
)
VERSION = "    version: 2.15.0\n"
GIT = "    git: https://example.org/burn\n    ref: main\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "says"),
    [
        ("limits:\n", "limit:\n", 4, "limit", "unknown key; allowed: baselines_from, cells, lim"),
        ("group: full", "group: nightly", 24, f"{N}.group", "allowed: default, full, upstream"),
        ("framework: torch", "framework: jax", 12, f"{T}.framework", "allowed: torch, burn"),
        ("    framework: torch\n", "", 11, T, "'framework' is a required property"),
        (
            "backend: flex",
            "backends: flex",
            18,
            f"{B}.backends",
            "unknown key; allowed: backend, f",
        ),
        ("backend: flex", "backend: cuda", 18, f"{B}.backend", "allowed: flex, ndarray"),
        ("version: 2.15.0", "version: 2.15", 13, f"{T}.version", "2.15 is not of type 'string'"),
        ("version: 2.15.0", "version: latest", 13, f"{T}.version", "does not match"),
        ("seconds: 60", "seconds: 0", 5, "limits.seconds", "less than or equal to the minimum"),
        ("seconds: 60", "hours: 1", 4, "limits", "'seconds' is a required property"),
        ('"1"', "1", 9, "settings.OMP_NUM_THREADS", "1 is not of type 'string'"),
        ("  burn-0.22.1:\n", "  torch-2.15.0:\n", 15, T, "given twice, first on line 11"),
        (VERSION, VERSION * 2, 14, f"{T}.version", "given twice, first on line 13"),
        ("  burn-main:", "  Burn-main:", 25, "cells.Burn-main", "does not match"),
        ("  OMP_NUM_THREADS", "  omp", 9, "settings.omp", "does not match"),
        ("  torch: torch-2.15.0\n", "", 1, "pinned", "'torch' is a required property"),
    ],
)
def test_what_is_no_matrix(tmp_path, old, new, line, key, says):
    """The error names file, line and key, and says what is allowed."""
    message = broken(tmp_path, old, new).message
    [found] = [one for one in message.split("\n") if f": {key}: " in one]
    assert found.startswith(f"{tmp_path / 'matrix.yaml'}:{line}: ")
    assert says in found


def test_every_violation_is_listed(tmp_path):
    """Two mistakes are two lines, and the advice names the schema."""
    error = broken(tmp_path, "seconds: 60", "seconds: 0\n  hours: 1")
    assert 2 == len(error.message.split("\n"))
    assert "schemas/matrix.json lists every key and value allowed." == error.advice


REFERENCE = "reference: burn-0.22.1"


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "says"),
    [
        (
            "  torch: torch-2.15.0",
            "  torch: torch-2",
            2,
            "pinned.torch",
            "no torch cell 'torch-2'; allowed: torch-2.15.0, torch-nightly",
        ),
        (
            "  torch: torch-2.15.0",
            "  torch: burn-main",
            2,
            "pinned.torch",
            "no torch cell 'burn-main'; all",
        ),
        (
            "  burn: burn-0.22.1",
            "  burn: torch-nightly",
            3,
            "pinned.burn",
            "no burn cell 'torch-ni",
        ),
        (
            REFERENCE,
            "reference: burn-1",
            31,
            f"{M}.reference",
            "no burn cell 'burn-1'; allowed: burn-0",
        ),
        (REFERENCE, "reference: torch-2.15.0", 31, f"{M}.reference", "no burn cell 'torch-2"),
        ("  burn-main:", "  torch-main:", 25, "cells.torch-main", "a burn cell begins burn-"),
        (GIT, GIT + VERSION, 25, M, "give exactly one of version, git, index; found ['ver"),
        (VERSION, "", 11, T, "give exactly one of version, git, index; found []"),
        ("    ref: main\n", "", 25, M, "git and ref belong together"),
        ("    backend: ndarray\n", "    backend: ndarray\n    ref: main\n", 20, N, "git and ref"),
        ("    backend: ndarray\n", "", 20, f"{N}.backend", "missing; allowed: flex, ndarray"),
        (VERSION, VERSION + "    backend: flex\n", 14, f"{T}.backend", "not a key of a torch cell"),
        (GIT, "    index: https://example.org\n", 27, f"{M}.index", "not a key of a burn cell"),
    ],
)
def test_cells_whose_keys_do_not_fit(tmp_path, old, new, line, key, says):
    """What no schema can say is refused as well, by file, line and key."""
    message = broken(tmp_path, old, new).message
    assert message.startswith(f"{tmp_path / 'matrix.yaml'}:{line}: {key}: ")
    assert says in message


@pytest.mark.parametrize(
    ("line", "home"), [("", "linux-x86_64"), ("baselines_from: macos-arm64\n", "macos-arm64")]
)
def test_where_baselines_come_from(tmp_path, line, home):
    """Without the key it is Linux on x86-64; with it, the platform that it names."""
    assert home == read(tmp_path, line + builders.MATRIX).baselines_from


@pytest.mark.parametrize("word", ["macos", "darwin-arm64", "linux x86_64", "null"])
def test_where_no_baselines_come_from(tmp_path, word):
    """A system without its machine is no platform; the error has file, line, key, what is allowed."""
    message = broken(tmp_path, "pinned:\n", f"baselines_from: {word}\npinned:\n").message
    assert message.startswith(f"{tmp_path / 'matrix.yaml'}:1: baselines_from: ")
    assert "allowed: linux-x86_64, linux-arm64, macos-x86_64, macos-arm64, windows-x" in message


def test_runners_are_ubuntu_unless_told(tmp_path):
    """Without the key, workflows run on ubuntu alone; with it, on what it lists."""
    assert read(tmp_path, builders.MATRIX).runners == {"ubuntu": "ubuntu-latest"}

    runners = "runners:\n  ubuntu: ubuntu-24.04\n  ubuntu_arm: ubuntu-24.04-arm\n"
    found = read(tmp_path, runners + builders.MATRIX).runners

    assert found == {"ubuntu": "ubuntu-24.04", "ubuntu_arm": "ubuntu-24.04-arm"}


@pytest.mark.parametrize("line", ["{}", "{ubuntu-arm: x}", "{Ubuntu: x}", "{ubuntu: 'a b'}"])
def test_what_is_no_runner(tmp_path, line):
    """A name has no hyphen, since artifacts are found by it; a label is one word."""
    with pytest.raises(HarnessError, match="runners"):
        read(tmp_path, f"runners: {line}\n{builders.MATRIX}")
