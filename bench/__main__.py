"""`python -m bench [part]...`: measure, and print one table."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click
import filelock

from bench import builds, cases, checkout, dashboard, peers, records, table
from bench.measure import say
from harness.engines import machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.table import Row

PARTS: dict[str, Callable[[int], Iterator[Row]]] = {
    "cases": cases.rows,
    "peers": peers.rows,
    "records": records.rows,
    "dashboard": dashboard.rows,
    "builds": builds.rows,
}
#: What a plain `nox -s bench` measures; `builds` compiles every burn from nothing.
USUAL = ("cases", "peers", "records", "dashboard")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)), metavar="[PART]...")
@click.option("--rounds", default=3, type=click.IntRange(1), help="Repetitions of each [3].")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
@click.option("--markdown", is_flag=True, help="Print the table of docs/performance.md.")
def main(parts: Sequence[str], rounds: int, as_json: bool, markdown: bool) -> None:
    """Measure emberwatch beside its floor and its peers, in one interleaved run.

    Parts: cases (a full run, an unchanged one), peers (pytest, cargo test and others), records
    (judging up to 100,000 of them), dashboard (a site of up to 10,000 cases, built and in a
    browser), builds (every burn cell from nothing, a quarter of an hour). All but builds unless
    named. Nothing here passes or fails.
    """
    found = []
    checkout.home().mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(checkout.home() / "lock"):
        for part in parts or USUAL:
            for row in PARTS[part](rounds):
                say(f"bench: {row.part}: {row.name}: {row.note or row.seconds}")
                found.append(row)
    here = {**machine.fingerprint(), "cpus": str(os.cpu_count())}
    if as_json:
        click.echo(json.dumps(table.document(found, here), indent=2))
        return
    click.echo(f"{here['cpu']}, {here['cpus']} CPUs ({here['isa']}), {here['platform']}\n")
    click.echo(table.text(found, markdown=markdown))


if __name__ == "__main__":
    main(prog_name="python -m bench")
