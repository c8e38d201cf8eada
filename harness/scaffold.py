"""`emberwatch new`: a complete experiment that runs at once, to be filled with the question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness import documents
from harness.errors import HarnessError

if TYPE_CHECKING:
    from pathlib import Path

_TORCH = '''"""{question}"""

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Double a literal tensor."""
    del variant
    x = torch.tensor([1.0, 2.0, 3.0])

    observe("doubled", x * 2.0)
'''

_BURN = """//! {question}

use burn::prelude::*;

use crate::support::{{device, observe}};

/// Doubles a literal tensor.
pub fn run(_variant: &str) {{
    let x = Tensor::<1>::from_data([1.0, 2.0, 3.0], &device());

    observe("doubled", x * 2.0);
}}
"""


def create(root: Path, experiment: str, question: str) -> list[Path]:
    """Write contract and halves; a HarnessError when the name is unfit or taken."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", experiment):
        raise HarnessError(f"{experiment}: not a snake_case id", "For instance: weight_decay_order")
    if not question.endswith("?") or '"' in question or "\n" in question:
        raise HarnessError(
            f"--question {question!r}: must be one line that ends in ?, without quotes"
        )
    contract = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"experiments/{experiment}.json",
        "title": question,
        "description": "Say why it matters to somebody who ports, teaches or ships a model.",
        "x-topic": "unsorted",
        "x-source": [
            {"document": "say where the question comes from", "section": "and where in it"}
        ],
        "x-variants": {"default": {"says": "say what is done", "parity": {"rule": "same"}}},
        "type": "object",
        "properties": {
            "doubled": {
                "$ref": "../record.json#/$defs/float32",
                "properties": {"shape": {"const": [3]}},
            }
        },
        "required": ["doubled"],
        "additionalProperties": False,
    }
    files = {
        root / "schemas" / "experiments" / f"{experiment}.json": documents.canonical(contract),
        root / "harness" / "experiments" / f"{experiment}.py": _TORCH.format(question=question),
        root / "rust" / "src" / "experiments" / f"{experiment}.rs": _BURN.format(question=question),
    }
    for path in files:
        if path.exists():
            raise HarnessError(f"{path}: exists already", "Choose another id.")
    for path, content in files.items():
        documents.write(path, content)
    return list(files)
