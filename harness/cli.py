"""The verbs; the only module that prints and exits."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness import accept as accepting
from harness import documents, judge, options, plan, progress, run, scaffold
from harness import review as reviewing
from harness.engines import process
from harness.errors import ExitCode, HarnessError
from harness.model import Framework
from harness.project import Project
from harness.report import machine_readable, terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from harness.engines import Engine
    from harness.records import CellRun


@dataclass(frozen=True)
class Setting:
    """What a verb works on; tests give a project and engines of their own."""

    project: Project
    engines: Callable[[], Mapping[Framework, Engine]]


def real_engines() -> Mapping[Framework, Engine]:
    """Return the engines of the two frameworks."""
    from harness.engines.burn import BurnEngine  # noqa: PLC0415 (most verbs run nothing)
    from harness.engines.torch import TorchEngine  # noqa: PLC0415

    return {Framework.TORCH: TorchEngine(), Framework.BURN: BurnEngine()}


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def emberwatch() -> None:
    """Run small experiments on every listed torch and burn, and say what changed.

    Exit codes: 0 same, 1 a bug in emberwatch, 2 usage or an empty plan, 10 behaviour changed,
    11 something to accept, 12 inconclusive (a cell is unavailable, a case timed out).
    """


@emberwatch.command("plan")
@options.words
@options.group
@options.as_json
@click.pass_obj
def plan_verb(setting: Setting, /, words: Sequence[str], group: str | None, as_json: bool) -> None:
    """Show what a run would do, without running it."""
    chosen = plan.make(setting.project.matrix, setting.project.contracts, words, group)
    click.echo(plan.as_json(chosen) if as_json else plan.as_text(chosen), nl=False)


@emberwatch.command("regress")
@options.words
@options.group
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


@emberwatch.command("run")
@options.words
@options.group
@options.running
@click.pass_obj
def run_verb(setting: Setting, /, words: Sequence[str], group: str | None, **how: Any) -> int:
    """Run and record, without judging: 0 once the records are written, whatever they say."""
    with run.alone(setting.project):
        _, runs = _run(setting, words, group, **how)
    for cell in runs:
        state = cell.unavailable or f"{cell.ran} run, {cell.cached} cached"
        click.echo(f"{cell.cell}: {state}", err=True)
    return ExitCode.SAME


@emberwatch.command("prepare")
@options.words
@options.group
@options.as_json
@click.pass_obj
def prepare_verb(
    setting: Setting, /, words: Sequence[str], group: str | None, as_json: bool
) -> int:
    """Install and build cells without running them, and say where their programs lie."""
    chosen = plan.make(setting.project.matrix, setting.project.contracts, words, group)
    engines = setting.engines()
    with progress.shown() as shown:
        cells = [engines[cell.framework].prepare(cell, shown) for cell in chosen.cells]
    if as_json:
        click.echo(documents.canonical([one.place() for one in cells]), nl=False)
    for one in [] if as_json else cells:
        click.echo(f"{one.cell.id}  {one.program}")
    return ExitCode.SAME


@emberwatch.command("report")
@options.words
@options.group
@options.as_json
@options.verbose
@click.pass_obj
def report_verb(
    setting: Setting, /, words: Sequence[str], group: str | None, as_json: bool, verbose: bool
) -> int:
    """Judge the records that earlier runs left in the work folder."""
    chosen = plan.make(setting.project.matrix, setting.project.contracts, words, group)
    with run.alone(setting.project):
        runs = judge.noted_runs(setting.project, chosen)
        return _judge(setting, chosen, runs, as_json=as_json, verbose=verbose)


@emberwatch.command("accept")
@click.argument("words", nargs=-1, metavar="[EXPERIMENT [VARIANT] [CELL]]")
@click.option("--all", "everything", is_flag=True, help="Accept everything that differs.")
@options.reason
@options.proposed
@click.pass_obj
def accept_verb(
    setting: Setting,
    /,
    words: Sequence[str],
    everything: bool,
    reason: str | None,
    proposed: Path | None,
) -> int:
    """Make what was observed the baseline, with a reason."""
    accepting.refuse_in_ci("accept", proposed)
    if not reason or not reason.strip():
        raise HarnessError("--reason: missing", 'Say why it is right: --reason "…"')
    source = accepting.pending(setting.project, proposed)
    chosen = accepting.select(setting.project, source, words, everything=everything)
    for pending in chosen:
        accepting.accept(setting.project, pending, reason=reason.strip(), date=_today())
        click.echo(f"accepted {pending.title}")
    click.echo(f"{len(chosen)} accepted; git diff baselines shows them.")
    return ExitCode.SAME


@emberwatch.command("review")
@click.pass_obj
def review_verb(setting: Setting, /) -> int:
    """Go through the differences one by one: accept, reject, skip, info, all."""
    accepting.refuse_in_ci("review", None)
    pending = accepting.pending(setting.project, None)
    if not pending:
        click.echo("Nothing to review: the last run found nothing to accept.")
        return ExitCode.SAME
    accepted = reviewing.review(
        setting.project,
        pending,
        say=click.echo,
        ask=_ask,
        ask_reason=_ask_reason,
        date=_today(),
    )
    click.echo(f"\n{accepted} accepted; git diff baselines shows them.")
    return ExitCode.SAME


def _ask_reason(newest: str) -> str:
    reason: str = click.prompt("reason", default=newest or None, value_proc=_not_blank)
    return reason


def _not_blank(reason: str) -> str:
    """Return a reason without the blanks around it; click asks again when nothing is left."""
    if not reason.strip():
        raise click.UsageError("Say why it is right.")
    return reason.strip()


def _ask() -> str:
    choices = click.Choice(list(reviewing.ANSWERS))
    text = " ".join(reviewing.ANSWERS.values())
    answer: str = click.prompt(text, type=choices, show_choices=False, default="s")
    return answer


@emberwatch.command("new")
@click.argument("experiment")
@click.option("--question", default="What does this do?", help="What the experiment asks.")
@click.pass_obj
def new_verb(setting: Setting, /, experiment: str, question: str) -> int:
    """Stub a complete experiment: contract and both halves; it runs at once."""
    for path in scaffold.create(setting.project.root, experiment, question):
        click.echo(f"created {path.relative_to(setting.project.root)}")
    click.echo(f"\nnext  nox -s regress -- {experiment}")
    return ExitCode.SAME


def _run(
    setting: Setting,
    /,
    words: Sequence[str],
    group: str | None,
    *,
    jobs: int | None,
    keep_going: bool,
    no_cache: bool,
) -> tuple[plan.Plan, list[CellRun]]:
    project = setting.project
    chosen = plan.make(project.matrix, project.contracts, words, group)
    options = run.Options(
        jobs=jobs or process.default_jobs(), cache=not no_cache, keep_going=keep_going
    )
    with progress.shown() as shown:
        return chosen, run.run(project, chosen, setting.engines(), options, shown)


def _judge(
    setting: Setting,
    /,
    chosen: plan.Plan,
    runs: Sequence[CellRun],
    *,
    as_json: bool,
    verbose: bool,
) -> int:
    report = judge.Judge(setting.project, chosen).report(runs)
    accepting.propose(setting.project, chosen, report)
    if as_json:
        click.echo(machine_readable.render(report), nl=False)
    else:
        coloured = progress.coloured()
        paint = _paint if coloured else terminal.unpainted
        click.echo(terminal.render(report, paint, verbose=verbose), nl=False, color=coloured)
    return report.code


def _paint(words: str, colour: str) -> str:
    return click.style(words, fg=colour)


def _today() -> str:
    return datetime.now(tz=UTC).date().isoformat()


def invoke(arguments: Sequence[str], setting: Setting) -> int:
    """Run one verb and return the exit code; errors that a user can mend go to stderr."""
    try:
        result = emberwatch.main(
            list(arguments), prog_name="emberwatch", obj=setting, standalone_mode=False
        )
    except HarnessError as error:
        click.echo(f"emberwatch: {error.message}", err=True)
        if error.advice:
            click.echo(error.advice, err=True)
        return error.code
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("\ninterrupted; what had ended is recorded, run it again to go on", err=True)
        return ExitCode.INTERRUPTED
    except Exception:  # noqa: BLE001 (the last resort: a bug keeps its traceback and its own code)
        traceback.print_exc()
        click.echo("emberwatch: this is a bug in emberwatch", err=True)
        return ExitCode.BUG
    return int(result or 0)


def main() -> None:
    """Run the verb that the command line names, on the checkout that holds this file."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill tidies up as Ctrl-C
    root = os.environ.get("EMBERWATCH_ROOT")
    project = Project(Path(root)) if root else Project()
    sys.exit(invoke(sys.argv[1:], Setting(project=project, engines=real_engines)))
