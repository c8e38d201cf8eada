"""The options that several verbs share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

words = click.argument("words", nargs=-1, metavar="[CELL | EXPERIMENT]...")
group = click.option("--group", metavar="NAME", help="default, full, upstream or all.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
verbose = click.option("--verbose", "-v", is_flag=True, help="Show what agrees as well.")
reason = click.option("--reason", metavar="TEXT", help="Why this is right; kept with the baseline.")
source = click.option(
    "--source", metavar="PATH", help="Take the git cell from this checkout or bare repository."
)
ref = click.option("--ref", metavar="REF", help="Take the git cell at this branch, tag or commit.")
proposed = click.option(
    "--proposed",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Take the baselines that another run proposes (a CI artifact).",
)


def absolute(source: str) -> str:
    """Return what --source names as an address that means the same in every folder."""
    return source if "://" in source else str(Path(source).expanduser().resolve())


def redirecting(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what takes a git cell from elsewhere."""
    return source(ref(command))


def running(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what a verb that runs cases takes."""
    for option in (
        click.option("--jobs", "-j", type=click.IntRange(1), help="Cases at once [all CPUs]."),
        click.option("--keep-going", is_flag=True, help="Run the other cells when one fails."),
        click.option("--no-cache", is_flag=True, help="Run cases again that are up to date."),
    ):
        command = option(command)
    return command
