"""Starts one process per case: forks of a process that has imported torch, or programs.

Standard library only, since a cell's own Python runs it. It reads JSON lines on stdin, first a
configuration, then requests; it answers on stdout, a line per case, as cases end. When stdin closes
it kills what still runs: a harness that dies leaves nothing behind.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque

LINUX = sys.platform == "linux"
#: From how many cases on huge pages save more time than they cost.
MANY = 80
if os.name == "posix":
    import resource


def main() -> None:
    """Serve requests until stdin closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches us as the end of stdin
    lines = Lines()
    config = json.loads(lines.wait())
    Server(config, lines).serve()
    os._exit(0)  # nothing is left to say, and torch takes most of a second to clean up


class Lines:
    """The lines that arrive on stdin, without ever blocking once the first is here."""

    def __init__(self):
        self.buffer = b""
        self.open = True

    def read(self):
        """Return the complete lines that have arrived; note the end of stdin."""
        data = os.read(0, 1 << 16)
        self.open = bool(data)
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        return lines

    def wait(self):
        """Return the first line and keep the rest; only for the configuration."""
        while b"\n" not in self.buffer:
            data = os.read(0, 1 << 16)
            if not data:
                raise SystemExit("no configuration")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line


class Child:
    """One case's process; `pid` also names its process group."""

    def __init__(self, case, pid, popen):
        self.case = case
        self.pid = pid
        self.popen = popen
        self.started = time.monotonic()
        self.timed_out = False
        self.code = None  # known early only where it cannot be asked without reaping
        self.pidfd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None


