"""The verbs that plan, run and judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness import artifacts, contracts, documents, jobs, judge, plan, progress, proposals, run
from harness.cli import options, printing, workflow
from harness.engines import process, sources
from harness.errors import ExitCode
from harness.report import machine_readable, terminal, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.cli.setting import Setting
    from harness.engines import Progress
    from harness.jobs import Shard
    from harness.records import CellRun


@click.command("plan")
@options.words
@options.group
@options.as_json
@click.option("--actions", is_flag=True, help="Print a workflow's matrix, and set step outputs.")
@click.option(
    "--shards", default=1, metavar="N", type=click.IntRange(1), help="Jobs for each cell [1]."
)
@click.pass_obj
def plan_verb(
    setting: Setting,
    /,
    words: Sequence[str],
    group: str | None,
    as_json: bool,
    *,
    actions: bool,
    shards: int,
) -> None:
    """Show what a run would do, without running it."""
    chosen = plan.make(setting.project.matrix, setting.project.contracts, words, group)
    if actions:
        made = jobs.matrix(chosen, setting.project.matrix.runners, shards)
        parts = {name: json.dumps(value, separators=(",", ":")) for name, value in made.items()}
        workflow.outputs(parts)
        click.echo(json.dumps(made, separators=(",", ":")))
    else:
        click.echo(plan.as_json(chosen) if as_json else plan.as_text(chosen), nl=False)


@click.command("regress")
@options.words
@options.group
@options.redirecting
@options.running
@options.as_json
@options.verbose
@click.pass_obj
def regress_verb(
    setting: Setting,
    /,
    words: Sequence[str],
    group: str | None,
    as_json: bool,
    verbose: bool,
    **how: Any,
) -> int:
    """Run the whole job: every selected case, compared with baselines and torch with burn."""
    with run.alone(setting.project):
        chosen, runs = _run(setting, words, group, **how)
        return _judge(setting, chosen, runs, as_json=as_json, verbose=verbose)


@click.command("run")
@options.words
@options.group
@options.redirecting
@options.running
@options.shard
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what was recorded as an artifact, for `report --records`.",
)
@click.pass_obj
def run_verb(
    setting: Setting, /, words: Sequence[str], group: str | None, into: Path | None, **how: Any
) -> int:
    """Run and record, without judging: 0 once the records are written, whatever they say."""
    with run.alone(setting.project):
        chosen, runs = _run(setting, words, group, **how)
        if into is not None:
            artifacts.write(setting.project, chosen, runs, into)
    for cell in runs:
        state = cell.unavailable or f"{cell.ran} run, {cell.cached} cached"
        click.echo(f"{cell.cell}: {state}", err=True)
    return ExitCode.SAME


@click.command("prepare")
@options.words
@options.group
@options.redirecting
@options.as_json
@click.pass_obj
def prepare_verb(
    setting: Setting, /, words: Sequence[str], group: str | None, as_json: bool, **where: Any
) -> int:
    """Install and build cells without running them, and say where their programs lie."""
    engines = setting.engines()
    with progress.shown() as shown:
        chosen = _plan(setting, words, group, shown, **where)
        known = setting.project.contracts
        cells = [
            engines[cell.framework].prepare(cell, shown, contracts.left_out(known, cell))
            for cell in chosen.cells
        ]
    if as_json:
        click.echo(documents.canonical([one.place() for one in cells]), nl=False)
    for one in [] if as_json else cells:
        click.echo(f"{one.cell.id}  {one.program}")
    return ExitCode.SAME


def _plan(
    setting: Setting,
    /,
    words: Sequence[str],
    group: str | None,
    shown: Progress,
    *,
    source: str | None,
    ref: str | None,
) -> plan.Plan:
    """Return the plan; a git cell may be taken from elsewhere, at what is committed there."""
    chosen = plan.make(setting.project.matrix, setting.project.contracts, words, group)
    chosen = plan.redirected(chosen, source and options.absolute(source), ref)
    uncommitted = sources.uncommitted(source) if source else 0
    if uncommitted:
        changes = text.count(uncommitted, "file")
        shown.say(f"{source}: {changes} with uncommitted changes, which are not part of the run")
    return chosen


def _run(
    setting: Setting,
    /,
    words: Sequence[str],
    group: str | None,
    *,
    source: str | None,
    ref: str | None,
    shard: Shard | None = None,
    **how: Any,
) -> tuple[plan.Plan, list[CellRun]]:
    project = setting.project
    _ = project.accepted  # where it is wrong, it says so before anything runs
    with progress.shown() as shown:
        chosen = _plan(setting, words, group, shown, source=source, ref=ref)
        chosen = shard.part(chosen) if shard else chosen
        return chosen, run.run(project, chosen, setting.engines(), _options(setting, **how), shown)


def _options(
    setting: Setting,
    /,
    *,
    jobs: int | None,
    keep_going: bool,
    no_cache: bool,
    repeat: int,
    settings: Mapping[str, str],
) -> run.Options:
    return run.Options(
        jobs=jobs or process.default_jobs(),
        cache=not no_cache,
        keep_going=keep_going,
        repeat=repeat,
        settings=settings,
        machine=setting.machine(),
    )


def _judge(
    setting: Setting,
    /,
    chosen: plan.Plan,
    runs: Sequence[CellRun],
    *,
    as_json: bool,
    verbose: bool,
) -> int:
    here = setting.machine()
    report = judge.Judge(setting.project, chosen, verbose=verbose, here=here).report(runs)
    proposals.propose(setting.project, chosen, report)
    if as_json:
        click.echo(machine_readable.render(report), nl=False)
    else:
        printing.show(lambda paint: terminal.render(report, paint))
    return report.code
