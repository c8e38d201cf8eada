"""The code of a half in colours: the words of its language as classes of the style; pure."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from markupsafe import Markup
from pygments.lexers import PythonLexer, RustLexer
from pygments.token import Token

from harness.model import Framework
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pygments.lexer import Lexer
    from pygments.token import _TokenType

_LEXERS: Mapping[Framework, Lexer] = {
    Framework.TORCH: PythonLexer(stripnl=False, ensurenl=False),
    Framework.BURN: RustLexer(stripnl=False, ensurenl=False),
}
#: Classes that assets/style.css colours; a token without one is plain text.
_CLASSES = {
    Token.Comment: "comment",
    Token.Keyword: "keyword",
    Token.Operator.Word: "keyword",
    Token.Literal.String: "string",
    Token.Literal.Number: "number",
    Token.Name.Builtin: "name",
    Token.Name.Class: "name",
    Token.Name.Decorator: "name",
    Token.Name.Exception: "name",
    Token.Name.Function: "name",
    Token.Name.Namespace: "name",
}


@lru_cache(maxsize=4096)  # one variant's code stands on many pages
def highlighted(code: str, framework: Framework) -> Markup:
    """Return a half's lines with its language's words in `span`; everything in them is escaped."""
    tokens = _LEXERS[framework].get_tokens(text.spelled(code))
    parts = []
    for name, group in groupby(tokens, key=lambda token: _class(token[0])):
        words = "".join(value for _, value in group)
        span = Markup('<span class="{}">{}</span>')
        parts.append(span.format(name, words) if name and words.strip() else Markup.escape(words))
    return Markup().join(parts)


@cache
def _class(token: _TokenType) -> str:
    """Return the class of a kind of token, or of the nearest kind above that has one."""
    if token in _CLASSES:
        return _CLASSES[token]
    return _class(token.parent) if token.parent else ""
