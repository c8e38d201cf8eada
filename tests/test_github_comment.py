"""The comment on a pull request: one, ours, quiet, and never lost."""

from __future__ import annotations

import json

import builders
import pytest
from fake_github import desk as desks

from harness.github import brief
from harness.github.comment import MARKER
from harness.github.upstream import State
from harness.github.watch import document
from harness.report import machine_readable


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A fake GitHub."""
    with desks.opened(tmp_path, monkeypatch) as opened:
        yield opened


def test_the_first_comment_is_created(desk):
    """What changed is said under the marker."""
    answer = desk.comment()

    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("comment created https://")
    assert desk.said() == [f"{MARKER}\n### It changed\n"]


def test_a_marked_body_is_not_marked_twice(desk):
    """A body that brings the marker keeps it as its first line."""
    desk.comment(body=f"{MARKER}\nx\n")

    assert desk.said() == [f"{MARKER}\nx\n"]


def test_the_next_one_is_an_update(desk):
    """There is one comment, whatever is pushed."""
    desk.comment()
    answer = desk.comment(body="### Otherwise\n")

    assert answer.out.startswith("comment updated")
    assert desk.said() == [f"{MARKER}\n### Otherwise\n"]


def test_the_same_body_is_not_written_again(desk):
    """An identical body makes no write."""
    desk.comment()
    writes = len(desk.fake.writes)

    assert desk.comment().out.startswith("comment unchanged")
    assert len(desk.fake.writes) == writes


def test_nothing_changed_and_nothing_said(desk):
    """Where nothing changed and no comment is there, none is posted."""
    assert desk.comment(changed=False).out == "comment quiet\n"
    assert desk.fake.writes == []


def test_nothing_changed_any_more(desk):
    """Where nothing changed any more, the comment that is there says so."""
    desk.comment()
    desk.comment(body="### Nothing changed\n", changed=False)

    assert desk.said() == [f"{MARKER}\n### Nothing changed\n"]


@pytest.mark.parametrize(
    ("author", "body"),
    [
        ("mallory", f"{MARKER}\nall is well"),
        ("github-actions[bot]", f"another workflow's\n{MARKER}"),
        ("github-actions[bot]", f"> {MARKER}"),
    ],
)
def test_a_forged_marker_is_ignored(desk, author, body):
    """Only the marker in the first line of our own comment counts."""
    desk.fake.state.comment(7, body, author)

    assert desk.comment().out.startswith("comment created")
    assert desk.said()[0] == body


def test_a_comment_of_a_deleted_account_is_nobodys(desk):
    """GitHub gives no user for an account that is gone."""
    desk.fake.state.comment(7, MARKER)["user"] = None

    assert desk.comment().out.startswith("comment created")


def test_another_login(desk):
    """An app's comments are found by its name."""
    desk.fake.state.comment(7, f"{MARKER}\nold", "app[bot]")

    assert desk.comment("--login", "app[bot]").out.startswith("comment updated")


def test_our_comment_is_found_on_the_last_page(desk):
    """Among 251 comments ours is the last one."""
    for number in range(250):
        desk.fake.state.comment(7, f"{MARKER}\n{number}", "somebody")
    desk.fake.state.comment(7, f"{MARKER}\nold")

    assert desk.comment().out.startswith("comment updated")
    assert len(desk.said()) == 251


@pytest.mark.parametrize("done", [False, True])
def test_a_post_of_unknown_outcome_makes_one_comment(desk, done):
    """After a 502 the comment is looked for before it is created again."""
    desk.fake.fault(502, match="POST", done=done)

    assert desk.comment().code == 0
    assert desk.said() == [f"{MARKER}\n### It changed\n"]


def test_a_post_that_never_succeeds_is_inconclusive(desk):
    """After three failures the verb gives up with 12."""
    desk.fake.fault(502, "Bad Gateway", match="POST", times=9)

    answer = desk.comment()

    assert answer.code == 12
    assert "502: Bad Gateway" in answer.err
    assert len(desk.fake.writes) == 3


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537])
def test_a_body_at_githubs_limit(desk, size):
    """What fits is posted as it is; one character more, and the verdict is posted alone."""
    body = "x" * (size - len(MARKER) - 1)
    answer = desk.comment(body=body)

    assert answer.code == 0
    if size <= 65_536:
        assert desk.said() == [f"{MARKER}\n{body}"]
    else:
        assert "too long" in answer.out
        (said,) = desk.said()
        assert "### Behaviour changed: 1 break" in said
        assert "/acme/models/actions/runs/42" in said


def test_an_update_that_is_too_long_is_shed_too(desk):
    """Create and update share one way."""
    desk.comment()
    desk.comment(body="x" * 70_000)

    (said,) = desk.said()
    assert said.startswith(f"{MARKER}\n### Behaviour changed")


