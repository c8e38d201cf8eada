"""The server of cases, spoken to directly: a line for a case, a line when it ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.engines.process import SERVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ENTRY = """
import os

def warm_up():
    pass

def run(experiment, variant):
    exec(experiment, {})
    return 0
"""
HOW = ("fork", "program")
#: What older kernels, and Python on macOS before 3.13, do not have.
WITHOUT = ((), ("pidfd_open",), ("pidfd_open", "waitid"))
ALL = [(how, without) for how in HOW for without in WITHOUT]


class Served:
    """A server, asked by this process; a case is a piece of Python."""

    def __init__(
        self, folder: Path, how: str, *, without: Sequence[str] = (), **config: Any
    ) -> None:
        """Start it, without some functions of its `os`."""
        (folder / "entry.py").write_text(ENTRY)
        self.folder = folder
        self.how = how
        self.asked = 0
        program = [str(SERVER)]
        if without:
            gone = "; ".join(f"del os.{name}" for name in without)
            run = f"runpy.run_path({str(SERVER)!r}, run_name='__main__')"
            program = ["-c", f"import os, runpy; {gone}; {run}"]
        self.server = subprocess.Popen(
            [sys.executable, "-s", "-P", *program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
        self.send(
            {
                "entry": "entry" if how == "fork" else "",
                "path": str(folder),
                "jobs": 2,
                "seconds": 10,
                "memory": 1 << 30,
                "output": 1 << 20,
                **config,
            }
        )

    def send(self, *lines: dict[str, Any]) -> None:
        """Write lines in one go."""
        assert self.server.stdin is not None
        self.server.stdin.write("".join(json.dumps(line) + "\n" for line in lines).encode())
        self.server.stdin.flush()

    def ask(self, *codes: str) -> None:
        """Ask for cases, all at once."""
        lines = []
        for code in codes:
            lines.append(
                {
                    "case": self.asked,
                    "experiment": code,
                    "variant": "",
                    "argv": [sys.executable, "-S", "-c", code],
                    "events": str(self.folder / f"{self.asked}.events"),
                    "output": str(self.folder / f"{self.asked}.output"),
                }
            )
            self.asked += 1
        self.send(*lines)

    def answers(self, number: int = 1) -> list[dict[str, Any]]:
        """Return the next answers, in the order in which cases ended."""
        assert self.server.stdout is not None
        return [json.loads(self.server.stdout.readline()) for _ in range(number)]

    def output(self, case: int) -> str:
        """Return what a case printed."""
        return (self.folder / f"{case}.output").read_text()

    def pid_from(self, name: str) -> int:
        """Return the pid that a case wrote to a file, once it is there."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            text = (self.folder / name).read_text() if (self.folder / name).exists() else ""
            if text.endswith("\n"):
                return int(text)
            time.sleep(0.005)
        pytest.fail(f"no case wrote {name}")

    def end(self) -> bytes:
        """Close stdin and wait; return what the server said on stderr."""
        return self.server.communicate(timeout=10)[1]


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


def _write_pid(name: str) -> str:
    return f"print(os.getpid(), file=open({name!r}, 'w'), flush=True)"


def _alive(pid: int, patience: float = 0.0) -> bool:
    """Is the process alive still when the patience is over? A zombie is not."""
    deadline = time.monotonic() + patience
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state in "ZX":
            return False
        if time.monotonic() >= deadline:
            return True
        time.sleep(0.01)


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
    served.ask("import time; time.sleep(0.6)", "pass", "pass", "pass")

    assert [1, 2, 3, 0] == [answer["case"] for answer in served.answers(4)]


@pytest.mark.parametrize(("how", "without"), ALL)
def test_a_time_out_kills_the_whole_group(serve: Any, how: str, without: tuple[str, ...]) -> None:
    """At the limit a case and what it started are killed, and nothing else is."""
    code = (
        "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"if os.fork() == 0: {_write_pid('child')}; time.sleep(60)\n"
        f"{_write_pid('case')}; time.sleep(60)"
    )
    served = serve(how, without=without, seconds=0.7)
    served.ask(code, "import time; time.sleep(0.1)")
    quick, late = served.answers(2)

    assert (1, 0, False) == (quick["case"], quick["status"], quick["timed_out"])
    assert (0, "SIGKILL", True) == (late["case"], late["signal"], late["timed_out"])
    assert 0.7 <= late["seconds"] < 3
    assert [False, False] == [_alive(served.pid_from(name)) for name in ("case", "child")]


