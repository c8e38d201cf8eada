"""The verbs that workflows call: caches, announce, patch, pull-request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness import contribute, documents, keep, plan
from harness.cli import options, workflow
from harness.errors import ExitCode, HarnessError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.cli.setting import Setting
    from harness.engines import Engine
    from harness.model import Cell, Framework

_file = click.Path(path_type=Path, exists=True, dir_okay=False)
_new_file = click.Path(path_type=Path, dir_okay=False)


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
    path = folder / "report.json"
    report = documents.read_json(path)
    problems = documents.validate(report, "report.json")
    if problems:
        where, words = problems[0]
        raise HarnessError(
            f"{path}: {documents.dotted(where)}{words}", "nox -s report -- --write writes it."
        )
    code = ExitCode(report["exit_code"])
    values = {"verdict": code.name.lower(), "exit-code": str(int(code)), "report": str(folder)}
    values |= {f"{name}s": str(report["counts"][name]) for name in ("break", "change", "note")}
    values |= {"compared": str(report["counts"]["compared"])}
    if pull_request:
        documents.write(folder / "pull-request.txt", f"{pull_request}\n")
    workflow.outputs(values)
    workflow.summary(_text(folder / "summary.md"))
    click.echo(_text(folder / "annotations.txt"), nl=False)
    click.echo(" ".join(f"{name}={value}" for name, value in values.items()), err=True)
    return ExitCode.SAME


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
