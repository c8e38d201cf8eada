"""The upgrade report in a terminal, as Markdown and as JSON."""

import builders
import pytest
import strategies
import test_diff
from hypothesis import given
from hypothesis import strategies as st

from harness import diff, documents
from harness.model import Severity
from harness.report import diff_json, diff_markdown, diff_terminal

NASTY = "a | b `c` ``d`` <img src=x> @you\n```\n# head\x1b[31m \u202e [l](http://x)"


def shown(found):
    """Return the report's lines in a terminal, their columns one blank apart."""
    return [" ".join(line.split()) for line in diff_terminal.render(found).splitlines()]


def test_a_diff_in_a_terminal():
    """Sections in order, each case with question, variant, values, class, parity and both halves."""
    found = test_diff.build(
        [builders.observed(x=True)], [builders.observed(x=False)], [builders.observed(x=True)]
    )

    assert [
        "DIFF burn-1.0.0 → burn-2.0.0, parity with torch-2.15.0",
        "",
        "BREAKS",
        "",
        "sample / plain Does it hold?",
        "as it is",
        "observation burn-1.0.0 burn-2.0.0 class parity",
        "------------- ------------ ------------ --------- ----------------------",
        "x true false flag_flip away from torch-2.15.0",
        "torch | torch()",
        "burn | burn();",
        "",
        "1 of 1 case compared, 0 the same. 1 difference: 1 break. exit 10",
    ] == shown(found)


def test_the_measure_of_tensors():
    """How far two tensors are apart, and where, stands beside the values."""
    old, new = (builders.observed(x=builders.tensor([0.0, v])) for v in (1.0, 1.5))

    assert any(
        "x 1.0 1.5 value_drift unknown max|diff|=5.00e-01 rel=5.0e-01 at [1] 1 of 2" in line
        for line in shown(test_diff.build([old], [new]))
    )


def test_code_is_shown_once_a_case():
    """A case in two sections shows its code in the first."""
    lines = shown(test_diff.many("more"))

    assert 2 == lines.count("sample / more Does it hold?")
    assert 1 == lines.count("torch | torch()")


def test_what_was_not_compared_is_named():
    """Cases that were not compared stand with their reason, and the next command where none was."""
    lines = shown(test_diff.build([], [builders.observed()]))

    assert "sample / plain: burn-1.0.0 has no baseline" in lines
    assert "0 of 1 case compared, 0 the same. 0 differences. exit 12" in lines
    assert "next nox -s regress -- burn-1.0.0 burn-2.0.0, then nox -s review" in lines


def test_what_a_severity_hides_is_counted():
    """The summary says how many entries are below the severity asked for."""
    found = diff.at_least(test_diff.many("note", "change"), Severity.CHANGE)

    assert "1 below the severity asked for." in diff_terminal.render(found)
    assert "Notes" not in diff_markdown.render(found)


def test_colours():
    """A section's heading and cases have its colour."""
    text = diff_terminal.render(test_diff.many("break"), lambda words, colour: f"<{colour}>{words}")

    assert "<red>BREAKS" in text
    assert "<red>sample / break" in text


# --- Markdown -------------------------------------------------------------------------------------


def test_a_diff_as_markdown():
    """Headings, a table of code, the code of both halves in its language."""
    text = diff_markdown.render(test_diff.many("change"))

    assert "## burn\\-1.0.0 → burn\\-2.0.0\n" in text
    assert "### Changes\n\n#### sample / change\n\nDoes it hold?  \nas it is\n" in text
    assert "| `x` | `1` | `2` | `count_change` | unknown |  |" in text
    assert "```python\ntorch()\n```" in text
    assert "```rust\nburn();\n```" in text


def unfenced(text):
    """Return the Markdown outside of code, as GitHub reads backticks: lines and spans."""
    rest, fence = [], ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
            continue
        ticks = len(line) - len(line.lstrip("`"))
        if ticks >= 3 and "`" not in line[ticks:]:
            fence = "`" * ticks
            continue
        rest.append(without_spans(line))
    assert not fence
    return "\n".join(rest)


def without_spans(line):
    """Return a line without its code: from a run of backticks to the next one of that length."""
    out, at = "", 0
    while at < len(line):
        if line[at] == "\\":
            out += line[at : at + 2]
            at += 2
            continue
        if line[at] != "`":
            out += line[at]
            at += 1
            continue
        length = len(line[at:]) - len(line[at:].lstrip("`"))
        end = at + length
        while True:
            end = line.index("`", end)  # an open span would be an error here
            run = len(line[end:]) - len(line[end:].lstrip("`"))
            end += run
            if run == length:
                break
        at = end
    return out


@pytest.mark.parametrize("place", ["raised", "text", "reason", "name", "code"])
def test_foreign_text_means_nothing_in_markdown(place):
    """A panic, an observed text, a reason, a name or code stand in code that they cannot end."""
    old, new = builders.observed(), builders.raised(text=NASTY)
    match place:
        case "text":
            old, new = builders.observed(x="words"), builders.observed(x=NASTY)
        case "name":
            new = builders.observed(**{NASTY: 1})
        case "reason":
            new = builders.record(diff.Outcome.INVALID, reason=NASTY)
        case _:
            pass
    code = {test_diff.Framework.TORCH: NASTY} if place == "code" else {}
    sides = (
        test_diff.side(test_diff.OLD, old),
        test_diff.side(test_diff.NEW, new),
        test_diff.side(test_diff.PINNED),
    )
    found = diff.build([builders.contract("x")], *sides, lambda *_: code)
    text = diff_markdown.render(found)

    for piece in ("<img", "@you", "](http", "\n# head"):
        assert piece not in unfenced(text)
    assert "\x1b" not in text
    assert "\u202e" not in text
    # A table is cut at its bars before code is looked for.
    for row in (line for line in text.splitlines() if line.startswith("| ")):
        assert row.replace("\\|", "").count("|") in {3, 7}


@given(st.text())
def test_any_text_is_one_span_of_code(words):
    """Whatever a text holds, nothing of it stands outside of code, nor on a second line."""
    assert "" == without_spans(diff_markdown.code(words).replace("\\|", "|"))
    assert 1 == len(diff_markdown.code(words).splitlines())


@given(st.text())
def test_any_lines_are_one_block_of_code(lines):
    """Whatever lines hold, nothing of them stands outside of the block."""
    assert "" == unfenced(diff_markdown.fenced(lines, "rust"))


# --- JSON -----------------------------------------------------------------------------------------


@given(strategies.records(), strategies.records(), st.none() | strategies.records())
def test_every_diff_is_what_its_schema_says(old, new, other):
    """What programs read is what schemas/diff.json describes, and people's forms come to an end."""
    found = test_diff.build([old], [new], [other] if other else [])

    assert [] == documents.validate(diff_json.document(found), "diff.json")
    diff_json.render(found)
    diff_terminal.render(found)
    diff_markdown.render(found)


def test_a_diff_as_json():
    """An entry has everything that the other forms show, and the values whole."""
    document = diff_json.document(test_diff.many("change", "note", "same"))
    entry = document["entries"][0]

    assert (10, 3, 1) == (
        document["exit_code"],
        document["counts"]["compared"],
        document["counts"]["same"],
    )
    assert {"cell": "burn-1.0.0", "source": "baselines"} == document["old"]
    assert ("change", "x", 1, 2, "count_change", "unknown") == tuple(
        entry[key] for key in ("section", "observation", "old", "new", "class", "parity")
    )
    assert {"torch": "torch()", "burn": "burn();"} == entry["code"]
