"""The little Markdown of items as safe HTML. Raw HTML in a text is shown, never obeyed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_BLOCK = {
    "p", "br", "code", "pre", "strong", "em", "ul", "ol", "li", "blockquote",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
_INLINE = {"br", "code", "strong", "em"}
_ATTRIBUTES = {"pre": {"tabindex", "role", "aria-label"}, "ol": {"start"}}


@lru_cache(maxsize=4096)
def block(text: str) -> Markup:
    """Render paragraphs, lists and code blocks. Code scrolls in its own focusable box."""
    return _clean(_parser().render(text), _BLOCK)


@lru_cache(maxsize=8192)
def inline(text: str) -> Markup:
    """Render a text that stands inside a line or a label: no blocks, line breaks kept."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if any(line.startswith("```") for line in lines):
        return _label(text)
    html = "<br>".join(_parser().renderInline(line) for line in lines)
    return _clean(html, _INLINE)


def gist(stem: str, length: int = 110) -> str:
    """The start of a stem as one plain line."""
    line = " ".join(_plain(stem.splitlines()).split())
    if len(line) <= length:
        return line
    return line[:length].rsplit(" ", 1)[0] + " …"


def _plain(lines: Sequence[str]) -> str:
    kept, fenced = [], False
    for line in lines:
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            kept.append(line.replace("`", "").replace("**", ""))
    return " ".join(kept)


def _label(text: str) -> Markup:
    # A label holds no block elements, so a fenced block becomes code with line breaks.
    html = str(block(text)).replace("</p>", "<br>").replace("<p>", "")
    parts = html.split("<pre")
    shown = parts[0]
    for part in parts[1:]:
        code, _, rest = part.partition(">")[2].partition("</pre>")
        shown += code.strip().replace("\n", "<br>") + rest
    return _clean(shown, _INLINE)


def _clean(html: str, tags: set[str]) -> Markup:
    import nh3  # the first page needs no Markdown

    return Markup(nh3.clean(html, tags=tags, attributes=_ATTRIBUTES, link_rel=None))  # noqa: S704 - cleaned


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])
    parser.disable(["image", "link", "autolink", "heading", "lheading", "hr", "html_block", "reference"])
    parser.add_render_rule("fence", _code)
    parser.add_render_rule("code_block", _code)
    return parser


def _code(self: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    code = escape(tokens[index].content.rstrip("\n"), quote=False)
    return f'<pre tabindex="0" role="group" aria-label="Code"><code>{code}</code></pre>\n'
