"""A run as JUnit XML."""

import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import builders
import pytest
import strategies
import test_markdown
import xmlschema
from hypothesis import given

from harness import plan
from harness.accepted import Alarm, State
from harness.model import Difference, Framework, Limit, Scope
from harness.parity import Status
from harness.records import CellRun
from harness.report import junit
from harness.report.view import AcceptedLine, CaseLine

D = Difference

SCHEMA = xmlschema.XMLSchema(Path(__file__).with_name("junit-10.xsd"))
CASE = CaseLine(cell=builders.BURN, experiment="sample", variant="plain", text="words")
RUN = CellRun(cell=builders.BURN, versions={"burn": "0.22.1"}, seconds=1.5)


def tree(cases=(), **words):
    """Return the report's XML, which the schema allows."""
    words = {"cells": (RUN,), **words}
    text = junit.render(builders.report(**words), cases)
    SCHEMA.validate(text)
    return ET.fromstring(text)


def results(root):
    """Return how each testcase ended: (suite, classname, name) → (element, type, message)."""
    return {
        (suite.get("name"), case.get("classname"), case.get("name")): [
            (one.tag, one.get("type"), one.get("message"))
            for one in case
            if one.tag != "system-out"
        ]
        for suite in root
        for case in suite.iter("testcase")
    }


def ended(**words):
    """Return how the one testcase of a report ended, and what is noted of it."""
    root = tree(**words)
    (found,) = results(root).values()
    return found, "".join(one.text for one in root.iter("system-out"))


FLIP = "seen: false → true"


@pytest.mark.parametrize(
    ("words", "expected", "noted"),
    [
        ({"changes": (builders.line(),)}, [("failure", "flag_flip", FLIP)], ""),
        (
            {"changes": (builders.line(D.PARITY_LOST, against=builders.TORCH),)},
            [("failure", "parity_lost", f"{FLIP} (against torch-2.15.0)")],
            "",
        ),
        ({"changes": (builders.line(D.MESSAGE_ONLY),)}, [], f"message_only: {FLIP}"),
        ({"changes": (builders.line(D.ROUNDING),)}, [], f"rounding: {FLIP}"),
        ({"invalid": (CASE,)}, [("error", "invalid", "words")], ""),
        ({"inconclusive": (CASE,)}, [("skipped", "not compared", "words")], ""),
        ({"new": (CASE,)}, [("skipped", "no baseline", "words")], ""),
        (
            {"flaky": (builders.flaky_line(),)},
            [("skipped", "flaky", "disagrees with itself")],
            "flaky: x: 3 of 5 runs agree: 1, 2",
        ),
        (
            {"changes": (builders.line(),), "flaky": (builders.flaky_line(),)},
            [("failure", "flag_flip", FLIP)],
            "flaky: x: 3 of 5 runs agree: 1, 2\nflaky: disagrees with itself",
        ),
        (
            {"changes": (builders.line(), builders.line(D.VALUE_DRIFT, observation="y"))},
            [("failure", "flag_flip, value_drift", f"{FLIP}; y: false → true")],
            "",
        ),
        (
            {
                "sides": (
                    builders.side(Status.MISMATCH, builders.row(change=builders.change())),
                    builders.side(Status.KNOWN, builders.row(change=builders.change())),
                )
            },
            [("failure", "parity_mismatch", "torch-2.15.0 and burn-0.22.1 differ in seen")],
            "",
        ),
    ],
    ids=str,
)
def test_how_a_case_ended(words, expected, noted):
    """A break or a change fails, a broken record is an error, what was not compared is skipped."""
    assert (expected, noted) == ended(**words)


def test_acceptances():
    """What is accepted is noted; what holds no longer fails."""
    accepted = AcceptedLine.of(builders.line(cell=builders.BURN), test_markdown.ENTRY)
    assert ([], f"accepted: {FLIP} (right since 1.2)") == ended(accepted=(accepted,))
    alarm = Alarm(state=State.VANISHED, entry=test_markdown.ENTRY)
    found, _ = ended(outdated=(alarm,), cells=())
    message = "seen: the acceptance vanished; remove the entry"
    assert [("failure", "acceptance_vanished", message)] == found


def test_an_acceptance_of_one_system():
    """What is accepted of one system says of which."""
    entry = replace(test_markdown.ENTRY, os="macos")
    accepted = AcceptedLine.of(builders.line(cell=builders.BURN), entry)
    assert ([], f"accepted on macos: {FLIP} (right since 1.2)") == ended(accepted=(accepted,))


