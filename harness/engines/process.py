"""The only place that starts a process: tools such as cargo and uv, and the server of cases."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
    from typing import IO

    from harness.model import Limits

SERVER = Path(__file__).with_name("server.py")
#: How much of a case's output is kept, from its end.
TAIL = 8192
#: How many requests wait at the server beside those that run: few, so that no pipe fills up.
AHEAD = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How a cell's cases start: a fork of `entry` imported by `python`, or `argv` and two words."""

    python: Path
    environment: Mapping[str, str]
    entry: str = ""
    path: str = ""
    argv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a case's process ended: its exit status, or the signal that killed it."""

    status: int | None
    signal: str | None
    timed_out: bool
    seconds: float
    limit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """What a case left: the end of its process, its events, the last of its output."""

    case: int
    ended: Ended
    events: bytes
    output: str


def run_cases(
    launch: Launch,
    cases: Sequence[tuple[str, str]],
    *,
    jobs: int,
    limits: Limits,
    scratch: Path,
    repeat: int = 1,
) -> Generator[Raw, None, None]:
    """Run (experiment, variant) pairs, `jobs` at a time, and yield each as it ends.

    Each runs `repeat` times, one repetition after the other or beside it, before later ones do.
    Raises UnavailableError when the cell's process cannot even begin (torch fails to import, say).
    """
    scratch.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=scratch, prefix="run-") as folder,
        tempfile.TemporaryFile() as errors,
    ):
        try:
            server = subprocess.Popen(
                [launch.python, "-s", "-P", SERVER],  # not -I, which overrules PYTHONHASHSEED
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**_inherited(), **launch.environment},
            )
        except OSError as error:
            raise UnavailableError(f"{launch.python}: cannot start: {error.strerror}") from error
        try:
            assert server.stdin is not None
            assert server.stdout is not None
            total = len(cases) * repeat
            requests = _requests(launch, cases, repeat, Path(folder))
            _send(server.stdin, [_config(launch, total, jobs, limits)])
            _send(server.stdin, islice(requests, jobs + AHEAD))
            for _ in range(total):
                line = server.stdout.readline()
                _send(server.stdin, islice(requests, 1))
                if not line:
                    errors.seek(0)
                    said = errors.read().decode(errors="replace").strip()
                    raise UnavailableError("the cell's process ended: " + said[-2000:])
                yield _raw(json.loads(line), Path(folder), limits, repeat)
        finally:
            for pipe in (server.stdin, server.stdout):
                assert pipe is not None
                with suppress(BrokenPipeError):
                    pipe.close()  # tells the server to kill what still runs
            server.wait()


def _send(stdin: IO[bytes], lines: Iterable[Mapping[str, object]]) -> None:
    with suppress(BrokenPipeError):  # it ended already; the next answer will not come and say why
        stdin.writelines(json.dumps(line).encode() + b"\n" for line in lines)
        stdin.flush()


def _config(launch: Launch, total: int, jobs: int, limits: Limits) -> dict[str, object]:
    return {
        "entry": launch.entry,
        "path": launch.path,
        "jobs": jobs,
        "cases": total,
        "seconds": limits.seconds,
        "memory": int(limits.memory_mib) << 20,
        "output": int(limits.output_mib) << 20,
    }


def _requests(
    launch: Launch, cases: Sequence[tuple[str, str]], repeat: int, folder: Path
) -> Iterator[dict[str, object]]:
    for number in range(len(cases) * repeat):
        experiment, variant = cases[number // repeat]
        yield {
            "case": number,
            "experiment": experiment,
            "variant": variant,
            "argv": [*launch.argv, experiment, variant],
            "events": str(folder / f"{number}.events"),
            "output": str(folder / f"{number}.output"),
        }


def _raw(answer: dict[str, object], folder: Path, limits: Limits, repeat: int) -> Raw:
    number = int(str(answer.pop("case")))
    events, output = folder / f"{number}.events", folder / f"{number}.output"
    raw = Raw(
        case=number // repeat,
        ended=Ended(limit=limits.seconds, **answer),  # type: ignore[arg-type]  # the server's words
        events=events.read_bytes() if events.exists() else b"",
        output=_tail(output),
    )
    for path in (events, output):
        path.unlink(missing_ok=True)
    return raw


def _tail(path: Path) -> str:
    with suppress(FileNotFoundError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL))
        return file.read().decode(errors="replace")
    return ""


def _inherited() -> dict[str, str]:
    """Return what a case inherits: enough to start, nothing that decides what it observes."""
    kept = (
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "LC_ALL",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "LD_LIBRARY_PATH",
    )
    return {name: os.environ[name] for name in kept if name in os.environ}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a tool ended, and what it said on stderr."""

    status: int
    errors: str


def run_tool(
    argv: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str | None] | None = None,
    on_line: Callable[[str], None] = lambda _: None,
) -> Finished:
    """Run a tool to its end; each line of its stdout goes to `on_line` as it comes.

    A variable whose value is None is taken out of the tool's environment.
    Raises UnavailableError when the tool is not installed.
    """
    variables = {**os.environ, **(environment or {})}
    with tempfile.TemporaryFile() as errors:
        try:
            tool = subprocess.Popen(
                argv,
                cwd=cwd,
                env={name: value for name, value in variables.items() if value is not None},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except FileNotFoundError as error:
            raise UnavailableError(f"{argv[0]}: not found on PATH") from error
        try:
            assert tool.stdout is not None
            for line in tool.stdout:
                on_line(line)
            status = tool.wait()
        except BaseException:
            tool.terminate()
            tool.wait()
            raise
        finally:
            assert tool.stdout is not None
            tool.stdout.close()
        errors.seek(0)
        return Finished(status=status, errors=errors.read().decode(errors="replace"))


def output_of(argv: Sequence[str | Path]) -> str:
    """Return what a tool prints; an UnavailableError holds its stderr when it fails."""
    lines: list[str] = []
    finished = run_tool(argv, on_line=lines.append)
    if finished.status:
        raise UnavailableError(f"{argv[0]} failed: {finished.errors.strip()[-2000:]}")
    return "".join(lines)


def exchange(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """Return what a tool writes when it is given bytes; a HarnessError holds its stderr."""
    try:
        ended = subprocess.run(
            argv,
            cwd=cwd,
            input=given,
            capture_output=True,
            check=False,
            env={**os.environ, **(environment or {})},
        )
    except FileNotFoundError as error:
        raise HarnessError(f"{argv[0]}: not found on PATH") from error
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip()[-1500:]
        raise HarnessError(f"{argv[0]} failed: {said}")
    return ended.stdout


def default_jobs() -> int:
    """Return how many cases run at once unless told: the CPUs that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
