"""A run as Markdown: what stands where, that it fits, and that foreign text means nothing."""

import re
from datetime import date

import builders
import markup_reader
import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.accepted import Alarm, Entry, State
from harness.effects import Effect
from harness.model import Difference
from harness.parity import Status
from harness.records import CellRun
from harness.report import heartbeat, markdown, roots
from harness.report.context import BaselineChange, Context
from harness.report.view import AcceptedLine, CaseLine

D = Difference

HEAD = "burn-main"
GREEN = "nothing changed: 1 case in 1 cell compared"
CASE = CaseLine(cell=HEAD, experiment="sample", variant="plain", text="words")
GONE = CellRun(cell=HEAD, unavailable="no artifact", missing=True)
DOWN = CellRun(cell="torch-nightly", unavailable="no network")
ENTRY = Entry(
    cell=HEAD,
    experiment="sample",
    variant="plain",
    observation="seen",
    kind=D.FLAG_FLIP,
    expected=False,
    observed=True,
    reason="right since 1.2",
    since="2026-01-01",
    expires="2027-01-01",
    where="baselines/accepted.yaml:3",
)


def comment(context=None, **words):
    """Return the report as a comment."""
    return markdown.comment(builders.report(**words), context)


def first(**words):
    """Return the first line of the report."""
    return comment(**words).splitlines()[0].removeprefix("### ")


# --- what stands where ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, GREEN),
        ({"cases": {}}, "nothing was compared"),
        (
            {"changes": (builders.line(), builders.line(D.VALUE_DRIFT, variant="other"))},
            "2 behaviours changed in `burn-0.22.1`: 1 break, 1 change",
        ),
        (
            {"changes": tuple(builders.line(cell=f"burn-{n}") for n in range(4))},
            "1 behaviour changed in 4 cells: 1 break",
        ),
        ({"changes": (builders.line(D.ROUNDING),)}, "nothing changed: 1 case in 1 cell compared"),
        (
            {"cells": (GONE, DOWN, CellRun(cell="x"))},
            f"{GREEN}; `burn-main` missing; `torch-nightly` unavailable",
        ),
        (
            {"inconclusive": (CASE, CASE), "flaky": (builders.flaky_line(),)},
            "nothing changed: 1 case in 1 cell compared; 2 cases inconclusive; 1 case flaky",
        ),
        (
            {"invalid": (CASE,), "new": (CASE,), "sides": (builders.side(Status.MISMATCH),)},
            f"{GREEN}; 1 invalid record; 1 parity alarm; 1 new case",
        ),
        (
            {"outdated": (Alarm(state=State.VANISHED, entry=ENTRY),)},
            "nothing changed: 1 case in 1 cell compared; 1 outdated acceptance",
        ),
    ],
    ids=str,
)
def test_the_verdict_is_the_first_line(words, expected):
    """What changed, how gravely and where, and what cannot be said, in one sentence."""
    assert expected == first(**words)


def test_a_difference_is_one_row():
    """Severity, contract, class, observation, both values, parity, cells."""
    lines = tuple(builders.line(cell=cell, effect=Effect.AWAY) for cell in (builders.BURN, HEAD))
    text = comment(changes=lines)
    assert "|  | experiment / variant | class | observation | expected | observed |" in text
    assert (
        "| **break** | [`sample / plain`](schemas/experiments/sample.json) | `flag_flip` | `seen` "
        "| `false` | `true` | `away` | `burn-0.22.1, burn-main` |"
    ) in text


def test_a_parity_that_cannot_be_told_is_left_out():
    """No column says that nothing is known."""
    assert "parity |" not in comment(changes=(builders.line(),))


def test_links_begin_with_the_base():
    """The contract's address is below the base, or relative."""
    base = "https://example.org/blob/main/"
    text = comment(Context(link_base=base), changes=(builders.line(),))
    assert f"]({base}schemas/experiments/sample.json)" in text


def test_each_cell_has_its_details_folded():
    """Every change of a cell, with texts in full; bits within the tolerance are counted alone."""
    change = {"observation": "words", "expected": "one\ntwo", "observed": "one"}
    lines = (
        builders.line(D.TEXT_CHANGE, **change),
        builders.line(D.ROUNDING),
        builders.line(cell=HEAD),
    )
    text = comment(changes=lines, cells=(CellRun(cell=HEAD, versions={"burn": "0.24"}),))
    other, own = text.split("<details>")[1:]
    assert "<summary><code>burn-0.22.1</code> against its baseline: 1 difference</summary>" in own
    assert "  ```text\n  one\n  two\n  ```" in own
    assert "<code>burn-main</code> against <code>burn-0.22.1</code>: 1 difference" in other
    assert "`burn 0.24`" in other
    assert "1 value within rounding." in text


