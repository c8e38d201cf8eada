"""Accepted differences: the file, its entries, and how it is added to."""

import re

import builders
import pytest
import strategies
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from harness import accepted, amend, tensors
from harness.accepted import LARGEST, SAMPLE, Entry, Ledger, State
from harness.errors import HarnessError
from harness.model import Difference, Observation, Tolerance
from harness.project import ROOT, Project

MAIN = "burn-main"
ENTRY = builders.ACCEPTED


def read(folder, text):
    """Read a file of accepted differences in a project of one contract."""
    project = builders.project(folder)
    project.accepted_path.parent.mkdir(exist_ok=True)
    project.accepted_path.write_text(text, "utf-8")
    return project.accepted


def entry(**words):
    """Return an entry on a flag that flipped unless told."""
    keys = ("cell", "experiment", "variant", "observation", "reason", "since")
    told = {key: ENTRY[key] for key in keys}
    told |= {"kind": Difference.FLAG_FLIP, "expected": True, "observed": False}
    return Entry(**{**told, **words})


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [None, "", "# nothing yet\n", "[]\n"])
def test_no_entries(tmp_path, text):
    """Without a file, or with nothing in it, nothing is accepted."""
    found = builders.project(tmp_path).accepted if text is None else read(tmp_path, text)
    assert () == found


def test_an_entry_is_read(tmp_path):
    """An entry has the file's words, and knows its file and line."""
    [found] = read(tmp_path, f"# why\n\n{amend.dumped({**ENTRY, 'link': 'https://x'})}")
    assert entry(link="https://x", where="baselines/accepted.yaml:3") == found


def test_the_documents_example_is_an_entry(tmp_path):
    """The entry in docs/accepted.md is one that this repository's file could hold."""
    document = (ROOT / "docs/accepted.md").read_text("utf-8")
    [example] = re.findall(r"```yaml\n(.*?)```", document, re.DOTALL)
    path = tmp_path / "accepted.yaml"
    path.write_text(example, "utf-8")
    [found] = accepted.read(path, Project().matrix, Project().contracts)
    assert Difference.PANIC_FIXED is found.kind


def changed(**words):
    """Return an entry's YAML with some keys replaced."""
    return amend.dumped({**ENTRY, **words})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (changed(surprise=1), ":10: 0.surprise: unknown key; allowed: cell, class, experiment"),
        (changed(cell="burn-x"), ":1: 0.cell: no cell 'burn-x'; allowed: torch-2.15.0, burn-0.22"),
        (changed(experiment="no"), ":2: 0.experiment: no experiment 'no'; allowed: sample"),
        (changed(variant="no"), ":3: 0.variant: no variant 'no'; allowed: plain, other"),
        (changed(observation="y"), ":4: 0.observation: no observation 'y'; allowed: outcome, seen"),
        (changed(**{"class": "rounding"}), ":7: 0.class: 'rounding' is not allowed; allowed: new_"),
        (changed(**{"class": "parity_lost"}), ":7: 0.class: 'parity_lost' is not allowed"),
        (changed(to=1), ":6: 0.to: no flag, which the contract says that it is"),
        (changed(to=1.5), ":6: 0.to: 1.5 is not valid"),
        (changed(observation="outcome"), ":5: 0.from: no text"),
        (
            changed(os="macos-aarch64"),
            ":10: 0.os: 'macos-aarch64' is not allowed; allowed: linux, ",
        ),
        (changed(os="linux x86_64"), ":10: 0.os: 'linux x86_64' is not allowed"),
        (changed(reason=" "), ":8: 0.reason: ' ' does not match"),
        (changed(since="2026-02-30"), ":9: 0.since: '2026-02-30': day is out of range"),
        (changed(expires="soon"), ":10: 0.expires: 'soon' does not match"),
        (
            changed().replace("'2026-01-01'", "2026-01-01"),
            ":9: 0.since: no JSON value; if it is te",
        ),
        (changed().replace("  to: false\n", ""), ":1: 0: 'to' is a required property"),
        (changed() + "\n" + changed(), ":11: 1: accepted twice, first in "),
        (changed(os="linux") * 2, ":11: 1: accepted twice, first in "),
        ("cell: burn-main\n", ":1: "),
        ("- [\n", ":2:1: not YAML"),
    ],
)
def test_what_is_refused(tmp_path, text, says):
    """The error names file, line, key and what is allowed."""
    with pytest.raises(HarnessError) as caught:
        read(tmp_path, text)
    assert f"{tmp_path}/baselines/accepted.yaml{says}" in caught.value.message


