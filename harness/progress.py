"""Progress on stderr: a live line (rich) on a terminal, plain lines in a log."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress as Bar

    from harness.engines import Progress


class Plain:
    """A line per step, flushed at once; what is going on now is said once per text."""

    def __init__(self) -> None:
        """Start with nothing said."""
        self.newest = ""

    def say(self, text: str) -> None:
        """Print a finished step."""
        print(text, file=sys.stderr, flush=True)

    def update(self, text: str, done: int = 0, total: int | None = None) -> None:
        """Print the beginning of long work; the steps within it would only fill a log."""
        if not done and total is None and text != self.newest:
            self.newest = text
            print(text, file=sys.stderr, flush=True)


class Live:
    """One line that is rewritten in place; rich is imported when there is something to show."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self.bar: Bar | None = None

    def _shown(self) -> Bar:
        if self.bar is None:
            from rich.console import Console  # noqa: PLC0415 (an unchanged run never needs it)
            from rich.progress import (  # noqa: PLC0415  # noqa: PLC0415
                BarColumn,
                MofNCompleteColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
            )

            self.bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(bar_width=20),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.bar.add_task("", total=None)
            self.bar.start()
        return self.bar

    def say(self, text: str) -> None:
        """Print a finished step above the live line."""
        self._shown().console.print(text, highlight=False)

    def update(self, text: str, done: int = 0, total: int | None = None) -> None:
        """Rewrite the live line."""
        bar = self._shown()
        bar.update(bar.task_ids[0], description=text, completed=done, total=total)

    def stop(self) -> None:
        """Remove the live line."""
        if self.bar is not None:
            self.bar.stop()


@contextmanager
def shown() -> Iterator[Progress]:
    """Yield the progress that fits stderr, and clear it at the end."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield Plain()
        return
    live = Live()
    try:
        yield live
    finally:
        live.stop()


def coloured() -> bool:
    """Should stdout be coloured? NO_COLOR beats FORCE_COLOR, which beats what stdout is."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
