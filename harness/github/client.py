"""The calls to GitHub's REST API that emberwatch makes, each with the permission that it needs.

PyGithub carries them, since it is kept, typed, and reads GitHub's rate limits by header and by
text; its classes are not used, because they ask again for every attribute that a list leaves out.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import requests
from github import Auth, Github
from github.GithubException import GithubException, RateLimitExceededException
from requests.adapters import HTTPAdapter

from harness.errors import HarnessError
from harness.github.failures import (
    DeniedError,
    OutageError,
    ServiceError,
    TooLongError,
    printable,
)
from harness.github.patience import Patience
from harness.github.resources import Artifact, Comment, Head, Issue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from harness.github.clock import Clock
    from harness.github.resources import Place

#: Whose comments a workflow's own token writes.
ACTIONS = "github-actions[bot]"
_VERSION = "2022-11-28"
_ACCEPT = "application/vnd.github+json"
_TIMEOUT = 30
#: GitHub asks for a second between writes.
_BETWEEN_WRITES = 1.0
_CHUNK = 1 << 16
#: The seconds to wait before looking whether a write of unknown outcome was done.
_SETTLING = (2.0, 10.0)
Result = TypeVar("Result")


class Client:
    """One repository on GitHub."""

    def __init__(self, place: Place, clock: Clock) -> None:
        """Take where it is; nothing is asked yet."""
        self.place = place
        self.clock = clock
        self._root = f"/repos/{place.repository}"
        self._wrote = False
        self._github = Github(
            auth=Auth.Token(place.token),
            base_url=place.api.rstrip("/"),
            timeout=_TIMEOUT,
            user_agent="emberwatch",
            retry=Patience(clock.sleep),
            seconds_between_requests=None,  # it would wait by a clock of its own
            seconds_between_writes=None,
            api_version=_VERSION,
        )

    @cached_property
    def login(self) -> str:
        """Return as whom this writes; a workflow's token may not ask, and writes as the bot."""
        if self.place.login:
            return self.place.login
        try:
            return str(self._call("GET", "/user", "no permission")[1]["login"])
        except DeniedError:
            return ACTIONS

    # --- comments -----------------------------------------------------------------------------

    def comments(self, number: int) -> list[Comment]:
        """Return every comment on an issue or pull request, the oldest first."""
        path = f"{self._root}/issues/{number}/comments"
        return [Comment.of(one) for one in self._pages(path, "pull-requests: read")]

    def create_comment(self, number: int, body: str) -> Comment:
        """Add a comment."""
        path = f"{self._root}/issues/{number}/comments"
        return Comment.of(self._write("POST", path, "pull-requests: write", {"body": body}))

    def update_comment(self, id_: int, body: str) -> Comment:
        """Replace a comment's text."""
        path = f"{self._root}/issues/comments/{id_}"
        return Comment.of(self._write("PATCH", path, "pull-requests: write", {"body": body}))

    # --- issues -------------------------------------------------------------------------------

    def issues(self) -> list[Issue]:
        """Return every issue of ours, open and closed, the oldest first; no pull requests.

        The list, not the search: that one lags behind what was just written.
        """
        asked = {"state": "all", "sort": "created", "direction": "asc"}
        found = self._pages(f"{self._root}/issues", "issues: read", asked=asked)
        issues = [Issue.of(one) for one in found if "pull_request" not in one]
        return [issue for issue in issues if issue.author == self.login]

    def create_issue(self, title: str, body: str) -> Issue:
        """Open an issue."""
        words = {"title": title, "body": body}
        return Issue.of(self._write("POST", f"{self._root}/issues", "issues: write", words))

    def update_issue(self, number: int, title: str, body: str, *, close: bool = False) -> Issue:
        """Replace an issue's title and text, and close it as completed if told."""
        words = {"title": title, "body": body}
        if close:
            words |= {"state": "closed", "state_reason": "completed"}
        path = f"{self._root}/issues/{number}"
        return Issue.of(self._write("PATCH", path, "issues: write", words))

    # --- runs ---------------------------------------------------------------------------------

    def pull_request(self, number: int) -> Head:
        """Return what a pull request asks to merge."""
        path = f"{self._root}/pulls/{number}"
        return Head.of_pull_request(self._call("GET", path, "pull-requests: read")[1])

    def workflow_run(self, id_: int) -> Head:
        """Return what a workflow ran on."""
        path = f"{self._root}/actions/runs/{id_}"
        return Head.of_run(self._call("GET", path, "actions: read")[1])

    def newest_runs(self, workflow: str, branch: str) -> list[int]:
        """Return a workflow's newest finished run on a branch of ours, and the newest scheduled.

        A push may run fewer cells than the schedule does, and who starts a run by hand chooses what
        it runs: that one does not count, nor does a fork's, which may have a branch of that name.
        """
        path = f"{self._root}/actions/workflows/{quote(workflow, safe='')}/runs"
        asked = {"branch": branch, "status": "completed"}
        found: list[int] = []
        for run in self._pages(path, "actions: read", key="workflow_runs", asked=asked):
            head = Head.of_run(run)
            ours = head.repository == self.place.repository and head.branch == branch
            ended = run["conclusion"] in {"success", "failure"}
            if ours and ended and head.event in {"push", "schedule"}:
                if not found or head.event == "schedule":
                    found.append(int(run["id"]))
                if head.event == "schedule":
                    break
        return found

    def artifacts(self, run: int) -> list[Artifact]:
        """Return what a workflow run uploaded; of each name what the last attempt did."""
        path = f"{self._root}/actions/runs/{run}/artifacts"
        found = [Artifact.of(one) for one in self._pages(path, "actions: read", key="artifacts")]
        return list({one.name: one for one in sorted(found, key=lambda one: one.id)}.values())

    def download(self, artifact: Artifact, path: Path, longest: int) -> None:
        """Write an artifact's zip to a file; refuse it when it has more than `longest` bytes.

        GitHub points at another host, which must not see the token.
        """
        asked = f"{self._root}/actions/artifacts/{artifact.id}/zip"
        headers, _ = self._call("GET", asked, "actions: read")
        what = f"artifact {printable(artifact.name)}"
        if "location" not in headers:
            raise OutageError(f"{what}: GitHub does not say where it is")
        session = requests.Session()
        for scheme in ("https://", "http://"):
            session.mount(scheme, HTTPAdapter(max_retries=Patience(self.clock.sleep)))
        try:
            with (
                session,
                session.get(headers["location"], stream=True, timeout=_TIMEOUT) as answer,
                path.open("wb") as file,
            ):
                answer.raise_for_status()
                for chunk in answer.iter_content(_CHUNK):
                    file.write(chunk)
                    if file.tell() > longest:
                        raise HarnessError(f"{what}: has more than {longest:,} bytes; refused")
        except requests.RequestException as error:
            raise OutageError(f"{what}: cannot be downloaded: {printable(error)}") from error

    # --- the wire -----------------------------------------------------------------------------

    def _pages(
        self, path: str, need: str, *, key: str = "", asked: Mapping[str, str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the items of a list, page after page."""
        parameters: dict[str, Any] = {**(asked or {}), "per_page": 100}
        while path:
            headers, answer = self._call("GET", path, need, parameters=parameters)
            yield from answer[key] if key else answer
            links = requests.utils.parse_header_links(headers.get("link", ""))
            path = next((one["url"] for one in links if one.get("rel") == "next"), "")
            parameters = {}  # the link has them

    def _write(self, method: str, path: str, need: str, words: Mapping[str, str]) -> dict[str, Any]:
        if self._wrote:
            self.clock.sleep(_BETWEEN_WRITES)
        self._wrote = True
        answer: dict[str, Any] = self._call(method, path, need, words=words)[1]
        return answer

    def _call(
        self,
        method: str,
        path: str,
        need: str,
        *,
        words: Mapping[str, str] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> tuple[dict[str, Any], Any]:
        what = f"{method} {path.removeprefix(self.place.api)}"
        try:
            return self._github.requester.requestJsonAndCheck(
                method,
                path,
                parameters=dict(parameters or {}),
                headers={"Accept": _ACCEPT},
                input=words,
            )
        except GithubException as error:
            failure = _failure(what, need, error)
            if isinstance(failure, OutageError):
                failure.unsure = method == "POST" and failure.status >= 500
            raise failure from error
        except (requests.RequestException, ValueError) as error:
            outage = OutageError(
                f"{what}: GitHub does not answer: {printable(error)}", "Run it again later."
            )
            outage.unsure = method == "POST"
            raise outage from error


def settled(clock: Clock, attempt: Callable[[], Result]) -> Result:
    """Return what an attempt to create something gives; where it may be done, try again.

    So every attempt must first look whether the thing is there.
    """
    for wait in _SETTLING:
        try:
            return attempt()
        except OutageError as error:
            if not error.unsure:
                raise
            clock.sleep(wait)
    return attempt()


def _failure(what: str, need: str, error: GithubException) -> ServiceError:
    """Return what failed, GitHub's status and words, and what would help."""
    status = error.status
    data = error.data if isinstance(error.data, dict) else {}
    words = [data.get("message")] + [
        one.get("message") for one in data.get("errors") or [] if isinstance(one, dict)
    ]
    said = printable("; ".join(str(word) for word in words if word) or "no words")
    message = f"{what}: GitHub says {status}: {said}"
    limited = isinstance(error, RateLimitExceededException) or status == 429 or not data
    if status >= 500 or (status in {403, 429} and limited):
        return OutageError(message, "Run the same command again later.", status)
    match status:
        case 401:
            advice = "GITHUB_TOKEN is not valid, or no longer."
            return ServiceError(message, advice, status)
        case 403:
            return DeniedError(message, f"The token needs the permission `{need}`.", status)
        case 404:
            advice = f"It does not exist, or the token lacks the permission `{need}`."
            return ServiceError(message, advice, status)
        case 422 if "too long" in said:
            return TooLongError(message, "", status)
        case _:
            return ServiceError(message, "", status)
