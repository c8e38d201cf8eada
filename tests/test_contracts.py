"""Contracts as files, and what they ask of records."""

import json
import re

import builders
import pytest

from harness import contracts, documents
from harness.contracts import Checker
from harness.errors import HarnessError
from harness.model import Framework, Observation, Outcome, ParityRule, Scope, Tolerance

REF = "../record.json#/$defs/"


def read(folder, document):
    """Write a contract and read it."""
    return contracts.read(builders.write_contract(folder, document))


whole = builders.contract_document


def variants(**plain):
    """Return the contract with keys added to the variant `plain`."""
    both = {"says": "as it is", "parity": {"rule": "same"}}
    return builders.contract_document(x_variants={"plain": {**both, **plain}})


def parity(**words):
    """Return the contract with this parity of the variant `plain`."""
    return variants(parity=words)


def observes(**x):
    """Return the contract with keys added to the observation `x`."""
    document = builders.contract_document()
    document["properties"]["x"] |= x
    return document


# --- reading --------------------------------------------------------------------------------------


def test_a_contract_is_read(tmp_path):
    """Question, source, variants and observations come from the file, in its order."""
    contract = read(tmp_path, builders.contract_document())
    assert ("sample", "Does it hold?", "parameters") == (
        contract.id,
        contract.question,
        contract.topic,
    )
    assert ["plain", "other"] == list(contract.variants)
    assert ["seen", "x"] == list(contract.observations)
    assert "the manual" == contract.source[0].document
    assert Observation(name="seen") == contract.observations["seen"]


def test_every_annotation_is_read(tmp_path):
    """The x- keys become the model's rules."""
    document = builders.contract_document()
    document["properties"] |= {
        "w": {
            "$ref": REF + "float32",
            "x-only": "burn >=0.22.0-pre.4",
            "x-signed-zero": True,
            "x-rtol": 0.5,
            "x-layout": {"torch": ["o", "i"], "burn": ["i", "o"]},
            "x-curve": "step",
        },
        "m": {"$ref": REF + "flag", "x-meaning": "moves"},
    }
    document["x-variants"]["plain"] = {
        "says": "so",
        "requires": ["x"],
        "unsupported": {"torch": "no such thing"},
        "parity": {
            "rule": "differs",
            "atol": 0.25,
            "observations": ["x", "outcome"],
            "reason": "known",
            "link": "https://example.org",
            "since": "2026-01-01",
            "expires": "2027-01-01",
        },
    }
    contract = read(tmp_path, document)
    assert contract.observations["w"] == Observation(
        name="w",
        only=Scope(framework=Framework.BURN, since="0.22.0-pre.4"),
        signed_zero=True,
        tolerance=Tolerance(rtol=0.5, atol=0.0),
        layout={Framework.TORCH: ("o", "i"), Framework.BURN: ("i", "o")},
        curve="step",
    )
    assert contract.observations["m"] == Observation(name="m", moves=True)
    plain = contract.variants["plain"]
    assert (("x",), {Scope(framework=Framework.TORCH): "no such thing"}) == (
        plain.requires,
        plain.unsupported,
    )
    rule = plain.parity
    assert (ParityRule.DIFFERS, Tolerance(rtol=0.0, atol=0.25)) == (rule.rule, rule.tolerance)
    assert ("known", "https://example.org") == (rule.reason, rule.link)
    assert (("x", "outcome"), "2026-01-01", "2027-01-01") == (
        rule.observations,
        rule.since,
        rule.expires,
    )


def test_a_folder_is_read_in_order(tmp_path):
    """Every file of the folder is a contract, by its stem."""
    for name in ("b", "a"):
        document = builders.contract_document(**{"$id": f"experiments/{name}.json"})
        builders.write_contract(tmp_path, document, name)
    assert ["a", "b"] == list(contracts.read_all(tmp_path))
    assert {} == contracts.read_all(tmp_path / "absent")


def test_the_digest_is_of_the_file(tmp_path):
    """Any change of the file, even of a comment in it, changes the digest."""
    first = read(tmp_path, builders.contract_document())
    second = read(tmp_path, builders.contract_document(description="Otherwise."))
    assert first.digest != second.digest


# --- refusing -------------------------------------------------------------------------------------

PLAIN = "x-variants.plain"
PARITY = PLAIN + ".parity"
DIFFERS = {"rule": "differs", "observations": ["x"], "reason": "r", "since": "2026-01-01"}