def test_when_heads_were_watched_is_said_below_the_numbers():
    """The heartbeat is a line of its own where it is known."""
    beats = heartbeat.of({"watched": {HEAD: builders.watched()}}, date(2026, 3, 2))
    assert comment(Context(watched=beats)).splitlines()[4] == (
        "Upstream last watched: `burn-main` 2026-03-01 (`0.23.0 at ccccccc`, 2 cases)."
    )
    assert "watched" not in comment()


def test_what_was_not_compared_says_why():
    """Missing and unavailable cells, cases without a record, flaky ones, and how many have none."""
    text = comment(
        cells=(GONE, DOWN),
        inconclusive=(CASE,),
        flaky=(builders.flaky_line(),),
        unsupported=2,
    )
    section = text.split("#### Not compared")[1]
    assert "2 cases are unsupported: the contracts say why." in section
    for row in (
        "| `burn-main` | `missing` | `no artifact` |",
        "| `torch-nightly` | `unavailable` | `no network` |",
        "| `burn-main` | `sample / plain` | `words` |",
        "| `burn-0.22.1` | `sample / plain x` | `flaky: 3 of 5 runs agree: 1, 2` |",
    ):
        assert row in section


def test_accepted_and_outdated_acceptances():
    """What is accepted stands with its reason, what holds no longer with what to do."""
    text = comment(
        accepted=(AcceptedLine.of(builders.line(cell=HEAD), ENTRY),),
        outdated=(Alarm(state=State.VANISHED, entry=ENTRY),),
    )
    assert "Accepted differences (1)" in text
    assert "| `flag_flip` | `2026-01-01 until 2027-01-01` | `right since 1.2` |" in text
    assert "| `vanished` | `baselines/accepted.yaml:3: remove the entry` |" in text


def test_parity_beyond_what_is_known():
    """A mismatch says what differs, with both values; lost parity is among the differences."""
    change = builders.change(observation="x", expected=1, observed=2)
    row = builders.row("x", torch=1, burn=2, change=change)
    text = comment(sides=(builders.side(Status.MISMATCH, row), builders.side(Status.LOST, row)))
    assert "| `torch-2.15.0` | `burn-0.22.1` | `x: 1 in torch, 2 in burn` |" in text
    assert 1 == text.count("x: 1 in torch")


def test_invalid_and_new():
    """The same words of one case are one row, whatever the number of cells."""
    other = CaseLine(cell="burn-x", experiment="sample", variant="plain", text="words")
    text = comment(invalid=(CASE, other), new=(CASE,))
    row = "| [`sample / plain`](schemas/experiments/sample.json) | `{}` | `words` |"
    assert row.format("burn-main, burn-x") in text.split("#### New cases")[0]
    assert row.format("burn-main") in text.split("#### New cases")[1]


def test_what_the_merge_base_shows_is_not_from_this_change():
    """Such differences are counted and listed apart, folded."""
    old, new = builders.line(), builders.line(variant="other", observation="moved")
    text = comment(Context(already=frozenset({roots.key(old)})), changes=(old, new))
    head, section = text.split("<details><summary>Not from this change (1)</summary>")
    assert head.startswith("### 1 behaviour changed in `burn-0.22.1`: 1 break; 1 difference not")
    assert "`seen`" not in head
    assert "`seen`" in section


def test_what_this_pull_request_accepts():
    """Baselines that the pull request changes are listed with what changes and why."""
    change = BaselineChange(
        cell=HEAD,
        experiment="sample",
        variant="plain",
        changes=(builders.change(),),
        reason="as documented",
    )
    text = comment(Context(accepted_here=(change,)))
    row = "(baselines/sample/burn-main.json) | `burn-main` | `seen: false → true` | `as documented`"
    assert row in text.split("Accepted in this pull request (1)")[1]
    assert "1 baseline changed here." in text


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        (None, ["`nox -s review`", '`nox -s accept -- sample plain burn-0.22.1 --reason "…"`']),
        (
            Context(run="42"),
            [
                '`nox -s accept -- --from-run 42 --all --reason "…"`',
                "run the workflow *accept* with run id `42`",
            ],
        ),
        (Context(run="42", system="macos"), ["--from-run 42 --system macos --all"]),
    ],
)
def test_how_to_accept(context, expected):
    """The exact command, and with a run's id how to have what it observed."""
    section = comment(context, changes=(builders.line(),)).split("#### How to accept")[1]
    for words in expected:
        assert words in section


