"""The verbs that speak to GitHub: comment, upstream."""

from __future__ import annotations

import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness import documents
from harness.cli import fetching, options, watching
from harness.errors import ExitCode, HarnessError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.cli.setting import Setting
    from harness.github.artifact import Upload
    from harness.github.client import Client
    from harness.github.comment import Posted
    from harness.github.watch import Outcome

_file = click.Path(path_type=Path, exists=True, dir_okay=False)
_login = click.option(
    "--login", metavar="NAME", default="", help="Whose comments and issues are ours [the token's]."
)
#: GitHub shows no longer summary of a step; a report that is longer is cut there.
_SUMMARY = 1_000_000


@click.command("comment")
@click.option("--report", type=_file, help="The report, as `report --json` writes it.")
@click.option("--body", type=_file, help="The comment's Markdown [a short one, of the report].")
@click.option("--pull-request", type=click.IntRange(1), metavar="N", help="Where it goes.")
@click.option(
    "--run",
    type=click.IntRange(1),
    metavar="ID",
    help="Instead: an untrusted run that uploaded report.json and pull-request.txt.",
)
@click.option(
    "--artifact",
    type=click.Path(path_type=Path, exists=True),
    help="Where --run's artifact lies, a folder or zip [downloaded].",
)
@click.option(
    "--fallback",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the body goes if the token may not comment [$GITHUB_STEP_SUMMARY].",
)
@watching.option
@_login
@click.pass_obj
def comment_verb(  # noqa: PLR0913 (click hands over every option)
    setting: Setting,
    /,
    *,
    report: Path | None,
    body: Path | None,
    pull_request: int | None,
    run: int | None,
    artifact: Path | None,
    fallback: Path | None,
    watched: Path | None,
    login: str,
) -> int:
    """Post one comment on a pull request, or bring it up to date; quiet when nothing changed."""
    if run is None and (report is None or pull_request is None or artifact is not None):
        raise click.UsageError("Give --report and --pull-request, or --run.")
    if run is not None and (report or body or pull_request):
        raise click.UsageError("--run takes report and number from the artifact; give them alone.")
    from harness.github import artifact as artifacts  # noqa: PLC0415 (the others need no GitHub)
    from harness.github import brief, comment  # noqa: PLC0415

    client = fetching.client(setting, login)
    if run is not None:
        upload = _upload(client, run, artifact)
        found, number = upload.report, upload.pull_request
        ran, asks = client.workflow_run(run), client.pull_request(number)
        if not artifacts.belongs(upload, ran, asks):
            click.echo(f"nothing posted: pull request {number} moved on since run {run}")
            return ExitCode.SAME
    else:
        assert report is not None
        assert pull_request is not None
        found, number = artifacts.report(report), pull_request
    if body is None:
        beats = watching.beats(watched, setting.clock.now().date())
        words = brief.render(found, client.place.page, beats)
    else:
        words = _text(body)
    posted = comment.post(client, number, words, found)
    _say(posted, words, found, fallback)
    return ExitCode.SAME


def _upload(client: Client, run: int, artifact: Path | None) -> Upload:
    """Return what an untrusted run uploaded, from where it lies or from GitHub."""
    from harness.github import artifact as artifacts  # noqa: PLC0415

    if artifact is not None:
        return artifacts.read(artifact)
    found = [one for one in client.artifacts(run) if one.name == artifacts.NAME]
    if not found or found[0].expired or found[0].size > artifacts.LIMITS.archive:
        why = "expired" if found and found[0].expired else "too big" if found else "none"
        raise HarnessError(f"run {run}: artifact {artifacts.NAME}: {why}; nothing posted")
    with tempfile.TemporaryDirectory(prefix="emberwatch-") as folder:
        path = Path(folder) / "artifact.zip"
        client.download(found[0], path, artifacts.LIMITS.archive)
        return artifacts.read(path)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HarnessError(f"{path}: cannot be read: {error}") from error


def _say(posted: Posted, words: str, report: Mapping[str, Any], fallback: Path | None) -> None:
    """Say what became of the comment; where it was denied, put the body elsewhere."""
    from harness.github.comment import Done  # noqa: PLC0415

    if posted.done is not Done.DENIED:
        shed = "; the body was too long, so it gives the verdict alone" if posted.shed else ""
        click.echo(f"comment {posted.done}{shed} {posted.url}".rstrip())
        return
    click.echo(f"notice: no comment: {posted.why}", err=True)
    if report["exit_code"] == ExitCode.SAME:
        return
    summary = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if fallback is None and not summary:
        raise HarnessError(
            "the comment was denied, and there is no other place for it",
            "Give --fallback FILE, or run it in a workflow, which has a summary.",
        )
    if fallback is not None:
        documents.write(fallback, words)
    else:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(words[:_SUMMARY].rstrip("\n") + "\n")
    click.echo(f"notice: the body is in {fallback or summary}", err=True)


@click.command("upstream")
@click.option("--report", type=_file, required=True, help="Of moving heads, as JSON.")
@click.option(
    "--state",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="What is carried from run to run; made when it is not there.",
)
@click.option("--cap", type=click.IntRange(0), default=20, show_default=True, help="Writes a day.")
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@options.as_json
@_login
@click.pass_obj
def upstream_verb(  # noqa: PLR0913 (the same)
    setting: Setting,
    /,
    *,
    report: Path,
    state: Path,
    cap: int,
    dry_run: bool,
    as_json: bool,
    login: str,
) -> int:
    """Keep one issue for each change of a moving head: open, update, close."""
    from harness.github import artifact  # noqa: PLC0415
    from harness.github.watch import Watch  # noqa: PLC0415

    found = artifact.report(report)
    heads = [cell.id for cell in setting.project.matrix.cells.values() if cell.reference]
    watch = Watch(fetching.client(setting, login), state, cap)
    outcome = watch.add(found, heads, dry=dry_run)
    if as_json:
        click.echo(documents.canonical(_document(outcome)), nl=False)
        return ExitCode.SAME
    would = "would " if dry_run else ""
    for action, url in outcome.done:
        click.echo(f"{would}{action.do} {url or action.number or ''} {action.title}")
    for action in outcome.left:
        click.echo(f"left for another day (--cap {cap}): {action.do} {action.title}")
    if not outcome.done and not outcome.left:
        click.echo("nothing to do")
    return ExitCode.SAME


def _document(outcome: Outcome) -> dict[str, Any]:
    """Return what was done as JSON holds it."""
    done = [{"do": str(a.do), "title": a.title, "url": url} for a, url in outcome.done]
    left = [{"do": str(a.do), "title": a.title} for a in outcome.left]
    watched = {head: asdict(one) for head, one in outcome.state.watched.items()}
    return {"done": done, "left": left, "watched": watched}