BAD = {"dtype": "float32", "shape": [2], "values": [1.0]}
LONG = builders.tensor([0.5] * 65)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (BAD, "not nested as the shape [2] is"),
        ({**BAD, "shape": [1], "values": ["one"]}, "not valid"),
        ({**BAD, "shape": [1], "dtype": "float64"}, "no float32"),
        (LONG, "up to 64 elements have values, more a summary with 16 of them"),
        ({**tensors.summarised(LONG, 15)}, "up to 64 elements have values"),
    ],
)
def test_a_tensor_that_is_none(tmp_path, value, says):
    """A tensor that contradicts itself, the contract or the form is refused, never compared."""
    words = {"observation": "x", "class": "value_drift", "from": value, "to": None}
    with pytest.raises(HarnessError, match=re.escape(says)):
        read(tmp_path, changed(**words))


def test_another_kind_is_what_differs(tmp_path):
    """With shape_or_dtype, a value may be of another kind than the contract says."""
    words = {"observation": "x", "class": "shape_or_dtype", "from": 1, "to": builders.tensor([1.0])}
    [found] = read(tmp_path, changed(**words))
    assert 1 == found.expected


@given(value=strategies.stored)
def test_a_value_short_enough_to_read(value):
    """A tensor above 64 elements is a summary with 16 of them, and what is small stays whole."""
    big = tensors.stored("float32", [LARGEST + 1], [0.5] * (LARGEST + 1))
    assert SAMPLE == len(accepted.brief(big)["sample"])
    size = len(tensors.flat(value["values"])) if value["shape"] else 1
    assert (accepted.brief(value) == value) == (size <= LARGEST)


