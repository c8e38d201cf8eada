"""The words of emberwatch as types: cells, contracts, cases, records, differences; no I/O."""

from harness.model import platforms
from harness.model.cells import Cell, Limits, Matrix, Scope
from harness.model.contracts import (
    Case,
    Contract,
    Observation,
    Parity,
    ParityRule,
    Source,
    Tolerance,
    Variant,
    title,
)
from harness.model.records import Change, Flaky, Measure, Raised, Record, Value
from harness.model.words import SEVERITY, Difference, Framework, Group, Limit, Outcome, Severity

__all__ = [
    "SEVERITY",
    "Case",
    "Cell",
    "Change",
    "Contract",
    "Difference",
    "Flaky",
    "Framework",
    "Group",
    "Limit",
    "Limits",
    "Matrix",
    "Measure",
    "Observation",
    "Outcome",
    "Parity",
    "ParityRule",
    "Raised",
    "Record",
    "Scope",
    "Severity",
    "Source",
    "Tolerance",
    "Value",
    "Variant",
    "platforms",
    "title",
]
