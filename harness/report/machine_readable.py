"""The report as JSON, for programs; schemas/report.json describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness import documents
from harness.records import flaky_document, measure_document

if TYPE_CHECKING:
    from harness.model import Measure
    from harness.parity import Row, Side
    from harness.records import CellRun
    from harness.report.view import CaseLine, ChangeLine, FlakyLine, Report


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
            **{str(severity): number for severity, number in report.counts().items()},
        },
        "cells": [_cell(cell) for cell in report.cells],
        "changes": [_change(line) for lines in report.by_cell().values() for line in lines],
        "new": [_case(line) for line in report.new],
        "invalid": [_case(line) for line in report.invalid],
        "inconclusive": [_case(line) for line in report.inconclusive],
        "flaky": [_flaky(line) for line in report.flaky],
        "parity": [_side(side) for side in report.sides],
        "unreferenced": list(report.unreferenced),
    }


def _cell(cell: CellRun) -> dict[str, Any]:
    return {
        "cell": cell.cell,
        "unavailable": cell.unavailable,
        "versions": dict(cell.versions),
        "ran": cell.ran,
        "repeat": cell.repeat,
        "cached": cell.cached,
        "seconds": round(cell.seconds, 3),
    }


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


def _change(line: ChangeLine) -> dict[str, Any]:
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
        **_measure(line.change.measure),
    }


def _measure(measure: Measure | None) -> dict[str, Any]:
    return {} if measure is None else {"measure": measure_document(measure)}


def _side(side: Side) -> dict[str, Any]:
    return {
        "experiment": side.experiment,
        "variant": side.variant,
        "torch": side.torch,
        "burn": side.burn,
        "status": str(side.status),
        "reason": side.reason,
        "rows": [_row(row) for row in side.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    agrees: dict[str, Any] = {"observation": row.observation, "agrees": row.change is None}
    if row.change is not None:
        agrees |= {"class": str(row.change.kind), "torch": row.torch, "burn": row.burn}
    return {**agrees, **_measure(row.measure)}
