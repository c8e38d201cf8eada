"""What happens when torch is imported anew in a process that has it?"""

import importlib

import torch

from harness.experiments.support import observe


def run(variant: str) -> None:
    """Import torch again, or reload it."""
    before = torch

    again = importlib.import_module("torch") if variant == "import" else importlib.reload(torch)

    observe("same_module", again is before)
