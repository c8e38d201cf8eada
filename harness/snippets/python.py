"""Where a variant's code lies in a Python half."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.snippets.spans import Span, named_first

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_Functions = dict[str, ast.FunctionDef]


def pieces(source: str, variant: str) -> list[str]:
    """Return the text of each piece of a variant; the whole source where there is none."""
    lines = source.splitlines()
    found = spans(source, variant)
    return ["\n".join(lines[first - 1 : last]) for first, last, _ in found] or [source]


def spans(source: str, variant: str) -> list[Span]:
    """Return the lines of each piece of a variant, the first and the last, counted from 1."""
    functions = _functions(source)
    found = (span for one in functions.values() for span in _taken(one, variant, functions))
    whole = [(*_body(functions["run"]), False)] if "run" in functions else []
    return named_first(found) or whole


@lru_cache(maxsize=1)  # one variant of a half is asked for after the other
def _functions(source: str) -> _Functions:
    try:
        module = ast.parse(source)
    except SyntaxError:
        return {}
    return {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}


def _body(function: ast.FunctionDef) -> tuple[int, int]:
    """Return what a function does, without its docstring and what discards arguments."""
    body = function.body[ast.get_docstring(function) is not None :]
    body = [node for node in body if not isinstance(node, ast.Delete)] or function.body
    return body[0].lineno, _end(body)


def _end(body: Sequence[ast.stmt]) -> int:
    return body[-1].end_lineno or 0


def _taken(node: ast.AST, variant: str, functions: _Functions) -> Iterator[Span]:
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
