"""The verdict as a badge: what it says, and that it can be read."""

import re
import xml.etree.ElementTree as ET

import builders
import pytest
import test_report

from harness.dashboard import badge
from harness.report import roots

GREEN, RED, BLUE, AMBER, GREY = "#116329", "#b3261e", "#0550ae", "#7a5000", "#57606a"
SAYS = {
    "break": ("1 break", RED),
    "invalid": ("1 invalid record", RED),
    "alarm": ("1 parity alarm", RED),
    "unavailable": ("burn-main unavailable", AMBER),
    "inconclusive": ("1 case inconclusive", AMBER),
    "flaky": ("1 case flaky", AMBER),
    "new": ("1 new case", BLUE),
    "nothing": ("nothing was compared", GREY),
    "unreferenced": ("same: 1 case", GREEN),
}


def made(**words):
    """Return the badge of a report."""
    report = builders.report(**words)
    return badge.of(report, roots.grouped(report.changes))


@pytest.mark.parametrize("holds", list(SAYS))
def test_a_badge_says_the_gravest(holds):
    """A badge has a few words and a colour for everything that a run may be, in shields.io's form."""
    message, colour = SAYS[holds]
    form = {"schemaVersion": 1, "label": "behaviour", "message": message, "color": colour}
    assert form == made(**test_report.HOLDS[holds][1])


def test_what_changed_comes_before_what_is_unknown():
    """A run that both changed and is partly unknown is named by the change."""
    words = test_report.HOLDS["break"][1] | test_report.HOLDS["unavailable"][1]
    assert made(**words)["message"] == "1 break"


def test_without_a_run_it_says_so():
    """Where only baselines are shown, nothing is claimed of a run."""
    assert badge.of(None, [])["message"] == "baselines only"


@pytest.mark.parametrize("colour", [*badge.COLOURS.values(), GREY])
def test_white_text_can_be_read(colour):
    """White text has a contrast of at least 4.5 on both parts of the image (WCAG AA)."""
    image = badge.drawn({"label": "behaviour", "message": "words", "color": colour})
    backs = re.findall(r'<path fill="#(\w+)"', image)
    assert [colour[1:]] == backs[1:]
    for back in backs:
        digits = "".join(2 * one for one in back) if len(back) == 3 else back
        lit = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
        lit = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in lit]
        light = 0.2126 * lit[0] + 0.7152 * lit[1] + 0.0722 * lit[2]
        assert 1.05 / (light + 0.05) >= 4.5


def test_foreign_words_stay_text():
    """Whatever a badge says, it is one well-formed image without anything that runs or loads."""
    words = "</text><script>alert(1)</script>&"
    image = badge.drawn({"label": "behaviour", "message": words, "color": RED})
    tags = {one.tag.rpartition("}")[2] for one in ET.fromstring(image).iter()}
    assert tags == {"svg", "linearGradient", "stop", "mask", "rect", "g", "path", "text"}
    assert words in [one.text for one in ET.fromstring(image).iter()]


def test_equal_verdicts_are_equal_files():
    """An image changes with its words alone."""
    assert badge.drawn(badge.of(None, [])) == badge.drawn(badge.of(None, []))
