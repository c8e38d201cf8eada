"""Starting processes: tools, and the server of cases as the harness sees it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.engines import process
from harness.errors import UnavailableError
from harness.model import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMITS = Limits(seconds=10, memory_mib=1024, output_mib=1)
PYTHON = Path(sys.executable)
#: A case is a piece of Python; its second word is an argument.
PROGRAM = process.Launch(python=PYTHON, environment={}, argv=(sys.executable, "-S", "-c"))


def _run(
    folder: Path, *codes: str, launch: process.Launch = PROGRAM, jobs: int = 2
) -> Iterator[process.Raw]:
    cases = [(code, "") for code in codes]
    return process.run_cases(launch, cases, jobs=jobs, limits=LIMITS, scratch=folder / "scratch")


def _python(code: str) -> list[str | Path]:
    return [PYTHON, "-S", "-c", code]


def _wait_for(path: Path) -> str:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if path.exists() and (text := path.read_text()).endswith("\n"):
            return text
        time.sleep(0.005)
    pytest.fail(f"{path} never came")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# --- tools ------------------------------------------------------------------------------------


def test_a_tool_is_heard_line_by_line(tmp_path: Path) -> None:
    """Each line of stdout is passed on as it comes; stderr and the status are kept."""
    lines: list[str] = []
    finished = process.run_tool(
        _python(
            "import sys; print('one'); print('two'); print('no', file=sys.stderr); sys.exit(3)"
        ),
        cwd=tmp_path,
        on_line=lines.append,
    )

    assert (["one\n", "two\n"], 3, "no\n") == (lines, finished.status, finished.errors)


def test_a_line_is_passed_on_before_the_tool_ends(tmp_path: Path) -> None:
    """What a tool says is heard while it works: it goes on when it was heard."""
    heard = tmp_path / "heard"
    code = (
        "import os, time; print('ready', flush=True)\n"
        f"while not os.path.exists({str(heard)!r}): time.sleep(0.001)"
    )

    assert 0 == process.run_tool(_python(code), on_line=lambda _: heard.touch()).status


def test_a_tool_gets_its_folder_its_environment_and_no_input(tmp_path: Path) -> None:
    """A tool runs where and with what it is told, and cannot wait for somebody to type."""
    lines: list[str] = []
    process.run_tool(
        _python(
            "import os; print(os.getcwd(), os.environ['MINI'], os.read(0, 1), 'PATH' in os.environ)"
        ),
        cwd=tmp_path,
        environment={"MINI": "yes"},
        on_line=lines.append,
    )

    assert [f"{tmp_path.resolve()} yes b'' True\n"] == lines


def test_what_a_tool_says_need_not_be_text() -> None:
    """Bytes that are no UTF-8 are replaced, never an error."""
    lines: list[str] = []
    code = r"import os; os.write(1, b'\xff\n'); os.write(2, b'\xfe')"
    finished = process.run_tool(_python(code), on_line=lines.append)

    assert (["\ufffd\n"], "\ufffd") == (lines, finished.errors)


def test_a_flood_on_stderr_blocks_no_tool() -> None:
    """A tool that says more on stderr than a pipe holds still comes to its end."""
    finished = process.run_tool(_python("import os; os.write(2, b'x' * (1 << 20)); print('end')"))

    assert (0, 1 << 20) == (finished.status, len(finished.errors))


def test_a_tool_that_is_not_there_is_unavailable() -> None:
    """Where a tool is missing, what needs it is unavailable, by the tool's name."""
    with pytest.raises(UnavailableError, match="no_such_tool: not found on PATH"):
        process.run_tool(["no_such_tool", "--version"])


def test_output_of_a_tool() -> None:
    """`output_of` is what a tool prints."""
    assert "one\ntwo\n" == process.output_of(_python("print('one'); print('two')"))


def test_output_of_a_tool_that_fails_is_its_stderr() -> None:
    """A tool that fails makes what needs it unavailable, with the tool's own words."""
    with pytest.raises(UnavailableError, match="failed: out of luck"):
        process.output_of(_python("import sys; sys.exit('out of luck')"))


