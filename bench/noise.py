"""How far numbers wander with instruction set and threads, and whether the tolerances absorb it.

`nox -s noise` runs the group `default` under every setting that this CPU can have, in a work folder
of its own, holds each run against the committed baselines, and its bits against the first run's.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tabulate import tabulate

from bench.measure import say
from harness import compare, documents, plan, progress, run
from harness.cli.setting import real_engines
from harness.engines import machine, process
from harness.errors import ExitCode, gravest
from harness.judge import Judge
from harness.model import Difference
from harness.project import ROOT, Project
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from harness.engines import Engine, Progress
    from harness.model import Contract, Framework, Record
    from harness.plan import Plan
    from harness.records import CellRun
    from harness.report.view import Report

    Records = Mapping[tuple[str, str, str], Record]

DOCUMENT = ROOT / "docs" / "noise.md"
_PARTS = ("matrix.yaml", "schemas", "baselines")
_MARKED = re.compile(r"(?<=<!-- nox -s noise -- --write -->\n).*?(?=<!-- end -->)", re.DOTALL)
#: torch's capability → the CPU's flags that it needs; the first one that the CPU has is the
#: reference, which is the one that matrix.yaml pins.
_CAPABILITIES: Mapping[str, frozenset[str]] = {
    "avx2": frozenset({"avx2", "fma"}),
    "avx512": frozenset({"avx512f", "avx512dq", "avx512bw", "avx512vl", "fma"}),
    "default": frozenset(),
}
_THREADS = (1, 2)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One instruction set and number of threads."""

    capability: str
    threads: int

    @property
    def name(self) -> str:
        """Return `avx2 × 1`."""
        return f"{self.capability} × {self.threads}"

    @property
    def variables(self) -> dict[str, str]:
        """Return what `--setting` would set."""
        return {"ATEN_CPU_CAPABILITY": self.capability, "OMP_NUM_THREADS": str(self.threads)}


@dataclass(kw_only=True)
class Row:
    """What a run under one setting says beside the baselines, the reference run and itself."""

    setting: Setting
    code: ExitCode
    cases: int
    cells: tuple[CellRun, ...] = ()
    #: Differences that the report names, in words; every one of them is false.
    reported: list[str] = field(default_factory=list)
    #: Observations whose bits differ from the reference run's, by experiment.
    bits: list[str] = field(default_factory=list)
    #: Observations whose bits differ between repetitions of this very run.
    own: int = 0
    max_abs: float = 0.0
    max_rel: float = 0.0


def settings(flags: Iterable[str]) -> list[Setting]:
    """Return the settings that a CPU with these flags can have, the reference first."""
    have = frozenset(flags)
    can = [name for name, needs in _CAPABILITIES.items() if needs <= have]
    return [Setting(capability=name, threads=n) for name in can for n in _THREADS]


def measure(
    root: Path,
    engines: Mapping[Framework, Engine],
    chosen: Sequence[Setting],
    options: run.Options,
    shown: Progress,
) -> Iterator[Row]:
    """Run and judge a project under each setting, in a work folder that is gone afterwards."""
    reference: Records = {}
    with tempfile.TemporaryDirectory(prefix="emberwatch-noise-") as folder:
        for part in _PARTS:
            (Path(folder) / part).symlink_to(root.resolve() / part)
        project = Project(Path(folder))
        todo = plan.make(project.matrix, project.contracts)
        for one in chosen:
            how = run.Options(
                jobs=options.jobs, repeat=options.repeat, cache=False, settings=one.variables
            )
            with run.alone(project):
                runs = run.run(project, todo, engines, how, shown)
                report = Judge(project, todo).report(runs)
            records = _records(project, todo)
            reference = reference or records
            yield row(one, report, project.contracts, reference, records)


def row(
    setting: Setting,
    report: Report,
    contracts: Mapping[str, Contract],
    reference: Records,
    records: Records,
) -> Row:
    """Return the table's line of one run: its report, its records beside the reference run's."""
    found = Row(
        setting=setting,
        code=report.code,
        cases=len(records),
        cells=report.cells,
        reported=[*_reported(report)],
    )
    for where, record in records.items():
        found.reported += otherwise(setting, record)
        found.own += len(record.provenance.get("repeated", {}).get("rounding", {}))
        found.own += len(record.flaky)
        if where not in reference:
            continue
        contract = contracts[record.experiment]
        for change in compare.changes(contract, reference[where], record, same_machine=True):
            found.bits.append(record.experiment)
            if change.measure is not None:
                found.max_abs = max(found.max_abs, change.measure.max_abs)
                found.max_rel = max(found.max_rel, change.measure.max_rel)
    if found.reported and found.code is ExitCode.SAME:
        found.code = ExitCode.INCONCLUSIVE
    return found


