"""What the engines say when a cell cannot be had."""

import builders
import pytest

from harness.engines import torch


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"version": "2.15.0"}, "UV_INDEX_URL may name"),
        ({"version": None, "index": "https://example.org"}, "`index` of torch-x in matrix.yaml"),
    ],
)
def test_the_advice_names_what_decides_the_index(words, says):
    """A moving head is taken from the matrix's own index, all else from uv's."""
    assert says in torch._advice(builders.cell("torch-x", **words))
