"""How a text comes to stdout: coloured where that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from harness import progress
from harness.report import terminal, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def show(render: Callable[[terminal.Paint], str]) -> None:
    """Print what a renderer makes of `paint(words, colour)`."""
    coloured = progress.coloured()
    click.echo(render(_paint if coloured else terminal.unpainted), nl=False, color=coloured)


def remarks(lines: Iterable[str]) -> None:
    """Say on stderr what was passed over; the names in it are foreign, and open no command."""
    for line in lines:
        click.echo(f"emberwatch: {text.spelled(' '.join(line.split()))}", err=True)


def _paint(words: str, colour: str) -> str:
    return click.style(words, fg=colour)
