"""`cases`: a full, isolated run beside one bare process, and beside what is done by hand."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench import burn, checkout
from bench.measure import Contender, Measured, interleaved, say
from bench.table import Row
from harness.model import Framework

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.checkout import Checkout

MANY = 200
SAMPLE = 10
_HARNESS = (sys.executable, "-m", "harness")
#: What a run that judged its records may say: nothing new, changes, something to accept.
_JUDGED = frozenset({0, 10, 11})


def rows(rounds: int) -> Iterator[Row]:
    """Yield the measurements with the real cases, then with many."""
    real, left_out = checkout.real()
    yield from _frameworks(real, rounds, left_out)
    yield from _unchanged(real, max(rounds, 7))
    fewest = min(len(real.cases(framework)) for framework in Framework)
    if fewest < MANY:
        yield from _frameworks(checkout.repeated(real, MANY), rounds, left_out)


def _frameworks(one: Checkout, rounds: int, left_out: int) -> Iterator[Row]:
    folder = checkout.home() / "work"
    for framework in Framework:
        cases = one.cases(framework)
        say(f"bench: {len(cases)} cases of {one.cell(framework)}")
        contenders = [emberwatch(one, framework), floor(one, framework, folder)]
        sample = cases[:: max(1, len(cases) // SAMPLE)][:SAMPLE]
        by_hand = sample if framework is Framework.TORCH else cases
        contenders.append(hand(one, framework, by_hand, len(cases) / len(by_hand)))
        ours, bare, hands = interleaved(contenders, rounds)
        check(folder, len(cases), framework)
        part = f"cases, {framework}"
        if framework is Framework.TORCH:
            aim = f"aim: 1.5 × the floor + 2.5 s = {bare.seconds * 1.5 + 2.5:.2f} s"
        else:
            aim = f"aim: 1.2 × the floor = {bare.seconds * 1.2:.2f} s"
        without = f"; {left_out} cases that end their process are in neither" if left_out else ""
        sampled = f"{len(by_hand)} measured and scaled; aim: at least 50 ×"
        yield row(part, ours, len(cases), bare, aim)
        yield row(part, _within(ours), len(cases), bare, "without start and report")
        yield row(part, bare, len(cases), None, "not isolated" + without)
        yield row(part, hands, len(cases), ours, sampled if by_hand is sample else "")


def emberwatch(one: Checkout, framework: Framework) -> Contender:
    """Return a full, isolated run: every case again, records, comparison, report."""
    return Contender(
        name="emberwatch regress --no-cache",
        short="emberwatch",
        argv=[*_HARNESS, "regress", "--no-cache", "--json", one.cell(framework)],
        environment=one.environment,
        cwd=one.root,
        codes=_JUDGED,
    )


def floor(one: Checkout, framework: Framework, folder: Path) -> Contender:
    """Return one bare process that runs every case in turn and writes the same events."""
    cases = one.cases(framework)
    folder.mkdir(parents=True, exist_ok=True)
    environment, events = dict(one.environment), folder / "events"

    def emptied() -> None:
        shutil.rmtree(events, ignore_errors=True)
        events.mkdir()

    argv: list[str | Path]
    if framework is Framework.TORCH:
        listed = folder / "cases.json"
        listed.write_text(json.dumps(cases), "utf-8")
        script = Path(__file__).with_name("floor_torch.py")
        argv = [one.programs[framework], "-I", script, one.root, listed, events]
    else:
        listed = folder / "cases.txt"
        listed.write_text("".join(f"{e} {v}\n" for e, v in cases), "utf-8")
        environment["EMBERWATCH_EVENTS"] = str(events / "all.events")
        argv = [burn.floor(one), listed]
    return Contender(
        name="floor: one process",
        short="floor",
        argv=argv,
        environment=environment,
        cwd=one.root,
        before=emptied,
    )


def hand(
    one: Checkout, framework: Framework, cases: list[tuple[str, str]], scale: float
) -> Contender:
    """Return a shell script that starts the half's own program for one case after the other."""
    program = [str(one.programs[framework])]
    if framework is Framework.TORCH:
        program += ["-m", "harness.experiments"]
    lines = [f"{shlex.join([*program, *case])} >/dev/null 2>&1\n" for case in cases]
    script = checkout.home() / "work" / f"{framework}.sh"
    script.write_text("".join([*lines, "exit 0\n"]), "utf-8")
    return Contender(
        name="by hand: a process per case",
        argv=["sh", script],
        environment=one.environment,
        cwd=one.root,
        scale=scale,
    )


def _within(ours: Measured) -> Measured:
    """Return what the runs themselves say of the time from the first case to the last record."""
    seconds = [json.loads(output)["cells"][0]["seconds"] for output in ours.outputs]
    name = "… of which its cases and their records"
    return Measured(contender=replace(ours.contender, name=name), wall=seconds)


def check(folder: Path, cases: int, framework: Framework) -> None:
    """Refuse a floor that did not do all of the work."""
    ends = 0
    for path in (folder / "events").iterdir():
        lines = path.read_text("utf-8").splitlines()
        ends += sum(line.startswith(('{"done"', '{"raised"')) for line in lines)
    if ends != cases:
        raise SystemExit(f"bench: the {framework} floor ended {ends} of {cases} cases")


def _unchanged(one: Checkout, rounds: int) -> Iterator[Row]:
    """Yield what a run costs that finds everything up to date."""
    one.harness("regress")
    pass_ = [sys.executable, "-c", "pass"]
    python = Contender(name="python -c pass", short="python", argv=pass_)
    regress = Contender(
        name="emberwatch regress, unchanged",
        short="emberwatch",
        argv=[*_HARNESS, "regress"],
        environment=one.environment,
        cwd=one.root,
        codes=_JUDGED,
    )
    contenders = [regress, python]
    nox = shutil.which("nox")
    if nox:
        warm = Contender(
            name="nox -s regress, unchanged",
            argv=[nox, "-s", "regress"],
            environment=one.environment,
            cwd=one.root,
            codes=_JUDGED,
        )
        say("bench: making nox's environment")
        interleaved([warm], 1)
        contenders.append(warm)
    ours, bare, *others = interleaved(contenders, rounds)
    number = sum(len(one.cases(framework)) for framework in Framework)
    net = ours.seconds - bare.seconds
    yield row("unchanged", ours, number, bare, f"{net:.2f} s over Python's start; aim: under 1 s")
    yield row("unchanged", bare, 0, None, "")
    for other in others:
        yield row("unchanged", other, number, ours, "")
    if not nox:
        yield Row(part="unchanged", name="nox -s regress", note="skipped: nox is not on PATH")


def row(part: str, one: Measured, number: int, against: Measured | None, note: str) -> Row:
    """Return a contender's line: its time for so many cases, and its ratio to another's."""
    return Row(
        part=part,
        name=one.contender.name,
        work=f"{number} cases" if number else "",
        seconds=one.seconds,
        each=one.seconds / number if number else None,
        ratio=one.times(against) if against else None,
        cpu_ratio=one.cpu_times(against) if against and one.cpu else None,
        to=against.contender.short if against else "",
        note=note,
    )
