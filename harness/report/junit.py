"""A run as JUnit XML: a suite per cell, a testcase per case; what CI servers and editors read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from junitparser import Error, Failure, JUnitXml, Skipped, SystemOut, TestCase, TestSuite

from harness.model import Severity, title
from harness.report import text, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.model import Case, Change
    from harness.records import CellRun
    from harness.report.view import Report

    Key = tuple[str, str, str]
    Kind = type[Failure | Error | Skipped]

#: What a case is when several things are to be said of it: the first of these.
_KINDS: tuple[Kind, ...] = (Error, Failure, Skipped)


class _Result(NamedTuple):
    """One reason why a case did not pass."""

    kind: Kind
    word: str
    message: str
    whole: str = ""


class _Found:
    """What is to be said of one case."""

    def __init__(self) -> None:
        self.results: list[_Result] = []
        self.notes: list[str] = []


def render(report: Report, cases: Iterable[Case] = ()) -> str:
    """Return the report as JUnit XML; of the cases given, those that passed are listed as well."""
    found = _found(report)
    runs = {cell.cell: cell for cell in report.cells}
    suites: dict[str, list[TestCase]] = {cell: [] for cell in runs}
    for case in cases:
        key = case.cell.id, case.contract.id, case.variant.name
        one = found.pop(key, None) or _Found()
        run = runs.get(case.cell.id)
        if case.unsupported:
            one.results.append(_Result(Skipped, "unsupported", case.unsupported))
        elif run is not None and run.unavailable:
            one.results.append(_Result(Skipped, "not compared", f"{run.cell} is not there"))
        suites.setdefault(case.cell.id, []).append(_testcase(key, one))
    for key, one in found.items():
        suites.setdefault(key[0], []).append(_testcase(key, one))
    return _joined(_suite(name, runs.get(name), found) for name, found in suites.items())


def _joined(suites: Iterable[TestSuite]) -> str:
    whole = JUnitXml(name="emberwatch")
    total = dict.fromkeys(("tests", "failures", "errors"), 0)
    for suite in suites:
        whole.append(suite)
        for name in total:
            total[name] += getattr(suite, name)
    for name, number in total.items():
        setattr(whole, name, number)
    document: bytes | str = whole.tostring()
    words = document.decode() if isinstance(document, bytes) else document
    return words if words.endswith("\n") else f"{words}\n"


def _suite(name: str, run: CellRun | None, cases: list[TestCase]) -> TestSuite:
    suite = TestSuite(name=text.spelled(name))
    if run is not None and run.unavailable:
        one = _Found()
        word = "missing" if run.missing else "unavailable"
        one.results.append(_Result(Error, word, run.unavailable))
        cases = [_testcase((name, "cell", "default"), one), *cases]
    for package, version in run.versions.items() if run is not None else ():
        suite.add_property(text.spelled(package), text.spelled(version))
    if run is not None and run.lacking and not run.unavailable:
        suite.add_property("lacking", ", ".join(run.lacking))
    suite.add_testcases(cases)
    if run is not None:
        suite.time = round(run.seconds, 3)
    return suite


def _testcase(key: Key, found: _Found) -> TestCase:
    cell, experiment, variant = map(text.spelled, key)
    case = TestCase(name=title(experiment, variant), classname=f"{cell}.{experiment}")
    notes = list(found.notes)
    if found.results:
        kind = min((result.kind for result in found.results), key=_KINDS.index)
        chosen = [result for result in found.results if result.kind is kind]
        notes += [f"{one.word}: {one.message}" for one in found.results if one.kind is not kind]
        element = kind(
            message=text.spelled("; ".join(one.message for one in chosen)),
            type_=", ".join(dict.fromkeys(one.word for one in chosen)),
        )
        whole = "\n".join(one.whole for one in chosen if one.whole)
        if whole:
            element.text = text.spelled(whole)
        case.append(element)
    if notes:
        case.append(SystemOut(text.spelled("\n".join(notes))))
    return case


def _found(report: Report) -> dict[Key, _Found]:
    """Return what is to be said of each case of which anything is."""
    found: dict[Key, _Found] = {}
    for key, result in _results(report):
        found.setdefault(key, _Found()).results.append(result)
    for key, note in _notes(report):
        found.setdefault(key, _Found()).notes.append(note)
    return found


def _results(report: Report) -> Iterator[tuple[Key, _Result]]:
    for line in report.changes:
        if line.severity is not Severity.NOTE:
            message, whole = _words(line.change)
            against = "" if line.against == line.cell else f" (against {line.against})"
            result = _Result(Failure, str(line.change.kind), message + against, whole)
            yield (line.cell, line.experiment, line.variant), result
    for side in verdict.unexplained(report):
        rows = [row.change for row in side.rows if row.change is not None]
        names = ", ".join(change.observation for change in rows)
        message = f"{side.torch} and {side.burn} differ in {names}"
        whole = "\n".join(_words(change)[0] for change in rows)
        result = _Result(Failure, f"parity_{side.status}", message, whole)
        yield (side.burn, side.experiment, side.variant), result
    for alarm in report.outdated:
        entry = alarm.entry
        message = f"{entry.observation}: the acceptance {alarm.state}; {alarm.advice}"
        result = _Result(Failure, f"acceptance_{alarm.state}", message, entry.where)
        yield (entry.cell, entry.experiment, entry.variant), result
    for case in report.invalid:
        yield (case.cell, case.experiment, case.variant), _Result(Error, "invalid", case.text)
    for word, lines in (("not compared", report.inconclusive), ("no baseline", report.new)):
        for case in lines:
            result = _Result(Skipped, word, case.text)
            yield (case.cell, case.experiment, case.variant), result
    for key in report.flaky_cases:
        yield key, _Result(Skipped, "flaky", "disagrees with itself")


def _notes(report: Report) -> Iterator[tuple[Key, str]]:
    for line in report.changes:
        if line.severity is Severity.NOTE:
            note = f"{line.change.kind}: {_words(line.change)[0]}"
            yield (line.cell, line.experiment, line.variant), note
    for accepted in report.accepted:
        where = f" on {accepted.entry.os}" if accepted.entry.os else ""
        note = f"accepted{where}: {_words(accepted.change)[0]} ({accepted.entry.reason})"
        yield (accepted.cell, accepted.experiment, accepted.variant), note
    for flaky in report.flaky:
        one = flaky.flaky
        seen = f"{text.value(one.first)}, {text.value(one.other)}"
        note = f"flaky: {flaky.observation}: {one.agreed} of {one.runs} runs agree: {seen}"
        yield (flaky.cell, flaky.experiment, flaky.variant), note


def _words(change: Change) -> tuple[str, str]:
    """Return a change in a line, and in full where it is of texts."""
    expected, observed = text.sides(change)
    measured = text.measured(change.measure)
    line = f"{change.observation}: {expected} → {observed}" + (f" {measured}" if measured else "")
    sides = (("expected", change.expected), ("observed", change.observed))
    whole = "\n".join(f"{name}: {one}" for name, one in sides if isinstance(one, str))
    return line, whole or line
