"""The server of cases, spoken to directly: a line for a case, a line when it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from mini.served import ENTRY, Served, alive, write_pid

from harness.engines.process import SERVER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOW = ("fork", "program")
#: What older kernels, and Python on macOS before 3.13, do not have.
WITHOUT = ((), ("pidfd_open",), ("pidfd_open", "waitid"))
ALL = [(how, without) for how in HOW for without in WITHOUT]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Any]:
    """Return what starts a server; none outlives the test."""
    started: list[Served] = []

    def start(how: str, **config: Any) -> Served:
        started.append(Served(tmp_path, how, **config))
        return started[-1]

    yield start
    for served in started:
        served.server.kill()
        served.server.communicate()


@pytest.mark.parametrize(("how", "without"), ALL)
@pytest.mark.parametrize(
    ("code", "status", "name"),
    [
        ("pass", 0, None),
        ("import os; os._exit(7)", 7, None),
        ("import os; os.abort()", None, "SIGABRT"),
        ("import os; os.kill(os.getpid(), 9)", None, "SIGKILL"),
        ("import os; os.kill(os.getpid(), 41)", None, "signal 41"),
    ],
)
def test_an_answer_says_how_a_case_ended(
    serve: Any, how: str, without: tuple[str, ...], code: str, status: int | None, name: str | None
) -> None:
    """A case's answer has its exit status, or the name of the signal that killed it."""
    served = serve(how, without=without)
    served.ask(code)
    (answer,) = served.answers()

    assert (0, status, name, False) == tuple(
        answer[key] for key in ("case", "status", "signal", "timed_out")
    )
    assert 0 < answer["seconds"] < 10


@pytest.mark.parametrize(("how", "without"), ALL)
def test_two_at_a_time_really_run_at_once(serve: Any, how: str, without: tuple[str, ...]) -> None:
    """With two jobs, a case that waits for its neighbour is answered: both run at one time."""
    meet = """
import os, time
open({mine!r}, "w").close()
deadline = time.monotonic() + 5
while not os.path.exists({other!r}):
    if time.monotonic() > deadline:
        os._exit(9)
    time.sleep(0.001)
"""
    served = serve(how, without=without)
    served.ask(meet.format(mine="a", other="b"), meet.format(mine="b", other="a"))

    assert [0, 0] == [answer["status"] for answer in served.answers(2)]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("jobs", [1, 3])
def test_never_more_run_than_jobs(serve: Any, how: str, jobs: int) -> None:
    """However many cases wait, `jobs` run at once, and no fewer while there are as many."""
    log = 'file = open("log", "a"); file.write("{}"); file.close(); '
    code = log.format("+") + "__import__('time').sleep(0.05); " + log.format("-")
    served = serve(how, jobs=jobs)
    served.ask(*[code] * 9)
    served.answers(9)
    steps = [1 if step == "+" else -1 for step in (served.folder / "log").read_text()]

    assert jobs == max(sum(steps[:count]) for count in range(len(steps)))


@pytest.mark.parametrize("how", HOW)
def test_answers_come_as_cases_end(serve: Any, how: str) -> None:
    """A slow case keeps no answer of a quick one back, and quick ones go on beside it."""
    served = serve(how)
    served.ask("import time; time.sleep(0.4)", "pass", "pass", "pass")

    assert [1, 2, 3, 0] == [answer["case"] for answer in served.answers(4)]


@pytest.mark.parametrize(("how", "without"), ALL)
def test_a_time_out_kills_the_whole_group(serve: Any, how: str, without: tuple[str, ...]) -> None:
    """At the limit a case and what it started are killed, and nothing else is."""
    code = (
        "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"if os.fork() == 0: {write_pid('child')}; time.sleep(60)\n"
        f"{write_pid('case')}; time.sleep(60)"
    )
    served = serve(how, without=without, seconds=0.5)
    served.ask(code, "import time; time.sleep(0.1)")
    quick, late = served.answers(2)

    assert (1, 0, False) == (quick["case"], quick["status"], quick["timed_out"])
    assert (0, "SIGKILL", True) == (late["case"], late["signal"], late["timed_out"])
    assert 0.5 <= late["seconds"] < 3
    assert [False, False] == [alive(served.pid_from(name)) for name in ("case", "child")]