@pytest.mark.parametrize(
    ("document", "key", "says"),
    [
        ([], "", "is not of type 'object'"),
        ({**builders.CONTRACT, "x-topci": 1}, "x-topci", "unknown key; allowed: $id, $schema"),
        ({k: v for k, v in builders.CONTRACT.items() if k != "title"}, "", "'title' is a required"),
        (whole(title="It holds."), "title", "does not match"),
        (whole(**{"$id": "experiments/other.json"}), "$id", "experiments/sample.json"),
        (whole(additionalProperties=True), "additionalProperties", "False was"),
        (whole(x_source=[]), "x-source", "non-empty"),
        (whole(x_source=[{"document": "d"}]), "x-source.0", "'section' is a required"),
        (whole(x_variants={}), "x-variants", "non-empty"),
        (whole(properties={}), "properties", "non-empty"),
        (whole(required=["seen", "y"]), "required", "no property 'y'; allowed: seen, x"),
        (variants(surprise=1), PLAIN + ".surprise", "allowed: exact, parity, req"),
        (variants(exact={}), PLAIN + ".exact", "non-empty"),
        (variants(exact={"y": 1}), PLAIN + ".exact.y", "no property; allowed: seen, x"),
        (variants(exact={"seen": 1}), PLAIN + ".exact.seen", "1 is not of type 'boolean'"),
        (variants(exact={"x": "one"}), PLAIN + ".exact.x", "'one' is no float32"),
        (variants(exact={"x": [True]}), PLAIN + ".exact.x", "True is no float32"),
        (variants(exact={"x": [[1], [2, 3]]}), PLAIN + ".exact.x", "3 elements for shape [2, 1]"),
        (variants(exact={"x": [[1], 2]}), PLAIN + ".exact.x", "the rows are not of one length"),
        (variants(exact={"x": [0] * 4097}), PLAIN + ".exact.x", "at most 4096 elements"),
        (variants(requires=["y"]), PLAIN + ".requires", "no property 'y'; allowed: seen, x"),
        (variants(unsupported={"jax": "no"}), PLAIN + ".unsupported.jax", "does not match"),
        (variants(unsupported={"burn": ""}), PLAIN + ".unsupported.burn", "non-empty"),
        (parity(), PARITY, "'rule' is a required"),
        (parity(rule="equal"), PARITY + ".rule", "allowed: same, differs"),
        (parity(rule="differs"), PARITY, "'observations' is a required"),
        (parity(**DIFFERS | {"observations": []}), PARITY + ".observations", "non-empty"),
        (parity(**DIFFERS | {"observations": ["y"]}), PARITY + ".observations", "no property 'y'"),
        (parity(**DIFFERS | {"since": "yesterday"}), PARITY + ".since", "does not match"),
        (parity(**DIFFERS | {"reason": ""}), PARITY + ".reason", "non-empty"),
        (parity(rule="same", reason="r"), PARITY + ".reason", "allowed: rule, rtol, atol"),
        (parity(rule="same", rtol=-1), PARITY + ".rtol", "less than the minimum"),
        (observes(**{"$ref": REF + "complex64"}), "properties.x.$ref", "does not match"),
        (observes(**{"x-tolerance": 1}), "properties.x.x-tolerance", "unknown key; allowed: "),
        (observes(**{"x-only": "burn >1"}), "properties.x.x-only", "does not match"),
        (observes(**{"x-meaning": "rests"}), "properties.x.x-meaning", "allowed: moves"),
        (observes(**{"x-atol": "small"}), "properties.x.x-atol", "is not of type 'number'"),
        (observes(**{"x-layout": {"torch": ["o"]}}), "properties.x.x-layout", "'burn' is"),
        (observes(**{"x-layout": {"torch": ["o"], "burn": ["i"]}}), "properties.x.x-layout", ""),
        (observes(**{"x-curve": ""}), "properties.x.x-curve", "does not match"),
        (observes(properties={"dtype": {}}), "properties.x.properties.dtype", "allowed: shape"),
    ],
)  # fmt: skip
def test_what_is_no_contract(tmp_path, document, key, says):
    """Every error names the file, the key, and what would be allowed there."""
    path = builders.write_contract(tmp_path, document)
    with pytest.raises(HarnessError) as caught:
        contracts.read(path)
    [*_, line] = [one for one in caught.value.message.split("\n") if says in one]
    assert line.startswith(f"{path}: {key}: " if key else f"{path}: ")


