"""What the reports on several systems say together."""

import builders
import pytest

from harness.errors import ExitCode, gravest
from harness.report import machine_readable, together
from harness.report.together import Said

SAME, CHANGED, LATE = ExitCode.SAME, ExitCode.CHANGED, ExitCode.INCONCLUSIVE


def said(code=SAME, **counts):
    """Return what a system's report says; nothing is counted unless given."""
    return Said(code=code, counts={**dict.fromkeys(together.COUNTS.values(), 0), **counts})


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ((0, 0), 0),
        ((0, 11), 11),
        ((11, 12), 12),
        ((12, 10, 0), 10),
        ((10, 2), 2),
        ((2, 1), 1),
        ((), 2),
    ],
)
def test_the_gravest_code(codes, expected):
    """When several hold: 1, 2, 10, 12, 11, 0, in that order; nothing at all is an empty plan."""
    assert gravest(map(ExitCode, codes)) == expected


def test_every_code_has_a_place():
    """The gravest of any code and itself is that code."""
    assert [gravest([code]) for code in ExitCode] == list(ExitCode)


def test_counts_are_summed():
    """The gravest verdict, with what all systems count."""
    both = together.together(
        [said(breaks=1, compared=8), said(CHANGED, breaks=2, notes=1, compared=7)]
    )

    assert both == said(CHANGED, breaks=3, notes=1, compared=15)
    assert both.verdict == "changed"


@pytest.mark.parametrize(("other", "expected"), [(SAME, LATE), (CHANGED, CHANGED)])
def test_a_system_without_a_report(other, expected):
    """What was not judged is never the same; what is graver stays so."""
    assert together.together([None, said(other, compared=8)]) == said(expected, compared=8)


def test_what_a_report_says():
    """Code and counts are the report's own."""
    report = machine_readable.document(builders.report(changes=(builders.line(),)))

    read = together.of(report)

    assert (read.code, read.counts["breaks"]) == (CHANGED, 1)
    assert read.counts["compared"] == report["counts"]["compared"]


def test_the_table():
    """A line for each system, and the last one for all of them."""
    table = together.table({"ubuntu": said(CHANGED, breaks=2), "macos": None})

    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    assert cells[0] == ["system", "verdict", "breaks", "changes", "notes", "compared"]
    assert cells[2:] == [
        ["ubuntu", "changed", "2", "0", "0", "0"],
        ["macos", "no report", "", "", "", ""],
        ["together", "changed", "2", "0", "0", "0"],
    ]
