"""Tables and lines that a terminal of a hundred columns holds."""

import builders
import pytest
from rich.cells import cell_len

from harness.model import Difference
from harness.parity import Status
from harness.report import columns, terminal
from harness.report.view import CaseLine

HEAD = ["severity", "case", "expected", "observed", "class", ""]
STAGES = [(5,), (2, 3, 5)]


def test_a_table_that_fits():
    """Nothing is moved, and a column that is empty throughout is left out."""
    rows = [["break", "a / b", "1", "2", "flag_flip", ""], ["note", "a", "", "x", "c", ""]]
    assert [
        "severity    case    expected    observed    class",
        "----------  ------  ----------  ----------  ---------",
        "break       a / b   1           2           flag_flip",
        "note        a                   x           c",
    ] == [line.rstrip() for line in columns.table(rows, HEAD, STAGES)]


@pytest.mark.parametrize(
    ("row", "head", "below"),
    [
        (["x", "n", "1", "2", "c", "m" * 60], ["severity", "case", "expected"], ["m" * 60]),
        (
            ["x", "n", "o" * 44, "w" * 44, "c", "m" * 60],
            ["severity", "case", "class"],
            ["expected  " + "o" * 44, "observed  " + "w" * 44, "m" * 60],
        ),
        (
            ["x", "n" * 50, "o" * 44, "w" * 44, "c" * 40, ""],
            ["severity", "case"],
            ["expected  " + "o" * 44, "observed  " + "w" * 44, "class     " + "c" * 40],
        ),
    ],
)
def test_a_table_that_is_too_wide(row, head, below):
    """The columns that are said to, then the last ones, stand below each row with their heads."""
    lines = columns.table([row, row], HEAD, STAGES)
    assert head == lines[0].split()[: len(head)]
    assert below == [line.strip() for line in lines[3 : 3 + len(below)]]
    assert lines[2 : 3 + len(below)] == lines[3 + len(below) :]


def test_rows_without_heads():
    """A row that is too wide has its last column below, the others stay as they are."""
    rows = [["a", "bc", "", "w" * 99], ["de", "two\nlines", "", "x"], ["f", "", "", ""]]
    lines = columns.aligned(rows)
    assert ["a   bc", "    " + "w" * 99, "de  two lines  x", "f"] == [
        line.rstrip() for line in lines
    ]


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("short", ["short"]),
        ("  a  b", ["  a  b"]),
        ("x" * 60 + " " + "y" * 39, ["x" * 60 + " " + "y" * 39]),
        ("x" * 60 + "  " + "y" * 39, ["x" * 60, "   " + "y" * 39]),
        ("a " + "x" * 120 + " b", ["a", "   " + "x" * 120, "   b"]),
        ("参数" * 24 + " 与遍历", ["参数" * 24, "   与遍历"]),
        ("", [""]),
    ],
)
def test_a_line_is_parted_at_blanks(words, lines):
    """What goes on below has an indent, wide characters count twice, and no word is parted."""
    assert lines == columns.wrapped(words, 3).split("\n")


NAME = "cross_entropy_corners", "zero_probability_smoothed"
LONG = "the reason why it is so, which takes a few words " * 4


def test_no_line_of_a_report_is_wider_than_a_terminal():
    """Long names, texts, reasons and measures are laid out within it; commands stay whole."""
    names = {"experiment": NAME[0], "variant": NAME[1]}
    case = CaseLine(cell="burn-0.22.1-ndarray", text=LONG, **names)
    words = {
        "observation": "requires_grad_again.fc1.weight",
        "expected": LONG,
        "observed": "x" * 99,
    }
    change = builders.change(Difference.TEXT_CHANGE, **words)
    rows = (builders.row(words["observation"], change=change, measure=builders.measure()),)
    contract = builders.contract("x", variants=[builders.variant(NAME[1])])
    report = builders.report(
        changes=(builders.line(Difference.PARITY_LOST, **words, **names),),
        flaky=(builders.flaky_line(first=LONG, other="x" * 99, **names),),
        new=(case,),
        inconclusive=(case,),
        sides=tuple(builders.side(one, *rows, reason=LONG, **names) for one in Status),
        contracts={NAME[0]: contract},
        verbose=True,
    )
    wide = [line for line in terminal.render(report).split("\n") if cell_len(line) > 100]
    assert [] == [line for line in wide if "nox -s" not in line]
