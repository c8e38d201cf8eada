"""The verbs that look across versions: diff, history."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness import diff as diffing
from harness import documents, history, plan, sources, versions
from harness.cli import options, printing
from harness.errors import ExitCode, HarnessError
from harness.model import Framework, Severity
from harness.report import diff_json, diff_markdown, diff_terminal, history_terminal, text, timeline

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.cli.setting import Setting
    from harness.history import CaseHistory
    from harness.model import Cell, Contract, Record, Variant
    from harness.versions import Lineage

#: Where the whole table goes unless told.
EXPORT = Path("report") / "timeline.json"


@click.command("diff")
@click.argument("old", metavar="OLD_CELL")
@click.argument("new", metavar="NEW_CELL")
@click.argument("words", nargs=-1, metavar="[EXPERIMENT]...")
@click.option("--records", "recorded", is_flag=True, help="Take what the last run recorded.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["terminal", "md", "json"]),
    default="terminal",
    help="How the report is written [terminal].",
)
@click.option(
    "--severity",
    type=click.Choice([str(severity) for severity in Severity]),
    default=str(Severity.NOTE),
    help="Leave out what matters less [note].",
)
@options.as_json
@click.pass_obj
def diff_verb(
    setting: Setting,
    /,
    old: str,
    new: str,
    words: Sequence[str],
    recorded: bool,
    severity: str,
    **how: Any,
) -> int:
    """Say what behaves otherwise in another version of one framework, the worst first."""
    project = setting.project
    cells = sources.pair(project, (old, new), words)
    contracts = plan.make(project.matrix, project.contracts, (old, *words)).contracts
    before, after = (
        sources.side(project, cell, contracts, recorded=recorded, say=_say) for cell in cells
    )
    other = cells[0].framework.other
    pinned = sources.accepted(project, project.matrix.cells[project.matrix.pinned[other]])
    code = sources.code(setting.engines())
    with documents.uncollected():
        found = diffing.build(contracts, before, after, pinned, code)
    found = diffing.at_least(found, Severity(severity))
    match "json" if how["as_json"] else how["form"]:
        case "json":
            click.echo(diff_json.render(found), nl=False)
        case "md":
            click.echo(diff_markdown.render(found), nl=False)
        case _:
            printing.show(lambda paint: diff_terminal.render(found, paint))
    return found.code


@click.command("history")
@click.argument("experiment", required=False)
@click.argument("variant", required=False)
@click.option("--observation", metavar="NAME", help="One observation, or `outcome`.")
@click.option("--framework", type=click.Choice([str(one) for one in Framework]))
@click.option(
    "--export",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Write JSON to a file [{EXPORT} without an experiment].",
)
@options.as_json
@click.pass_obj
def history_verb(
    setting: Setting,
    /,
    experiment: str | None,
    variant: str | None,
    observation: str | None,
    framework: str | None,
    **where: Any,
) -> int:
    """Say since which version each observation has its value; without words, write the table."""
    contracts = _contracts(setting, experiment, observation)
    lineages = versions.lineages(setting.project.matrix.cells.values())
    lineages = [one for one in lineages if framework in {None, one.framework}]
    found = _histories(setting, contracts, lineages, variant, observation)
    export: Path | None = where["export"]
    if export is None and experiment is None and not where["as_json"]:
        if framework is not None:
            raise HarnessError(
                "--framework: the whole table is of both",
                "Give an experiment, or --json, or --export PATH for a part of the table.",
            )
        export = setting.project.root / EXPORT
    if export is not None:
        documents.write_parts(export, timeline.parts(lineages, found))
        _say(f"{export}: {text.count(len(contracts), 'experiment')}")
    elif where["as_json"]:
        for part in timeline.parts(lineages, found):
            click.echo(part, nl=False)
    else:
        printing.show(
            lambda paint: history_terminal.render((one for some in found for one in some), paint)
        )
    return ExitCode.SAME


def _contracts(setting: Setting, experiment: str | None, observation: str | None) -> list[Contract]:
    """Return the experiments that are asked for; a HarnessError says which there are."""
    contracts = setting.project.contracts
    if experiment is None:
        if observation is not None:
            raise HarnessError(
                "--observation: of which experiment?",
                f"nox -s history -- <experiment> --observation {observation}",
            )
        return list(contracts.values())
    if experiment not in contracts:
        known = ", ".join(contracts)
        raise HarnessError(f"{experiment}: no experiment has that name", f"Experiments: {known}")
    contract = contracts[experiment]
    if observation not in {None, history.OUTCOME, *contract.observations}:
        known = ", ".join([history.OUTCOME, *contract.observations])
        raise HarnessError(
            f"{observation}: not an observation of {experiment}", f"Observations: {known}"
        )
    return [contract]


def _histories(
    setting: Setting,
    contracts: Sequence[Contract],
    lineages: Sequence[Lineage],
    variant: str | None,
    observation: str | None,
) -> Iterator[list[CaseHistory]]:
    """Yield each experiment's histories; what a variant never observes is shown when asked for."""

    def read(cell: Cell, contract: Contract) -> Mapping[str, Record]:
        return setting.project.baselines.read(contract.id, cell.id)

    for contract in contracts:
        found = history.of(contract, _variants(contract, variant), lineages, read)
        yield [history.only(one, observation) for one in found]


def _variants(contract: Contract, variant: str | None) -> list[Variant]:
    if variant is None:
        return list(contract.variants.values())
    if variant not in contract.variants:
        known = ", ".join(contract.variants)
        raise HarnessError(f"{variant}: not a variant of {contract.id}", f"Variants: {known}")
    return [contract.variants[variant]]


def _say(words: str) -> None:
    click.echo(words, err=True)
