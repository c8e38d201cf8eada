"""The verbs that search: for the change between two ends, and for new versions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from harness import candidates, discover, documents, progress, run, search
from harness.cli import options
from harness.engines import process
from harness.errors import ExitCode, HarnessError, UnavailableError
from harness.model import Framework, platforms
from harness.report import bisection

if TYPE_CHECKING:
    from pathlib import Path

    from harness.cli.setting import Setting
    from harness.engines import Progress
    from harness.model import Contract


@click.command("bisect")
@click.argument("experiment")
@click.argument("variant", required=False)
@click.option("--good", required=True, metavar="END", help="A cell, version or commit: the older.")
@click.option("--bad", required=True, metavar="END", help="A cell, version or commit: the newer.")
@click.option("--observation", metavar="NAME", help="Look at this one alone; or at the outcome.")
@options.source
@click.option("--resume/--restart", default=True, help="Go on with an earlier search [resume].")
@options.as_json
@click.pass_obj
def bisect_verb(
    setting: Setting,
    /,
    experiment: str,
    variant: str | None,
    *,
    observation: str | None,
    as_json: bool,
    resume: bool,
    **where: Any,
) -> int:
    """Find the first version or burn commit at which an experiment behaves otherwise."""
    project = setting.project
    question = search.Question(
        contract=_contract(setting, experiment, variant), variant=variant, observation=observation
    )
    how = run.Options(jobs=process.default_jobs())
    with progress.shown() as shown:
        line = _line(setting, shown, **where)
        engine = setting.engines()[line[0].cell.framework]
        searching = search.Bisection(project, question, line, engine, how, shown)
        found = searching.find(restart=not resume)
    click.echo(bisection.as_json(found) if as_json else bisection.render(found), nl=False)
    return bisection.code(found)


def _line(
    setting: Setting, shown: Progress, *, good: str, bad: str, source: str | None
) -> list[candidates.Candidate]:
    place = options.absolute(source) if source else None
    clients = setting.clients()
    return candidates.line(setting.project.matrix, (good, bad), place, clients, shown)


def _contract(setting: Setting, experiment: str, variant: str | None) -> Contract:
    contracts = setting.project.contracts
    if experiment not in contracts:
        known = ", ".join(contracts)
        raise HarnessError(f"{experiment}: no experiment has that name", f"Experiments: {known}")
    contract = contracts[experiment]
    if variant is not None and variant not in contract.variants:
        known = ", ".join(contract.variants)
        raise HarnessError(f"{variant}: no variant of {experiment}", f"Variants: {known}")
    return contract


@click.command("discover")
@click.option(
    "--framework", type=click.Choice([str(one) for one in Framework]), help="One of the two [both]."
)
@click.option("--write", is_flag=True, help="Write entries, locks and baselines.")
@options.as_json
@click.pass_obj
def discover_verb(setting: Setting, /, framework: str | None, write: bool, as_json: bool) -> int:
    """Ask for versions newer than the newest cells, run them, and propose them as cells."""
    here = platforms.named(setting.machine()["platform"])
    home = setting.project.matrix.baselines_from
    if write and here != home:
        raise HarnessError(
            f"--write: refused on {here}, since baselines come from {home} alone",
            "Run it there, or see without --write what is new.",
        )
    with progress.shown() as shown:
        discovery = discover.Discovery(
            setting.project,
            setting.clients(),
            setting.engines(),
            run.Options(jobs=process.default_jobs(), machine=setting.machine()),
            shown,
        )
        frameworks = [Framework(framework)] if framework else [*Framework]
        outcomes = [_discover(setting, discovery, one, write=write) for one in frameworks]
    found = [one for proposals, _ in outcomes for one in proposals]
    failures = [failure for _, failure in outcomes if failure]
    code = ExitCode.TO_ACCEPT if found else ExitCode.SAME
    code = ExitCode.INCONCLUSIVE if failures else code
    if as_json:
        proposals = [discover.as_document(*one) for one in found]
        answer = {"exit_code": int(code), "proposals": proposals, "failures": failures}
        click.echo(documents.canonical(answer), nl=False)
        return code
    for proposal, written in found:
        click.echo(discover.as_text(proposal))
        for path in written:
            click.echo(f"wrote {path.relative_to(setting.project.root)}")
    for failure in failures:
        click.echo(failure, err=True)
    if found and not write:
        click.echo("next  nox -s discover -- --write  write this, to be committed")
    elif not found and not failures:
        click.echo("Nothing newer: matrix.yaml has the newest version.")
    return code


def _discover(
    setting: Setting, discovery: discover.Discovery, framework: Framework, *, write: bool
) -> tuple[list[tuple[discover.Proposal, list[Path]]], str]:
    """Return what a framework's new versions need, what was written, and why there is no more."""
    found: list[tuple[discover.Proposal, list[Path]]] = []
    try:
        for proposal in discovery.proposals(framework):
            today = datetime.now(tz=UTC).date().isoformat()
            written = discover.write(setting.project, proposal, today) if write else []
            found.append((proposal, written))
    except UnavailableError as error:
        return found, str(error)
    return found, ""
