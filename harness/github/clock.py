"""Time as the service side sees it; tests bring their own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _now() -> datetime:
    return datetime.now(tz=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """What time it is, and how to wait."""

    now: Callable[[], datetime] = _now
    #: Waits so many seconds.
    sleep: Callable[[float], None] = time.sleep
