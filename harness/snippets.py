"""The few lines of a half that one variant runs; pure.

Every arm and branch that the variant takes is shown, an arm for all others only where nothing names
this one; where nothing asks for the name, the body of `run` is. A sole call of a function of the
file stands for that function's body.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LINES = 15  # to be read at one glance; the rest is in the file


def of(source: str, suffix: str, variant: str) -> str:
    """Return a variant's code in a half, given its text and its file's suffix, `.py` or `.rs`."""
    pieces = _python(source, variant) if suffix == ".py" else _rust(source, variant)
    return shortened("\n".join(map(_plain, pieces)))


def shortened(code: str) -> str:
    """Return the first lines of a code, and a last line `…` where there were more."""
    lines = code.splitlines()
    return "\n".join(lines if len(lines) <= LINES else [*lines[: LINES - 1], "…"])


def _plain(piece: str) -> str:
    """Return lines without their common indent, and without blank ones around them."""
    return textwrap.dedent(piece).strip("\n").rstrip()


def _named_first(spans: Iterable[_Span]) -> list[_Span]:
    """Return the pieces in order, those for all other variants only where there is nothing else."""
    found = sorted(spans)
    return [span for span in found if not span[2]] or found


#: Where a piece begins and ends (in Python: lines from 1), and whether all other variants take it.
_Span = tuple[int, int, bool]
_Functions = dict[str, ast.FunctionDef]

# --- Python -----------------------------------------------------------------------------------


def _python(source: str, variant: str) -> list[str]:
    try:
        module = ast.parse(source)
    except SyntaxError:
        return [source]
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    found = (span for one in functions.values() for span in _taken(one, variant, functions))
    spans = _named_first(found)
    if not spans and "run" in functions:
        spans = [(*_body(functions["run"]), False)]
    lines = source.splitlines()
    return ["\n".join(lines[first - 1 : last]) for first, last, _ in spans] or [source]


def _body(function: ast.FunctionDef) -> tuple[int, int]:
    """Return what a function does, without its docstring and what discards arguments."""
    body = function.body[ast.get_docstring(function) is not None :]
    body = [node for node in body if not isinstance(node, ast.Delete)] or function.body
    return body[0].lineno, _end(body)


def _end(body: Sequence[ast.stmt]) -> int:
    return body[-1].end_lineno or 0


def _taken(node: ast.AST, variant: str, functions: _Functions) -> Iterator[_Span]:
    """Yield what the variant takes below a node, wherever the code asks for it; outermost only."""
    head, body, others = node, None, False
    match node:
        case ast.Match(subject=ast.Name("variant")):
            arm = _arm(node, variant)
            head, body = (arm.pattern, arm.body) if arm is not None else (node, [])
            others = isinstance(head, ast.MatchAs)
        case ast.If() if (answer := _answer(node.test, variant)) is not None:
            body = node.body if answer else node.orelse
            head = node if answer else next(iter(body), node)
            match body:
                case [ast.If(test=test) as asked] if _answer(test, variant) is not None:
                    # An `elif`, or a question within: whether it is taken is asked in its turn.
                    yield from _taken(asked, variant, functions)
                    return
                case _:
                    pass
        case ast.Subscript(value=ast.Dict() as table, slice=ast.Name("variant")):
            for key, value in zip(table.keys, table.values, strict=True):
                chosen = isinstance(key, ast.Constant) and key.value == variant
                if chosen and isinstance(value, ast.Name) and value.id in functions:
                    yield (*_body(functions[value.id]), False)
                    return
        case _:
            pass
    if body is None:
        for below in ast.iter_child_nodes(node):
            yield from _taken(below, variant, functions)
    elif body:
        called = _called(body, functions)
        span = _body(called) if called else (getattr(head, "lineno", body[0].lineno), _end(body))
        yield (*span, others)


def _arm(node: ast.Match, variant: str) -> ast.match_case | None:
    """Return the arm that names the variant, else the one for all others unless it only raises."""
    for arm in node.cases:
        named = [one.value for one in ast.walk(arm.pattern) if isinstance(one, ast.MatchValue)]
        if any(isinstance(one, ast.Constant) and one.value == variant for one in named):
            return arm
    for arm in node.cases:
        others = isinstance(arm.pattern, ast.MatchAs) and arm.pattern.pattern is None
        if others and not isinstance(arm.body[0], ast.Raise):
            return arm
    return None


def _answer(test: ast.expr, variant: str) -> bool | None:
    """Return what `variant == "…"`, `!=`, `in (…)` or `not in` says; None of any other test."""
    match test:
        case ast.Compare(ast.Name("variant"), [operator], [ast.Constant(str(name))]):
            names = [name]
        case ast.Compare(
            ast.Name("variant"),
            [operator],
            [ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements)],
        ):
            names = [str(one.value) for one in elements if isinstance(one, ast.Constant)]
        case _:
            return None
    match operator:
        case ast.Eq() | ast.In():
            return variant in names
        case ast.NotEq() | ast.NotIn():
            return variant not in names
        case _:
            return None


def _called(body: Sequence[ast.stmt], functions: _Functions) -> ast.FunctionDef | None:
    """Return the function of the file whose call without arguments is all that a body does."""
    match body:
        case [ast.Expr(ast.Call(ast.Name(name), [], []))]:
            return functions.get(name)
        case _:
            return None


# --- Rust -------------------------------------------------------------------------------------

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


def _rust(source: str, variant: str) -> list[str]:
    quiet = _QUIET.sub(_silenced, source)
    matches = [one.end() for one in _MATCH.finditer(quiet)]
    found = [_rust_arm(source, quiet, start, variant) for start in matches]
    within = [(start, _ahead(quiet, start, "}")) for start in matches]
    found += [
        _rust_branch(source, quiet, one, variant)
        for one in _IF.finditer(quiet)  # in an arm, the arm holds it, or it is another variant's
        if not any(first < one.start() < last for first, last in within)
    ]
    pieces, end = [], 0
    for first, last, _ in _named_first(span for span in found if span is not None):
        if first >= end:
            pieces.append(_from_line_start(source, first, last))
            end = last
    if not pieces and (body := _function(quiet, "run")):
        pieces = [source[slice(*body)]]
    return pieces or [source]


def _silenced(found: re.Match[str]) -> str:
    """Return as many characters without a bracket: blanks of a comment, quotes of a literal."""
    return re.sub(r"[^\n]", " " if found[0].startswith("/") else '"', found[0])


def _rust_arm(source: str, quiet: str, start: int, variant: str) -> _Span | None:
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


def _rust_branch(source: str, quiet: str, found: re.Match[str], variant: str) -> _Span | None:
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
