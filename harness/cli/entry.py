"""The command line: the verbs under one name, and what each way of ending means."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import (
    accepting,
    acting,
    dashboard,
    reporting,
    running,
    searching,
    service,
    versions,
)
from harness.cli.setting import Setting, real_engines
from harness.errors import ExitCode, HarnessError
from harness.project import Project

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def emberwatch() -> None:
    """Run small experiments on every listed torch and burn, and say what changed.

    Exit codes: 0 same, 1 a bug in emberwatch, 2 usage or an empty plan, 10 behaviour changed,
    11 something to accept, 12 inconclusive (a cell is unavailable, a case timed out or is flaky).
    """


for _verb in (
    running.plan_verb,
    running.regress_verb,
    running.run_verb,
    running.prepare_verb,
    reporting.report_verb,
    accepting.accept_verb,
    accepting.review_verb,
    accepting.new_verb,
    searching.bisect_verb,
    searching.discover_verb,
    versions.diff_verb,
    versions.history_verb,
    dashboard.dashboard_verb,
    acting.caches_verb,
    acting.announce_verb,
    acting.conclude_verb,
    acting.patch_verb,
    acting.pull_request_verb,
    service.comment_verb,
    service.upstream_verb,
):
    emberwatch.add_command(_verb)


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
