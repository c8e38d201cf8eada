"""Every fact that the two source documents state holds in the committed baselines."""

from __future__ import annotations

import math

import pytest

from harness import compare, tensors
from harness.parity import permuted
from harness.project import Project

PROJECT = Project()
TORCH, BURN = "torch-2.15.0", "burn-0.22.1"
BOTH = (TORCH, BURN)
LAYERS = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")
NON_LEAF = "Can't convert a non leaf tensor into a tracked tensor"
CONSUMED = "Cannot run backward: graph tape has already been consumed at NodeId(_)."


def record(experiment, variant, cell):
    """Return one accepted record."""
    return PROJECT.baselines.read(experiment, cell)[variant]


FACTS = [
    # 参数与遍历, named_parameters 对一个访问者
    ("params", "mlp", BOTH, "names", "fc1.weight, fc1.bias, fc2.weight, fc2.bias"),
    ("params", "mlp", TORCH, "shape.fc1.weight", "[8, 4]"),
    ("params", "mlp", BURN, "shape.fc1.weight", "[4, 8]"),
    ("params", "mlp", TORCH, "shape.fc2.weight", "[3, 8]"),
    ("params", "mlp", BURN, "shape.fc2.weight", "[8, 3]"),
    *(("params", "mlp", BOTH, f"requires_grad.{name}", True) for name in LAYERS),
    ("params", "mlp", BOTH, "num_params", 67),
    ("params", "mlp", BOTH, "visited", 67),
    ("params", "mlp", BOTH, "ids", [0, 1, 2, 3]),
    (
        "params",
        "containers",
        BOTH,
        "names",
        ", ".join(
            f"{path}.weight"
            for path in ("list.0", "list.1", "some", "pair.0", "pair.1", "array.0", "array.1")
        ),
    ),
    ("lazy_params", "default", BURN, "initialized.at_first", False),
    ("lazy_params", "default", BURN, "initialized.counted", False),
    # 参数与遍历, 不是参数的状态 and 动脑筋答案
    ("batch_norm_count", "default", TORCH, "num_params", 16),
    ("batch_norm_count", "default", BURN, "num_params", 32),
    (
        "batch_norm_count",
        "default",
        TORCH,
        "buffers",
        "running_mean [8], running_var [8], num_batches_tracked []",
    ),
    ("batch_norm_count", "default", BURN, "names", "gamma, beta, running_mean, running_var"),
    ("batch_norm_count", "default", BURN, "requires_grad.gamma", True),
    ("batch_norm_count", "default", BURN, "requires_grad.beta", True),
    ("batch_norm_count", "default", BURN, "requires_grad.running_mean", False),
    ("batch_norm_count", "default", BURN, "requires_grad.running_var", False),
    ("batch_norm_step", "step", BOTH, "gradients_len", 2),
    ("batch_norm_step", "step", BOTH, "running_mean_moved", False),
    ("batch_norm_step", "by_hand", BOTH, "running_mean", [-0.5, -0.5]),
    ("training_flags", "default", BURN, "flags", 2),
    # 参数与遍历, 冻结参数
    *(
        ("freeze", variant, BOTH, name, value)
        for variant in ("field", "group")
        for name, value in (
            ("has_gradient.fc1.weight", False),
            ("has_gradient.fc1.bias", False),
            ("has_gradient.fc2.weight", True),
            ("has_gradient.fc2.bias", True),
            ("gradients_len", 2),
            ("fc1_unchanged", True),
            ("requires_grad_again.fc1.weight", False),
            ("requires_grad_again.fc2.weight", True),
        )
    ),
    ("modes", "no_grad", BURN, "dropout_active", True),
    ("modes", "no_grad", BURN, "running_stats_written", True),
    ("modes", "no_grad", BURN, "moved", False),
    ("modes", "freeze", BURN, "dropout_active", False),
    ("modes", "freeze", BURN, "running_stats_written", False),
    ("modes", "freeze_group", BURN, "dropout_active", False),
    ("modes", "unfreeze", BURN, "requires_grad", True),
    ("modes", "valid_train", BURN, "requires_grad", True),
    # 参数与遍历, 改参数的值
    ("reassign", "in_place", BOTH, "identity", [0, 0]),
    ("reassign", "in_place", TORCH, "in_optimizer", True),
    ("reassign", "new_parameter", BOTH, "identity", [0, 1]),
    ("reassign", "new_parameter", TORCH, "is_leaf", True),
    ("reassign", "new_parameter", TORCH, "requires_grad", True),
    *(
        ("remap", variant, BURN, name, value)
        for variant, values in (
            ("map", (True, False, 3)),
            ("detach", (False, False, 3)),
            ("fix", (True, True, 4)),
        )
        for name, value in zip(
            ("is_tracked", "requires_grad", "gradients_len"), values, strict=True
        )
    ),
    ("oldleaf", "functional", BURN, "old.has_gradient", True),
    ("oldleaf", "functional", BURN, "new.has_gradient", False),
    ("adam_state", "same", BOTH, "states", 4),
    ("adam_state", "rebuilt", BURN, "states", 5),
    ("adam_state", "rebuilt", TORCH, "moved", False),
    # Param::map 改值后参数不再训练
    *(("scale", variant, BURN, "gradients_len", 3) for variant in ("map", "detach")),
    *(("scale", variant, BURN, "requires_grad", False) for variant in ("map", "detach")),
    ("scale", "map", BURN, "is_tracked", True),
    ("scale", "detach", BURN, "is_tracked", False),
    ("scale", "detach", BURN, "moved", False),
    *(
        ("scale", variant, BURN, name, value)
        for variant in ("fix", "detach_train", "plain")
        for name, value in (
            ("is_tracked", True),
            ("requires_grad", True),
            ("gradients_len", 4),
            ("moved", True),
        )
    ),
    ("check", "detach", BURN, "requires_grad.fc1.weight", False),
    ("check", "detach", BURN, "requires_grad.fc1.bias", True),
    ("check", "detach", BURN, "requires_grad.fc2.weight", True),
    ("check", "detach", BURN, "gradients_len", 3),
    ("check", "from_tensor", BURN, "identity", [0, 1, 2, 3, 4, 1, 2, 3]),
]


