"""What the halves share, and how a case starts: as a fork of this module, or as this program."""

import importlib
import json
import os
import signal
import sys
import traceback

RELEASE = os.environ.get("MINI_RELEASE", "old")


def emit(event):
    """Write one event as one line, at once."""
    write((json.dumps(event, separators=(",", ":")) + "\n").encode())


def write(data):
    """Append bytes to the events, whatever they are."""
    path = os.environ.get("EMBERWATCH_EVENTS")
    file = 1 if path is None else os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    while data:
        data = data[os.write(file, data) :]
    if path is not None:
        os.close(file)


def observe(name, value):
    """State one observation: flag, count, text, identities, or a tensor's (dtype, shape, values)."""
    match value:
        case bool():
            emit({"name": name, "flag": value})
        case int():
            emit({"name": name, "count": value})
        case str():
            emit({"name": name, "text": value})
        case list():
            emit({"name": name, "ids": value})
        case (dtype, shape, values):
            tensor = {"dtype": dtype, "shape": shape, "values": values}
            emit({"name": name, "tensor": tensor})


def warm_up():
    """Stand for an expensive import, which the forks of this module then share."""
    importlib.import_module("ctypes")


def run(experiment, variant):
    """Run one half as the real runners do: say what runs, catch, say how it ended."""
    with open(os.environ["MINI_LOG"], "a") as log:  # what really started, whatever is recorded
        log.write(f"{os.environ['MINI_CELL']} {experiment} {variant}\n")
    emit({"ran": {"mini": RELEASE}})
    try:
        importlib.import_module(experiment).run(variant)
    except BaseException as error:
        emit({"raised": {"type": type(error).__qualname__, "text": str(error)}})
        traceback.print_exc()
        return 101
    emit({"done": True})
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python alone ignores it
    sys.exit(run(sys.argv[1], sys.argv[2]))
