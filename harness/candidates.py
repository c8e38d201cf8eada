"""From two ends in words to the line of candidates between them: versions, or burn's commits."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from packaging.version import Version

from harness.bisect import Named
from harness.engines import clients, sources
from harness.errors import HarnessError
from harness.model import Cell, Framework, Group

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.engines import Progress
    from harness.engines.clients import Clients
    from harness.engines.sources import Repository
    from harness.model import Matrix

_VERSION = re.compile(r"(?:(torch|burn)-)?(\d+\.\d+\.\d+[A-Za-z0-9.+-]*)")
_BACKEND = "flex"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One version or commit, as a cell."""

    name: str
    cell: Cell
    #: Where the commit is described; None for a version.
    repository: Repository | None = None

    def named(self, reason: str = "") -> Named:
        """Return how a result names it."""
        if self.repository is None:
            return Named(name=self.name, reason=reason)
        commit = self.repository.describe(self.name)
        return Named(
            name=commit.id,
            subject=commit.subject,
            date=commit.date,
            author=commit.author,
            reason=reason,
        )

    @property
    def title(self) -> str:
        """Return it in a few words, for the progress."""
        if self.repository is None:
            return self.name
        return f"{self.name[:10]} {self.repository.describe(self.name).subject}"


def line(
    matrix: Matrix,
    ends: tuple[str, str],
    source: str | None,
    asked: Clients,
    progress: Progress,
) -> list[Candidate]:
    """Return the candidates from the good end to the bad one, both of them in it.

    Two cells or versions of one framework span its published versions; anything else, and any end
    with a source, burn's commits.
    """
    released = [_released(matrix, word) for word in ends]
    good, bad = released
    if source is None and good is not None and bad is not None:
        progress.update("asking for the published versions between the two")
        return _versions(matrix, good, bad, asked)
    return _commits(matrix, ends, source, progress)


def _released(matrix: Matrix, word: str) -> Cell | None:
    """Return the published version that a word names, as a cell; a bare version is of no framework.

    `burn-0.22.0` need not be a cell of the matrix.
    """
    cell = matrix.cells.get(word)
    if cell is not None:
        return cell if cell.version is not None else None
    found = _VERSION.fullmatch(word)
    if found is None or not clients.is_version(found[2]):
        return None
    framework = Framework(found[1]) if found[1] else None
    return _cell(matrix, framework, found[2], None) if framework else _bare(found[2])


def _bare(version: str) -> Cell:
    return Cell(id=version, framework=Framework.BURN, group=Group.FULL, version=version)


def _cell(matrix: Matrix, framework: Framework, version: str, backend: str | None) -> Cell:
    """Return a version's cell: the matrix's own where it has one."""
    if framework is Framework.BURN:
        backend = backend or _BACKEND
    for cell in matrix.cells.values():
        if (cell.framework, cell.version, cell.backend) == (framework, version, backend):
            return cell
    suffix = "" if backend in {None, _BACKEND} else f"-{backend}"
    return Cell(
        id=f"{framework}-{version}{suffix}",
        framework=framework,
        group=Group.FULL,
        version=version,
        backend=backend,
        listed=False,
    )


def _versions(matrix: Matrix, good: Cell, bad: Cell, asked: Clients) -> list[Candidate]:
    named = {cell.framework for cell in (good, bad) if cell.id != cell.version}
    if not named:
        raise HarnessError(
            f"{good.id}, {bad.id}: of which framework?", f"Write burn-{good.id} or torch-{good.id}."
        )
    if len(named) > 1:
        raise HarnessError(f"{good.id}, {bad.id}: not of one framework")
    backends = {cell.backend for cell in (good, bad) if cell.backend is not None}
    if len(backends) > 1:
        raise HarnessError(f"{good.id}, {bad.id}: not on one backend")
    framework, backend = named.pop(), next(iter(backends), None)
    old, new = str(good.version), str(bad.version)
    if not Version(old) < Version(new):
        raise HarnessError(
            f"--good {old} --bad {new}: the good one must be the older one",
            "good is how it behaved before, whether or not that was right",
        )
    listed = [
        cell.version
        for cell in matrix.cells.values()
        if cell.framework is framework and cell.version and cell.backend == backend
    ]
    known = {*asked.published(framework, old, new), *clients.between(listed, old, new)}
    versions = [old, *sorted(known, key=Version), new]
    cells = [_cell(matrix, framework, version, backend) for version in versions]
    return [Candidate(name=cell.id, cell=cell) for cell in cells]


def _commits(
    matrix: Matrix, ends: tuple[str, str], source: str | None, progress: Progress
) -> list[Candidate]:
    heads = {name: cell for name, cell in matrix.cells.items() if cell.git is not None}
    base = next((heads[word] for word in ends if word in heads), next(iter(heads.values()), None))
    if base is None:
        raise HarnessError("matrix.yaml: no git cell whose commits could be searched")
    address = source or str(base.git)
    repository = sources.with_history(address, progress)
    good, bad = (repository.commit(_ref(matrix.cells, word, source)) for word in ends)
    between = repository.between(good, bad)
    if not between:
        common = repository.merge_base(good, bad)
        raise HarnessError(
            f"--good {ends[0]} --bad {ends[1]}: the good one must be an ancestor of the bad one",
            f"Both descend from {common}: bisect from there." if common not in {"", bad} else "",
        )
    git = str(repository.git_dir)
    return [
        Candidate(name=one, cell=replace(base, git=git, ref=one), repository=repository)
        for one in [good, *between]
    ]


def _ref(cells: Mapping[str, Cell], word: str, source: str | None) -> str:
    """Return the ref that a word means: a released cell's or a version's tag, a head, or itself."""
    cell = cells.get(word)
    if cell is not None and cell.git is not None:
        return "HEAD" if source else str(cell.ref)
    if cell is not None:
        if cell.framework is not Framework.BURN:
            raise HarnessError(f"{word}: burn's commits alone can be searched")
        return f"v{cell.version}"
    found = _VERSION.fullmatch(word)
    if found is not None and found[1] != Framework.TORCH:
        return f"v{found[2]}"
    return word
