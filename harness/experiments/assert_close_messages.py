"""What does torch.testing.assert_close say when two things differ?"""

import torch

from harness.experiments.support import literal, observe


def run(variant: str) -> None:
    """Compare two things that are not close."""
    matrix = literal(2, 3)
    pairs: dict[str, tuple[object, object]] = {
        "values": (matrix, matrix * 1.5),
        "one_value": (matrix, matrix + torch.eye(2, 3)),
        "scalars": (1.0, 1.5),
        "zero_dimensional": (torch.tensor(1.0), torch.tensor(1.5)),
        "integers": (torch.tensor([1, 2, 3]), torch.tensor([1, 2, 4])),
        "booleans": (torch.tensor([True, True]), torch.tensor([True, False])),
        "nan": (torch.tensor([float("nan"), 1.0]), torch.tensor([float("nan"), 1.0])),
        "infinity": (torch.tensor([float("inf")]), torch.tensor([1.0])),
        "shape": (matrix, matrix.T),
        "dtype": (matrix, matrix.double()),
        "layout": (matrix, matrix.to_sparse()),
        "types": (matrix, 1.0),
        "lists": ([1.0, 2.0], [1.0, 2.5]),
        "lengths": ([1.0], [1.0, 2.0]),
        "keys": ({"a": 1.0}, {"b": 1.0}),
    }
    actual, expected = pairs[variant]
    observe("compared", f"{type(actual).__name__} with {type(expected).__name__}")

    torch.testing.assert_close(actual, expected)
