"""A report's document in a few lines of Markdown, whatever it holds.

It is what is posted where the whole body would be too long, and where the report comes from an
untrusted run: foreign text stands in code only, where Markdown gives it no meaning.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.errors import ExitCode
from harness.github.failures import printable
from harness.model import Change, Difference, Measure
from harness.report import heartbeat, text
from harness.report.markup import cell, code, plain, row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.report.heartbeat import Beat

#: So many changes are listed.
_ROWS = 25
_VERDICTS = {
    ExitCode.SAME: "Nothing changed",
    ExitCode.CHANGED: "Behaviour changed",
    ExitCode.TO_ACCEPT: "Something to accept",
    ExitCode.INCONCLUSIVE: "Inconclusive",
    ExitCode.USAGE: "Nothing was compared",
}


def verdict(report: Mapping[str, Any]) -> str:
    """Return what the run found, in a line of its own words."""
    counts = report["counts"]
    found = [text.count(counts[word], word) for word in ("break", "change", "note") if counts[word]]
    more = {
        "flaky": "flaky observation",
        "inconclusive": "inconclusive case",
        "new": "case without a baseline",
    }
    found += [text.count(len(report[key]), word) for key, word in more.items() if report[key]]
    lost = sum(1 for cell in report["cells"] if cell["unavailable"])
    found += [f"{text.count(lost, 'cell')} unavailable"] if lost else []
    says = _VERDICTS[ExitCode(report["exit_code"])]
    return f"{says}: {', '.join(found)}" if found else says


def short(report: Mapping[str, Any], page: str) -> str:
    """Return the verdict and where the rest is."""
    rest = f"the page of the [workflow run]({page})" if page else "the workflow run's summary"
    return f"### {verdict(report)}\n\nThe report is too long for a comment; {rest} has it.\n"


def render(report: Mapping[str, Any], page: str, watched: Sequence[Beat] = ()) -> str:
    """Return the verdict, the first changes, when heads were watched, and where the rest is."""
    parts = [f"### {verdict(report)}"]
    changes = report["changes"]
    if changes:
        rows = [
            "| severity | cell | case | observation | expected | observed | class |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *(_row(one) for one in changes[:_ROWS]),
        ]
        parts.append("\n".join(rows))
    if len(changes) > _ROWS:
        parts.append(f"and {text.count(len(changes) - _ROWS, 'more change')}.")
    counts = report["counts"]
    compared = text.count(counts["compared"], "case")
    parts.append(f"{compared} compared, {counts['same']} the same.")
    lost = [
        f"- {code(one['cell'])}: {code(text.shortened(one['unavailable']))}"
        for one in report["cells"][:_ROWS]
        if one["unavailable"]
    ]
    parts += ["\n".join(lost)] if lost else []
    watch = heartbeat.sentence(watched, code)
    parts += [watch] if watch else []
    parts += [f"[The workflow run]({page})"] if page else []
    return "\n\n".join(parts) + "\n"


def _row(change: Mapping[str, Any]) -> str:
    named = [change["cell"], f"{change['experiment']} / {change['variant']}", change["observation"]]
    words = [printable(word, 80) for word in (*named, *sides(change), change["class"])]
    return row([plain(change["severity"]), *map(cell, words)])


def _measure(change: Mapping[str, Any]) -> Measure | None:
    """Return where two tensors are farthest apart, which is what wording them needs."""
    said = change.get("measure")
    if said is None:
        return None
    index = tuple(said["index"])
    return Measure(n=said["n"], max_abs=0.0, max_rel=0.0, index=index, differing=said["differing"])


def sides(change: Mapping[str, Any]) -> tuple[str, str]:
    """Return what was expected and observed, in a few characters each."""
    expected, observed = change["expected"], change["observed"]
    try:
        kind = Difference(change["class"])
        words = {"observation": change["observation"], "measure": _measure(change)}
        return text.sides(Change(kind=kind, expected=expected, observed=observed, **words))
    except Exception:  # noqa: BLE001 (the schema lets a value be anything; this must not end on it)
        return tuple(text.shortened(json.dumps(one)) for one in (expected, observed))  # type: ignore[return-value]
