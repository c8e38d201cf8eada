"""What GitHub keeps, as far as emberwatch reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.github.failures import printable

if TYPE_CHECKING:
    from collections.abc import Mapping


#: What a verb cannot do without, and what to set it to on a machine of one's own.
_NEEDED = {"GITHUB_REPOSITORY": "owner/name", "GITHUB_TOKEN": "$(gh auth token)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where GitHub is, which repository, and as whom."""

    repository: str
    token: str
    api: str = "https://api.github.com"
    server: str = "https://github.com"
    #: The workflow run that this happens in; empty outside of one.
    run: str = ""
    #: Whose comments and issues are ours; asked for when empty.
    login: str = ""

    @classmethod
    def of(cls, environment: Mapping[str, str], login: str = "") -> Place:
        """Return what a workflow's environment says; a HarnessError names what is missing."""
        given = {name: environment.get(name, "").strip() for name in _NEEDED}
        lacking = [name for name, value in given.items() if not value]
        if lacking:
            raise HarnessError(
                f"{', '.join(lacking)}: missing",
                f"export {' '.join(f'{name}={_NEEDED[name]}' for name in lacking)}\n"
                "In a workflow: env: GITHUB_TOKEN: ${{ github.token }}",
            )
        repository, token = given.values()
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.ASCII):
            raise HarnessError(f"GITHUB_REPOSITORY: {printable(repository)!r} is not owner/name")
        named = {"api": "GITHUB_API_URL", "server": "GITHUB_SERVER_URL", "run": "GITHUB_RUN_ID"}
        more = {key: environment[name] for key, name in named.items() if environment.get(name)}
        return cls(repository=repository, token=token, login=login, **more)

    @property
    def page(self) -> str:
        """Return the address of the workflow run's page; empty outside of one."""
        return f"{self.server}/{self.repository}/actions/runs/{self.run}" if self.run else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment on an issue or pull request."""

    id: int
    body: str
    #: Empty where the account is gone.
    author: str
    url: str

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Comment:
        """Return what GitHub's answer says."""
        return cls(
            id=said["id"], body=said.get("body") or "", author=_login(said), url=said["html_url"]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """An issue; times are ISO 8601, UTC."""

    number: int
    title: str
    body: str
    author: str
    url: str
    open: bool
    #: Why it is closed: completed, not_planned, duplicate; empty while it is open.
    reason: str
    created: str
    closed: str

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Issue:
        """Return what GitHub's answer says."""
        is_open = said["state"] == "open"
        return cls(
            number=said["number"],
            title=said["title"],
            body=said.get("body") or "",
            author=_login(said),
            url=said["html_url"],
            open=is_open,
            reason="" if is_open else said.get("state_reason") or "",
            created=said["created_at"],
            closed="" if is_open else said.get("closed_at") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Which commit of which branch: of a pull request, or that a workflow ran on."""

    sha: str
    repository: str
    branch: str
    #: What started the workflow; empty of a pull request.
    event: str = ""

    @classmethod
    def of_pull_request(cls, said: Mapping[str, Any]) -> Head:
        """Return what GitHub's answer says of a pull request."""
        head = said["head"]
        return cls(sha=head["sha"], repository=_name(head.get("repo")), branch=head["ref"])

    @classmethod
    def of_run(cls, said: Mapping[str, Any]) -> Head:
        """Return what GitHub's answer says of a workflow run."""
        return cls(
            sha=said["head_sha"],
            repository=_name(said.get("head_repository")),
            branch=said["head_branch"] or "",
            event=said["event"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """What a workflow run uploaded under one name."""

    id: int
    name: str
    #: Of the zip, in bytes.
    size: int
    expired: bool

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Artifact:
        """Return what GitHub's answer says."""
        return cls(
            id=said["id"], name=said["name"], size=said["size_in_bytes"], expired=said["expired"]
        )


def _login(said: Mapping[str, Any]) -> str:
    return (said.get("user") or {}).get("login") or ""


def _name(repository: Mapping[str, Any] | None) -> str:
    """Return a repository's owner/name; empty where it is gone."""
    return str((repository or {}).get("full_name") or "")
