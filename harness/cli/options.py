"""The options that several verbs share, each declared once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.jobs import Shard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


#: A setting's name, as schemas/matrix.json has it.
SETTING = r"[A-Z][A-Z0-9_]*"
#: Cells and experiments, beside those of the command line: no shell has to split or quote them.
WORDS = "EMBERWATCH_WORDS"


def _with_environment(
    _context: click.Context, _parameter: click.Parameter, given: Sequence[str]
) -> tuple[str, ...]:
    """Return the words of the command line and those that a workflow gives in its environment."""
    return (*given, *os.environ.get(WORDS, "").split())


words = click.argument(
    "words", nargs=-1, metavar="[CELL | EXPERIMENT]...", callback=_with_environment
)
group = click.option(
    "--group",
    metavar="NAME",
    envvar="EMBERWATCH_GROUP",
    help="default, full, upstream or all [$EMBERWATCH_GROUP].",
)


def _shard(_context: click.Context, _parameter: click.Parameter, given: str) -> Shard:
    """Return which part of how many a text like 2/3 means."""
    if not re.fullmatch(r"[0-9]{1,4}/[0-9]{1,4}", given):
        raise click.BadParameter(f"{given!r} is not I/N, such as 2/3.")
    number, _, of = given.partition("/")
    return Shard(number=int(number), of=int(of))


shard = click.option(
    "--shard",
    metavar="I/N",
    default="1/1",
    callback=_shard,
    help="Run the I-th of N parts; each experiment is in one of them.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
verbose = click.option(
    "--verbose", "-v", is_flag=True, help="Show each comparison of torch with burn."
)
reason = click.option("--reason", metavar="TEXT", help="Why this is right; kept with the baseline.")
source = click.option(
    "--source", metavar="PATH", help="Take the git cell from this checkout or bare repository."
)
ref = click.option("--ref", metavar="REF", help="Take the git cell at this branch, tag or commit.")
link = click.option("--link", metavar="URL", default="", help="Where it is discussed.")
expires = click.option("--expires", metavar="DATE", default="", help="The last day it is accepted.")
proposed = click.option(
    "--proposed",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Take the baselines that another run proposes (a CI artifact).",
)


system = click.option(
    "--system",
    metavar="NAME",
    default="",
    help="Of a run on several systems, take this one's [the first of matrix.yaml's"
    " runners, else the only one].",
)


def elsewhere(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what takes the records that another run left."""
    for option in (
        system,
        click.option(
            "--from-run",
            type=click.IntRange(1),
            metavar="ID",
            help="Download the records of a run in CI ($GITHUB_REPOSITORY, $GITHUB_TOKEN).",
        ),
        click.option(
            "--records",
            type=click.Path(path_type=Path, exists=True, file_okay=False),
            help="Take the records of a folder of cell artifacts, or of a work folder.",
        ),
    ):
        command = option(command)
    return command


def _address(_context: click.Context, _parameter: click.Parameter, given: str) -> str:
    if given and not given.startswith(("https://", "http://")):
        raise click.BadParameter(f"{given!r} is no address; it begins with https://")
    return given


link_base = click.option(
    "--link-base", default="", metavar="URL", callback=_address, help="What links begin with."
)


run_id = click.option(
    "--run-id", metavar="N", type=click.IntRange(1), help="The run in CI that recorded it."
)


def absolute(source: str) -> str:
    """Return what --source names as an address that means the same in every folder."""
    return source if "://" in source else str(Path(source).expanduser().resolve())


def redirecting(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what takes a git cell from elsewhere."""
    return source(ref(command))


def _settings(
    _context: click.Context, _parameter: click.Parameter, given: Sequence[str]
) -> dict[str, str]:
    """Return KEY=VALUE pairs by key; the last of a key stands."""
    pairs = [text.partition("=") for text in given]
    for text, (name, sign, _) in zip(given, pairs, strict=True):
        if not sign or not re.fullmatch(SETTING, name):
            raise click.BadParameter(
                f"{text!r} is not KEY=VALUE; a key is of A-Z, 0-9 and _, as in "
                "ATEN_CPU_CAPABILITY=default; matrix.yaml lists the settings that there are."
            )
    return {name: value for name, _, value in pairs}


def running(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what a verb that runs cases takes."""
    for option in (
        click.option("--jobs", "-j", type=click.IntRange(1), help="Cases at once [all CPUs]."),
        click.option("--keep-going", is_flag=True, help="Run the other cells when one fails."),
        click.option(
            "--setting",
            "settings",
            multiple=True,
            metavar="KEY=VALUE",
            callback=_settings,
            help="Set one of matrix.yaml's settings for this run.",
        ),
        click.option(
            "--repeat",
            default=1,
            metavar="N",
            type=click.IntRange(1),
            help="Run each case N times; report what disagrees with itself as flaky.",
        ),
        click.option("--no-cache", is_flag=True, help="Run cases again that are up to date."),
    ):
        command = option(command)
    return command
