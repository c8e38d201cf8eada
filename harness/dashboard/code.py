"""The halves' code with its syntax coloured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, RustLexer

from harness.model import Framework
from harness.report import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pygments.lexer import Lexer

LEXERS: Mapping[Framework, Lexer] = {Framework.TORCH: PythonLexer(), Framework.BURN: RustLexer()}
_FORMATTER = HtmlFormatter(nowrap=True)


def highlighted(code: str, framework: Framework) -> Markup:
    """Return a half, or lines of it, as markup for a `pre`; colours stand in assets/style.css."""
    return Markup(highlight(text.spelled(code), LEXERS[framework], _FORMATTER))  # noqa: S704 (it escapes)
