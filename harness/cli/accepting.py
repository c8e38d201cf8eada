"""The verbs that change what is committed: accept, review, new."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness import accept as accepting
from harness import artifacts, judge, plan, proposals, scaffold
from harness import review as reviewing
from harness.baselines import Baselines
from harness.cli import fetching, options, printing
from harness.errors import ExitCode, HarnessError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cli.setting import Setting
    from harness.project import Project
    from harness.proposals import Pending


@click.command("accept")
@click.argument("words", nargs=-1, metavar="[EXPERIMENT [VARIANT] [CELL]]", envvar=options.WORDS)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    envvar="EMBERWATCH_ALL",
    help="Accept everything that differs.",
)
@options.reason
@options.link
@options.expires
@options.proposed
@options.elsewhere
@click.pass_obj
def accept_verb(  # noqa: PLR0913 (click hands over every option)
    setting: Setting,
    /,
    *,
    words: Sequence[str],
    everything: bool,
    reason: str | None,
    proposed: Path | None,
    records: Path | None,
    from_run: int | None,
    system: str,
    **more: str,
) -> int:
    """Make what was observed the baseline, with a reason.

    Of a cell that has a reference, the differences from it become entries of accepted.yaml, which
    may have a link and a last day. So do differences that were recorded on another platform
    than baselines come from, and those are accepted on that platform alone.
    """
    accepting.refuse_in_ci("accept", elsewhere=bool(proposed or records or from_run))
    fetching.only_one(proposed=proposed, records=records, from_run=from_run)
    if not reason or not reason.strip():
        raise HarnessError("--reason: missing", 'Say why it is right: --reason "…"')
    project = setting.project
    found = fetching.observed(setting, records=records, from_run=from_run, system=system)
    source = _observed(project, found) if found else proposals.pending(project, proposed)
    chosen = proposals.select(project, source, words, everything=everything)
    grounds = accepting.Grounds(reason=reason.strip(), date=_today(), **more)
    grounds.check(chosen)
    accepted = []
    for waiting in chosen:
        one = proposals.anew(project, waiting)
        if one is None:
            proposals.drop(project, waiting)
            click.echo(f"{waiting.title}: {accepting.nothing_left(waiting)}")
            continue
        accepting.accept(project, one, grounds)
        accepted.append(one)
        click.echo(f"accepted {one.title}")
    for platform in dict.fromkeys(one.platform for one in accepted if one.platform):
        only = f"of that alone; baselines come from {project.matrix.baselines_from}"
        click.echo(f"on {platform}: entries of accepted.yaml, {only}")
    for one in proposals.hasty(source, accepted):
        words = f"{one.against} waits to be accepted as well, which will outdate this"
        printing.remarks([f"{one.title}: {words}"])
    click.echo(f"{len(accepted)} accepted; git diff baselines shows them.")
    return ExitCode.SAME


def _observed(project: Project, found: artifacts.Artifacts) -> list[Pending]:
    """Return what the run proposes whose artifacts these are; nothing of it is kept."""
    cells = [cell for cell in project.matrix.cells if found.holds(cell)]
    if not cells:
        raise HarnessError(
            f"{found.folder}: no artifact of a cell in matrix.yaml", artifacts.LAYOUT
        )
    chosen = plan.make(project.matrix, project.contracts, cells)
    runs = [found.noted(cell) for cell in chosen.cells]
    report = judge.Judge(project, chosen, found).report(runs)
    printing.remarks(found.remarks)
    new = [line for line in report.new if line.missing == line.cell]
    if new:
        first = f"{new[0].cell} {new[0].experiment} {new[0].variant}"
        more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
        why = f"baselines come from {project.matrix.baselines_from}"
        printing.remarks([f"{first}: without a baseline, passed over: {why}{more}"])
    with tempfile.TemporaryDirectory() as folder:
        proposals.propose(project, chosen, report, found, Baselines(Path(folder)))
        return proposals.pending(project, Path(folder))


@click.command("review")
@click.pass_obj
def review_verb(setting: Setting, /) -> int:
    """Go through the differences one by one: accept, reject, skip, info, all."""
    accepting.refuse_in_ci("review", elsewhere=False)
    pending = proposals.pending(setting.project, None)
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


@click.command("new")
@click.argument("experiment")
@click.option("--question", default="What does this do?", help="What the experiment asks.")
@click.pass_obj
def new_verb(setting: Setting, /, experiment: str, question: str) -> int:
    """Stub a complete experiment: contract and both halves; it runs at once."""
    for path in scaffold.create(setting.project.root, experiment, question):
        click.echo(f"created {path.relative_to(setting.project.root)}")
    click.echo(f"\nnext  nox -s regress -- {experiment}")
    return ExitCode.SAME


def _today() -> str:
    return datetime.now(tz=UTC).date().isoformat()
