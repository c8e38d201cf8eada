"""Raw events → record: parse, normalise, classify.

The protocol is documented in docs/protocol.md; a half writes it through its `support`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from harness import tensors
from harness.model import Outcome, Raised

if TYPE_CHECKING:
    from harness.engines.process import Ended
    from harness.model import Value

_NORMAL = (
    (
        # Begins only where no path goes on, or a long word would be searched from every letter.
        re.compile(
            r"(?<![\w.~+@/\\-])(?:[A-Za-z]:)?(?:[\w.~+@-]*[/\\])*"
            r"[\w.+-]+\.(?:rs|py|cpp|cc|cu|hpp|h):\d+(?::\d+)?"
        ),
        "<location>",
    ),
    (re.compile(r'File "[^"]+", line \d+'), "<location>"),
    (re.compile(r" ?\(Triggered internally at [^)]*\)"), ""),
    (re.compile(r"\b0x[0-9a-fA-F]{8,}\b"), "0x_"),
    (re.compile(r"thread '([^']*)' \(\d+\)"), r"thread '\1'"),
    (re.compile(r"ThreadId\(\d+\)"), "ThreadId(_)"),
    (re.compile(r"(NodeId|ParamId)\(\w+\)"), r"\1(_)"),
    (re.compile(r"(NodeId|ParamId) \{(\s*)value: \d+(,?\s*)\}"), r"\1 {\2value: _\3}"),
    (re.compile(r"Param: [0-9a-v]{13}\b"), "Param: <id>"),
    (re.compile(r"\(id=\w+\)"), "(id=_)"),
    (re.compile(r"\b(?=[0-9a-v]*\d)(?=[0-9a-v]*[a-v])[0-9a-v]{13}\b"), "<id>"),
)
_OUT_OF_MEMORY = re.compile(
    r"can't allocate memory|not enough memory|out of memory|alloc_cpu\.cpp|bad_alloc"
    r"|Cannot allocate memory|memory allocation of \d+ bytes failed",
    re.IGNORECASE,
)


def normalised(text: str) -> str:
    """Return a text without what differs from run to run: thread ids, locations, random ids."""
    for pattern, instead in _NORMAL:
        text = pattern.sub(instead, text)
    return text


@dataclass(slots=True)
class Seen:
    """What a half's events say, whether or not it came to its end."""

    observations: dict[str, Value] = field(default_factory=dict)
    raised: Raised | None = None
    raw: dict[str, str] = field(default_factory=dict)
    ran: dict[str, Any] = field(default_factory=dict)
    done: bool = False
    broken: str = ""


def parse(events: bytes) -> Seen:
    """Return what the events say; a last line without its newline was cut off and is left out."""
    seen = Seen()
    *lines, rest = events.split(b"\n")
    if rest:
        seen.raw["cut off"] = rest[:200].decode(errors="replace")
    for number, line in enumerate(lines, 1):
        try:
            _take(seen, orjson.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            seen.broken = f"event {number}: {error}: {line[:80].decode(errors='replace')}"
            break
    return seen


def _take(seen: Seen, event: dict[str, Any]) -> None:
    """Add one event; ValueError, TypeError or KeyError when it is none."""
    if not isinstance(event, dict):
        raise TypeError("not an object")
    match event:
        case {"ran": dict(ran)}:
            seen.ran = ran
        case {"done": True}:
            seen.done = True
        case {"raised": {"type": str(kind), "text": str(text)}}:
            seen.raised = Raised(type=kind, text=normalised(text))
            _keep_raw(seen, "raised", text)
        case {"name": str(name), **rest}:
            seen.observations[name] = _value(seen, name, rest)
        case _:
            raise ValueError("neither ran, raised, done nor an observation")


def _value(seen: Seen, name: str, event: dict[str, Any]) -> Value:
    match event:
        case {"flag": bool(value)}:
            return value
        case {"count": int(value)} if type(value) is int and value >= 0:
            return value
        case {"text": str(value)}:
            _keep_raw(seen, name, value)
            return normalised(value)
        case {"ids": list(values)}:
            order: dict[str, int] = {}
            return [order.setdefault(str(value), len(order)) for value in values]
        case {"tensor": {"dtype": str(dtype), "shape": list(shape), "values": list(values)}}:
            return tensors.stored(dtype, shape, values)
        case _:
            raise ValueError("an observation is a flag, count, text, ids or a tensor")


def _keep_raw(seen: Seen, name: str, text: str) -> None:
    """Keep a text as it came, as provenance, where normalising takes something away."""
    if normalised(text) != text:
        seen.raw[name] = text


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """The outcome of a case, before its contract is asked."""

    outcome: Outcome
    raised: Raised | None = None
    reason: str = ""


def classify(seen: Seen, ended: Ended, output: str) -> Classified:
    """Return how a case ended: a total match over its process's end and its events.

    `output` is the end of what it printed; it tells an out-of-memory abort from another.
    """
    if ended.timed_out:
        return Classified(outcome=Outcome.TIMED_OUT, reason=f"no end within {ended.limit:g} s")
    if seen.broken:
        return Classified(outcome=Outcome.INVALID, reason=seen.broken)
    if seen.raised is not None:
        if seen.raised.type == "MemoryError" or _OUT_OF_MEMORY.search(
            seen.raw.get("raised", seen.raised.text)
        ):
            return Classified(outcome=Outcome.CRASHED, raised=seen.raised, reason="out of memory")
        return Classified(outcome=Outcome.RAISED, raised=seen.raised)
    if seen.done and ended.status == 0:
        return Classified(outcome=Outcome.OBSERVED)
    return Classified(outcome=Outcome.CRASHED, reason=_crash(seen, ended, output))


def _crash(seen: Seen, ended: Ended, output: str) -> str:
    if ended.signal == "SIGXFSZ":
        return "wrote more than the limit"
    if "overflowed its stack" in output:
        return "stack overflow"
    if _OUT_OF_MEMORY.search(output):
        return "out of memory"
    if ended.signal:
        return f"killed by {ended.signal}"
    early = "after its last event" if seen.done else "early"
    return f"ended {early} with exit status {ended.status}"