@pytest.mark.parametrize(("experiment", "variant", "cells", "name", "expected"), FACTS)
def test_an_observation_is_what_the_source_says(experiment, variant, cells, name, expected):
    """An observed flag, count, text, identity or small tensor is the documents' own."""
    for cell in [cells] if isinstance(cells, str) else cells:
        value = record(experiment, variant, cell).observations[name]

        assert expected == (value["values"] if isinstance(value, dict) else value)


@pytest.mark.parametrize(
    ("experiment", "variant", "cell", "kind", "text"),
    [
        ("scale", "map", BURN, "panic", CONSUMED),
        ("scale", "map_train", BURN, "panic", NON_LEAF),
        ("reassign", "non_leaf", BURN, "panic", NON_LEAF),
        ("check", "from_tensor_non_leaf", BURN, "panic", NON_LEAF),
        (
            "scale_err",
            "in_place",
            TORCH,
            "RuntimeError",
            "a leaf Variable that requires grad is being used in an in-place operation.",
        ),
        (
            "scale_err",
            "assign",
            TORCH,
            "TypeError",
            "cannot assign 'torch.FloatTensor' as parameter 'weight' (torch.nn.Parameter or None",
        ),
    ],
)
def test_a_mistake_raises_what_the_source_says(experiment, variant, cell, kind, text):
    """A panic or exception has the documents' type and words."""
    raised = record(experiment, variant, cell).raised

    assert kind == raised.type
    assert raised.text.startswith(text)


def apart(experiment, variant, name, *, axes=None):
    """Return how far torch and burn are apart in one observation."""
    torch, burn = (record(experiment, variant, cell).observations[name] for cell in BOTH)
    burn = permuted(burn, axes) if axes else burn
    return compare.tensor(torch, burn, compare.EXACT)[1]


def test_the_halves_start_from_the_same_numbers():
    """A1 is bit-identical on both sides but for fc1.bias, one ulp apart at index 5 alone."""
    for name, axes in (
        ("fc1.weight", [1, 0]),
        ("fc2.weight", [1, 0]),
        ("fc2.bias", None),
        ("x", None),
        ("y", None),
    ):
        measure = apart("a1", "default", name, axes=axes)
        assert measure is None or measure.differing == 0, name
    bias = apart("a1", "default", "fc1.bias")

    assert (1, (5,)) == (bias.differing, bias.index)
    assert math.isclose(3.73e-9, bias.max_abs, rel_tol=1e-2)


@pytest.mark.parametrize("variant", ["field", "group"])
def test_a_frozen_bias_keeps_its_ulp(variant):
    """After the step the frozen layer is as far apart as before it, and all within 1e-6."""
    bias = apart("freeze", variant, "params_after.fc1.bias")
    weight = apart("freeze", variant, "params_after.fc1.weight", axes=[1, 0])
    worst = apart("freeze", variant, "params_after.fc2.weight", axes=[1, 0])

    assert math.isclose(3.73e-9, bias.max_abs, rel_tol=1e-2)
    assert weight is None or weight.max_abs == 0.0
    assert worst.max_abs < 1e-6


def losses(variant, cell):
    """Return a scale training's losses."""
    observed = record("scale", variant, cell).observations["losses"]
    return list(tensors.flat(observed["values"]))


@pytest.mark.parametrize("variant", ["fix", "detach_train", "plain"])
def test_the_right_ways_train_as_torch_does(variant):
    """The five losses agree with torch's in-place scaling within 1e-6."""
    pairs = zip(losses(variant, TORCH), losses(variant, BURN), strict=True)

    assert all(abs(torch - burn) < 1e-6 for torch, burn in pairs)


def test_a_detached_weight_stops_training_while_the_loss_falls():
    """`detach` starts at torch's loss, falls at each step, and falls behind more and more."""
    torch, burn = losses("detach", TORCH), losses("detach", BURN)
    behind = [b - t for t, b in zip(torch, burn, strict=True)]

    assert burn == sorted(burn, reverse=True)
    assert abs(behind[0]) < 1e-6
    assert behind[1:] == sorted(behind[1:])
    assert behind[1] > 1e-3


def test_a_mapped_weight_panics_at_the_second_backward():
    """`map` gets through one step: two losses are seen, the second backward panics."""
    assert 2 == len(losses("map", BURN))


def test_adam_starts_anew_after_a_rebuild():
    """The first step of a fresh state moves every element by the learning rate; a kept one not."""
    fresh = record("adam_state", "rebuilt", BURN).observations
    kept = record("adam_state", "same", BURN).observations

    assert math.isclose(fresh["update_min_abs"]["values"], 0.01, rel_tol=1e-4)
    assert math.isclose(fresh["update_max_abs"]["values"], 0.01, rel_tol=1e-4)
    assert kept["update_min_abs"]["values"] < 0.009


def test_value_lags_one_forward_behind():
    """In burn `value()` shows the running mean before the forward, `value_sync()` the newest."""
    step = record("batch_norm_step", "step", BURN).observations

    assert [0.0, 0.0] == step["running_mean.value"]["values"]
    assert [0.15, 0.3] == step["running_mean"]["values"]