class Server:
    """Keeps `jobs` children running while requests wait."""

    def __init__(self, config, lines):
        self.config = config
        self.lines = lines
        self.pid = os.getpid()
        self.waiting = deque()
        self.running = {}
        self.support = None
        if LINUX:
            adopt_orphans()
        if config["entry"]:
            sys.path.insert(0, config["path"])
            self.support = importlib.import_module(config["entry"])
            self.support.warm_up()
            if LINUX and config.get("cases", 0) >= MANY:
                use_huge_pages()
        else:
            limit(config)  # children inherit it

    def serve(self):
        """Run until stdin closes or nobody reads; kill what is left, however it ends."""
        try:
            self.run()
        except BrokenPipeError:  # the harness died between a case's end and our answer
            pass
        finally:
            for child in list(self.running.values()):
                self.finish(child, answer=False)

    def run(self):
        """Start what waits, answer for what ended, until stdin closes."""
        selector = selectors.DefaultSelector()
        selector.register(0, selectors.EVENT_READ)
        self.waiting.extend(filter(None, self.lines.buffer.split(b"\n")[:-1]))
        self.lines.buffer = self.lines.buffer.rpartition(b"\n")[2]
        while self.lines.open:
            while self.waiting and len(self.running) < self.config["jobs"]:
                child = self.start(json.loads(self.waiting.popleft()))
                self.running[child.pid] = child
                if child.pidfd is not None:
                    selector.register(child.pidfd, selectors.EVENT_READ)
            for key, _ in selector.select(self.patience()):
                if key.fd == 0:
                    self.waiting.extend(self.lines.read())
            for child in list(self.running.values()):
                if not self.ended(child):
                    if time.monotonic() - child.started < self.config["seconds"]:
                        continue
                    child.timed_out = True
                if child.pidfd is not None:
                    selector.unregister(child.pidfd)
                self.finish(child)

    def patience(self):
        """Return how long to wait for news, in seconds."""
        if not self.running:
            return None
        if any(child.pidfd is None for child in self.running.values()):
            return 0.005
        oldest = min(child.started for child in self.running.values())
        return max(0.0, oldest + self.config["seconds"] - time.monotonic()) + 0.001

    def ended(self, child):
        """Has the child ended? Where the system can tell, it stays unreaped: its pid is its own."""
        if hasattr(os, "waitid"):
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, child.pid, flags) is not None
        if child.popen is not None:  # macOS before Python 3.13, Windows
            child.code = child.popen.poll()
        else:
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            child.code = os.waitstatus_to_exitcode(status) if pid else None
        return child.code is not None

    def start(self, request):
        """Start one case and return its child."""
        if self.support is None:
            with open(request["output"], "wb") as output:
                popen = subprocess.Popen(
                    request["argv"],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    env={**os.environ, "EMBERWATCH_EVENTS": request["events"]},
                    start_new_session=True,
                    preexec_fn=self.die_together if LINUX else None,  # noqa: PLW1509 (no threads)
                )
            return Child(request["case"], popen.pid, popen)
        pid = os.fork()
        if pid == 0:
            status = 101
            try:
                status = self.inside(request)
            finally:
                os._exit(status)
        return Child(request["case"], pid, None)

    def inside(self, request):
        """Run one case in the forked child; return its exit status."""
        os.setsid()
        if LINUX:
            self.die_together()
        null = os.open(os.devnull, os.O_RDONLY)
        output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        os.dup2(null, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        for child in self.running.values():
            if child.pidfd is not None:
                os.close(child.pidfd)
        limit(self.config)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        os.environ["EMBERWATCH_EVENTS"] = request["events"]
        status = self.support.run(request["experiment"], request["variant"])
        sys.stdout.flush()
        sys.stderr.flush()
        return status

    def die_together(self):
        """In a child: be killed when the server is, which then can kill nobody itself."""
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != self.pid:  # it was killed before we asked
            os.kill(os.getpid(), signal.SIGKILL)

    def finish(self, child, *, answer=True):
        """Kill the child's whole group, reap it, and say how it ended."""
        seconds = time.monotonic() - child.started
        del self.running[child.pid]
        if os.name == "posix":
            kill_group(child.pid)
        elif child.timed_out:
            child.popen.kill()
        code = child.code
        if code is None and child.popen is not None:
            code = child.popen.wait()
        elif code is None:
            code = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])
        if child.pidfd is not None:
            os.close(child.pidfd)
        if LINUX:
            self.kill_orphans()
        if answer:
            result = {
                "case": child.case,
                "status": code if code >= 0 else None,
                "signal": name_of(-code) if code < 0 else None,
                "timed_out": child.timed_out,
                "seconds": seconds,
            }
            os.write(1, json.dumps(result).encode() + b"\n")

    def kill_orphans(self):
        """Kill what a case left running outside its group: our children that are no cases.

        The children of each become ours as it dies, so look again until there are none.
        """
        while pids := children() - self.running.keys():
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                except (ProcessLookupError, ChildProcessError):
                    pass


def children():
    """Return the pids of our children; none where the kernel does not tell."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return {int(pid) for pid in file.read().split()}
    except OSError:
        return set()


def name_of(number):
    """Return a signal's name; the real-time ones between the first and the last have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def kill_group(pid):
    """Kill a process group; the leader may be dead already, or not yet have made the group."""
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def limit(config):
    """Bound this process's memory and what it writes; no core files."""
    if os.name != "posix":
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, bound in (("RLIMIT_FSIZE", config["output"]), ("RLIMIT_DATA", config["memory"])):
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        most = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (most, most))


def use_huge_pages():
    """Gather torch's 90,000 small pages into huge ones (Linux 6.1), which forks copy faster."""
    madvise, madv_collapse = ctypes.CDLL(None).madvise, 25
    with open("/proc/self/maps") as maps:
        areas = [line.split() for line in maps if " rw-p " in line]
    for area, _, _, _, _, *name in areas:
        start, end = (int(address, 16) for address in area.split("-"))
        if name in ([], ["[heap]"]) and end - start >= 2 << 20:
            madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), madv_collapse)


def adopt_orphans():
    """Become the parent of processes that a case leaves behind, so that they can be killed."""
    pr_set_child_subreaper = 36
    ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


if __name__ == "__main__":
    main()