def test_a_tool_ends_when_its_listener_breaks_off() -> None:
    """An error or an interrupt while a tool runs ends the tool."""
    pids: list[int] = []

    def listen(line: str) -> None:
        pids.append(int(line))
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        process.run_tool(
            _python("import os, time; print(os.getpid(), flush=True); time.sleep(60)"),
            on_line=listen,
        )

    assert time.monotonic() - began < 20
    assert not _alive(pids[0])


def test_there_is_a_job_for_each_cpu_that_may_be_used() -> None:
    """The number of jobs is what this process may use, not what the machine has."""
    code = (
        "import os; from harness.engines import process\n"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); print(process.default_jobs())"
    )
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("no affinity here")
    root = Path(process.__file__).parent.parent.parent
    told = subprocess.run(
        [PYTHON, "-c", code], capture_output=True, text=True, cwd=root, check=True
    )

    assert "1\n" == told.stdout


# --- cases ------------------------------------------------------------------------------------


def test_a_case_leaves_its_end_its_events_and_its_output(tmp_path: Path) -> None:
    """What a case left is its end, every byte of its events, and what it printed."""
    code = (
        "import os, sys; open(os.environ['EMBERWATCH_EVENTS'], 'wb').write(b'{}\\n\\xff')\n"
        "print('out', flush=True); print('err', file=sys.stderr); sys.exit(4)"
    )
    (raw,) = _run(tmp_path, code)

    assert (0, 4, None, False, 10) == (
        raw.case,
        raw.ended.status,
        raw.ended.signal,
        raw.ended.timed_out,
        raw.ended.limit,
    )
    assert (b"{}\n\xff", "out\nerr\n") == (raw.events, raw.output)


def test_a_case_may_leave_nothing(tmp_path: Path) -> None:
    """A case that observes and prints nothing leaves no events and no output."""
    (raw,) = _run(tmp_path, "pass")

    assert (b"", "") == (raw.events, raw.output)


@pytest.mark.parametrize(
    ("written", "kept"), [(8191, 8191), (8192, 8192), (8193, 8192), (90_000, 8192)]
)
def test_the_end_of_the_output_is_kept(tmp_path: Path, written: int, kept: int) -> None:
    """Of what a case prints its last 8 KiB are kept, where the reason of a crash is."""
    (raw,) = _run(tmp_path, f"import os; os.write(1, b'a' * {written - 3} + b'end')")

    assert kept == len(raw.output)
    assert raw.output.endswith("aend")


def test_a_case_inherits_only_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case gets a few variables and its cell's own; nothing else decides what it sees."""
    for name in ("MINI_SECRET", "PYTHONPATH", "RUST_LOG", "OMP_NUM_THREADS", "LANG"):
        monkeypatch.setenv(name, "inherited")
    launch = process.Launch(
        python=PYTHON, environment={"MINI": "own", "LANG": "C.UTF-8"}, argv=PROGRAM.argv
    )
    code = (
        "import os; print(*(os.environ.get(name) for name in"
        " ('MINI', 'LANG', 'MINI_SECRET', 'PYTHONPATH', 'RUST_LOG', 'OMP_NUM_THREADS')))"
    )
    (raw,) = _run(tmp_path, code, launch=launch)

    assert "own C.UTF-8 None None None None\n" == raw.output


def test_no_file_is_left(tmp_path: Path) -> None:
    """The files of a case are gone when it was heard, and their folder when all were."""
    scratch = tmp_path / "scratch"
    left = [list(scratch.glob("run-*/0.*")) for _ in _run(tmp_path, "print(1)", "print(2)", jobs=1)]

    assert [[], []] == left
    assert [] == list((tmp_path / "scratch").iterdir())


def test_nothing_to_run_yields_nothing(tmp_path: Path) -> None:
    """Where there is no case, none is yielded."""
    assert [] == list(_run(tmp_path))


