"""What the fake GitHub remembers: issues, comments, pull requests, runs and their artifacts."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_github.shapes import Shapes

BOT = "github-actions[bot]"
REPOSITORY = "acme/models"
#: GitHub's own rule on the body of a comment or an issue.
LONGEST = 65_536

Answer = tuple[int, Any, dict[str, str]]


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return a zip of these files, by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


class State:
    """One repository's issues, comments, pull requests and workflow runs."""

    def __init__(self, shapes: Shapes) -> None:
        """Begin with nothing."""
        self.shapes = shapes
        self.base = ""
        self.login = BOT
        #: Is the token a person's? `GET /user` answers a person alone.
        self.person = False
        self.time = "2026-01-01T00:00:00Z"
        self.issues: dict[int, dict[str, Any]] = {}
        self.comments: dict[int, list[dict[str, Any]]] = {}
        self.pulls: dict[int, dict[str, Any]] = {}
        self.runs: dict[int, dict[str, Any]] = {}
        self.zips: dict[int, tuple[int, str, bytes]] = {}
        self.last = 1000

    # --- what a test prepares -----------------------------------------------------------------

    def user(self, login: str) -> dict[str, Any]:
        """Return an account."""
        return self.shapes.named("simple-user", login=login)

    def comment(self, number: int, body: str, login: str | None = None) -> dict[str, Any]:
        """Add a comment to an issue or pull request."""
        added = self.shapes.named(
            "issue-comment", id=self._next(), body=body, user=self.user(login or self.login)
        )
        self.comments.setdefault(number, []).append(added)
        return added

    def issue(self, title: str, body: str, login: str | None = None) -> dict[str, Any]:
        """Open an issue."""
        number = len(self.issues) + 1
        opened = self.shapes.named(
            "issue",
            number=number,
            title=title,
            body=body,
            state="open",
            state_reason=None,
            user=self.user(login or self.login),
            created_at=self.time,
            updated_at=self.time,
            html_url=f"https://github.invalid/{REPOSITORY}/issues/{number}",
        )
        self.issues[number] = opened
        return opened

    def close(self, number: int, reason: str = "completed") -> None:
        """Close an issue, as a person does."""
        closed = {"state": "closed", "state_reason": reason, "closed_at": self.time}
        self.issues[number].update(closed)

    def pull(self, number: int, sha: str, repository: str = "fork/models", ref: str = "x") -> None:
        """Open a pull request from a fork's branch."""
        shape = self.shapes.of("/repos/{owner}/{repo}/pulls/{pull_number}")
        repo = {**shape["base"]["repo"], "full_name": repository}
        head = {**shape["head"], "sha": sha, "ref": ref, "repo": repo}
        self.pulls[number] = {**shape, "number": number, "head": head}

    def run(
        self,
        id_: int,
        sha: str,
        repository: str = "fork/models",
        ref: str = "x",
        event: str = "pull_request",
        *,
        workflow: str = "regress.yml",
        conclusion: str = "success",
    ) -> None:
        """Note a finished run of a workflow."""
        shape = self.shapes.of("/repos/{owner}/{repo}/actions/runs/{run_id}")
        repo = self.shapes.named("minimal-repository", full_name=repository)
        known = {"id": id_, "head_sha": sha, "head_branch": ref, "event": event}
        ended = {"path": f".github/workflows/{workflow}", "status": "completed"}
        known |= {**ended, "conclusion": conclusion}
        self.runs[id_] = {**shape, **known, "head_repository": repo}

    def artifact(
        self, run: int, name: str, data: bytes, size: int | None = None, *, expired: bool = False
    ) -> None:
        """Keep what a run uploaded; `size` is what GitHub says of it."""
        id_ = self._next()
        self.zips[id_] = (run, name, data)
        said = {"size_in_bytes": len(data) if size is None else size, "expired": expired}
        self._said = {**getattr(self, "_said", {}), id_: said}

    def blob(self, path: str) -> bytes:
        """Return the zip that lies at a path."""
        return self.zips[int(path.rpartition("/")[2])][2]

    def _next(self) -> int:
        self.last += 1
        return self.last

    # --- answers ------------------------------------------------------------------------------

    def answer(self, call: Any) -> Answer:
        """Do what a request asks."""
        body = json.loads(call.body) if call.body else {}
        path = call.path.removeprefix(f"/repos/{REPOSITORY}")
        routes: list[tuple[str, Any]] = [
            (r"GET /user", self._user),
            (r"GET /issues", self._issues),
            (r"POST /issues", self._open),
            (r"PATCH /issues/(\d+)", self._edit),
            (r"GET /issues/(\d+)/comments", lambda _, n: (200, self.comments.get(n, []), {})),
            (r"POST /issues/(\d+)/comments", self._say),
            (r"PATCH /issues/comments/(\d+)", self._reword),
            (r"GET /pulls/(\d+)", lambda _, n: _found(self.pulls, n)),
            (r"GET /actions/workflows/[^/]+/runs", lambda asked: self._runs(call.path, asked)),
            (r"GET /actions/runs/(\d+)", lambda _, n: _found(self.runs, n)),
            (r"GET /actions/runs/(\d+)/artifacts", self._artifacts),
            (r"GET /actions/artifacts/(\d+)/zip", self._download),
        ]
        for pattern, route in routes:
            if match := re.fullmatch(pattern, f"{call.method} {path}"):
                asked = {**call.query, **body}
                return route(asked, *map(int, match.groups()))
        return _found({}, 0)

    def _user(self, _: Any) -> Answer:
        if not self.person:
            return _refused(403, "Resource not accessible by integration")
        shape = self.shapes.named("public-user", login=self.login, user_view_type="public")
        return 200, shape, {}

    def _issues(self, asked: dict[str, Any]) -> Answer:
        wanted = asked.get("state", "open")
        found = [i for i in self.issues.values() if wanted in {"all", i["state"]}]
        return 200, found, {}

    def _open(self, asked: dict[str, Any]) -> Answer:
        if len(asked["body"]) > LONGEST:
            return _too_long("Issue")
        return 201, self.issue(asked["title"], asked["body"]), {}

    def _edit(self, asked: dict[str, Any], number: int) -> Answer:
        issue = self.issues[number]
        issue.update({key: asked[key] for key in ("title", "body") if key in asked})
        issue["updated_at"] = self.time
        if asked.get("state") == "closed":
            self.close(number, asked.get("state_reason") or "completed")
        return 200, issue, {}

    def _say(self, asked: dict[str, Any], number: int) -> Answer:
        if len(asked["body"]) > LONGEST:
            return _too_long("IssueComment")
        return 201, self.comment(number, asked["body"]), {}

    def _reword(self, asked: dict[str, Any], id_: int) -> Answer:
        if len(asked["body"]) > LONGEST:
            return _too_long("IssueComment")
        found = next(c for said in self.comments.values() for c in said if c["id"] == id_)
        found["body"] = asked["body"]
        return 200, found, {}

    def _runs(self, path: str, asked: dict[str, Any]) -> Answer:
        workflow = path.split("/")[-2]
        found = [
            run
            for _, run in sorted(self.runs.items(), reverse=True)
            if run["path"].endswith(f"/{workflow}")
            and run["head_branch"] == asked.get("branch", run["head_branch"])
            and run["status"] == asked.get("status", run["status"])
        ]
        return 200, {"total_count": len(found), "workflow_runs": found}, {}

    def _artifacts(self, _: Any, run: int) -> Answer:
        found = [
            self.shapes.named(
                "artifact",
                id=id_,
                name=name,
                **self._said[id_],
                archive_download_url=f"{self.base}/repos/{REPOSITORY}/actions/artifacts/{id_}/zip",
            )
            for id_, (of, name, _) in self.zips.items()
            if of == run
        ]
        return 200, {"total_count": len(found), "artifacts": found}, {}

    def _download(self, _: Any, id_: int) -> Answer:
        return 302, {}, {"location": f"{self.base}/blob/{id_}"}


def _found(things: Mapping[int, Any], number: int) -> Answer:
    return (200, things[number], {}) if number in things else _refused(404, "Not Found")


def _refused(status: int, message: str) -> Answer:
    url = "https://docs.github.invalid/rest"
    return status, {"message": message, "documentation_url": url, "status": str(status)}, {}


def _too_long(resource: str) -> Answer:
    message = f"Body is too long (maximum is {LONGEST} characters)"
    error = {"resource": resource, "code": "unprocessable", "field": "data", "message": message}
    status, answer, headers = _refused(422, "Validation Failed")
    return status, {**answer, "errors": [error]}, headers
