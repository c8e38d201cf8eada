"""How a call to GitHub can fail, in the words of the person who can mend it."""

from __future__ import annotations

from harness.errors import ExitCode, HarnessError


class ServiceError(HarnessError):
    """GitHub refused a call: asking again would not help."""

    def __init__(self, message: str, advice: str = "", status: int = 0) -> None:
        """Keep GitHub's status beside the sentences; 0 where it did not answer."""
        super().__init__(message, advice)
        self.status = status


class DeniedError(ServiceError):
    """The token may not do that (403)."""


class TooLongError(ServiceError):
    """The body of a comment or an issue is longer than GitHub takes (422)."""


class OutageError(ServiceError):
    """GitHub did not answer, or asked to wait for longer than is worth it."""

    code = ExitCode.INCONCLUSIVE
    #: Was something to be created, and may it be there all the same?
    unsure = False


def printable(words: object, longest: int = 200) -> str:
    """Return foreign words on one line, control characters spelled.

    A line that began with `::` would be a command to the runner that prints it.
    """
    text = str(words)
    shown = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