@pytest.mark.parametrize("how", HOW)
def test_what_leaves_the_group_is_killed_with_its_family(serve: Any, how: str) -> None:
    """Processes that a case left behind end with it, each in whatever session it made."""
    code = (
        "import os, time\n"
        "read, write = os.pipe()\n"
        "if os.fork() == 0:\n"
        f"    os.setsid(); {write_pid('first')}\n"
        "    if os.fork() == 0:\n"
        f"        os.setsid(); {write_pid('second')}\n"
        f"        if os.fork() == 0: os.setsid(); {write_pid('third')}; os.write(write, b'!')\n"
        "    time.sleep(60)\n"
        "os.read(read, 1)"
    )
    served = serve(how)
    served.ask(code)
    (answer,) = served.answers()

    assert 0 == answer["status"]
    assert [False] * 3 == [alive(served.pid_from(name)) for name in ("first", "second", "third")]


@pytest.mark.parametrize(("how", "without"), ALL)
def test_the_end_of_stdin_kills_everything(serve: Any, how: str, without: tuple[str, ...]) -> None:
    """When its harness is gone, the server kills what runs, starts nothing more, and ends."""
    served = serve(how, without=without)
    served.ask(
        f"import os, time; {write_pid('a')}; time.sleep(60)",
        f"import os, time; {write_pid('b')}; time.sleep(60)",
        f"import os; {write_pid('c')}",
    )
    pids = [served.pid_from(name) for name in ("a", "b")]
    said = served.end()

    assert (0, b"") == (served.server.returncode, said)
    assert [False, False] == [alive(pid) for pid in pids]
    assert not (served.folder / "c").exists()


@pytest.mark.parametrize("how", HOW)
def test_an_answer_without_a_reader_kills_everything(serve: Any, how: str) -> None:
    """A harness may die just as a case ends: the answer finds no reader, and no case lives on."""
    served = serve(how)
    served.ask(
        f"import os, time; {write_pid('a')}; time.sleep(60)",
        "import os, time\nwhile not os.path.exists('go'): time.sleep(0.001)",
    )
    pid = served.pid_from("a")
    served.server.stdout.close()
    (served.folder / "go").touch()
    served.server.wait(timeout=10)

    assert not alive(pid)


@pytest.mark.parametrize("how", HOW)
def test_an_error_of_the_server_kills_everything(serve: Any, how: str) -> None:
    """A server that breaks off with an error leaves no case behind."""
    served = serve(how)
    served.ask(f"import os, time; {write_pid('a')}; time.sleep(60)")
    pid = served.pid_from("a")
    served.send({"no": "request"})
    served.server.wait(timeout=10)

    assert not alive(pid)
    assert b"KeyError" in served.server.stderr.read()


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells a child of its parent's death"
)
@pytest.mark.parametrize("how", HOW)
def test_a_killed_server_takes_its_cases_with_it(serve: Any, how: str) -> None:
    """The kernel may kill the server (out of memory): its cases die with it."""
    served = serve(how)
    served.ask(f"import os, time; {write_pid('a')}; time.sleep(60)")
    pid = served.pid_from("a")
    served.server.kill()

    assert not alive(pid, patience=2)


