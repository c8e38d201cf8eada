"""What two Markdown libraries make of a text: everything that is not code, and all that is HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt

#: The tags that reports write themselves.
OURS = {"details", "summary", "code"}
_TAG = re.compile(r"</?([a-z]+)>")


@dataclass
class Read:
    """The words outside of code, where links lead, and the HTML that was let through."""

    words: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    comments: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)


def markdown_it(text: str) -> Read:
    """Read a text with markdown-it-py: as GitHub, with HTML and with addresses made links."""
    parser = MarkdownIt("gfm-like", {"html": True, "linkify": True})
    found = Read()
    tokens = list(parser.parse(text))
    while tokens:
        token = tokens.pop()
        tokens += token.children or []
        match token.type:
            case "text":
                found.words.append(token.content)
            case "code_inline" | "fence":
                found.code.append(token.content)
            case "code_block" | "image":
                found.tags.add(token.type)
            case "link_open":
                found.links.append(str(token.attrs["href"]))
            case "html_block" | "html_inline":
                for line in filter(None, token.content.split("\n")):
                    _html(line, found)
            case _:
                pass
    return found


def _html(line: str, found: Read) -> None:
    reader = _Reader(found)
    reader.feed(line)
    reader.close()


def github(text: str) -> Read:
    """Read a text with GitHub's own library, its HTML unfiltered."""
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_GITHUB_PRE_LANG
    html = cmarkgfm.github_flavored_markdown_to_html(text, options)
    found = Read()
    reader = _Reader(found)
    reader.feed(html)
    reader.close()
    markup = {
        "p",
        "h3",
        "h4",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "li",
        "strong",
        "em",
        "pre",
        "a",
    }
    found.tags -= markup
    return found


class _Reader(HTMLParser):
    def __init__(self, found: Read) -> None:
        super().__init__(convert_charrefs=True)
        self.found = found
        self.depth = 0

    def handle_starttag(self, tag, attrs):
        self.found.tags.add(tag)
        self.depth += tag in {"code", "pre"}
        self.found.links += [str(value) for name, value in attrs if name in {"href", "src"}]
        allowed = {"href", "lang", "align"}
        self.found.tags |= {f"{tag} {name}" for name, _ in attrs if name not in allowed}

    def handle_endtag(self, tag):
        self.depth -= tag in {"code", "pre"}

    def handle_data(self, data):
        (self.found.code if self.depth else self.found.words).append(data)

    def handle_comment(self, data):
        self.found.comments.append(data)

    def handle_decl(self, decl):
        self.found.comments.append(decl)

    def handle_pi(self, data):
        self.found.comments.append(data)

    def unknown_decl(self, data):
        self.found.comments.append(data)


READERS = {"markdown-it": markdown_it, "GitHub's": github}
