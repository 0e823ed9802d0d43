"""Building SVG text. Colours and fonts come from the page's style sheet through classes."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def number(value: float) -> str:
    """Write a coordinate with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def element(name: str, content: str | None = None, **attributes: str | float | None) -> str:
    """Write one element.

    ``content`` is markup that is already escaped; without it the element closes itself.
    An underscore in an attribute's name stands for a hyphen, a trailing one is dropped.
    """
    written = "".join(
        f' {_attribute(key)}="{escape(value if isinstance(value, str) else number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}/>" if content is None else f"<{name}{written}>{content}</{name}>"


def text(words: str, **attributes: str | float | None) -> str:
    """Write a text element; ``words`` is escaped here."""
    return element("text", escape(words, quote=False), **attributes)


def picture(
    *, width: float, height: float, class_: str, prefix: str, title: str, desc: str, parts: Iterable[str]
) -> str:
    """Wrap parts in an ``svg`` that says what it shows.

    ``prefix`` makes the ids of title and description unique on a page.
    """
    inner = (
        element("title", escape(title, quote=False), id=f"{prefix}-title")
        + element("desc", escape(desc, quote=False), id=f"{prefix}-desc")
        + "".join(parts)
    )
    return element(
        "svg",
        inner,
        xmlns="http://www.w3.org/2000/svg",
        class_=class_,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{prefix}-title {prefix}-desc",
    )


def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
