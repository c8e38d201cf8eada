"""Progress on stderr, and whether stdout is coloured."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest

from harness import progress


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self):
        """Say so."""
        return True


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """Say nothing about colours in the environment."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_a_log_gets_a_line_per_step(capsys):
    """In a log the beginnings and ends of steps are lines; what happens within is left out."""
    with progress.shown() as shown:
        shown.update("building")
        shown.update("building")
        shown.update("building", done=3)
        shown.update("building", done=0, total=5)
        shown.say("built")
        shown.update("running")
    assert ("", "building\nbuilt\nrunning\n") == tuple(capsys.readouterr())


def test_a_terminal_gets_a_live_line():
    """On a terminal steps stand above a line that is rewritten in place, and cleared at the end."""
    with redirect_stderr(Terminal()) as stream, progress.shown() as shown:
        assert isinstance(shown, progress.Live)
        shown.update("building", done=1, total=3)
        shown.say("built")
    text = stream.getvalue()
    assert text.index("built\n") < text.rindex("building")
    assert text.rindex("building") < text.rindex("\x1b[2K")


def test_nothing_to_show_shows_nothing():
    """A run that says nothing writes nothing."""
    with redirect_stderr(Terminal()) as stream, progress.shown():
        pass
    assert "" == stream.getvalue()


def test_a_dumb_terminal_is_a_log(monkeypatch):
    """Where lines cannot be rewritten, they are written."""
    monkeypatch.setenv("TERM", "dumb")
    with redirect_stderr(Terminal()), progress.shown() as shown:
        assert isinstance(shown, progress.Plain)


@pytest.mark.parametrize(
    ("words", "on_terminal", "in_log"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": ""}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    ],
)
def test_colours(monkeypatch, words, on_terminal, in_log):
    """NO_COLOR beats FORCE_COLOR, which beats what stdout is; an empty word is none."""
    for name, value in words.items():
        monkeypatch.setenv(name, value)
    with redirect_stdout(Terminal()):
        assert on_terminal == progress.coloured()
    with redirect_stdout(io.StringIO()):
        assert in_log == progress.coloured()
