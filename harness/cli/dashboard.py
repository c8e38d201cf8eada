"""The verb that builds the dashboard."""

from __future__ import annotations

import webbrowser
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness import progress, run
from harness.cli import fetching, options, printing, watching
from harness.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cli.setting import Setting
    from harness.dashboard.latest import Origin

#: Where the site goes unless told.
SITE = Path("report") / "dashboard"


@click.command("dashboard")
@click.option(
    "--records",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    multiple=True,
    help="Take the records of a folder of cell artifacts; of several, a cell's from the first.",
)
@click.option(
    "--from-run",
    "runs",
    type=click.IntRange(1),
    multiple=True,
    metavar="ID",
    help="Download the records of a run in CI ($GITHUB_REPOSITORY, $GITHUB_TOKEN).",
)
@click.option(
    "--from-workflow",
    "workflows",
    multiple=True,
    metavar="FILE",
    help="Those of a workflow's newest run by push or schedule on the branch $GITHUB_REF_NAME"
    " [main], and what it left out from the newest scheduled one.",
)
@options.system
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"The folder to write; a dashboard in it is replaced [{SITE}].",
)
@click.option("--open", "opened", is_flag=True, help="Show it in a browser.")
@options.link_base
@options.run_id
@watching.option
@click.pass_obj
def dashboard_verb(
    setting: Setting,
    /,
    records: Sequence[Path],
    runs: Sequence[int],
    workflows: Sequence[str],
    system: str,
    **how: Any,
) -> int:
    """Build a site of what every version does, from baselines, the last run and its report."""
    from harness.dashboard import latest, site  # noqa: PLC0415 (the other verbs draw nothing)

    into: Path = how["into"] or setting.project.root / SITE
    site.refuse_other(into)
    today = datetime.now(tz=UTC).date()
    beats = watching.beats(how["watched"], today)
    asked = site.Options(today=today, link_base=how["link_base"], beats=beats)
    given = ("--from-run", str(how["run_id"])) if how["run_id"] else ()
    places = [(folder, given or ("--records", str(folder))) for folder in records]
    downloads = [(number, fetching.downloaded(setting, number)) for number in runs]
    downloads += fetching.newest(setting, workflows)
    places += [(folder, ("--from-run", str(number))) for number, folder in downloads]
    found = [_origin(setting, folder, words, system) for folder, words in places]
    fetching.refuse_system_alone(system, given=bool(found))
    with run.alone(setting.project), progress.shown() as shown:
        last = latest.of(setting.project, found)
        site.Site(setting.project, setting.engines(), last, asked).write(into, shown)
    for one in found:
        printing.remarks(one.artifacts.remarks)
    index = into.resolve() / "index.html"
    click.echo(index)
    if how["opened"] and not webbrowser.open(index.as_uri()):
        printing.remarks([f"no browser could be started: open {index.as_uri()}"])
    return ExitCode.SAME


def _origin(setting: Setting, folder: Path, words: tuple[str, ...], system: str) -> Origin:
    """Return the artifacts in a folder, and the words with which a command names them."""
    from harness.dashboard.latest import Origin  # noqa: PLC0415

    found = fetching.artifacts_in(setting, folder, system)
    which = ("--system", found.system) if found.system else ()
    return Origin(artifacts=found, words=(*words, *which))
