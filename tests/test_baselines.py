"""Accepted records."""

import json
from dataclasses import replace

import builders
import pytest

from harness import compare
from harness.baselines import Baselines
from harness.errors import HarnessError
from harness.model import Framework, Outcome, Scope


@pytest.fixture
def baselines(tmp_path):
    """Return baselines whose folder does not exist yet."""
    return Baselines(tmp_path / "baselines", "linux-x86_64")


CONTRACT = builders.contract("seen", "x", variants=map(builders.variant, ("plain", "other")))


def accept(baselines, record, **words):
    """Accept a record; return whether the file changed."""
    words = {"reason": "it is right", "date": "2026-01-01", **words}
    return baselines.accept(CONTRACT, record, **words)


def lines(baselines):
    """Return the lines of the one baseline file."""
    return baselines.path("sample", builders.TORCH).read_text("utf-8").split("\n")


def test_nothing_is_accepted_yet(baselines):
    """Without a file there is no baseline."""
    assert {} == baselines.read("sample", builders.TORCH)
    assert [] == list(baselines.files())


@pytest.mark.parametrize(
    "record",
    [
        builders.observed(seen=True, x=builders.tensor([1.0, "NaN"])),
        builders.raised("ValueError", "no", observations={"seen": True}),
        builders.record(Outcome.CRASHED, reason="killed by SIGSEGV"),
        builders.record(Outcome.TIMED_OUT, reason="no end within 60 s"),
        builders.record(Outcome.NOT_BUILT, reason="error[E0599]: no method"),
    ],
)
def test_what_is_accepted_reads_back(baselines, record):
    """An accepted record says what was observed, whatever its outcome."""
    assert accept(baselines, record)
    found = baselines.read("sample", builders.TORCH)["plain"]
    assert record == found
    assert [] == compare.changes(CONTRACT, found, record, same_machine=True)


def test_the_file(baselines):
    """One value a line, a tensor a row a line; reason, date and provenance beside them."""
    record = builders.record(
        observations={"seen": True, "x": builders.tensor([[1.0, 0.5], [0.25, 2.0]])},
        key="0123",
        provenance={
            "versions": {"torch": "2.15.0"},
            **builders.made_on(),
            "seconds": 0.25,
            "output": "words",
            "raw": {"raised": "at /home/me/a.py:1"},
        },
    )
    accept(baselines, record)
    assert "\n".join(lines(baselines)) == (
        """\
{
  "experiment": "sample",
  "cell": "torch-2.15.0",
  "variants": {
    "plain": {
      "outcome": "observed",
      "observations": {
        "seen": true,
        "x": {
          "dtype": "float32",
          "shape": [2, 2],
          "values": [
            [1.0, 0.5],
            [0.25, 2.0]
          ]
        }
      },
      "accepted": {
        "reason": "it is right",
        "date": "2026-01-01",
        "provenance": {
          "versions": {
            "torch": "2.15.0"
          },
          "machine": {
            "platform": "linux x86_64"
          }
        }
      }
    }
  }
}
"""
    )


@pytest.mark.parametrize("order", [("plain", "other"), ("other", "plain")])
def test_variants_stand_in_the_contracts_order(baselines, order):
    """In whatever order variants are accepted, the file is the same."""
    for variant in order:
        accept(baselines, builders.record(variant=variant))
    assert ["plain", "other"] == list(baselines.read("sample", builders.TORCH))


def test_a_variant_that_the_contract_lost_stays_last(baselines):
    """Accepting one variant never drops another, even one that nothing names any more."""
    baselines.accept(
        builders.contract("x", variants=[builders.variant("old")]),
        builders.record(variant="old"),
        reason="r",
        date="2026-01-01",
    )
    accept(baselines, builders.record(variant="plain"))
    assert ["plain", "old"] == list(baselines.read("sample", builders.TORCH))


@pytest.mark.parametrize("platform", ["darwin arm64", "linux aarch64", "windows AMD64", ""])
def test_what_another_platform_recorded_is_no_baseline(baselines, platform):
    """A record is refused unless it says that it comes from the platform that baselines come from."""
    with pytest.raises(HarnessError, match="recorded on ") as caught:
        accept(baselines, builders.record(platform=platform))
    assert "Baselines come from linux-x86_64 alone" in caught.value.advice
    assert not baselines.path("sample", builders.TORCH).exists()


@pytest.mark.parametrize(
    ("home", "platform"),
    [("macos-arm64", "darwin arm64"), ("linux-arm64", "linux aarch64"), ("", "windows AMD64")],
)
def test_a_folder_takes_what_its_platform_recorded(tmp_path, home, platform):
    """It takes the records of the platform that it is given, and without one those of any."""
    baselines = Baselines(tmp_path, home)
    assert accept(baselines, builders.record(platform=platform))
    if home:
        with pytest.raises(HarnessError, match="recorded on linux-x86_64") as caught:
            accept(baselines, builders.record(variant="other"))
        assert f"Baselines come from {home} alone" in caught.value.advice


def test_accepting_the_same_changes_nothing(baselines):
    """What does not differ is not written, not even with another reason, date or provenance."""
    record = builders.observed(x=builders.tensor([1.0]))
    accept(baselines, record)
    before = lines(baselines)
    again = replace(record, key="other", provenance=builders.made_on(cpu="another"))
    assert not accept(baselines, again, reason="again", date="2026-02-02")
    assert before == lines(baselines)


