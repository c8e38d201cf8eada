"""One comment on a pull request: posted when there is something to say, then kept up to date."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from harness.errors import ExitCode
from harness.github import brief
from harness.github.client import settled
from harness.github.failures import DeniedError, TooLongError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.github.client import Client
    from harness.github.resources import Comment

#: The first line of our comment; GitHub does not show it.
MARKER = "<!-- emberwatch -->"


class Done(StrEnum):
    """What became of a comment."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    #: There was nothing to say, and nothing had been said.
    QUIET = "quiet"
    #: The token may not comment.
    DENIED = "denied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """What became of a comment, where it is, and GitHub's words where it was denied."""

    done: Done
    url: str = ""
    why: str = ""
    #: Was the body too long, so that only the verdict was posted?
    shed: bool = False


def marked(body: str) -> str:
    """Return a body under the marker."""
    body = body.lstrip("\n")
    return body if body.split("\n", 1)[0].strip() == MARKER else f"{MARKER}\n{body}"


def ours(comments: Iterable[Comment], login: str) -> Comment | None:
    """Return the oldest comment that bears the marker and is ours; others may forge the marker."""
    return next(
        (
            one
            for one in comments
            if one.author == login and one.body.lstrip().split("\n", 1)[0].strip() == MARKER
        ),
        None,
    )


def post(client: Client, number: int, body: str, report: Mapping[str, Any]) -> Posted:
    """Bring the comment on a pull request up to date."""
    quiet = report["exit_code"] == ExitCode.SAME
    try:
        try:
            return settled(client.clock, lambda: _put(client, number, marked(body), quiet=quiet))
        except TooLongError:
            short = marked(brief.short(report, client.place.page))
            posted = settled(client.clock, lambda: _put(client, number, short, quiet=quiet))
            return Posted(done=posted.done, url=posted.url, shed=True)
    except DeniedError as error:
        return Posted(done=Done.DENIED, why=str(error))


def _put(client: Client, number: int, body: str, *, quiet: bool) -> Posted:
    """Make the comment say `body`, whatever is there."""
    known = ours(client.comments(number), client.login)
    if known is None and quiet:
        return Posted(done=Done.QUIET)
    if known is None:
        made = client.create_comment(number, body)
        return Posted(done=Done.CREATED, url=made.url)
    if _same(known.body, body):
        return Posted(done=Done.UNCHANGED, url=known.url)
    made = client.update_comment(known.id, body)
    return Posted(done=Done.UPDATED, url=made.url)


def _same(old: str, new: str) -> bool:
    """Return whether two bodies are one, but for what GitHub does to line ends."""
    return old.replace("\r\n", "\n").strip() == new.replace("\r\n", "\n").strip()
