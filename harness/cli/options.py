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
link = click.option("--link", metavar="URL", default="", help="Where it is discussed.")
expires = click.option("--expires", metavar="DATE", default="", help="The last day it is accepted.")
proposed = click.option(
    "--proposed",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Take the baselines that another run proposes (a CI artifact).",
)


def running(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what a verb that runs cases takes."""
    for option in (
        click.option("--jobs", "-j", type=click.IntRange(1), help="Cases at once [all CPUs]."),
        click.option("--keep-going", is_flag=True, help="Run the other cells when one fails."),
        click.option("--no-cache", is_flag=True, help="Run cases again that are up to date."),
    ):
        command = option(command)
    return command