def test_a_run_whose_parity_alone_is_red():
    """What accepting cannot settle is edited: no command or workflow is named in vain."""
    change = builders.change(observation="x", expected=1, observed=2)
    row = builders.row("x", torch=1, burn=2, change=change)
    text = comment(Context(run="42"), sides=(builders.side(Status.MISMATCH, row),))
    assert "`edit schemas/experiments/sample.json`" in text.split("#### How to accept")[1]
    assert "42" not in text
    assert "nox -s accept" not in text


def test_nothing_to_accept_where_all_is_the_same():
    """A green run asks for nothing."""
    assert "How to accept" not in comment(Context(run="42"))


@pytest.mark.parametrize(
    ("artifact", "expected"),
    [
        ("https://example.org/a(1)", "All of it: [the full report](https://example.org/a%281%29)."),
        ("report", "All of it: the artifact `report`."),
    ],
)
def test_where_the_whole_report_is(artifact, expected):
    """The artifact is linked by its address or named."""
    assert expected in comment(Context(artifact=artifact))


# --- fitted to a size -----------------------------------------------------------------------------


def many(number, **words):
    """Return so many changes that no two have a root in common."""
    return tuple(builders.line(observation=f"o{n}", **words) for n in range(number))


def test_a_large_report_is_cut_and_says_so():
    """Verdict, counts and how to accept stay; each cut says how much is gone and where it is."""
    text = comment(Context(artifact="report", run="42"), changes=many(5000))
    assert len(text) <= markdown.COMMENT
    assert text.startswith("### 5000 behaviours changed")
    assert "1 case compared with baselines" in text
    assert text.endswith("run id `42`\n")
    left_out = re.findall(r"… (\d+) lines left out; the rest: the artifact `report`", text)
    rows = len(re.findall(r"^\| \*\*break\*\*", text, re.MULTILINE))
    items = len(re.findall(r"^- \*\*break\*\*", text, re.MULTILINE))
    assert [5000 - rows, 5000 - items] == list(map(int, left_out))
    assert rows > items > 0


def test_a_summary_counts_bytes():
    """A summary's limit is in bytes, of which a character may have several."""
    texts = {"kind": D.TEXT_CHANGE, "expected": "é" * 400, "observed": "è" * 400}
    report = builders.report(changes=many(2000, **texts))
    assert 900_000 < len(markdown.summary(report).encode()) <= markdown.SUMMARY


def test_every_cell_is_represented():
    """One cell with many differences crowds out no other."""
    cells = [f"burn-{number}" for number in range(20)]
    lines = (*many(3000), *(builders.line(cell=cell) for cell in cells))
    text = comment(changes=lines)
    for cell in cells:
        assert f"<summary><code>{cell}</code>" in text


# Drawing a whole report is slow by nature.
drawn = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
NOTICE = re.compile(r"… \d+ (line|lines|section|sections)( of \d+ lines)? left out; the rest: .*")


def balanced(text):
    """Are all blocks of code closed, and all details, at the end of the text?"""
    ticks, depth = "", 0
    for line in text.split("\n"):
        found = re.fullmatch(r"\s*(`{3,})(text)?", line)
        if ticks:
            ticks = "" if found and found[1] == ticks and not found[2] else ticks
        elif found:
            ticks = found[1]
        else:
            depth += line.startswith("<details>") - (line == "</details>")
    return not ticks and not depth


def test_a_cut_within_a_block_of_code_closes_it():
    """A text that is cut in its middle is still code, and what follows it is not."""
    lines = "\n".join(f"{'`' * 4} line {number}" for number in range(190))
    change = {"observation": "t", "expected": lines, "observed": "b"}
    report = builders.report(changes=(builders.line(D.TEXT_CHANGE, **change),))
    for limit in range(1_500, 2_000, 7):
        text = markdown.comment(report, limit=limit)
        assert "  ```` line 1\n" in text
        assert "line 189" not in text
        assert balanced(text)


@drawn
@given(strategies.reports(), st.integers(4_000, 30_000))
def test_any_report_fits(report, limit):
    """Whatever was found, the text is short enough, cut at line ends, and all is closed."""
    whole = markdown.comment(report, limit=10**9).split("\n")
    text = markdown.comment(report, limit=limit)
    assert len(text) <= limit
    assert all(line in whole or NOTICE.fullmatch(line) for line in text.split("\n"))
    assert balanced(text)
    assert whole[:3] == text.split("\n")[:3]
    steps = whole[whole.index("#### How to accept") :] if "#### How to accept" in whole else []
    assert text.endswith("\n".join(steps))


