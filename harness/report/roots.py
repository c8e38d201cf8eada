"""Changes grouped by root: one change of behaviour seen in many cells is one entry; pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from harness import tensors
from harness.effects import Effect
from harness.model import Difference, Severity

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from harness.model import Change
    from harness.report.view import ChangeLine

SEVERITIES = tuple(Severity)
ROUNDING = Difference.ROUNDING
#: What follows from a change, seen beside the other framework.
_PARITY = {Difference.PARITY_LOST: Effect.AWAY, Difference.DIVERGENCE_CLOSED: Effect.TOWARD}


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """One change of behaviour, in one variant or several, in one cell or many."""

    experiment: str
    variants: tuple[str, ...]
    #: Its class, and those of what followed from it.
    kinds: tuple[Difference, ...]
    effect: Effect
    lines: tuple[ChangeLine, ...]

    @property
    def change(self) -> Change:
        """Return the change as the first cell saw it."""
        return self.lines[0].change

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the cells that saw it."""
        return tuple(dict.fromkeys(line.cell for line in self.lines))

    @property
    def severity(self) -> Severity:
        """Return how much it matters, with what followed from it."""
        return min((kind.severity for kind in self.kinds), key=SEVERITIES.index)


class _What(NamedTuple):
    """What two lines have in common that are one change of behaviour."""

    experiment: str
    variant: str
    observation: str
    kind: Difference
    expected: Hashable
    observed: Hashable


def key(line: ChangeLine) -> str:
    """Return what tells a difference from others, the same for the same difference of two runs."""
    change = line.change
    document = [
        *(line.cell, line.experiment, line.variant, change.observation, change.kind.value),
        *(repr(coarse(value)) for value in (change.expected, change.observed)),
    ]
    return hashlib.sha256(orjson.dumps(document)).hexdigest()[:16]


def coarse(value: Any) -> Hashable:
    """Return what tells a value from others, in numbers of five digits: runs differ in rounding."""
    match value:
        case {"dtype": dtype, "shape": shape, "values": values}:
            return (dtype, *shape, *map(_digits, tensors.flat(values)))
        case {"dtype": dtype, "shape": shape, "statistics": statistics}:
            numbers = (_digits(one) for one in statistics.values())
            return (dtype, *shape, *zip(statistics, numbers, strict=True))
        case list() | tuple():
            return tuple(map(coarse, value))
        case float():
            return _digits(value)
        case _:
            return type(value).__name__, repr(value)


def _digits(number: Any) -> str:
    return f"{number:.5g}" if isinstance(number, float) else str(number)


def grouped(lines: Iterable[ChangeLine]) -> list[Root]:
    """Return the roots, the worst first; rounding is none.

    What torch and burn no longer have in common is no change of its own where one of them changed.
    """
    own, followed = _parted([one for one in lines if one.change.kind is not ROUNDING])
    found: dict[_What, list[ChangeLine]] = {}
    for line in own:
        change = line.change
        values = coarse(change.expected), coarse(change.observed)
        what = _What(line.experiment, line.variant, change.observation, change.kind, *values)
        found.setdefault(what, []).append(line)
    return sorted(_merged(found, followed), key=lambda root: SEVERITIES.index(root.severity))


def _place(line: ChangeLine, cell: str) -> tuple[str, ...]:
    return cell, line.experiment, line.variant, line.change.observation


def _parted(
    lines: Sequence[ChangeLine],
) -> tuple[list[ChangeLine], dict[tuple[str, ...], list[Difference]]]:
    """Part the lines into those of changes and, by the change's place, what followed from it."""
    causes = {_place(one, one.cell) for one in lines if one.change.kind not in _PARITY}
    own: list[ChangeLine] = []
    followed: dict[tuple[str, ...], list[Difference]] = {}
    for line in lines:
        places = [_place(line, cell) for cell in (line.cell, line.against)]
        place = next((place for place in places if place in causes), None)
        if line.change.kind not in _PARITY or place is None:
            own.append(line)
        else:
            followed.setdefault(place, []).append(line.change.kind)
    return own, followed


def _merged(
    found: Mapping[_What, list[ChangeLine]],
    followed: Mapping[tuple[str, ...], list[Difference]],
) -> list[Root]:
    """Return one root for the variants in which the same cells see the same change."""
    roots: dict[Hashable, Root] = {}
    for what, lines in found.items():
        root = _root(lines, followed)
        alike = (what._replace(variant=""), root.cells, root.kinds, root.effect)
        if (other := roots.get(alike)) is not None:
            variants = tuple(dict.fromkeys((*other.variants, *root.variants)))
            root = replace(other, variants=variants, lines=(*other.lines, *root.lines))
        roots[alike] = root
    return list(roots.values())


def _root(
    lines: Sequence[ChangeLine], followed: Mapping[tuple[str, ...], list[Difference]]
) -> Root:
    more = [kind for line in lines for kind in followed.get(_place(line, line.cell), ())]
    kinds = tuple(dict.fromkeys((lines[0].change.kind, *more)))
    effects = {_PARITY[kind] for kind in kinds if kind in _PARITY} or {one.effect for one in lines}
    effects -= {Effect.UNKNOWN}
    return Root(
        experiment=lines[0].experiment,
        variants=tuple(dict.fromkeys(line.variant for line in lines)),
        kinds=kinds,
        effect=effects.pop() if len(effects) == 1 else Effect.UNKNOWN,
        lines=tuple(lines),
    )
