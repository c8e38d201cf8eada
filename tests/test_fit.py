"""Text fitted to a size: never longer, cut at line ends, and nothing left out in silence."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report import fit
from harness.report.fit import Block, Line

REST = "the rest: there"
NOTICE = re.compile(r"… (\d+) lines? left out; the rest: there")
GONE = re.compile(r"… (\d+) sections? of (\d+) lines left out; the rest: there")


@st.composite
def blocks(draw):
    """Draw a fixed block and some with lines, each line told from all others."""
    found = [Block(head=("verdict",))]
    for number in range(draw(st.integers(0, 6))):
        many, closed = draw(st.integers(1, 30)), draw(st.booleans())
        lines = tuple(
            Line(
                f"b{number}l{i} " + draw(st.sampled_from("xé")) * draw(st.integers(0, 60)),
                f"end{number}" * closed,
            )
            for i in range(many)
        )
        head, weight = (f"head{number}",), draw(st.integers(1, 9))
        found.append(Block(head=head, lines=lines, tail=(f"tail{number}",), weight=weight))
    return found


def cost(lines):
    """Return the size of lines with their ends."""
    return sum(len(line) + 1 for line in lines)


def least(some):
    """Return what the blocks cost with a line each."""
    return sum(min(cost(one.whole()), cost(one.cut(1, REST))) for one in some)


@given(blocks(), st.integers(80, 4000))
def test_it_is_never_longer(some, limit):
    """Whatever the blocks hold, the text has at most the size asked for."""
    assert len(fit.fit(some, limit, len, REST)) <= limit


@given(blocks(), st.integers(120, 4000))
def test_bytes_count_where_bytes_are_limited(some, limit):
    """The size is counted by the measure given, as bytes are more than characters."""
    words = fit.fit(some, limit, lambda words: len(words.encode()), "…" * 9)
    assert len(words.encode()) <= limit


@given(blocks(), st.integers(80, 4000))
def test_no_line_is_cut_and_all_are_accounted_for(some, limit):
    """Every line is one of the blocks' or a notice, and notices count all that is not there."""
    lines = fit.fit(some, limit, len, REST).splitlines()
    known = {line for one in some for line in one.whole()} | {
        line.closing for one in some for line in one.lines
    }
    said = 0
    for line in lines:
        if line not in known:
            found = NOTICE.fullmatch(line) or GONE.fullmatch(line)
            assert found
            said += int(found[found.re.groups])
    everything = [line.text for one in some for line in one.lines]
    assert len(everything) == said + sum(line in set(everything) for line in lines)
    assert "verdict" == lines[0]


@given(blocks(), st.integers(80, 4000))
def test_every_block_is_represented_where_a_line_of_each_has_room(some, limit):
    """No block is crowded out by another: head, first line and tail of each are there."""
    lines = set(fit.fit(some, limit, len, REST).splitlines())
    if least(some) <= limit:
        for one in some[1:]:
            assert {*one.head, one.lines[0].text, *one.tail} <= lines


@given(blocks(), st.integers(80, 4000))
def test_what_a_line_opened_is_closed(some, limit):
    """A cut block has, after its last line, what closes that line, and then its tail."""
    lines = fit.fit(some, limit, len, REST).splitlines()
    for number, line in enumerate(lines):
        if NOTICE.fullmatch(line):
            last = lines[number - 2]
            block = next(one for one in some for at in one.lines if last in {at.text, at.closing})
            assert last == (block.lines[0].closing or last)
            assert block.tail == (lines[number + 1],)


def test_what_fits_is_untouched():
    """Nothing is cut where there is room."""
    some = [Block(head=("a",)), Block(head=("b",), lines=(Line("1"), Line("2")), tail=("c",))]
    assert "a\n\nb\n1\n2\nc\n" == fit.fit(some, 100, len, REST)


def test_what_must_stay_is_never_dropped():
    """A limit below what stays is an error, not a lie."""
    with pytest.raises(ValueError, match="must stay"):
        fit.fit([Block(head=("x" * 100,)), Block(head=("y",), lines=(Line("z"),))], 50, len, REST)


@pytest.mark.parametrize(
    ("needs", "weights", "budget", "expected"),
    [
        ([10, 10], [1, 1], 30, [10, 10]),
        ([10, 100], [1, 1], 60, [10, 50]),
        ([100, 100], [1, 3], 80, [20, 60]),
        ([100, 10, 0], [1, 9, 1], 50, [40, 10, 0]),
        ([5], [1], 0, [0]),
        ([], [], 9, []),
    ],
)
def test_shares(needs, weights, budget, expected):
    """Who needs little gets all of it, and the others part the rest by weight."""
    assert expected == fit.shares(needs, weights, budget)
