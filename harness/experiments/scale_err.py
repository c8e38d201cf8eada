"""What does torch say to the two wrong ways of scaling a weight?"""

from harness.experiments.support import a1_model, observe


def run(variant: str) -> None:
    """Scale fc1.weight without no_grad, or put a plain tensor in its place."""
    model = a1_model()
    weight = model.fc1.weight
    observe("is_leaf", weight.is_leaf)
    observe("requires_grad", weight.requires_grad)

    match variant:
        case "in_place":
            weight.mul_(0.5)
        case "assign":
            model.fc1.weight = weight * 0.5
        case _:
            raise ValueError(variant)
