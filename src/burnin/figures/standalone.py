"""A picture as a file of its own: the colours that a page gives by its style sheet come along."""

from __future__ import annotations

STYLE = """
svg { background: #fff; font-family: system-ui, sans-serif; }
text { font-size: 13px; fill: #211f1b; }
.tick, .axis-name { fill: #5d5951; }
.grid { stroke: #e0dcd2; fill: none; }
.axis { stroke: #8a857a; fill: none; }
.s1 { --c: #0c5c69; } .s2 { --c: #a4541a; } .s3 { --c: #6a4a9c; }
.s4 { --c: #4c6b1f; } .s5 { --c: #96305e; } .s6 { --c: #5d5951; }
.line { fill: none; stroke-width: 2.25; stroke: var(--c); }
.mark { fill: #fff; stroke-width: 2; stroke: var(--c); }
.bar { fill: var(--c); }
.hatch { stroke: #fff; stroke-width: 2; fill: none; }
.band { fill: #0c5c69; opacity: .22; }
"""


def standalone(svg: str) -> str:
    """Return an SVG document with its own style. ``ValueError`` for text that is no ``svg`` element."""
    head, sign, rest = svg.partition(">")
    if not sign or not head.startswith("<svg"):
        raise ValueError("not an svg element")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}><style>{STYLE}</style>{rest}\n'
