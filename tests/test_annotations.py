"""A run as workflow commands."""

import re
from dataclasses import replace

import builders
import pytest
import strategies
import test_markdown
from hypothesis import given

from harness.accepted import Alarm, State
from harness.model import Difference
from harness.parity import Status
from harness.report import annotations

D = Difference

COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-z]+=[^:,\r\n]*,?)*)::([^\r\n]*)")


CASE = test_markdown.CASE


def place(cell, experiment, variant):
    """Return where a variant begins."""
    return f"{experiment}/{variant}.rs", 7


def read(report):
    """Return what the runner reads: (kind, properties, message) of every line."""
    found = []
    for line in annotations.render(report, place).splitlines():
        kind, properties, message = COMMAND.fullmatch(line).groups()
        pairs = dict(one.split("=", 1) for one in properties.split(","))
        found.append((kind, {n: undone(v, ":,") for n, v in pairs.items()}, undone(message, "")))
    return found


def undone(words, more):
    """Return a value as the runner undoes it."""
    codes = {"%0D": "\r", "%0A": "\n", "%25": "%", "%3A": ":", "%2C": ","}
    kept = {code for code, one in codes.items() if one in f"\r\n%{more}"}
    return re.sub("%..", lambda one: codes[one[0]] if one[0] in kept else one[0], words)


def test_a_difference_is_a_command():
    """It names the line of the variant, the class and severity, both values and the cells."""
    lines = tuple(builders.line(cell=cell) for cell in (builders.BURN, "burn-main"))
    properties = {
        "file": "sample/plain.rs",
        "line": "7",
        "title": "break flag_flip: sample / plain",
    }
    message = "seen: false → true, in burn-0.22.1, burn-main"
    assert [("error", properties, message)] == read(builders.report(changes=lines))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(D.FLAG_FLIP, "error"), (D.VALUE_DRIFT, "warning"), (D.MESSAGE_ONLY, "notice")],
)
def test_severity_is_the_kind(kind, expected):
    """A break is an error, a change a warning, a note a notice."""
    assert [expected] == [one[0] for one in read(builders.report(changes=(builders.line(kind),)))]


def test_rounding_is_none():
    """Bits within the tolerance are nobody's business."""
    assert "" == annotations.render(builders.report(changes=(builders.line(D.ROUNDING),)), place)


@pytest.mark.parametrize(
    ("number", "last"), [(10, None), (11, "and 2 more breaks"), (99, "and 90")]
)
def test_ten_of_a_kind(number, last):
    """More than ten would be dropped without a word: the tenth says how many more there are."""
    lines = tuple(builders.line(observation=f"o{n}") for n in range(number))
    lines += (builders.line(D.VALUE_DRIFT),)
    found = read(builders.report(changes=lines))
    errors = [message for kind, _, message in found if kind == "error"]
    assert (10, 1) == (len(errors), len(found) - len(errors))
    assert errors[-1].startswith(last or "o9: ")


def test_the_most_severe_come_first():
    """Errors, then warnings, then notices."""
    kinds = (D.MESSAGE_ONLY, D.VALUE_DRIFT, D.FLAG_FLIP)
    lines = tuple(builders.line(kind, observation=kind.value) for kind in kinds)
    found = read(builders.report(changes=lines))
    assert ["error", "warning", "notice"] == [kind for kind, _, _ in found]


def test_what_is_no_difference_but_red():
    """Invalid records, parity beyond what is known and outdated acceptances are told as well."""
    row = builders.row("x", change=builders.change())
    alarm = Alarm(state=State.VANISHED, entry=test_markdown.ENTRY)
    report = builders.report(
        invalid=(test_markdown.CASE,),
        sides=(builders.side(Status.MISMATCH, row),),
        outdated=(alarm,),
    )
    assert [
        ("error", "invalid: sample / plain in burn-main", "words"),
        ("error", "parity: sample / plain", "burn-0.22.1 and torch-2.15.0 differ in x: mismatch"),
        ("warning", "vanished: sample / plain", "remove the entry"),
    ] == [(kind, properties["title"], message) for kind, properties, message in read(report)]
    assert {"file": "baselines/accepted.yaml", "line": "3"}.items() <= read(report)[2][1].items()


@given(strategies.reports())
def test_any_text_is_one_command(report):
    """Whatever was found, each line is one command that names a place and says something."""
    for kind, properties, _ in read(report):
        assert kind in {"error", "warning", "notice"}
        assert {"title"} <= properties.keys() <= {"title", "file", "line"}


def test_what_the_runner_undoes_is_done():
    """Percent signs, ends of lines, and in properties colons and commas, come back as they were."""
    words = "100%, a::b,c=d %0A"
    line = builders.line(D.TEXT_CHANGE, observation=words, variant="plain", expected=words)
    lost = builders.line(D.PARITY_LOST, observation=words, against=builders.TORCH)
    (found,) = read(builders.report(changes=(line, lost)))
    assert f"{words}: " in found[2]
    assert "break text_change, parity_lost: sample / plain" == found[1]["title"]
    ((_, _, message),) = read(builders.report(invalid=(replace(CASE, text="a\r\nb%0A"),)))
    assert "a\r\nb%0A" == message
