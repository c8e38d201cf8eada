"""A checkout → a folder of pages, one experiment in memory at a time."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import documents, sources, versions
from harness.dashboard import (
    badge,
    code,
    columns,
    experiment,
    facts,
    overview,
    pages,
    plots,
    review,
)
from harness.dashboard.drawing import Drawings
from harness.dashboard.upgrade import Upgrades, name
from harness.diff import Side, Source
from harness.errors import HarnessError
from harness.model import Framework
from harness.report import diff_markdown, heartbeat, roots, timeline, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from markupsafe import Markup

    from harness.dashboard.facts import Facts
    from harness.dashboard.latest import Latest
    from harness.diff import Code
    from harness.engines import Engine, Progress
    from harness.history import CaseHistory
    from harness.model import Cell, Contract
    from harness.parity import Status
    from harness.project import Project
    from harness.report.heartbeat import Beat
    from harness.report.view import ChangeLine

ASSETS = Path(__file__).parent / "assets"
#: What tells a folder that may be replaced from one that may not.
_MARK = "timeline.json"


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a site is made."""

    today: date
    #: What paths of the checkout are appended to; empty where there is nothing to link to.
    link_base: str = ""
    #: When the moving heads were last watched.
    beats: tuple[Beat, ...] = ()


class Site:
    """Writes the dashboard of a project."""

    def __init__(
        self,
        project: Project,
        engines: Mapping[Framework, Engine],
        latest: Latest | None,
        options: Options,
    ) -> None:
        """Take what is shown: committed baselines, and the last run where there was one."""
        self.project = project
        self.engines = engines
        self.latest = latest
        self.options = options
        self.snippets: Code = sources.code(engines)
        runs = latest.runs if latest else {}
        cells = project.matrix.cells.values()
        self.drawings = Drawings()
        self.columns = columns.of(cells, self._side, lambda c: runs.get(c.id), options.today)
        by_id = {column.id: column for column in self.columns}
        self.pinned = {one: by_id[project.matrix.pinned[one]] for one in Framework}
        self.roots = roots.grouped(latest.report.changes) if latest else []
        self.changes: dict[str, list[ChangeLine]] = {}
        for line in latest.report.changes if latest else ():
            self.changes.setdefault(line.experiment, []).append(line)
        self.verdict = (
            verdict.sentence(latest.report, self.roots)
            if latest
            else "no run is at hand: what is shown are the committed baselines"
        )

    def write(self, into: Path, progress: Progress) -> None:
        """Write the site, whole or not at all; a HarnessError refuses a folder that is no site."""
        refuse_other(into)
        into.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=into.parent, prefix=f".{into.name}.") as scratch:
            folder = Path(scratch) / "site"
            with documents.uncollected():
                self._write(folder, progress)
            if into.exists():
                into.replace(Path(scratch) / "before")
            folder.replace(into)

    def _write(self, folder: Path, progress: Progress) -> None:
        rows: list[overview.Row] = []
        upgrades = Upgrades(self.columns, self.pinned)
        lineages = versions.lineages(column.cell for column in self.columns)
        histories = self._experiments(folder, rows, upgrades, progress)
        documents.write_parts(folder / _MARK, timeline.parts(lineages, histories))
        self._page(
            folder,
            "index",
            "overview",
            {
                "topics": list(overview.topics(rows)),
                "columns": self.columns,
                "states": columns.states(self.columns),
                "pairs": [
                    [old.id, new.id, upgrades.shown((old.id, new.id))]
                    for old, new in columns.pairs(self.columns)
                ],
                "pinned": [column.id for column in self.pinned.values()],
                "experiments": len(self.project.contracts),
                "watched": list(heartbeat.pieces(self.options.beats)),
            },
        )
        self._badge(folder)
        self._upgrades(folder, upgrades)
        self._page(folder, "review", "review", self._review())
        shutil.copytree(ASSETS, folder / "assets")
        documents.write(folder / "assets" / "vega.js", self.drawings.library())
        self.drawings.forget()

    def _experiments(
        self, folder: Path, rows: list[overview.Row], upgrades: Upgrades, progress: Progress
    ) -> Iterator[list[CaseHistory]]:
        """Write each experiment's page, add to what others show, yield its history."""
        pending, alarms = self._pending(), self._alarms()
        for number, contract in enumerate(self.project.contracts.values(), 1):
            known = self._facts(contract)
            ours = overview.rows(known, pending, alarms)
            rows += ours
            upgrades.add(known)
            changes = self.changes.get(contract.id, [])
            page = experiment.of(known, ours, self._halves(contract), changes)
            page["plots"] = self.drawings.drawn(plots.of(known))
            self._page(folder, f"experiments/{contract.id}", "experiment", page)
            yield list(known.histories)
            total = len(self.project.contracts)
            progress.update(f"dashboard: {contract.id}", done=number, total=total)

    def _upgrades(self, folder: Path, upgrades: Upgrades) -> None:
        """Write a page and its Markdown for every two columns, and the page that leads to them."""
        counts = {}
        for diff in upgrades.diffs():
            pair = diff.old.cell.id, diff.new.cell.id
            counts[pair] = diff.counts()
            markdown = diff_markdown.render(diff)
            path = f"upgrade/{name(pair)}"
            documents.write(folder / f"{path}.md", markdown)
            self._page(folder, path, "upgrade", upgrades.page(diff, markdown))
        self._page(folder, "upgrade/index", "upgrades", upgrades.index(counts))

    def _page(self, folder: Path, path: str, template: str, values: Mapping[str, Any]) -> None:
        """Write one page; each knows the way back to the others, and the verdict."""
        report = self.latest.report if self.latest else None
        common = {
            "up": "../" * path.count("/"),
            "path": path,
            "today": self.options.today.isoformat(),
            "link_base": self.options.link_base.rstrip("/"),
            "verdict": self.verdict,
            "code": report.code.name.lower() if report else "none",
        }
        documents.write(folder / f"{path}.html", pages.render(template, **common, **values))

    def _badge(self, folder: Path) -> None:
        """Write the verdict as others embed it."""
        found = badge.of(self.latest.report if self.latest else None, self.roots)
        documents.write(folder / "badge.json", documents.canonical(found))
        documents.write(folder / "badge.svg", badge.drawn(found))

    def _facts(self, contract: Contract) -> Facts:
        today = self.options.today.isoformat()
        return facts.of(contract, self.columns, self.pinned, self.snippets, today)

    def _halves(self, contract: Contract) -> dict[Framework, Markup]:
        """Return both halves; one that a contract rules out everywhere has no file."""
        paths = {framework: self.engines[framework].half(contract.id) for framework in Framework}
        return {
            framework: code.highlighted(path.read_text(encoding="utf-8"), framework)
            for framework, path in paths.items()
            if path.exists()
        }

    def _pending(self) -> dict[tuple[str, str, str], str]:
        """Return how badly cases differ from what is accepted in the last run."""
        if self.latest is None:
            return {}
        report = self.latest.report
        found = {(one.cell, one.experiment, one.variant): overview.NEW for one in report.new}
        for lines in reversed(report.by_cell().values()):
            for line in reversed(lines):
                if line.change.kind is not roots.ROUNDING:
                    found[line.cell, line.experiment, line.variant] = str(line.severity)
        return found

    def _alarms(self) -> dict[tuple[str, str], Status]:
        """Return where torch and burn differ unexplained in the last run of the pinned cells."""
        pinned = tuple(self.pinned[one].id for one in Framework)
        sides = self.latest.report.alarms if self.latest else ()
        ours = (side for side in sides if (side.torch, side.burn) == pinned)
        return {(side.experiment, side.variant): side.status for side in ours}

    def _review(self) -> dict[str, Any]:
        """Return what the last run found that somebody has to decide."""
        if self.latest is None:
            return {"page": None}
        return {"page": review.of(self.project, self.latest, self.options.today)}

    def _side(self, cell: Cell) -> Side:
        """Return what is shown of a cell: what is accepted, of a moving head what it last did."""
        if cell.released:
            return sources.accepted(self.project, cell)
        latest = self.latest
        if latest is None or cell.id not in latest.runs or latest.runs[cell.id].unavailable:
            return Side(cell=cell, source=Source.RECORDS, records=lambda _: {})
        read = sources.last_run(latest.records, cell)
        return Side(cell=cell, source=Source.RECORDS, records=read)


def refuse_other(into: Path) -> None:
    """Raise a HarnessError where a folder holds something, and that is no dashboard."""
    if into.is_dir() and any(into.iterdir()) and not (into / _MARK).exists():
        raise HarnessError(
            f"{into}: not empty, and no dashboard, which would be replaced",
            "Give another folder: nox -s dashboard -- --into DIR",
        )
    if into.exists() and not into.is_dir():
        raise HarnessError(f"{into}: a file, not a folder", "nox -s dashboard -- --into DIR")
