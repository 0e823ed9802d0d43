"""The twelve numbers that a card's training speed is fitted with, each with its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

MODEL = "training/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficients:
    """Shares of a peak, unless the name carries a unit. Defaults are the middle of what cards reach.

    Fields may be arrays, one entry a plan, when many cards are fitted at once.
    """

    gemm_16bit: Any = 0.75  # of the 16-bit peak in large matrix products
    gemm_8bit: Any = 0.65
    gemm_4bit: Any = 0.5
    attention: Any = 0.5  # of the 16-bit peak inside flash attention
    grouped: Any = 0.7  # grouped expert products against plain ones
    memory: Any = 0.7  # of memory bandwidth in streaming kernels
    nvlink: Any = 0.7  # of one direction
    network: Any = 0.7  # of one direction
    hidden: Any = 0.8  # of overlappable traffic that compute really hides
    launch_us: Any = 4.0  # host time a kernel
    quantise: Any = 1.0  # trips through memory that one quantisation pass costs
    spread: Any = 0.01  # slowdown a doubling of nodes: stragglers and jitter


BOUNDS: dict[str, tuple[float, float]] = {
    "gemm_16bit": (0.4, 0.95),
    "gemm_8bit": (0.3, 0.95),
    "gemm_4bit": (0.2, 0.95),
    "attention": (0.1, 0.9),
    "grouped": (0.2, 1.0),
    "memory": (0.3, 0.95),
    "nvlink": (0.3, 0.95),
    "network": (0.2, 1.0),
    "hidden": (0.0, 1.0),
    "launch_us": (0.5, 12.0),
    "quantise": (0.3, 4.0),
    "spread": (0.0, 0.05),
}
"""Outside of these a coefficient would no longer mean what its name says."""


def within(values: Mapping[str, float], bounds: Mapping[str, tuple[float, float]]) -> Mapping[str, float]:
    """Return the values; ValueError for a name that has no bounds or a value out of them."""
    for name, value in values.items():
        if name not in bounds:
            raise ValueError(f"no coefficient {name!r}; known: {', '.join(bounds)}")
        low, high = bounds[name]
        if not low <= value <= high:
            raise ValueError(f"coefficient {name} is {value}, out of {low} to {high}")
    return values


def coefficients(values: Mapping[str, float]) -> Coefficients:
    """Return coefficients with defaults where ``values`` names none. Errors as ``within``."""
    return Coefficients(**within(values, BOUNDS))


NAMES = tuple(field.name for field in fields(Coefficients))
