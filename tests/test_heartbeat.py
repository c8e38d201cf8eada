"""When the moving heads were last watched, in words."""

from datetime import date

import builders
import pytest

from harness import documents
from harness.github import watch
from harness.github.sightings import Watched
from harness.github.upstream import State
from harness.report import heartbeat

TODAY = date(2026, 3, 2)
FAILED = {"tried": "2026-03-02T04:00:00Z", "problem": "no network"}
NEVER = {"at": "", "build": "", "version": "", "compared": []}


def said(today=TODAY, quoted=str, **heads):
    """Return the sentence on some heads."""
    watched = {"watched": {name.replace("_", "-"): words for name, words in heads.items()}}
    return heartbeat.sentence(heartbeat.of(watched, today), quoted)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, "burn-main 2026-03-01 (0.23.0 at ccccccc, 2 cases)."),
        (
            {"build": "2.16.0.dev1", "version": "2.16.0.dev1"},
            "burn-main 2026-03-01 (2.16.0.dev1, 2 cases).",
        ),
        ({"build": "", "version": "", "compared": ["a/b"]}, "burn-main 2026-03-01 (1 case)."),
        (
            FAILED,
            "burn-main 2026-03-01 (0.23.0 at ccccccc, 2 cases), last try 2026-03-02 failed: no network.",
        ),
        ({**NEVER, **FAILED}, "burn-main never, last try 2026-03-02 failed: no network."),
    ],
    ids=["compared", "a version alone", "an unknown build", "failed since", "never compared"],
)
def test_a_head_in_words(words, expected):
    """When, which build, how much of it, and why the last try failed if it did."""
    assert said(burn_main=builders.watched(**words)) == f"Upstream last watched: {expected}"


@pytest.mark.parametrize(("day", "stale"), [(2, ""), (4, ""), (5, ", stale: 4 days ago")])
def test_what_is_old_is_marked(day, stale):
    """More than three days without a comparison are told."""
    words = said(date(2026, 3, day), burn_main=builders.watched())

    assert words.endswith(f"2 cases){stale}.")


@pytest.mark.parametrize(("words", "stale"), [({}, False), (NEVER, True)])
def test_a_head_that_was_never_compared_is_stale(words, stale):
    """Whoever shows the heartbeat marks it without counting days."""
    (beat,) = heartbeat.of({"watched": {"burn-main": builders.watched(**words)}}, TODAY)

    assert beat.stale is stale


def test_heads_are_named_in_order():
    """The sentence is the same whatever was watched first."""
    words = said(torch_nightly=builders.watched(), burn_main=builders.watched())

    assert words.index("burn-main") < words.index("torch-nightly")


def test_no_head_no_words():
    """Where nothing was ever watched nothing is said."""
    assert said() == ""


def test_what_is_foreign_is_quoted():
    """Name, build and problem get the form that they have in a sentence."""
    words = said(quoted=lambda one: f"<{one}>", burn_main=builders.watched(**FAILED))

    assert "<burn-main> 2026" in words
    assert "(<0.23.0 at ccccccc>, " in words
    assert "failed: <no network>." in words


def test_a_day_that_no_calendar_has():
    """It is an error, not a day."""
    with pytest.raises(ValueError, match="month"):
        said(burn_main=builders.watched(at="2026-13-01T04:00:00Z"))


def test_it_reads_what_upstream_writes():
    """The document is the state file, which its schema allows."""
    one = builders.watched()
    state = State(watched={"burn-main": Watched(**{**one, "compared": tuple(one["compared"])})})
    document = watch.document(state)

    assert documents.validate(document, "upstream.json") == []
    assert [beat.head for beat in heartbeat.of(document, TODAY)] == ["burn-main"]


@pytest.mark.parametrize("time", ["2026-03-01", "yesterday", "2026-03-01T04:00:00Z\n#1", "@you"])
@pytest.mark.parametrize("key", ["at", "tried"])
def test_a_time_is_one(key, time):
    """The schema lets nothing else through, since times are shown as they are."""
    document = watch.document(State()) | {"watched": {"burn-main": builders.watched(**{key: time})}}

    assert documents.validate(document, "upstream.json") != []