# --- foreign text ---------------------------------------------------------------------------------

NASTY = [
    "evil <img src=x onerror=evil> <b>evil</b> </details></summary> <script>evil</script>",
    "evil <!-- emberwatch:evil --> <!DOCTYPE evil> <?evil?> <![CDATA[evil]]>",
    "evil @evil @evil/team #123 GH-123 evil/evil#1 " + "a" * 40,
    "evil [evil](https://evil.example) ![evil](https://evil.example/x.png) <https://evil.example>",
    "evil https://evil.example www.evil.example evil@evil.example",
    "evil | evil \\| evil | `evil` ``evil`` ```evil``` ` \\` |",
    "evil\n```\nevil\n````\n</details>\n<img src=evil>\n# evil\n- evil\n| evil |\n\n    evil",
    "evil\r\n~~~\r\n> evil\r\n[evil]: https://evil.example\r\n\x1b[31m \u202e \u2028evil",
    "`" * 50 + "evil",
    "evil\\",
]


def hostile(words):
    """Return a report in which every foreign text is this."""
    case = {"cell": HEAD, "experiment": "sample", "variant": "plain", "text": words}
    entry = {"reason": words, "link": words, "where": words, "observation": words}
    entry = Entry(**{name: getattr(ENTRY, name) for name in ENTRY.__slots__} | entry)
    texts = {"observation": words, "expected": words + "1", "observed": words + "2"}
    line = builders.line(D.TEXT_CHANGE, **texts)
    row = builders.row(words, change=line.change)
    return builders.report(
        cells=(CellRun(cell=HEAD, unavailable=words), CellRun(cell="x", versions={words: words})),
        changes=(line, builders.line(D.NEW_PANIC, cell=HEAD, **texts)),
        new=(CaseLine(**case),),
        invalid=(CaseLine(**case),),
        inconclusive=(CaseLine(**case),),
        flaky=(builders.flaky_line(words, first=words, other=words),),
        sides=(builders.side(Status.MISMATCH, row, reason=words),),
        accepted=(AcceptedLine.of(line, entry),),
        outdated=(Alarm(state=State.CHANGED, entry=entry),),
        unreferenced=(words,),
    )


def told(words):
    """Return a context in which every foreign text is this."""
    case = {"cell": HEAD, "experiment": "sample", "variant": "plain", "text": words}
    here = BaselineChange(**case, changes=(builders.change(observation=words),), reason=words)
    watched = {"watched": {HEAD: builders.watched(version=words, build=words, problem=words)}}
    beats = heartbeat.of(watched, date(2026, 3, 2))
    return Context(accepted_here=(here,), artifact=words, watched=beats)


@pytest.mark.parametrize("words", NASTY)
@pytest.mark.parametrize("read", markup_reader.READERS.values(), ids=markup_reader.READERS)
def test_foreign_text_stands_in_code_alone(read, words):
    """No element, link, mention, reference or comment comes out of what a framework said."""
    text = markdown.comment(hostile(words), told(words))
    found = read(text)
    assert found.tags <= markup_reader.OURS
    assert set() == {link for link in found.links if not link.startswith(("schemas/", "baseline"))}
    assert [] == found.comments
    outside = " ".join(found.words)
    assert not re.search(r"evil|@|#\d|GH-|a{40}|://|www\.", outside)
    assert "evil" in "".join(found.code)
    assert "<!" not in text


@drawn
@given(strategies.reports(most=4))
def test_any_foreign_text_stands_in_code_alone(report):
    """Whatever the text, both libraries see the elements and links that reports have, no others."""
    text = markdown.comment(report, limit=10**9)
    for read in markup_reader.READERS.values():
        found = read(text)
        assert found.tags <= markup_reader.OURS
        assert all(link.startswith("schemas/experiments/") for link in found.links)
        assert [] == found.comments
        assert not re.search(r"[@<>`]|://", " ".join(found.words))


def test_columns_are_never_added():
    """A bar in a text parts no cell: each row has as many as its table's head."""
    rows = 0
    for words in NASTY:
        bars = 0
        for line in markdown.comment(hostile(words), told(words)).splitlines():
            seen = line.replace("\\|", "").count("|") if line.startswith("|") else 0
            assert seen == bars or not bars or not seen
            bars, rows = seen, rows + bool(seen)
    assert rows > 100
