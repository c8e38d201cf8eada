"""The verb that builds the dashboard."""

from __future__ import annotations

import webbrowser
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness import artifacts, judge, plan, progress, run
from harness.cli import options, printing
from harness.errors import ExitCode

if TYPE_CHECKING:
    from harness.cli.setting import Setting
    from harness.dashboard.site import Latest
    from harness.records import Reader

#: Where the site goes unless told.
SITE = Path("report") / "dashboard"


@click.command("dashboard")
@options.records
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"The folder to write; a dashboard in it is replaced [{SITE}].",
)
@click.option("--open", "opened", is_flag=True, help="Show it in a browser.")
@options.link_base
@click.pass_obj
def dashboard_verb(
    setting: Setting,
    /,
    records: Path | None,
    into: Path | None,
    opened: bool,
    link_base: str,
) -> int:
    """Build a site of what every version does, from baselines, the last run and its report."""
    from harness.dashboard import site  # noqa: PLC0415 (the other verbs draw nothing)

    into = into or setting.project.root / SITE
    site.refuse_other(into)
    today = datetime.now(tz=UTC).date()
    given = str(records) if records else ""
    how = site.Options(today=today, link_base=link_base, records=given)
    with run.alone(setting.project), progress.shown() as shown:
        latest = _latest(setting, records)
        site.Site(setting.project, setting.engines(), latest, how).write(into, shown)
    index = into.resolve() / "index.html"
    click.echo(index)
    if opened and not webbrowser.open(index.as_uri()):
        printing.remarks([f"no browser could be started: open {index.as_uri()}"])
    return ExitCode.SAME


def _latest(setting: Setting, folder: Path | None) -> Latest | None:
    """Return the last run of every cell, judged on the experiments of which it left records."""
    from harness.dashboard.site import Latest  # noqa: PLC0415

    project = setting.project
    known = list(project.matrix.cells.values())
    found = artifacts.Artifacts(folder, project.matrix, project.contracts) if folder else None
    noted = [found.noted(cell) if found else project.noted(cell) for cell in known]
    runs = {one.cell: one for one in noted if not one.missing}
    if not runs:
        return None
    reader: Reader = found or project.records
    ran = [name for name in project.contracts if any(reader.read(cell, name) for cell in runs)]
    if not ran:
        return None
    chosen = plan.make(project.matrix, project.contracts, (*runs, *ran))
    report = judge.Judge(project, chosen, reader).report(runs.values())
    if found is not None:
        printing.remarks(found.remarks)
    return Latest(records=reader, runs=runs, report=report)