@pytest.mark.parametrize("how", HOW)
def test_what_leaves_the_group_is_killed_with_its_family(serve: Any, how: str) -> None:
    """Processes that a case left behind end with it, each in whatever session it made."""
    code = (
        "import os, time\n"
        "read, write = os.pipe()\n"
        "if os.fork() == 0:\n"
        f"    os.setsid(); {_write_pid('first')}\n"
        "    if os.fork() == 0:\n"
        f"        os.setsid(); {_write_pid('second')}\n"
        f"        if os.fork() == 0: os.setsid(); {_write_pid('third')}; os.write(write, b'!')\n"
        "    time.sleep(60)\n"
        "os.read(read, 1)"
    )
    served = serve(how)
    served.ask(code)
    (answer,) = served.answers()

    assert 0 == answer["status"]
    assert [False] * 3 == [_alive(served.pid_from(name)) for name in ("first", "second", "third")]


@pytest.mark.parametrize(("how", "without"), ALL)
def test_the_end_of_stdin_kills_everything(serve: Any, how: str, without: tuple[str, ...]) -> None:
    """When its harness is gone, the server kills what runs, starts nothing more, and ends."""
    served = serve(how, without=without)
    served.ask(
        f"import os, time; {_write_pid('a')}; time.sleep(60)",
        f"import os, time; {_write_pid('b')}; time.sleep(60)",
        f"import os; {_write_pid('c')}",
    )
    pids = [served.pid_from(name) for name in ("a", "b")]
    said = served.end()

    assert (0, b"") == (served.server.returncode, said)
    assert [False, False] == [_alive(pid) for pid in pids]
    assert not (served.folder / "c").exists()


@pytest.mark.parametrize("how", HOW)
def test_an_answer_without_a_reader_kills_everything(serve: Any, how: str) -> None:
    """A harness may die just as a case ends: the answer finds no reader, and no case lives on."""
    served = serve(how)
    served.ask(
        f"import os, time; {_write_pid('a')}; time.sleep(60)",
        "import os, time\nwhile not os.path.exists('go'): time.sleep(0.001)",
    )
    pid = served.pid_from("a")
    served.server.stdout.close()
    (served.folder / "go").touch()
    served.server.wait(timeout=10)

    assert not _alive(pid)


@pytest.mark.parametrize("how", HOW)
def test_an_error_of_the_server_kills_everything(serve: Any, how: str) -> None:
    """A server that breaks off with an error leaves no case behind."""
    served = serve(how)
    served.ask(f"import os, time; {_write_pid('a')}; time.sleep(60)")
    pid = served.pid_from("a")
    served.send({"no": "request"})
    served.server.wait(timeout=10)

    assert not _alive(pid)
    assert b"KeyError" in served.server.stderr.read()


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells a child of its parent's death"
)
@pytest.mark.parametrize("how", HOW)
def test_a_killed_server_takes_its_cases_with_it(serve: Any, how: str) -> None:
    """The kernel may kill the server (out of memory): its cases die with it."""
    served = serve(how)
    served.ask(f"import os, time; {_write_pid('a')}; time.sleep(60)")
    pid = served.pid_from("a")
    served.server.kill()

    assert not _alive(pid, patience=2)


@pytest.mark.parametrize("how", HOW)
def test_an_interrupt_of_the_group_does_not_reach_cases(serve: Any, how: str) -> None:
    """Ctrl-C is the harness's to handle: the server and its cases go on until stdin closes."""
    served = serve(how)
    served.ask(f"import os, time; {_write_pid('a')}; time.sleep(0.3)")
    pid = served.pid_from("a")
    os.kill(served.server.pid, signal.SIGINT)

    assert os.getsid(pid) == pid
    assert [0] == [answer["status"] for answer in served.answers()]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("code", "name"),
    [
        (
            "__import__('os').write(1, b'x' * (2 << 20))\nwhile True: __import__('os').write(1, b'x')",
            1,
        ),
        (
            "f = open(__import__('os').environ['EMBERWATCH_EVENTS'], 'ab')\nwhile True: f.write(b'x' * 65536)",
            0,
        ),
    ],
)
def test_no_file_grows_over_the_limit(serve: Any, how: str, code: str, name: int) -> None:
    """What a case writes is bounded, file by file."""
    default = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
    served = serve(how, output=1 << 20)
    served.ask(default + code)
    (answer,) = served.answers()

    assert "SIGXFSZ" == answer["signal"]
    assert 1 << 20 == (served.folder / ("0.events", "0.output")[name]).stat().st_size


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
        "print(os.read(0, 1), os.getsid(0) == os.getpid(), os.path.samestat(os.fstat(1), os.fstat(2)),\n"
        "      os.path.basename(os.environ['EMBERWATCH_EVENTS']), resource.getrlimit(resource.RLIMIT_CORE))"
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
        "import os, sys; os.environ['LEFT'] = 'x'; os.chdir('/'); sys.modules['left'] = 1; os.umask(0)",
        "import os, sys; print('LEFT' in os.environ, os.getcwd(), 'left' in sys.modules, os.umask(0) > 0)",
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
