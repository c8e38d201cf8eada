"""The GitHub client: retries, limits, pages, and errors that say what to do."""

from __future__ import annotations

import time

import pytest
from fake_github import desk as desks

from harness.errors import ExitCode, HarnessError
from harness.github.client import ACTIONS
from harness.github.failures import DeniedError, OutageError, ServiceError, printable
from harness.github.resources import Place


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A fake GitHub."""
    with desks.opened(tmp_path, monkeypatch) as opened:
        yield opened


def test_every_page_is_read(desk):
    """Of 251 comments, all are read, 100 a request."""
    for number in range(251):
        desk.fake.state.comment(7, f"comment {number}")

    bodies = [one.body for one in desk.client().comments(7)]

    assert [f"comment {number}" for number in range(251)] == bodies
    assert len(desk.fake.calls) == 3


def test_the_token_and_the_versions_are_sent(desk):
    """GitHub is told which token, which API version and which media type."""
    desk.client(token="secret").comments(7)

    sent = desk.fake.calls[0].headers
    assert sent["Authorization"] == "token secret"
    assert sent["X-GitHub-Api-Version"] == "2022-11-28"
    assert sent["Accept"] == "application/vnd.github+json"


@pytest.mark.parametrize(
    ("status", "message", "headers", "waits"),
    [
        (429, "slow down", {"retry_after": "7"}, [7]),
        (403, "slow down", {"retry_after": "7"}, [7]),
        (403, "You have exceeded a secondary rate limit.", {}, [60]),
        (429, "slow down", {}, [60]),
        (429, "slow down", {"retry_after": "whenever"}, [60]),
        (502, "Bad Gateway", {}, []),
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_a_fault_that_passes_is_waited_for(desk, status, message, headers, waits, write):
    """Limits are waited for as GitHub asks, else a minute; a read is repeated after a 5xx."""
    said = desk.fake.state.comment(7, "old")
    desk.fake.fault(status, message, **headers)

    client = desk.client()
    client.update_comment(said["id"], "new") if write else client.comments(7)

    assert len(desk.fake.calls) == 2
    assert desk.time.waits == waits


def test_waits_grow(desk):
    """A secondary limit that stays is waited for twice as long each time, then given up."""
    desk.fake.fault(403, "You have exceeded a secondary rate limit.", times=9)

    with pytest.raises(OutageError) as error:
        desk.client().comments(7)

    assert desk.time.waits == [60, 120, 240, 480]
    assert error.value.code is ExitCode.INCONCLUSIVE


def test_a_5xx_that_stays_is_given_up(desk):
    """After six answers of 502 the status and GitHub's words are in the error."""
    desk.fake.fault(502, "Bad Gateway", times=9)

    with pytest.raises(OutageError, match="502: Bad Gateway"):
        desk.client().comments(7)

    assert len(desk.fake.calls) == 6


def test_the_primary_limit_is_waited_for_until_its_reset(desk):
    """A used-up limit is waited for until it is reset, and a second more."""
    desk.fake.remaining = 0
    desk.fake.reset = int(time.time()) + 30
    desk.time.then = lambda: setattr(desk.fake, "remaining", 5000)

    desk.client().comments(7)

    assert desk.time.waits == [pytest.approx(31, abs=2)]


def test_a_primary_limit_of_hours_is_not_waited_for(desk):
    """A job does not sleep until a reset that is hours away."""
    desk.fake.remaining = 0
    desk.fake.reset = int(time.time()) + 7200

    with pytest.raises(OutageError, match="rate limit exceeded"):
        desk.client().comments(7)

    assert desk.time.waits == []


def test_a_retry_after_of_hours_is_not_waited_for(desk):
    """A job does not sleep for hours because GitHub asks it to."""
    desk.fake.fault(429, retry_after="7200")

    with pytest.raises(OutageError, match="7200 s"):
        desk.client().comments(7)


def test_a_post_is_not_repeated_blindly(desk):
    """A POST that fails with 502 may be done: it is made once, and the error says so."""
    desk.fake.fault(502, match="POST", done=True)

    with pytest.raises(OutageError) as error:
        desk.client().create_comment(7, "x")

    assert error.value.unsure
    assert desk.said() == ["x"]


def test_a_post_that_was_refused_for_a_limit_is_repeated(desk):
    """GitHub did not begin what it refuses for a limit."""
    desk.fake.fault(403, retry_after="2", match="POST")

    desk.client().create_comment(7, "x")

    assert desk.said() == ["x"]
    assert desk.time.waits == [2]


def test_writes_keep_a_distance(desk):
    """Between two writes there is a second, as GitHub asks."""
    client = desk.client()
    for body in ("a", "b", "c"):
        client.create_comment(7, body)

    assert desk.time.waits == [1, 1]


@pytest.mark.parametrize(
    ("status", "message", "kind", "advice"),
    [
        (401, "Bad credentials", ServiceError, "GITHUB_TOKEN is not valid"),
        (403, "Resource not accessible by integration", DeniedError, "pull-requests: write"),
        (404, "Not Found", ServiceError, "pull-requests: write"),
    ],
)
def test_a_refusal_says_what_is_missing(desk, status, message, kind, advice):
    """What failed, the status, GitHub's words and the permission are in the error; once asked."""
    desk.fake.fault(status, message)

    with pytest.raises(kind) as error:
        desk.client().create_comment(7, "x")

    assert f"issues/7/comments: GitHub says {status}: {message}" in error.value.message
    assert advice in error.value.advice
    assert error.value.code is ExitCode.USAGE
    assert len(desk.fake.calls) == 1


def test_nobody_there_is_an_outage(desk):
    """A host that does not answer is an outage, not a bug."""
    with pytest.raises(OutageError, match="does not answer"):
        desk.client(api="http://127.0.0.1:9").create_comment(7, "x")


@pytest.mark.parametrize(
    ("person", "login", "expected"),
    [(False, "", ACTIONS), (True, "", "somebody"), (True, "app[bot]", "app[bot]")],
)
def test_whose_comments_are_ours(desk, person, login, expected):
    """A person's token says who; a workflow's may not ask, and is the bot; a name overrides."""
    desk.fake.state.person, desk.fake.state.login = person, "somebody"

    assert desk.client(login=login).login == expected


@pytest.mark.parametrize(
    ("environment", "missing"),
    [
        ({}, "GITHUB_REPOSITORY, GITHUB_TOKEN"),
        ({"GITHUB_REPOSITORY": "a/b\n::error::x", "GITHUB_TOKEN": "t"}, "GITHUB_REPOSITORY"),
        ({"GITHUB_REPOSITORY": "a/b", "GITHUB_TOKEN": " "}, "GITHUB_TOKEN"),
    ],
)
def test_an_environment_that_lacks_something(environment, missing):
    """The error names the variable."""
    with pytest.raises(HarnessError, match=missing) as error:
        Place.of(environment)

    assert "\n::" not in str(error.value)


def test_foreign_words_stay_on_one_line():
    """A runner takes a line that begins with :: for a command."""
    assert printable("a\n::error::b\x1b[1m") == "a\\n::error::b\\x1b[1m"
