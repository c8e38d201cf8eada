"""The detector detects: halves patched in every class's way, on the real frameworks."""

from __future__ import annotations

import json

import pytest
from checkout import Checkout

from harness.model import Difference

pytestmark = pytest.mark.real

TORCH, BURN = "torch-2.15.0", "burn-0.22.1"

#: What is changed in a torch half: experiment, old text, new text.
PATCHES = [
    (
        "remap",
        "    del variant\n",
        """    if variant == "map":
        raise RuntimeError("new")
    if variant == "detach":
        __import__("os").abort()
""",
    ),
    ("remap", 'observe("fc1.weight", weight)', 'observe("fc1.weight", weight.reshape(-1))'),
    ("scale", "bool(moved > 0)", "bool(moved > 1e9)"),
    ("modes", "0.4 < zeros < 0.6)", '0.4 < zeros < 0.6 and variant != "plain")'),
    (
        "check",
        'observe("gradients_len", sum(',
        'observe("gradients_len", (variant == "detach") + sum(',
    ),
    (
        "batch_norm_step",
        'observe("running_var", var)',
        'observe("running_var", var + (variant == "step"))',
    ),
    (
        "batch_norm_step",
        'observe("running_mean", mean)',
        'observe("running_mean", mean * (float("nan") if variant == "by_hand" else 1.0))',
    ),
    ("scale_err", "weight.mul_(0.5)", "raise ValueError('a leaf Variable')"),
    ("scale_err", "model.fc1.weight = weight * 0.5", "raise TypeError('other words')"),
    ("lazy_params", "nn.LazyLinear(8)", "nn.Linear(4, 8)"),
    ("lazy_params", "layer.has_uninitialized_params()", "True"),
    ("training_flags", "for name, _ in model.named_buffers()", "for _, name in [('', 'other')]"),
    (
        "adam_state",
        'observe("gradient", weight.grad)',
        'observe("gradient", weight.grad.nextafter(before))',
    ),
    (
        "reassign",
        'observe("fc1.weight", ',
        'observe("fc1.weight", (variant == "in_place") * 5e-6 + ',
    ),
]

#: What must be reported of it: (experiment, variant) → class.
EXPECTED = {
    ("remap", "map"): Difference.NEW_PANIC,
    ("remap", "detach"): Difference.NEW_CRASH,
    ("remap", "fix"): Difference.SHAPE_OR_DTYPE,
    **{
        ("scale", variant): Difference.BECAME_NO_OP
        for variant in ("map", "detach", "fix", "map_train", "detach_train", "plain", "clone")
    },
    ("modes", "plain"): Difference.FLAG_FLIP,
    ("check", "detach"): Difference.COUNT_CHANGE,
    ("batch_norm_step", "step"): Difference.VALUE_DRIFT,
    ("batch_norm_step", "by_hand"): Difference.NON_FINITE,
    ("scale_err", "in_place"): Difference.ERROR_KIND,
    ("scale_err", "assign"): Difference.MESSAGE_ONLY,
    ("lazy_params", "default"): Difference.PANIC_FIXED,
    ("training_flags", "default"): Difference.TEXT_CHANGE,
    ("freeze", "field"): Difference.OBSERVATION_GONE,
    ("freeze", "group"): Difference.OBSERVATION_ADDED,
    ("params", "mlp"): Difference.API_NEW,
    **{
        ("adam_state", variant): Difference.ROUNDING
        for variant in ("same", "rebuilt", "rebuilt_registered")
    },
    ("reassign", "in_place"): Difference.ROUNDING,
}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return the report on patched halves, held against baselines made on this machine."""
    checkout = Checkout.make(tmp_path_factory.mktemp("detector"))
    for path in checkout.root.glob("baselines/*/*.json"):
        path.unlink()
    assert checkout.run("regress").returncode == 11
    assert checkout.run("accept", "--all", "--reason", "a test", CI="").returncode == 0
    assert checkout.run("regress").returncode == 0

    for experiment, old, new in PATCHES:
        path = checkout.root / f"harness/experiments/{experiment}.py"
        text = path.read_text("utf-8")
        assert old in text, (experiment, old)
        path.write_text(text.replace(old, new), "utf-8")
    checkout.replace("rust/src/experiments/oldleaf.rs", ("weight.map(", "weight.map_no_more("))
    checkout.replace(
        "schemas/experiments/batch_norm_count.json",
        ('"observations": ["names"', '"observations": ["requires_grad.gamma", "names"'),
    )
    observations = {
        variant: checkout.project.baselines.read("freeze", TORCH)[variant].observations
        for variant in ("field", "group")
    }
    gone = {
        **observations["field"],
        "gradient.fc1.bias": observations["field"]["gradient.fc2.bias"],
    }
    added = dict(observations["group"])
    del added["gradient.fc2.bias"]
    change_baseline(checkout, "freeze", "field", observations=gone)
    change_baseline(checkout, "freeze", "group", observations=added)
    change_baseline(checkout, "params", "mlp", observations={}, outcome="not_built")

    ended = checkout.run("regress", "--json")
    assert ended.returncode == 10, ended.stderr
    return json.loads(ended.stdout)


def change_baseline(checkout, experiment, variant, **words):
    """Replace words of one entry of a torch baseline."""
    path = checkout.root / f"baselines/{experiment}/{TORCH}.json"
    document = json.loads(path.read_text("utf-8"))
    document["variants"][variant] |= words
    path.write_text(json.dumps(document), "utf-8")


def classes(report, cell, *, against):
    """Return the classes reported of a cell, by experiment and variant."""
    found = {}
    for change in report["changes"]:
        if (change["cell"], change["against"]) == (cell, against):
            found.setdefault((change["experiment"], change["variant"]), set()).add(change["class"])
    return found


def test_each_patch_is_reported_as_its_class_alone(report):
    """Every patched torch half is reported as exactly its class, and nothing else is reported."""
    expected = {case: {str(kind)} for case, kind in EXPECTED.items()}

    assert expected == classes(report, TORCH, against=TORCH)


def test_a_half_that_no_longer_compiles_is_api_gone(report):
    """The patched burn half is api_gone in all its variants, and no other burn half is."""
    expected = {("oldleaf", variant): {"api_gone"} for variant in ("functional", "assigned")}

    assert expected == classes(report, BURN, against=BURN)


def test_a_drift_within_the_baselines_tolerance_can_lose_parity(report):
    """5e-6 is within float32's default tolerance, yet beyond what torch and burn agree to."""
    assert {"parity_lost"} == classes(report, BURN, against=TORCH)["reassign", "in_place"]


def test_a_divergence_that_is_not_there_is_closed(report):
    """What the contract lists as differing, and agrees, is divergence_closed."""
    assert {"divergence_closed"} == classes(report, BURN, against=TORCH)[
        "batch_norm_count", "default"
    ]


def test_every_class_is_provoked(report):
    """The patches together provoke every class of difference that there is."""
    provoked = {change["class"] for change in report["changes"]}

    assert {str(kind) for kind in Difference} == provoked
