"""What does torch.load check in a file, and what does it warn of?"""

import io

import torch

from harness.experiments.support import observe, observe_warnings


class Point:
    """A class of the user's own."""


def run(variant: str) -> None:
    """Save something, and load it as the variant says."""
    indices = torch.tensor([[0, 7]] if variant == "sparse_bad_index" else [[0, 2]])
    values = torch.tensor([1.0, 2.0])
    sparse = torch.sparse_coo_tensor(
        indices, values, (3,), check_invariants=False, is_coalesced=True
    )
    saved = {"dense": values, "pickled_class": Point()}.get(variant, sparse)
    file = io.BytesIO()
    torch.save(saved, file)
    file.seek(0)

    with observe_warnings():
        loaded = torch.load(file, weights_only=variant != "sparse_full")

    observe("layout", str(loaded.layout))
    observe("values", loaded.values() if loaded.is_sparse else loaded)
