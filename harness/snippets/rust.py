"""Where a variant's code lies in a Rust half."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.snippets.spans import Span, named_first

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Comments, strings and characters: what may hold a brace that is none.
_QUIET = re.compile(
    r'//[^\n]*|/\*.*?\*/|(?<!\w)b?r(#*)".*?"\1|"(?:\\.|[^"\\])*"'
    r"|'(?:\\(?:u\{[^}]*\}|x\w\w|.)|[^\\'\n])'",
    re.DOTALL,
)
_STRING = re.compile(r'"((?:\\.|[^"\\])*)"')
_MATCH = re.compile(r"\bmatch\s+\*?variant[\w.()]*\s*\{")
_IF = re.compile(r"\bif\s+variant\s*([!=])=\s*")
_ELSE = re.compile(r"\s*else\s*\{")
_CALL = re.compile(r"(\w+)\(\)[,;]?")
_GIVES_UP = re.compile(r"\{?\s*(unreachable|panic|todo|unimplemented)!")
_OPENING, _CLOSING = "([{", ")]}"


def pieces(source: str, variant: str) -> list[str]:
    """Return the text of each piece of a variant; the whole source where there is none."""
    found = spans(source, variant)
    return [_from_line_start(source, first, last) for first, last, _ in found] or [source]


def spans(source: str, variant: str) -> list[Span]:
    """Return the characters of each piece of a variant, the first and the one behind the last."""
    quiet, within, body = _read(source)
    found = [_rust_arm(source, quiet, start, variant) for start, _ in within]
    found += [
        _rust_branch(source, quiet, one, variant)
        for one in _IF.finditer(quiet)  # in an arm, the arm holds it, or it is another variant's
        if not any(first < one.start() < last for first, last in within)
    ]
    apart: list[Span] = []
    for span in named_first(span for span in found if span is not None):
        if not apart or span[0] >= apart[-1][1]:
            apart.append(span)
    return apart or ([(*body, False)] if body else [])


@lru_cache(maxsize=1)  # one variant of a half is asked for after the other
def _read(source: str) -> tuple[str, list[tuple[int, int]], tuple[int, int] | None]:
    """Return the source without what is quiet, where it asks for a variant, and where `run` is."""
    quiet = _QUIET.sub(_silenced, source)
    matches = [one.end() for one in _MATCH.finditer(quiet)]
    within = [(start, _ahead(quiet, start, "}")) for start in matches]
    return quiet, within, _function(quiet, "run")


def _silenced(found: re.Match[str]) -> str:
    """Return as many characters without a bracket: blanks of a comment, quotes of a literal."""
    return re.sub(r"[^\n]", " " if found[0].startswith("/") else '"', found[0])


def _rust_arm(source: str, quiet: str, start: int, variant: str) -> Span | None:
    """Return the arm that names the variant, else the one for all others unless it gives up."""
    others = None
    for first, arrow, last in _arms(quiet, start):
        if variant in _STRING.findall(source[first:arrow]):
            return (*(_function_called(source, quiet, arrow + 2, last) or (first, last)), False)
        if re.fullmatch(r"\w+\s*", quiet[first:arrow]) and not _GIVES_UP.match(
            quiet[arrow + 2 :].lstrip()
        ):
            others = others or (first, last, True)
    return others


def _arms(quiet: str, start: int) -> Iterator[tuple[int, int, int]]:
    """Yield where each arm of a match begins, where its `=>` is, and where it ends."""
    while True:
        start += len(quiet[start:]) - len(quiet[start:].lstrip())
        arrow = _ahead(quiet, start, "=>")
        if not quiet.startswith("=>", arrow):
            return
        body = arrow + 2
        body += len(quiet[body:]) - len(quiet[body:].lstrip())
        if quiet.startswith("{", body):
            end = _ahead(quiet, body + 1, "}") + 1
            end += quiet.startswith(",", end)
        else:
            end = _ahead(quiet, body, ",")
            end += quiet.startswith(",", end)
            if not quiet.startswith(",", end - 1):  # the last arm of a line without a comma
                end = body + len(quiet[body:end].rstrip())
        yield start, arrow, end
        start = end


def _ahead(quiet: str, start: int, wanted: str) -> int:
    """Return where a token comes next, or else where the surrounding bracket closes."""
    depth, place = 0, start
    while place < len(quiet):
        one = quiet[place]
        if not depth and quiet.startswith(wanted, place):
            return place
        if quiet.startswith("::<", place):
            place = _turbofish(quiet, place + 3)
            continue
        if one in _CLOSING and not depth:
            return place
        depth += (one in _OPENING) - (one in _CLOSING)
        place += 1
    return place


def _turbofish(quiet: str, place: int) -> int:
    """Return where the types of `::<…>` end; their commas part nothing."""
    depth = 1
    while depth and place < len(quiet):
        arrow = quiet[place] == ">" and quiet[place - 1] == "-"
        depth += (quiet[place] == "<") - (quiet[place] == ">" and not arrow)
        place += 1
    return place


def _rust_branch(source: str, quiet: str, found: re.Match[str], variant: str) -> Span | None:
    """Return the branch of `if variant == "…"` or `!=` that is taken, if there is one."""
    name = _STRING.match(source, found.end())
    if name is None or not quiet[name.end() :].lstrip().startswith("{"):
        return None
    inside = quiet.index("{", name.end()) + 1
    end = _ahead(quiet, inside, "}")
    other = _ELSE.match(quiet, end + 1)
    if other and "\n" not in source[found.start() : other.end()]:
        return (*_line(source, found.start()), False)
    if (name[1] == variant) == (found[1] == "="):
        return found.start(), end + 1, False
    if other is None:
        return None
    end = _ahead(quiet, other.end(), "}")
    within = quiet[other.end() : end]
    return end - len(within.lstrip()), len(quiet[:end].rstrip()), False


def _line(source: str, place: int) -> tuple[int, int]:
    """Return where the line of a place begins and ends, without its indent."""
    first = source.rfind("\n", 0, place) + 1
    line = source[first:].split("\n", 1)[0]
    return first + len(line) - len(line.lstrip()), first + len(line)


def _function_called(source: str, quiet: str, first: int, last: int) -> tuple[int, int] | None:
    call = _CALL.fullmatch(source[first:last].strip())
    return _function(quiet, call[1]) if call else None


def _function(quiet: str, name: str) -> tuple[int, int] | None:
    """Return where the body of a function of the file lies, inside its braces."""
    found = re.search(rf"\bfn\s+{re.escape(name)}\b[^{{;]*\{{", quiet)
    if found is None:
        return None
    return found.end(), _ahead(quiet, found.end(), "}")


def _from_line_start(source: str, first: int, last: int) -> str:
    """Return a piece with the indent of its first line, so that its lines stand as in the file."""
    column = first - (source.rfind("\n", 0, first) + 1)
    return " " * column + source[first:last]