def test_a_summary_of_a_summary():
    """Of a tensor that its record sums up, the sample's places are those of the whole tensor."""
    size = 2 * tensors.LARGEST
    record = tensors.stored("float32", [size], [float(number) for number in range(size)])
    brief = accepted.brief(record)
    assert [float(place * size // SAMPLE) for place in range(SAMPLE)] == brief["sample"]
    assert record["digest"] == brief["digest"]


# --- matching -------------------------------------------------------------------------------------


def saw(variant="plain", platform="linux x86_64"):
    """Return a record of the head that was made on some platform."""
    return builders.record(platform=platform, cell=MAIN, variant=variant)


def tensor_entry(old, new):
    """Return an entry on a tensor that drifted."""
    return entry(
        observation="x", kind=Difference.VALUE_DRIFT, expected=accepted.brief(old), observed=new
    )


@pytest.mark.parametrize("size", [3, 65, 5000])
@pytest.mark.parametrize(
    ("rule", "by", "expected"),
    [
        (Observation(name="x"), 1e-7, True),
        (Observation(name="x"), 1e-2, False),
        (Observation(name="x", tolerance=Tolerance(rtol=0, atol=0.1)), 1e-2, True),
        (Observation(name="x", tolerance=Tolerance(rtol=0, atol=0)), 1e-7, False),
    ],
)
def test_values_match_within_the_contracts_tolerance(size, rule, by, expected):
    """The tolerance that says whether a value drifted says whether it is the one accepted."""
    old, new, other = (builders.tensor([start] * size) for start in (1.0, 0.5, 0.5 + by))
    words = {"observation": "x", "expected": old}
    drift = Difference.VALUE_DRIFT
    one = tensor_entry(old, accepted.brief(new))
    assert one.matches(rule, builders.change(drift, **words, observed=new))
    assert expected == one.matches(rule, builders.change(drift, **words, observed=other))


@given(value=strategies.observations, other=strategies.observations | st.none())
def test_a_value_matches_itself_alone(value, other):
    """Whatever is observed matches itself, and nothing of another type."""
    one = entry(expected=value, observed=other)
    same = builders.change(expected=value, observed=other)
    assert one.matches(None, same)
    assert not one.matches(None, builders.change(expected=None, observed=other))


def test_of_a_case_that_was_not_compared_nothing_is_said():
    """An entry alarms only where its case was compared."""
    ledger = Ledger([entry()], "2026-01-02")
    ledger.settle(builders.contract("seen"), saw("other"), [])
    assert [] == ledger.alarms
    ledger.settle(builders.contract("seen"), saw(), [])
    assert [State.VANISHED] == [alarm.state for alarm in ledger.alarms]


def test_rounding_is_no_difference_that_could_be_accepted():
    """Where bits alone differ now, the accepted difference is gone, and the rounding stands."""
    ledger = Ledger([entry(observation="x")], "2026-01-02")
    rounding = builders.change(Difference.ROUNDING, observation="x")
    standing, held = ledger.settle(builders.contract("x"), saw(), [rounding])
    assert ([rounding], []) == (standing, held)
    assert [State.VANISHED] == [alarm.state for alarm in ledger.alarms]


@pytest.mark.parametrize(("today", "holds"), [("2026-03-01", True), ("2026-03-02", False)])
def test_the_last_day(today, holds):
    """An entry is accepted up to and on the day that it names."""
    ledger = Ledger([entry(expires="2026-03-01")], today)
    change = builders.change(expected=True, observed=False)
    standing, held = ledger.settle(builders.contract("seen"), saw(), [change])
    assert (holds, not holds) == (bool(held), bool(standing))


FLIP = builders.change(expected=True, observed=False)
LINUX, ARM, MAC = "linux x86_64", "linux aarch64", "darwin arm64"


@pytest.mark.parametrize(
    ("os", "platforms"),
    [
        ("", {LINUX, ARM, MAC, ""}),
        ("linux", {LINUX, ARM}),
        ("linux-arm64", {ARM}),
        ("macos-arm64", {MAC}),
        ("windows", set()),
    ],
)
def test_an_entry_is_of_its_platform_alone(os, platforms):
    """Where the records come from another platform, it accepts nothing and does not alarm."""
    for platform in (LINUX, ARM, MAC, ""):
        ledger = Ledger([entry(os=os, expires="2026-01-01")], "2026-01-02")
        standing, held = ledger.settle(builders.contract("seen"), saw(platform=platform), [FLIP])
        expired = [State.EXPIRED] if platform in platforms else []
        assert ([FLIP], [], expired) == (standing, held, [one.state for one in ledger.alarms])
        ledger = Ledger([entry(os=os)], "2026-01-02")
        standing, _ = ledger.settle(builders.contract("seen"), saw(platform=platform), [FLIP])
        assert (platform in platforms) == (not standing)
        ledger = Ledger([entry(os=os)], "2026-01-02")
        ledger.settle(builders.contract("seen"), saw(platform=platform), [])
        assert (platform in platforms) == bool(ledger.alarms)


@pytest.mark.parametrize(
    ("platform", "reason"), [(LINUX, "of all"), ("darwin x86_64", "of macos"), (MAC, "of arm")]
)
def test_the_closest_entry_is_the_observations(platform, reason):
    """Of several entries, the one that names the records' platform most closely holds; none alarms."""
    said = {"": "of all", "macos": "of macos", "macos-arm64": "of arm", "windows": "of windows"}
    ledger = Ledger([entry(os=os, reason=why) for os, why in said.items()], "2026-01-02")
    _, held = ledger.settle(builders.contract("seen"), saw(platform=platform), [FLIP])
    assert ([reason], []) == ([one.reason for _, one in held], ledger.alarms)


def test_what_is_accepted_of_a_platform_explains_parity_with_its_name():
    """Parity that an entry explains names the platform that it is of."""
    ledger = Ledger([entry(os="macos")], "2026-01-02")
    for platform, words in ((LINUX, {}), (MAC, {"seen": "accepted of burn-main on macos: meant "})):
        ledger.settle(builders.contract("seen"), saw(platform=platform), [FLIP])
        told = ledger.explained("sample", "plain", MAIN)
        assert words == {name: why.partition("to be")[0] for name, why in told.items()}


def test_an_entry_of_another_platform_is_another_entry(tmp_path):
    """Adding one of a platform leaves that of all in its place, and replaces its own."""
    mac = {**ENTRY, "os": "macos-arm64"}
    text = added(tmp_path, changed(), mac)
    assert [ENTRY, mac] == yaml.safe_load(text)
    newer = {**mac, "reason": "new"}
    assert [ENTRY, newer] == yaml.safe_load(added(tmp_path, text, newer))


# --- adding ---------------------------------------------------------------------------------------


def added(tmp_path, text, *entries):
    """Return a file's text after entries were added to it."""
    path = tmp_path / "accepted.yaml"
    if text is not None:
        path.write_bytes(text.encode())
    amend.add(path, entries)
    return path.read_bytes().decode()


OTHER = {**ENTRY, "observation": "x"}
WRITTEN = """\
# The head of the file.

# Before the first.
-   cell: burn-main  # the head
    experiment:   sample
    variant: plain
    # on the flag
    observation: seen
    from: yes # odd, but it is true
    to: false
    class: flag_flip
    reason: >-
      a # that is text
      folded
    since: "2025-01-01"
    link: 'https://x/#anchor'   # where

# Between the two.
- {cell: burn-main, experiment: sample, variant: plain, observation: x,
   from: [1, 2], to: [1, 1],   # in braces
   class: count_change, reason: r, since: "2025-01-01"}  # after
# At the end."""
COMMENTS = ["# the head", "# on the flag", "# odd, but it is true", "# where"]


def test_a_new_file_says_what_it_is(tmp_path):
    """The first entry comes below a line that names the document."""
    text = added(tmp_path, None, ENTRY)
    assert text.startswith("# Accepted differences: docs/accepted.md")
    assert [ENTRY] == yaml.safe_load(text)


@pytest.mark.parametrize("text", ["", "[]\n", "# c\n", "# c", "# c\n[]  # d\n", "---\n[]\n"])
def test_an_empty_file(tmp_path, text):
    """What stands in a file without entries stays."""
    new = added(tmp_path, text, ENTRY, OTHER)
    assert [ENTRY, OTHER] == yaml.safe_load(new)
    assert re.findall("# .", text) == re.findall("# .", new)


@pytest.mark.parametrize("text", [WRITTEN, WRITTEN + "\n", WRITTEN.replace("\n", "\r\n")])
def test_what_is_appended_leaves_the_rest(tmp_path, text):
    """An entry more takes no character away."""
    more = {**ENTRY, "variant": "other"}
    new = added(tmp_path, text, more)
    assert [*yaml.safe_load(text), more] == yaml.safe_load(new)
    rest = new.replace("\n\n" + amend.dumped(more).rstrip(), "")
    assert text == rest if text.endswith("\n") else rest.rstrip("\n") == text


def test_an_entry_is_replaced_in_its_place(tmp_path):
    """A newer entry takes the place of the older one, whose comments stay above it."""
    new = added(tmp_path, WRITTEN, ENTRY)
    old, rest = WRITTEN[: WRITTEN.index("-   cell")], WRITTEN[WRITTEN.index("\n\n# Between") :]
    assert new.startswith(old + "\n".join(COMMENTS) + "\n- cell: burn-main\n")
    assert new.endswith("  since: '2026-01-01'" + rest)
    assert [ENTRY, yaml.safe_load(WRITTEN)[1]] == yaml.safe_load(new)


def test_an_entry_in_braces_is_replaced(tmp_path):
    """An entry that somebody wrote in braces is replaced as any other."""
    new = added(tmp_path, WRITTEN, OTHER)
    assert WRITTEN[: WRITTEN.index("- {cell")] + "# in braces\n# after\n- cell" in new
    assert new.endswith("since: '2026-01-01'\n# At the end.")
    assert OTHER == yaml.safe_load(new)[1]


def test_an_indented_list(tmp_path):
    """A list that somebody indented is added to at its own depth."""
    text = "".join(f"   {line}\n" for line in changed().splitlines())
    new = added(tmp_path, text, OTHER, {**ENTRY, "reason": "new"})
    assert [{**ENTRY, "reason": "new"}, OTHER] == yaml.safe_load(new)


@pytest.mark.parametrize("text", ["[{a: 1}]\n", "a: 1\n", f"- &a {changed()[2:]}- *a\n"])
def test_what_cannot_be_added_to(tmp_path, text):
    """Where an entry would break what is there, nothing is written, and the entry is shown."""
    if text.startswith("[{"):
        text = f"[{{{', '.join(f'{k}: {v}' for k, v in ENTRY.items())}}}]\n"
    with pytest.raises(HarnessError) as caught:
        added(tmp_path, text, ENTRY)
    assert text == (tmp_path / "accepted.yaml").read_text("utf-8")
    assert "accepted.yaml: " in caught.value.message


texts = st.text(st.characters(exclude_categories=["Cs"]))
lines = st.lists(st.text(st.characters(categories=["L", "N", "Zs"], include_characters="#:-|'\"")))
values = strategies.observations | st.none() | lines.map("\n".join)


@example(old="a\x85b", new="\x85", reason="\u2028\u2029\x0b\x0c\x1c", comment="")
@given(old=values, new=values, reason=texts, comment=st.from_regex(r"[ -~]*", fullmatch=True))
def test_whatever_is_written_is_read(tmp_path_factory, old, new, reason, comment):
    """An entry of any values and words reads as it was written, and a comment survives it."""
    folder = tmp_path_factory.mktemp("any")
    one = {**ENTRY, "from": old, "to": new, "reason": reason}
    text = added(folder, f"# {comment}\n", one, OTHER)
    assert [one, OTHER] == yaml.safe_load(text)
    again = added(folder, text, {**one, "reason": "r"})
    assert [{**one, "reason": "r"}, OTHER] == yaml.safe_load(again)
    assert again.startswith(f"# {comment}\n")