def otherwise(setting: Setting, record: Record) -> Iterator[str]:
    """Yield what a record says that it ran with, where that is not what was asked for."""
    versions = record.provenance.get("versions", {})
    for key, wanted in (("threads", setting.threads), ("isa", setting.capability.upper())):
        # burn's halves cannot be told: they state what the CPU has, and no threads
        if "torch" in versions and versions.get(key, wanted) != wanted:
            yield f"{record.cell} {record.experiment}: ran with {key} {versions[key]}"


def _reported(report: Report) -> Iterator[str]:
    for change in report.changes:
        if change.change.kind is not Difference.ROUNDING:
            far = text.measured(change.change.measure)
            what = f"{change.change.kind} of {change.change.observation} {far}".strip()
            yield f"{change.cell} {change.title}: {what}"
    for side in report.alarms:
        yield f"{side.burn} {side.experiment} / {side.variant}: {side.status} with {side.torch}"
    for line in report.flaky:
        yield f"{line.cell} {line.title}: flaky {line.observation}"
    for case in (*report.invalid, *report.inconclusive, *report.new):
        yield f"{case.cell} {case.title}: {case.text}"
    for cell in report.unavailable:
        yield f"{cell.cell}: unavailable: {cell.unavailable}"


def _records(project: Project, todo: Plan) -> Records:
    return {
        (cell.id, contract.id, variant): record
        for cell in todo.cells
        for contract in todo.contracts
        for variant, record in project.records.read(cell.id, contract.id).items()
    }


def markdown(rows: Sequence[Row]) -> str:
    """Return the table; the first row is what the bits of the others are held against."""
    head = [
        "setting × threads",
        "cases",
        "differences reported",
        "bits unlike the first row's",
        "max\\|diff\\|",
        "max relative",
        "bits unlike its own",
        "experiments",
    ]
    lines = []
    for number, one in enumerate(rows):
        far = [f"{one.max_abs:.1e}", f"{one.max_rel:.1e}"] if one.bits else ["", ""]
        bits = str(len(one.bits)) if number else "–"
        names = ", ".join(dict.fromkeys(one.bits))
        line = [one.setting.name, one.cases, len(one.reported), bits, *far, one.own, names]
        lines.append(line)
    align = ("left", *["right"] * 6, "left")
    return tabulate(lines, head, tablefmt="github", disable_numparse=True, colalign=align)


def heading(cells: Sequence[CellRun], repeat: int, here: Mapping[str, str]) -> str:
    """Return when, on what and with which versions the table came about."""
    date = datetime.now(tz=UTC).date().isoformat()
    versions = "; ".join(
        " ".join(f"{name} {value}" for name, value in cell.versions.items()) for cell in cells
    )
    cpus = text.count(os.cpu_count() or 1, "CPU")
    times = f"every case {text.count(repeat, 'time')} a setting"
    return (
        f"{date}, {here['cpu']}, {cpus} ({here['isa']}), {here['platform']}; {versions}; {times}."
    )


def written(document: str, found: str) -> str:
    """Return docs/noise.md with what was measured between its two marks."""
    if not _MARKED.search(document):
        raise SystemExit(f"noise: {DOCUMENT}: the marks are gone: <!-- nox -s noise -- --write -->")
    return _MARKED.sub(lambda _: f"{found}\n", document)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--repeat", default=2, metavar="N", type=click.IntRange(1), help="Runs a case [2].")
@click.option("--write", is_flag=True, help="Put the table into docs/noise.md.")
def main(repeat: int, write: bool) -> None:
    """Run the group default under every instruction set and number of threads, and compare.

    The tolerances must absorb them all: a difference that the baselines report ends with its code.
    """
    options = run.Options(jobs=process.default_jobs(), repeat=repeat)
    rows: list[Row] = []
    with progress.shown() as shown:
        chosen = settings(machine.flags())
        for one in measure(ROOT, real_engines(), chosen, options, shown):
            rows.append(one)
            shown.say(f"noise: {one.setting.name}: {text.count(len(one.reported), 'difference')}")
    found = f"{heading(rows[0].cells, repeat, machine.fingerprint())}\n\n{markdown(rows)}"
    click.echo(found)
    for one in rows:
        for what in one.reported:
            say(f"noise: {one.setting.name}: {what}")
    if write:
        documents.write(DOCUMENT, written(DOCUMENT.read_text(encoding="utf-8"), found))
    sys.exit(gravest(one.code for one in rows))


if __name__ == "__main__":
    main(prog_name="python -m bench.noise")
