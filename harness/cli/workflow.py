"""What a verb hands to the workflow that runs it: outputs, a summary, annotations."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: GitHub drops the summary of a step that is longer, whole.
SUMMARY = 1024 * 1024


def outputs(values: Mapping[str, str]) -> None:
    """Set the step's outputs; outside of a workflow there is nobody to set them for.

    The delimiter is drawn anew each time, so that no value can end itself and begin another.
    """
    lines = []
    for name, value in values.items():
        delimiter = f"end_{secrets.token_hex(16)}"
        lines.append(f"{name}<<{delimiter}\n{value}\n{delimiter}\n")
    _append("GITHUB_OUTPUT", "".join(lines))


def summary(markdown: str) -> None:
    """Add to the step's summary, cut where GitHub would drop all of it."""
    _append("GITHUB_STEP_SUMMARY", cut(markdown, SUMMARY))


def cut(markdown: str, most: int) -> str:
    """Return a text of at most so many bytes; a longer one ends after a line, and says so."""
    data = markdown.encode()
    if len(data) <= most:
        return markdown
    end = "\n\n… cut here: the report's artifact has the rest.\n"
    kept = data[: most - len(end.encode())].decode(errors="ignore")
    return kept[: kept.rfind("\n") + 1 or None] + end


def _append(variable: str, text: str) -> None:
    path = os.environ.get(variable)
    if path:
        with Path(path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)