def test_text_within_tolerance_stays(baselines):
    """Rounding alone never changes the file."""
    accept(baselines, builders.observed(x=builders.tensor([1.0])))
    before = lines(baselines)
    assert not accept(baselines, builders.observed(x=builders.tensor([1.0000001])))
    assert before == lines(baselines)


def test_only_what_differs_is_rewritten(baselines):
    """Where one observation differs, another that is within tolerance keeps its text."""
    accept(baselines, builders.observed(seen=True, x=builders.tensor([1.0, 2.0])))
    before = lines(baselines)
    close = builders.tensor([1.0000001, 2.0])
    assert accept(baselines, builders.observed(seen=False, x=close))
    changed = [
        (old.strip(), new.strip())
        for old, new in zip(before, lines(baselines), strict=True)
        if old != new
    ]
    assert [('"seen": true,', '"seen": false,')] == changed


def test_a_new_outcome_takes_its_observations_along(baselines):
    """What the new record no longer observes is gone, what it observes anew is there."""
    accept(baselines, builders.observed(seen=True, x=1))
    accept(baselines, builders.raised(observations={"seen": True}))
    found = baselines.read("sample", builders.TORCH)["plain"]
    assert builders.raised(observations={"seen": True}) == found


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("{", "rubbish", ":1:1: not JSON"),
        ('"cell": "torch-2.15.0"', '"cell": "torch-nightly"', "another experiment's or cell's"),
        ('"experiment": "sample"', '"experiment": "else"', "another experiment's or cell's"),
        ('"outcome": "observed",', "", "variants.plain: 'outcome' is a required property"),
        ("observed", "invalid", "variants.plain.outcome: 'invalid' is not allowed; allowed: obs"),
        ('"seen": true', '"seen": -1', "variants.plain.observations.seen: -1 is not valid"),
        ("it is right", "", "variants.plain.accepted.reason: ''"),
        ("2026-01-01", "today", "variants.plain.accepted.date: 'today' does not match"),
        ('"provenance"', '"provenances"', "accepted.provenances: unknown key; allowed: date"),
    ],
)
def test_a_file_that_is_broken(baselines, old, new, says):
    """A baseline that was damaged is named, with the key; it never counts as absent."""
    accept(baselines, builders.observed(seen=True))
    path = baselines.path("sample", builders.TORCH)
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(HarnessError) as caught:
        baselines.read("sample", builders.TORCH)
    assert str(path) in caught.value.message
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("tensor", "says"),
    [
        ({"shape": [3], "values": [1.0, 2.0]}, "not nested as the shape [3] is"),
        ({"shape": [2], "values": [[1.0, 2.0]]}, "not nested as the shape [2] is"),
        ({"shape": [2, 2], "values": [[1.0], [2.0, 3.0, 4.0]]}, "not nested as the shape [2, 2]"),
        ({"shape": [], "values": [1.0]}, "not nested as the shape [] is"),
        ({"shape": [], "values": []}, "not nested as the shape [] is"),
        ({"shape": [10**9, 0], "values": []}, "too many rows of nothing"),
        ({"shape": [1] * 65, "values": [1.0]}, "too many axes"),
        ({"shape": [1], "values": [True]}, "True is no float32"),
        ({"shape": [1], "values": [1e39]}, "an element is beyond float32"),
        ({"dtype": "int64", "shape": [1], "values": ["NaN"]}, "'NaN' is no int64"),
        ({"shape": [5000], "values": [0.0] * 5000}, "up to 4096 elements have values"),
        ({**builders.tensor([0.0] * 5000), "sample": [0.0]}, "a summary with 1024 of them"),
        ({**builders.tensor([0.0] * 5000), "shape": [2]}, "up to 4096 elements have values"),
    ],
)
def test_a_tensor_that_contradicts_itself(baselines, tensor, says):
    """A tensor whose elements do not fit its shape or dtype is named, never compared."""
    accept(baselines, builders.observed(seen=True))
    path = baselines.path("sample", builders.TORCH)
    document = json.loads(path.read_text("utf-8"))
    document["variants"]["plain"]["observations"]["x"] = {"dtype": "float32", **tensor}
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(HarnessError) as caught:
        baselines.read("sample", builders.TORCH)
    assert caught.value.message.startswith(f"{path}: variants.plain.observations.x: ")
    assert says in caught.value.message


def test_baselines_that_nothing_names(baselines):
    """A cell, an experiment, a variant that is gone leaves a baseline behind, and is named."""
    gone = builders.contract("x", id_="gone", variants=[builders.variant()])
    for record in (
        builders.record(),
        builders.record(variant="other"),
        builders.record(cell="torch-1.0.0"),
        builders.record(cell=builders.BURN),
    ):
        accept(baselines, record)
    baselines.accept(gone, builders.record(experiment="gone"), reason="r", date="2026-01-01")
    unsupported = builders.variant(unsupported={Scope(framework=Framework.BURN): "no such thing"})
    contract = builders.contract("x", variants=[unsupported])
    found = baselines.unreferenced(builders.matrix(), {"sample": contract})
    wanted = [
        "gone/torch-2.15.0.json: no experiment gone in schemas/experiments/",
        "sample/burn-0.22.1.json: variants.plain: not in the contract for burn-0.22.1",
        "sample/torch-1.0.0.json: no cell torch-1.0.0 in matrix.yaml",
        "sample/torch-2.15.0.json: variants.other: not in the contract for torch-2.15.0",
    ]
    assert [f"{baselines.folder}/{line}" for line in wanted] == found
