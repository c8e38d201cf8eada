"""The verb that judges what was recorded, and the forms in which it says so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness import documents, judge, plan, proposals, rewritten, run, sources
from harness.cli import fetching, options, printing, watching
from harness.errors import HarnessError
from harness.report import annotations as commands
from harness.report import machine_readable, markdown, roots, terminal
from harness.report.context import Context

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from harness.artifacts import Artifacts
    from harness.cli.setting import Setting
    from harness.plan import Plan
    from harness.project import Project
    from harness.report.view import Report


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A report, with what some of its forms need besides."""

    setting: Setting
    plan: Plan
    report: Report
    context: Context

    def html(self) -> str:
        """Return the report as a page."""
        from harness.report import html  # noqa: PLC0415 (the other forms need no templates)

        return html.render(self.report, self.context)

    def junit(self) -> str:
        """Return the report as JUnit XML, with the cases that passed."""
        from harness.report import junit  # noqa: PLC0415 (the other forms need no XML)

        return junit.render(self.report, self.plan.cases())

    def annotations(self) -> str:
        """Return the report as workflow commands."""
        places = sources.places(self.setting.project, self.setting.engines())
        return commands.render(self.report, places)


#: What `--format` names.
FORMS: Mapping[str, Callable[[Judged], str]] = {
    "terminal": lambda one: terminal.render(one.report),
    "md": lambda one: markdown.summary(one.report, one.context),
    "html": Judged.html,
    "json": lambda one: machine_readable.render(one.report),
    "junit": Judged.junit,
    "annotations": Judged.annotations,
}
#: What `--write` writes, all of it from one judging.
FILES: Mapping[str, Callable[[Judged], str]] = {
    "summary.md": FORMS["md"],
    "comment.md": lambda one: markdown.comment(one.report, one.context),
    "report.html": Judged.html,
    "report.json": FORMS["json"],
    "junit.xml": Judged.junit,
    "annotations.txt": Judged.annotations,
}


@click.command("report")
@options.words
@options.group
@options.elsewhere
@click.option("--format", "form", type=click.Choice(list(FORMS)), help="The form [terminal].")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write it to a file, not to stdout.",
)
@click.option(
    "--write",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"Also write {', '.join(FILES)} to a folder.",
)
@click.option(
    "--base",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The report.json of the merge base: what it shows is not from this change.",
)
@click.option(
    "--since",
    metavar="COMMIT",
    envvar="EMBERWATCH_SINCE",
    help="Tell what is of the change since the merge base with it, and list the baselines that it"
    " rewrites [$EMBERWATCH_SINCE].",
)
@options.link_base
@options.run_id
@click.option("--artifact", default="", metavar="URL|NAME", help="Where the whole report lies.")
@watching.option
@options.as_json
@options.verbose
@click.pass_obj
def report_verb(
    setting: Setting,
    /,
    words: Sequence[str],
    group: str | None,
    records: Path | None,
    from_run: int | None,
    system: str,
    **how: Any,
) -> int:
    """Judge what earlier runs left: in the work folder, in a folder of artifacts, on GitHub."""
    if how["as_json"] and how["form"] not in {None, "json"}:
        raise HarnessError(f"--json and --format {how['form']}: give one of them")
    project = setting.project
    chosen = plan.make(project.matrix, project.contracts, words, group)
    found = fetching.observed(setting, records=records, from_run=from_run, system=system)
    with run.alone(project):
        report = _judged(setting, chosen, found, verbose=how["verbose"])
    context = Context(
        link_base=how["link_base"],
        run=str(how["run_id"] or from_run or ""),
        system=found.system if found else "",
        artifact=how["artifact"],
        already=_already(how["base"]) | _others(project, report, how["since"]),
        accepted_here=rewritten.since(project, how["since"]) if how["since"] else (),
        watched=watching.beats(how["watched"], setting.clock.now().date()),
    )
    one = Judged(setting=setting, plan=chosen, report=report, context=context)
    if how["folder"] is not None:
        for name, render in FILES.items():
            documents.write(how["folder"] / name, render(one))
    _say(one, "json" if how["as_json"] else how["form"] or "terminal", how["output"])
    return report.code


def _judged(setting: Setting, chosen: Plan, found: Artifacts | None, *, verbose: bool) -> Report:
    project = setting.project
    if found is None:
        runs = judge.noted_runs(project, chosen)
        report = judge.Judge(project, chosen, verbose=verbose, here=setting.machine()).report(runs)
        proposals.propose(project, chosen, report)
        return report
    planned = {cell.id for cell in chosen.cells}
    held = [cell for cell in project.matrix.cells if found.holds(cell) and cell not in planned]
    if held:
        printing.remarks([f"not in the plan, passed over: {', '.join(held)}"])
    runs = [found.noted(cell) for cell in chosen.cells]
    here = setting.machine()
    report = judge.Judge(project, chosen, found, verbose=verbose, here=here).report(runs)
    proposals.propose(project, chosen, report, found)
    printing.remarks(found.remarks)
    return replace(report, machine=found.machine(report.machine))


def _others(project: Project, report: Report, since: str | None) -> frozenset[str]:
    """Return the keys of differences in experiments that the change under review leaves alone."""
    if not since or not report.changes:
        return frozenset()
    alone = rewritten.untouched(project, since, project.contracts)
    return frozenset(roots.key(line) for line in report.changes if line.experiment in alone)


def _already(base: Path | None) -> frozenset[str]:
    """Return the keys of what the merge base's report shows."""
    if base is None:
        return frozenset()
    document = documents.read_json(base)
    problems = documents.validate(document, "report.json")
    if problems:
        where, words = problems[0]
        raise HarnessError(
            f"{base}: {documents.dotted(where)}{words}",
            "nox -s report -- --format json writes one.",
        )
    return frozenset(change["key"] for change in document["changes"])


def _say(one: Judged, form: str, output: Path | None) -> None:
    if output is not None:
        documents.write(output, FORMS[form](one))
    elif form == "terminal":
        printing.show(lambda paint: terminal.render(one.report, paint))
    else:
        click.echo(FORMS[form](one), nl=False)