def test_limits_that_were_lacking():
    """What a cell ran without is a property of its suite."""
    run = replace(RUN, lacking=(Limit.MEMORY, Limit.PROCESSES))
    found = [(p.get("name"), p.get("value")) for p in tree(cells=(run,)).iter("property")]
    assert [("burn", "0.22.1"), ("lacking", "memory, processes")] == found


def test_texts_stand_in_full():
    """A failure's text holds both sides as they are."""
    change = {"observation": "t", "expected": "a\n" * 9, "observed": "b"}
    (failure,) = tree(changes=(builders.line(D.TEXT_CHANGE, **change),)).iter("failure")
    assert f"expected: {'a' + chr(10)}" in failure.text
    assert failure.text.endswith("observed: b")
    assert 9 == failure.text.count("a\n")


def cases():
    """Return the cases of two cells: one variant passes, torch cannot express the other."""
    unsupported = {Scope(framework=Framework.TORCH): "it has none"}
    variants = [builders.variant(), builders.variant("other", unsupported=unsupported)]
    contract = builders.contract("seen", variants=variants)
    cells = (builders.cell(), builders.cell(builders.BURN))
    return plan.Plan(cells=cells, contracts=(contract,), complete=True).cases()


def test_a_suite_a_cell_a_testcase_a_case():
    """Of the plan's cases, those that passed are listed as well, and those that do not exist."""
    cells = (CellRun(cell=builders.TORCH), RUN)
    root = tree(cases(), cells=cells, changes=(builders.line(),))
    torch, burn = f"{builders.TORCH}.sample", f"{builders.BURN}.sample"
    assert {
        (builders.TORCH, torch, "sample / plain"): [],
        (builders.TORCH, torch, "sample / other"): [("skipped", "unsupported", "it has none")],
        (builders.BURN, burn, "sample / plain"): [("failure", "flag_flip", FLIP)],
        (builders.BURN, burn, "sample / other"): [],
    } == results(root)
    assert ("4", "1", "0") == tuple(root.get(name) for name in ("tests", "failures", "errors"))
    assert ("1.5", "2") == (root[1].get("time"), root[1].get("tests"))
    assert [("burn", "0.22.1")] == [
        (p.get("name"), p.get("value")) for p in root[1].iter("property")
    ]


@pytest.mark.parametrize("missing", [True, False])
def test_a_cell_that_is_not_there_is_an_error(missing):
    """Its cases are skipped, and one testcase says why, so that no server calls it passed."""
    gone = CellRun(cell=builders.BURN, unavailable="no network", missing=missing)
    found = results(tree(cases(), cells=(CellRun(cell=builders.TORCH), gone)))
    word = "missing" if missing else "unavailable"
    assert [("error", word, "no network")] == found[builders.BURN, "burn-0.22.1.cell", "cell"]
    skipped = [("skipped", "not compared", "burn-0.22.1 is not there")]
    assert skipped == found[builders.BURN, "burn-0.22.1.sample", "sample / plain"]


@given(strategies.reports(most=4))
def test_any_report_satisfies_the_schema(report):
    """Whatever was found, with any characters, the XML can be parsed and is as the schema says."""
    SCHEMA.validate(junit.render(report))


@pytest.mark.parametrize("words", test_markdown.NASTY)
def test_foreign_text_is_no_markup(words):
    """Markup in a text stays text, and what XML cannot hold is spelled."""
    root = ET.fromstring(junit.render(test_markdown.hostile(words)))
    tags = {"testsuites", "testsuite", "testcase", "properties", "property", "system-out"}
    assert {one.tag for one in root.iter()} <= tags | {"failure", "error", "skipped"}
    assert "evil" in ET.tostring(root, encoding="unicode")


def test_its_time_grows_with_its_size_alone():
    """Twice the cases take about twice the work: no case looks at all others."""
    steps = []
    for number in (200, 400):
        lines = tuple(builders.line(variant=f"v{n}") for n in range(number))
        steps.append(calls(lambda lines=lines: junit.render(builders.report(changes=lines))))
    assert steps[1] < 2.2 * steps[0]


def calls(work):
    """Return how many functions a piece of work calls."""
    count = 0

    def note(frame, event, arg):
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
