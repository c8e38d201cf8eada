"""The history as JSON, for programs; schemas/timeline.json describes it.

It comes in parts, an experiment a line, so that no more than one is in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness import documents
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.history import CaseHistory, Stage, Timeline
    from harness.versions import Lineage


def parts(lineages: Iterable[Lineage], experiments: Iterable[list[CaseHistory]]) -> Iterator[bytes]:
    """Yield the document's bytes; each experiment's histories are taken when it is their turn."""
    yield b'{"lineages":' + documents.compact([_lineage(one) for one in lineages])
    yield b',\n"experiments":['
    for number, histories in enumerate(experiments):
        yield (b",\n" if number else b"\n") + documents.compact(_experiment(histories))
    yield b"\n]}\n"


def _lineage(lineage: Lineage) -> dict[str, Any]:
    return {
        "lineage": lineage.id,
        "framework": str(lineage.framework),
        "backend": lineage.backend,
        "cells": [cell.id for cell in lineage.cells],
    }


def _experiment(histories: list[CaseHistory]) -> dict[str, Any]:
    contract = histories[0].contract
    return {
        "experiment": contract.id,
        "question": contract.question,
        "cases": [
            {
                "variant": history.variant.name,
                "lineage": history.lineage.id,
                "newest": history.newest,
                "missing": list(history.missing),
                "timelines": [_timeline(timeline) for timeline in history.timelines],
            }
            for history in histories
        ],
    }


def _timeline(timeline: Timeline) -> dict[str, Any]:
    stages, values = timeline.stages, text.stages(timeline)
    return {
        "observation": timeline.observation,
        "statement": str(timeline.statement),
        "since": stages[-1].since if stages else None,
        "stages": [_stage(stage, value) for stage, value in zip(stages, values, strict=True)],
    }


def _stage(stage: Stage, shown: str) -> dict[str, Any]:
    document: dict[str, Any] = {
        "since": stage.since,
        "statement": str(stage.statement),
        "value": stage.value,
        "shown": shown,
    }
    return document | ({"class": str(stage.change.kind)} if stage.change is not None else {})
