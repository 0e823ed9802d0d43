"""Number formats: bytes an element, and which peak a training recipe computes at."""

from __future__ import annotations

from dataclasses import dataclass

BYTES = {
    "fp64": 8.0,
    "fp32": 4.0,
    "tf32": 4.0,
    "fp16": 2.0,
    "bf16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "fp4": 0.5,
    "int4": 0.5,
    "nf4": 0.5,
}
"""Bytes an element, scales not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a training step computes its linear layers.

    ``peak`` names the card's peak; ``passes`` counts the extra trips of a GEMM's
    input through memory that quantising it costs.
    """

    peak: str
    passes: float


RECIPES = {
    "fp16": Recipe(peak="fp16", passes=0.0),
    "bf16": Recipe(peak="bf16", passes=0.0),
    "fp8": Recipe(peak="fp8", passes=1.0),
    "mxfp8": Recipe(peak="fp8", passes=2.0),
    "nvfp4": Recipe(peak="fp4", passes=2.0),
}
"""Training precisions. Attention cores, norms and the output layer stay in 16 bits in all of them."""


def bytes_of(precision: str) -> float:
    """Return bytes an element; ValueError names the known formats."""
    if precision not in BYTES:
        raise ValueError(f"no precision {precision!r}; known: {', '.join(BYTES)}")
    return BYTES[precision]
