"""The fake GitHub itself: what its description does not allow is a violation."""

from __future__ import annotations

import pytest
import requests
from fake_github import renew
from fake_github.service import DESCRIPTION, FakeGitHub
from fake_github.state import REPOSITORY


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "issues", {"body": "no title"}),
        ("POST", "issues/7/comments", {}),
        ("POST", "issues/7/comments", {"body": 5}),
        ("PATCH", "issues/comments/1", {}),
        ("PATCH", "issues/1", {"state": "ended"}),
        ("GET", "issues/one/comments", None),
        ("GET", "issues?state=some", None),
        ("GET", "nothing/there", None),
    ],
)
def test_a_call_that_github_does_not_allow(method, path, body):
    """It is refused, and noted."""
    with FakeGitHub() as fake:
        url = f"{fake.base}/repos/{REPOSITORY}/{path}"
        answer = requests.request(method, url, json=body, timeout=10)

    assert answer.status_code == 422
    assert len(fake.violations) == 1


def test_an_answer_that_github_would_not_give():
    """The fake's own mistakes are noted, too."""
    with FakeGitHub() as fake:
        del fake.state.comment(7, "x")["html_url"]
        requests.get(f"{fake.base}/repos/{REPOSITORY}/issues/7/comments", timeout=10)

    assert "html_url" in fake.violations[0]


def test_the_description_holds_the_calls_that_are_made():
    """openapi.json is what renew.py would keep of itself."""
    assert renew.slim(DESCRIPTION, "") | {"info": 0} == DESCRIPTION | {"info": 0}