@pytest.mark.parametrize(
    ("kind", "annotation", "says"),
    [
        ("float32", {"x-meaning": "moves"}, "x-meaning: not for float32; for flag"),
        ("count", {"x-signed-zero": True}, "x-signed-zero: not for count; for bfloat16, float16"),
        ("int64", {"x-rtol": 0.5}, "x-rtol or x-atol: not for int64; for bfloat16, float16"),
        ("text", {"x-atol": 0.0}, "x-rtol or x-atol: not for text; for bfloat16, float16"),
        ("ids", {"x-layout": {"torch": ["o"], "burn": ["o"]}}, "x-layout: not for ids; for bfl"),
        ("ids", {"x-curve": "step"}, "x-curve: not for ids; for bfloat16, float16"),
        ("bool", {"x-layout": {"torch": ["a", "a"], "burn": ["a", "a"]}}, "each once"),
        ("bool", {"x-layout": {"torch": ["a", "b"], "burn": ["a"]}}, "name the same axes"),
    ],
)
def test_annotations_that_would_say_nothing(tmp_path, kind, annotation, says):
    """An annotation is for the kinds of observation that it has a meaning for."""
    document = builders.contract_document()
    document["properties"]["x"] = {"$ref": REF + kind, **annotation}
    with pytest.raises(HarnessError) as caught:
        read(tmp_path, document)
    assert f"{tmp_path}/sample.json: properties.x" in caught.value.message
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"properties": {"shape": {"type": "matrix"}}}, "properties.x.properties.shape.type: "),
        ({"properties": {"shape": {"minItems": -1}}}, "properties.x.properties.shape.minItems: "),
        ({"properties": {"shape": {"const": [1]}}}, None),
        ({"enum": [], "const": 3}, None),
    ],
)
def test_the_schema_within_a_contract(tmp_path, keys, says):
    """What a contract says of a shape is itself a JSON Schema, or it is refused."""
    if says is None:
        contract = read(tmp_path, observes(**keys))
        record = builders.observed(seen=True, x=builders.tensor([[1.0]]))
        assert Checker().broken(contract, builders.cell(), record)
    else:
        with pytest.raises(HarnessError, match=re.escape(says)):
            read(tmp_path, observes(**keys))


def test_names_that_parity_could_not_tell(tmp_path):
    """No observation is called outcome, and what one framework alone has is no divergence."""
    document = builders.contract_document()
    document["properties"]["outcome"] = {"$ref": REF + "flag"}
    with pytest.raises(HarnessError, match=r"properties\.outcome: the name stands for how"):
        read(tmp_path, document)
    document = parity(**DIFFERS)
    document["properties"]["x"]["x-only"] = "burn"
    with pytest.raises(HarnessError, match=r"plain\.parity\.observations: x is x-only"):
        read(tmp_path, document)


def test_a_key_given_twice(tmp_path):
    """A variant that is written twice is refused; JSON would drop the first without a word."""
    path = builders.write_contract(tmp_path, builders.contract_document())
    path.write_text(path.read_text("utf-8").replace('"other"', '"plain"'), "utf-8")
    with pytest.raises(HarnessError, match=r"sample\.json: plain: given twice in one object"):
        contracts.read(path)


def test_every_violation_is_listed(tmp_path):
    """Two mistakes are two lines."""
    document = builders.contract_document(title="It holds.", required="seen")
    with pytest.raises(HarnessError) as caught:
        read(tmp_path, document)
    assert 2 == len(caught.value.message.split("\n"))
    assert "schemas/contract.json" in caught.value.advice


# --- schemas --------------------------------------------------------------------------------------


CELLS = {Framework.TORCH: builders.cell(), Framework.BURN: builders.cell(builders.BURN)}


def schema(tmp_path, framework, *, complete, **plain):
    """Return the schema of one half's observations."""
    document = variants(**plain)
    document["properties"]["b"] = {"$ref": REF + "flag", "x-only": "burn"}
    document["required"] = ["seen", "b"]
    contract = read(tmp_path, document)
    return contracts.schema_for(
        contract, contract.variants["plain"], CELLS[framework], complete=complete
    )


