"""The verbs that search: for the change between two ends, and for new versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from harness import candidates, progress, run, search
from harness.cli import options
from harness.engines import process
from harness.errors import HarnessError
from harness.report import bisection

if TYPE_CHECKING:
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