@pytest.mark.parametrize("how", HOW)
def test_an_interrupt_of_the_group_does_not_reach_cases(serve: Any, how: str) -> None:
    """Ctrl-C is the harness's to handle: the server and its cases go on until stdin closes."""
    served = serve(how)
    served.ask(f"import os, time; {write_pid('a')}; time.sleep(0.3)")
    pid = served.pid_from("a")
    os.kill(served.server.pid, signal.SIGINT)

    assert os.getsid(pid) == pid
    assert [0] == [answer["status"] for answer in served.answers()]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("name", "opened"),
    [
        ("0.output", "1"),
        ("0.events", "os.open(os.environ['EMBERWATCH_EVENTS'], os.O_WRONLY | os.O_CREAT)"),
    ],
)
def test_no_file_grows_over_the_limit(serve: Any, how: str, name: str, opened: str) -> None:
    """What a case writes is bounded, file by file."""
    code = f"""
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
file = {opened}
while True:
    os.write(file, b"x" * 100_000)
"""
    served = serve(how, output=1 << 20)
    served.ask(code)
    (answer,) = served.answers()

    assert "SIGXFSZ" == answer["signal"]
    assert 1 << 20 == (served.folder / name).stat().st_size


@pytest.mark.skipif(
    sys.platform != "linux", reason="RLIMIT_DATA counts what malloc takes on Linux only"
)
@pytest.mark.parametrize("how", HOW)
def test_memory_is_bounded(serve: Any, how: str) -> None:
    """A case that asks for more than its limit does not get it, and may ask for less."""
    served = serve(how, memory=256 << 20)
    served.ask("bytearray(64 << 20)", "bytearray(512 << 20)")

    assert [0, True] == [
        answer["status"] if answer["case"] == 0 else answer["status"] != 0
        for answer in sorted(served.answers(2), key=lambda answer: answer["case"])
    ]


@pytest.mark.parametrize("how", HOW)
def test_a_case_starts_with_a_clean_slate(serve: Any, how: str) -> None:
    """A case has no input, its own session, its own output, its own events, and no core file."""
    code = (
        "import os, resource\n"
        "print(os.read(0, 1), os.getsid(0) == os.getpid(),\n"
        "      os.path.samestat(os.fstat(1), os.fstat(2)),\n"
        "      os.path.basename(os.environ['EMBERWATCH_EVENTS']),\n"
        "      resource.getrlimit(resource.RLIMIT_CORE))"
    )
    served = serve(how)
    served.ask(code)
    served.answers()

    assert "b'' True True 0.events (0, 0)\n" == served.output(0)


@pytest.mark.parametrize("how", HOW)
def test_a_case_changes_nothing_for_the_next(serve: Any, how: str) -> None:
    """What a case does to its own process, no other case sees."""
    served = serve(how, jobs=1)
    served.ask(
        "import os, sys\n"
        "os.environ['LEFT'] = 'x'; os.chdir('/'); sys.modules['left'] = 1; os.umask(0)",
        "import os, sys\n"
        "print('LEFT' in os.environ, os.getcwd(), 'left' in sys.modules, os.umask(0) > 0)",
    )
    served.answers(2)

    assert f"False {served.folder} False True\n" == served.output(1)


def test_forks_share_what_was_warmed_up(serve: Any, tmp_path: Path) -> None:
    """The entry is imported and warmed up once, however many cases there are."""
    served = serve("fork")
    served.end()
    warm = ENTRY.replace("    pass", "    open('warm', 'a').write('!')", 1)
    (tmp_path / "warm_entry.py").write_text(warm)
    served = serve("fork", entry="warm_entry")
    served.ask(*["pass"] * 5)
    served.answers(5)

    assert "!" == (tmp_path / "warm").read_text()


def test_more_requests_than_a_pipe_holds_are_all_answered(serve: Any) -> None:
    """Requests that fill more than a pipe, or than one read, are all answered, each once."""
    served = serve("fork", jobs=4)
    served.ask(*[f"pass # {'x' * 400}"] * 300)

    assert list(range(300)) == sorted(answer["case"] for answer in served.answers(300))


def test_without_configuration_nothing_is_served() -> None:
    """A server that is told nothing ends, and says so."""
    ended = subprocess.run(
        [sys.executable, SERVER], input=b"", capture_output=True, check=False, timeout=10
    )

    assert (1, b"no configuration\n") == (ended.returncode, ended.stderr)