@pytest.mark.parametrize(
    ("framework", "complete", "allowed", "required"),
    [
        (Framework.TORCH, True, {"seen", "x"}, ["seen", "x"]),
        (Framework.BURN, True, {"seen", "x", "b"}, ["b", "seen", "x"]),
        (Framework.TORCH, False, {"seen", "x"}, []),
        (Framework.BURN, False, {"seen", "x", "b"}, []),
    ],
)
def test_what_a_half_must_and_may_observe(tmp_path, framework, complete, allowed, required):
    """A half observes its own framework's share; nothing is required of what broke off."""
    made = schema(tmp_path, framework, complete=complete, requires=["x"])
    assert (allowed, required) == (set(made["properties"]), made["required"])


@pytest.mark.parametrize(
    ("outcome", "observations", "says"),
    [
        (Outcome.OBSERVED, {"seen": True}, ""),
        (Outcome.OBSERVED, {"seen": True, "x": builders.tensor([1.0])}, ""),
        (Outcome.OBSERVED, {}, "'seen' is a required property"),
        (Outcome.RAISED, {}, ""),
        (Outcome.CRASHED, {"seen": False}, ""),
        (Outcome.RAISED, {"seen": 1}, "seen: 1 is not of type 'boolean'"),
        (Outcome.OBSERVED, {"seen": True, "y": 1}, "y: unknown key; allowed: seen, x"),
        (
            Outcome.OBSERVED,
            {"seen": True, "x": builders.tensor([1.0], "float64")},
            "x.dtype: 'float32' was expected",
        ),
        (
            Outcome.OBSERVED,
            {"seen": True, "x": builders.tensor([[1.0]])},
            "x.shape: [1] was expected",
        ),
    ],
)
def test_records_are_held_against_their_contract(tmp_path, outcome, observations, says):
    """A record that breaks its contract is told how, by path."""
    document = builders.contract_document()
    document["properties"]["x"]["properties"] = {"shape": {"const": [1]}}
    contract = read(tmp_path, document)
    record = builders.record(outcome, observations=observations)
    assert says == Checker().broken(contract, builders.cell(), record)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_the_kind_tensor_takes_every_dtype(tmp_path, dtype):
    """Where the dtype is what is asked, any tensor keeps the contract, and no other value does."""
    contract = read(tmp_path, observes(**{"$ref": REF + "tensor"}))
    made = {"seen": True, "x": builders.tensor([1], dtype)}
    record = builders.record(Outcome.OBSERVED, observations=made)
    other = builders.record(Outcome.OBSERVED, observations={"seen": True, "x": "float64"})

    assert Checker().broken(contract, builders.cell(), record) == ""
    assert Checker().broken(contract, builders.cell(), other) != ""


def test_a_checker_tells_frameworks_and_variants_apart(tmp_path):
    """What one half must observe is not asked of another."""
    document = variants()
    document["properties"]["b"] = {"$ref": REF + "flag", "x-only": "burn"}
    document["required"] = ["b"]
    document["x-variants"]["more"] = {**document["x-variants"]["plain"], "requires": ["x"]}
    contract, checker = read(tmp_path, document), Checker()
    found = [
        bool(
            checker.broken(
                contract, CELLS[framework], builders.record(variant=variant, observations=made)
            )
        )
        for framework, variant, made in [
            (Framework.TORCH, "plain", {}),
            (Framework.BURN, "plain", {}),
            (Framework.BURN, "plain", {"b": True}),
            (Framework.BURN, "more", {"b": True}),
            (Framework.TORCH, "plain", {"b": True}),
        ]
    ]
    assert [False, True, False, True, True] == found


def test_unsupported_everywhere(tmp_path):
    """A half has no file only where every variant is unsupported."""
    document = builders.contract_document()
    document["x-variants"]["plain"]["unsupported"] = {"burn": "no"}
    assert not read(tmp_path, document).unsupported_everywhere(Framework.BURN)
    document["x-variants"]["other"]["unsupported"] = {"burn": "no", "torch": "neither"}
    contract = read(tmp_path, document)
    assert contract.unsupported_everywhere(Framework.BURN)
    assert not contract.unsupported_everywhere(Framework.TORCH)


def test_a_contract_is_an_ordinary_json_schema(tmp_path):
    """The file itself is a JSON Schema that validates a half's observations."""
    path = builders.write_contract(tmp_path, builders.contract_document())
    valid = documents.validator(json.loads(path.read_text("utf-8")))
    assert valid({"seen": True})
    assert not valid({"seen": 3})