def test_a_reader_that_stops_early_ends_the_cases(tmp_path: Path) -> None:
    """When the reader closes what it reads, the running cases are killed and no file is left."""
    pid = tmp_path / "pid"
    slow = (
        "import os, time\n"
        f"print(os.getpid(), file=open({str(pid)!r}, 'w'), flush=True); time.sleep(60)"
    )
    wait = f"import os, time\nwhile not os.path.exists({str(pid)!r}): time.sleep(0.001)"
    raws = _run(tmp_path, slow, wait)
    next(raws)
    raws.close()  # type: ignore[attr-defined]  # it is a generator

    assert not _alive(int(_wait_for(pid)))
    assert [] == list((tmp_path / "scratch").iterdir())


@pytest.mark.parametrize("number", [1, 2000])
def test_a_server_that_cannot_begin_is_unavailable(tmp_path: Path, number: int) -> None:
    """What keeps a cell's process from beginning is told, however much it was asked for."""
    launch = process.Launch(
        python=PYTHON, environment={}, entry="no_such_entry", path=str(tmp_path)
    )
    with pytest.raises(UnavailableError, match=r"the cell's process ended: (?s:.*)no_such_entry"):
        list(_run(tmp_path, *["pass"] * number, launch=launch))

    assert [] == list((tmp_path / "scratch").iterdir())


def test_an_interpreter_that_is_missing_is_unavailable(tmp_path: Path) -> None:
    """A cell whose environment was deleted is unavailable, by the path that is missing."""
    launch = process.Launch(python=tmp_path / "python", environment={}, argv=("true",))
    with pytest.raises(UnavailableError, match=r"/python: cannot start: No such file"):
        list(_run(tmp_path, "pass", launch=launch))


def test_a_program_that_is_missing_is_unavailable(tmp_path: Path) -> None:
    """A cell whose binary was deleted is unavailable, by the path that is missing."""
    launch = process.Launch(python=PYTHON, environment={}, argv=("/no/such/binary",))
    with pytest.raises(UnavailableError, match="/no/such/binary"):
        list(_run(tmp_path, "pass", launch=launch))


def test_what_ended_before_the_server_did_is_heard(tmp_path: Path) -> None:
    """A server that dies costs the cases that had not ended, no other."""
    heard = []
    kill = f"import os; os.kill(os.getppid(), {signal.SIGKILL:d})"
    with pytest.raises(UnavailableError, match="the cell's process ended"):
        for raw in _run(tmp_path, "pass", "pass", kill, "pass", jobs=1):
            heard.append(raw.case)

    assert [0, 1] == heard
    assert [] == list((tmp_path / "scratch").iterdir())


def test_two_servers_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Two runs in one scratch folder keep their files apart."""
    said: dict[str, list[str]] = {}

    def run(name: str) -> None:
        said[name] = [raw.output for raw in _run(tmp_path, *[f"print({name!r})"] * 5)]

    threads = [threading.Thread(target=run, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {"one": ["one\n"] * 5, "two": ["two\n"] * 5} == said


# --- repetitions ------------------------------------------------------------------------------


def test_a_case_runs_as_often_as_asked(tmp_path: Path) -> None:
    """Each case is yielded once a run, under its own number, before later cases begin."""
    launch = process.Launch(python=PYTHON, environment={}, argv=("echo", "-n"))
    cases = [("a", "1"), ("b", "2")]
    raws = process.run_cases(
        launch, cases, jobs=1, limits=LIMITS, scratch=tmp_path / "scratch", repeat=3
    )

    assert [(0, "a 1")] * 3 + [(1, "b 2")] * 3 == [(raw.case, raw.output) for raw in raws]


def test_very_many_runs_do_not_fill_the_pipes(tmp_path: Path) -> None:
    """Requests go to the server as answers come: their number blocks neither side."""
    launch = process.Launch(python=PYTHON, environment={}, argv=("true",))
    long = "x" * 2000  # 64 of these are more than a pipe holds
    raws = process.run_cases(
        launch, [(long, "")], jobs=2, limits=LIMITS, scratch=tmp_path / "scratch", repeat=300
    )

    assert [0] * 300 == [raw.ended.status for raw in raws]
