"""Errors that a user can act on, and the exit codes."""

import pytest

from harness.errors import ExitCode, HarnessError, UnavailableError


@pytest.mark.parametrize(
    ("advice", "expected"), [("", "x: wrong"), ("Mend it.", "x: wrong\nMend it.")]
)
def test_an_error_is_a_sentence_and_an_advice(advice, expected):
    """The advice stands on a line of its own, where there is one."""
    error = HarnessError("x: wrong", advice)
    assert (expected, "x: wrong", advice) == (str(error), error.message, error.advice)


def test_exit_codes_are_stable():
    """Scripts depend on these numbers."""
    expected = {
        "SAME": 0,
        "BUG": 1,
        "USAGE": 2,
        "CHANGED": 10,
        "TO_ACCEPT": 11,
        "INCONCLUSIVE": 12,
        "INTERRUPTED": 130,
    }
    assert expected == {code.name: code.value for code in ExitCode}


@pytest.mark.parametrize(
    ("error", "code"),
    [(HarnessError, ExitCode.USAGE), (UnavailableError, ExitCode.INCONCLUSIVE)],
)
def test_an_error_has_an_exit_code(error, code):
    """A mistake ends with 2; what could not be had is inconclusive, never green."""
    assert code is error("x").code