@pytest.mark.parametrize("place", ["fallback", "summary"])
def test_a_token_that_may_not_comment(desk, monkeypatch, place):
    """The body goes into the file or the step's summary, and the verb ends well, with a notice."""
    target = desk.folder / "there.md"
    target.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(desk.folder / "summary.md"))
    if place == "summary":
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(target))
    desk.fake.fault(403, "Resource not accessible by integration", match="POST")

    answer = desk.comment(*(("--fallback", target) if place == "fallback" else ()))

    assert answer.code == 0
    assert "notice: no comment" in answer.err
    assert "pull-requests: write" in answer.err
    kept = "before\n" if place == "summary" else ""
    assert target.read_text() == f"{kept}### It changed\n"


def test_a_token_that_may_not_comment_and_no_other_place(desk):
    """Without a summary or a file the verdict would be lost: that is an error."""
    desk.fake.fault(403, "Resource not accessible by integration", match="POST")

    answer = desk.comment()

    assert answer.code == 2
    assert "--fallback" in answer.err


def test_without_a_body_a_short_one_is_worded(desk):
    """The report's document alone gives a verdict and a table."""
    report = desk.report(report=builders.report(changes=(builders.line(),)))

    desk.run("comment", "--report", report, "--pull-request", 7)

    (said,) = desk.said()
    assert "### Behaviour changed: 1 break" in said
    assert "| break | `burn-0.22.1` | `sample / plain` | `seen` | `false` | `true` |" in said


@pytest.mark.parametrize(
    "arguments",
    [(), ("--pull-request", 7), ("--run", 5, "--pull-request", 7), ("--pull-request", 0)],
)
def test_arguments_that_do_not_go_together(desk, arguments):
    """Wrong arguments end with 2 before anything is asked."""
    assert desk.run("comment", *arguments).code == 2
    assert desk.fake.calls == []


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        10**30,
        "|" * 9,
        {"shape": ["a"], "values": [[]]},
        {"shape": [3], "values": {}},
        [[]],
    ],
    ids=repr,
)
def test_the_short_body_words_whatever_the_schema_allows(value):
    """A report's values may be anything; wording them never fails."""
    document = machine_readable.document(builders.report(changes=(builders.line(),)))
    document["changes"][0] |= {"observed": value, "measure": _MEASURE, "class": "value_drift"}

    assert brief.render(json.loads(json.dumps(document)), "").count("\n| break") == 1


_MEASURE = {"n": 8, "max_abs": 1, "max_rel": 1, "index": [9, 9], "differing": 1}


# --- when upstream was last watched -----------------------------------------------------------------


def without_body(desk, *more):
    """Comment on pull request 7 in words of the report."""
    report = desk.report(report=builders.report(changes=(builders.line(),)))
    return desk.run("comment", "--report", report, "--pull-request", 7, *more)


def state(desk, **words):
    """Write what `upstream` keeps of burn's head."""
    kept = document(State()) | {"watched": {"burn-main": builders.watched(**words)}}
    return desk.write("state.json", json.dumps(kept))


def test_a_comment_says_when_upstream_was_watched(desk):
    """Words from the state stand in code; the day is the clock's."""
    answer = without_body(desk, "--watched", state(desk, at="2026-02-20T04:00:00Z", problem="@you"))

    assert (answer.code, answer.err) == (0, "")
    assert (
        "Upstream last watched: `burn-main` 2026-02-20 (`0.23.0 at ccccccc`, 2 cases), "
        "stale: 9 days ago, last try 2026-03-01 failed: `@you`.\n"
    ) in desk.said()[0]


def test_where_it_lies_comes_from_the_environment_too(desk, monkeypatch):
    """$EMBERWATCH_WATCHED is --watched."""
    monkeypatch.setenv("EMBERWATCH_WATCHED", str(state(desk)))
    without_body(desk)

    assert "last watched" in desk.said()[0]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read"),
        ("{", "not JSON"),
        ("{}", "required property"),
        (json.dumps(document(State()) | {"watched": {"x": 1}}), "watched"),
        (
            json.dumps(
                document(State())
                | {"watched": {"burn-main": builders.watched(at="2026-02-30T04:00:00Z")}}
            ),
            "day",
        ),
    ],
    ids=["missing", "no JSON", "another document", "no head", "no day"],
)
def test_a_state_that_cannot_be_read_is_not_shown(desk, content, why):
    """The comment is posted all the same, and stderr says why a line is not in it."""
    path = desk.folder / "state.json"
    if content is not None:
        path.write_text(content)
    answer = without_body(desk, "--watched", path)

    assert answer.code == 0
    assert "last watched" not in desk.said()[0]
    assert answer.err.startswith("emberwatch: when upstream was last watched is not shown: ")
    assert why in answer.err
    assert answer.err.count("\n") == 1
