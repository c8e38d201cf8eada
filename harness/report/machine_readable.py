"""The report as JSON, for programs; schemas/report.json describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness import documents
from harness.effects import Effect
from harness.records import flaky_document, measure_document
from harness.report import roots

if TYPE_CHECKING:
    from harness.accepted import Alarm
    from harness.model import Measure
    from harness.parity import Row, Side
    from harness.records import CellRun
    from harness.report.view import AcceptedLine, CaseLine, ChangeLine, FlakyLine, Report


def render(report: Report) -> str:
    """Return the report as canonical JSON."""
    return documents.canonical(document(report))


def document(report: Report) -> dict[str, Any]:
    """Return the report as JSON holds it."""
    return {
        "exit_code": int(report.code),
        "machine": dict(report.machine),
        "counts": {
            "compared": report.compared,
            "same": report.same,
            "unsupported": report.unsupported,
            "agreeing": report.agreeing,
            "accepted": len(report.accepted),
            **{str(severity): number for severity, number in report.counts().items()},
        },
        "cells": [_cell(cell) for cell in report.cells],
        "compared": _compared(report),
        "changes": [_change(report, line) for lines in report.by_cell().values() for line in lines],
        "accepted": [_accepted(report, line) for line in report.accepted],
        "outdated": [_outdated(alarm) for alarm in report.outdated],
        "new": [_case(line) for line in report.new],
        "invalid": [_case(line) for line in report.invalid],
        "inconclusive": [_case(line) for line in report.inconclusive],
        "flaky": [_flaky(line) for line in report.flaky],
        "parity": [_side(report, side) for side in report.sides],
        "unreferenced": list(report.unreferenced),
    }


def _cell(cell: CellRun) -> dict[str, Any]:
    return {
        "cell": cell.cell,
        "unavailable": cell.unavailable,
        "missing": cell.missing,
        "lacking": [str(limit) for limit in cell.lacking],
        "versions": dict(cell.versions),
        "ran": cell.ran,
        "repeat": cell.repeat,
        "cached": cell.cached,
        "seconds": round(cell.seconds, 3),
    }


def _compared(report: Report) -> list[dict[str, Any]]:
    """Return the cases that were compared; cells of which the same were are listed together."""
    groups: dict[str, dict[str, Any]] = {}
    for cell, cases in report.cases.items():
        experiments = {experiment: list(variants) for experiment, variants in cases.items()}
        same = repr(sorted(experiments.items()))
        groups.setdefault(same, {"cells": [], "experiments": experiments})["cells"].append(cell)
    return list(groups.values())


def _case(line: CaseLine) -> dict[str, Any]:
    return {
        "cell": line.cell,
        "experiment": line.experiment,
        "variant": line.variant,
        "text": line.text,
    }


def _flaky(line: FlakyLine) -> dict[str, Any]:
    return {
        "cell": line.cell,
        "experiment": line.experiment,
        "variant": line.variant,
        "observation": line.observation,
        **flaky_document(line.flaky),
    }


def _change(report: Report, line: ChangeLine) -> dict[str, Any]:
    moved = report.movement(line)
    return {
        "cell": line.cell,
        "against": line.against,
        "experiment": line.experiment,
        "variant": line.variant,
        "observation": line.change.observation,
        "class": str(line.change.kind),
        "severity": str(line.severity),
        "expected": line.change.expected,
        "observed": line.change.observed,
        "key": roots.key(line),
        **measured(line.change.measure),
        **({"witness": moved} if moved else {}),
        **({} if line.effect is Effect.UNKNOWN else {"effect": str(line.effect)}),
    }


def _accepted(report: Report, line: AcceptedLine) -> dict[str, Any]:
    entry = line.entry
    kept = {
        "os": entry.os,
        "reason": entry.reason,
        "link": entry.link,
        "since": entry.since,
        "expires": entry.expires,
    }
    return {**_change(report, line), **kept}


def _outdated(alarm: Alarm) -> dict[str, Any]:
    entry = alarm.entry
    return {
        "state": str(alarm.state),
        "cell": entry.cell,
        "experiment": entry.experiment,
        "variant": entry.variant,
        "observation": entry.observation,
        "os": entry.os,
        "reason": entry.reason,
        "link": entry.link,
        "expires": entry.expires,
        "where": entry.where,
        "advice": alarm.advice,
    }


def measured(measure: Measure | None) -> dict[str, Any]:
    """Return the key `measure`, where there is one."""
    return {} if measure is None else {"measure": measure_document(measure)}


def _side(report: Report, side: Side) -> dict[str, Any]:
    return {
        "experiment": side.experiment,
        "variant": side.variant,
        "torch": side.torch,
        "burn": side.burn,
        "status": str(side.status),
        "reason": "; ".join(filter(None, (side.reason, *side.explained))),
        "rows": [_row(row, report.holder(side, row)) for row in side.rows],
    }


def _row(row: Row, exact: str) -> dict[str, Any]:
    agrees: dict[str, Any] = {"observation": row.observation, "agrees": row.change is None}
    if row.change is not None:
        agrees |= {"class": str(row.change.kind), "torch": row.torch, "burn": row.burn}
    return {**agrees, **measured(row.measure), **({"witness": exact} if exact else {})}
