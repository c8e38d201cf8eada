"""When a call is worth repeating, and how long to wait before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from github.GithubRetry import GithubRetry
from urllib3.exceptions import InvalidHeader

from harness.github.failures import OutageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from urllib3 import Retry
    from urllib3.connectionpool import ConnectionPool
    from urllib3.response import BaseHTTPResponse

#: The most seconds that one wait is worth; jobs end, too.
LONGEST = 900.0
#: Calls that may be made twice: what they leave behind is the same.
_REPEATABLE = frozenset({"GET", "PATCH"})
#: GitHub did not carry out what it answers so, whatever the method.
_LIMITED = frozenset({403, 429})
#: The least wait after a secondary limit that does not say how long.
_SECONDARY = 60.0


class Patience(GithubRetry):
    """PyGithub's rules on rate limits, and: no POST is repeated unless GitHub refused to begin it.

    Waits as long as `Retry-After` says; else, at a primary limit, until it is reset; else, at a
    secondary one, a minute, then two, and so on. Server errors wait 0, 4, 8, 16 seconds.
    """

    def __init__(self, pause: Callable[[float], None], **words: Any) -> None:
        """Take how to wait; the rest is urllib3's."""
        self._pause = pause
        #: The seconds to wait at least, after an answer that says none.
        self.least = 0.0
        words = {
            "total": 5,
            "backoff_factor": 2,
            "secondary_rate_wait": _SECONDARY,
            "max_rate_limit_wait": LONGEST,
            "status_forcelist": [429, *range(500, 600)],
            "allowed_methods": _REPEATABLE,
            "raise_on_status": False,  # the last answer says more than "too many errors"
            **words,
        }
        super().__init__(**words)

    def new(self, **words: Any) -> Self:
        """Return these rules for the next attempt."""
        return super().new(pause=self._pause, **words)

    def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
        """Return whether an answer is worth another attempt."""
        if method == "POST":
            return status_code in _LIMITED
        return super().is_retry(method, status_code, has_retry_after)

    def increment(  # type: ignore[override]
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Retry:
        """Return the rules for the next attempt, or raise when there is none."""
        following = super().increment(
            method,
            url,
            response,  # type: ignore[arg-type]
            error,
            _pool,
            _stacktrace,
        )
        if isinstance(following, Patience) and response is not None:
            limited = response.status in _LIMITED
            if limited and response.status != 403:  # PyGithub reads those of 403 alone
                following.least = self.secondary_rate_wait
            following.secondary_rate_wait = self.secondary_rate_wait * (2 if limited else 1)
        return following

    def get_backoff_time(self) -> float:
        """Return how long to wait where GitHub does not say."""
        return max(self.least, super().get_backoff_time())

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        """Wait as long as GitHub asks, else as long as the rules say."""
        seconds = self._asked(response) or self.get_backoff_time()
        if seconds > LONGEST:
            raise OutageError(
                f"GitHub asks to wait {seconds:.0f} s; that is longer than a job should.",
                "Run the same command again later.",
            )
        if seconds > 0:
            self._pause(seconds)

    def _asked(self, response: BaseHTTPResponse | None) -> float:
        try:
            return (response is not None and self.get_retry_after(response)) or 0.0
        except InvalidHeader:
            return 0.0
