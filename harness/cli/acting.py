"""The verbs that workflows call: caches, announce, conclude, patch, pull-request."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness import contribute, documents, keep, plan, systems
from harness.cli import options, workflow
from harness.errors import ExitCode, HarnessError
from harness.report import together

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.cli.setting import Setting
    from harness.engines import Engine
    from harness.model import Cell, Framework
    from harness.report.together import Said

_file = click.Path(path_type=Path, exists=True, dir_okay=False)
_new_file = click.Path(path_type=Path, dir_okay=False)
#: How the name of a system's report begins, as an artifact; then the system.
_REPORT = "report-"


@click.command("caches")
@options.words
@options.group
@click.pass_obj
def caches_verb(setting: Setting, /, words: Sequence[str], group: str | None) -> int:
    """Say what to keep of prepared cells between runs: folders, and the key they belong to."""
    chosen = plan.make(setting.project.matrix, setting.project.contracts, words, group)
    engines = setting.engines()
    kept = keep.of({cell: _lock(engines, cell) for cell in chosen.cells})
    workflow.outputs({"key": kept.key, "path": "\n".join(kept.folders)})
    click.echo("\n".join([kept.key, *kept.folders]))
    return ExitCode.SAME


def _lock(engines: Mapping[Framework, Engine], cell: Cell) -> str:
    return engines[cell.framework].lock(cell) if cell.released else ""


def _systems(
    _context: click.Context, _parameter: click.Parameter, given: Sequence[str]
) -> Sequence[str]:
    wrong = [name for name in given if not re.fullmatch(systems.NAME, name)]
    if wrong:
        raise click.BadParameter(f"{wrong[0]!r} is no system, as matrix.yaml's runners name them.")
    return given


@click.command("announce")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--pull-request",
    type=int,
    envvar="EMBERWATCH_PULL_REQUEST",
    help="Write its number beside the report, for `comment --run`.",
)
@click.pass_obj
def announce_verb(_: Setting, /, folder: Path, pull_request: int | None) -> int:
    """Hand a written report to the workflow: step summary, annotations, outputs."""
    said = together.of(_report(folder / "report.json"))
    if pull_request:
        documents.write(folder / "pull-request.txt", f"{pull_request}\n")
    workflow.summary(_text(folder / "summary.md"))
    click.echo(_text(folder / "annotations.txt"), nl=False)
    _hand_over(said, str(folder))
    return ExitCode.SAME


@click.command("conclude")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument(
    "names",
    nargs=-1,
    required=True,
    metavar="SYSTEM...",
    envvar="EMBERWATCH_SYSTEMS",
    callback=_systems,
)
@click.pass_obj
def conclude_verb(_: Setting, /, folder: Path, names: Sequence[str]) -> int:
    """Hand over what the reports on several systems say together: step summary, outputs.

    FOLDER holds their artifacts, each in a folder of its name. Systems may stand in
    $EMBERWATCH_SYSTEMS, too.
    """
    paths = {name: folder / f"{_REPORT}{name}" / "report.json" for name in names}
    said = {
        name: together.of(_report(path)) if path.exists() else None for name, path in paths.items()
    }
    workflow.summary(together.table(said))
    _hand_over(together.together(said.values()), f"{_REPORT}*")
    return ExitCode.SAME


def _report(path: Path) -> Mapping[str, Any]:
    """Return a written report; a HarnessError says where it breaks its schema."""
    report: Mapping[str, Any] = documents.read_json(path)
    problems = documents.validate(report, "report.json")
    if problems:
        where, words = problems[0]
        raise HarnessError(
            f"{path}: {documents.dotted(where)}{words}", "nox -s report -- --write writes it."
        )
    return report


def _hand_over(said: Said, report: str) -> None:
    """Set the step's outputs, and say the same on stderr."""
    values = {"verdict": said.verdict, "exit-code": str(int(said.code)), "report": report}
    values |= {name: str(number) for name, number in said.counts.items()}
    workflow.outputs(values)
    click.echo(" ".join(f"{name}={value}" for name, value in values.items()), err=True)


@click.command("patch")
@click.argument("file", type=_new_file)
@click.option(
    "--describe",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder of Markdown that says what changed [the names of the files].",
)
@click.pass_obj
def patch_verb(setting: Setting, /, file: Path, describe: Path | None) -> int:
    """Write what a run changed in cells and baselines as a patch, and what it is beside it.

    `pull-request` takes both: FILE and, with the ending .md, its description.
    """
    data = contribute.bundle(setting.project.root)
    documents.write(file, data)
    texts = [_text(path) for path in sorted(describe.glob("*.md"))] if describe else []
    names = contribute.names(setting.project.root, data) if data else []
    listed = "\n".join(f"- `{name}`" for name in names)
    documents.write(file.with_suffix(".md"), "\n\n".join(texts) or f"{listed}\n")
    changed = "true" if data else "false"
    workflow.outputs({"changed": changed})
    click.echo(f"{file}: {len(data)} bytes" if data else "nothing changed")
    return ExitCode.SAME


@click.command("pull-request")
@click.argument("file", type=_file)
@click.option("--branch", required=True, help="The branch to push; what it holds is replaced.")
@click.option("--title", required=True, help="Of the commit and of the pull request.")
@click.option("--body", type=_file, help="Markdown of the pull request.")
@click.option("--base", default="main", show_default=True, help="The branch to merge into.")
@click.pass_obj
def pull_request_verb(
    setting: Setting, /, file: Path, branch: str, title: str, body: Path | None, base: str
) -> int:
    """Apply a patch of cells and baselines, push it, and open or update its pull request."""
    words = workflow.cut(_text(body), contribute.BODY) if body else title
    wanted = contribute.Wanted(branch=branch, title=title, body=words, base=base)
    address = contribute.propose(setting.project.root, file.read_bytes(), wanted)
    workflow.outputs({"pull-request": address})
    click.echo(address)
    return ExitCode.SAME


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HarnessError(f"{path}: cannot be read: {error}") from error
