"""The twelve numbers that a card and an engine are fitted with, each with its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from burnin.systems.coefficients import within

MODEL = "serving/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingCoefficients:
    """Shares of a data sheet's peak, unless the name carries a unit.

    >>> ServingCoefficients(weights=0.8).weights
    0.8

    Fields may be arrays, one entry a case, when many cards and engines are fitted at once.
    """

    gemm: Any = 0.6  # of the 16-bit peak in large matrix products
    narrow: Any = 0.85  # kept of that share at each halving of the width: 8 bits, 4 bits
    attention: Any = 0.4  # of the 16-bit peak inside prefill's attention
    weights: Any = 0.75  # of memory bandwidth when weights are streamed
    kv: Any = 0.6  # of memory bandwidth when keys and values are read
    grouped: Any = 0.6  # experts' products and weight stream against dense ones: imbalance, small tiles
    link: Any = 0.6  # of one direction between the ranks
    collective_us: Any = 8.0  # latency of one all-reduce
    launch_us: Any = 2.0  # a kernel that is too short to hide its launch
    request_us: Any = 20.0  # host time a request and step: scheduling, sampling, detokenising
    first_ms: Any = 30.0  # between arrival and the first step, and back to the client
    lockstep: Any = 0.3  # share of closed-loop clients that arrive together, as fixed lengths make them


BOUNDS: dict[str, tuple[float, float]] = {
    "gemm": (0.2, 0.95),
    "narrow": (0.5, 1.0),
    "attention": (0.05, 0.9),
    "weights": (0.3, 0.95),
    "kv": (0.1, 0.95),
    "grouped": (0.1, 1.0),
    "link": (0.1, 0.95),
    "collective_us": (1.0, 60.0),
    "launch_us": (0.2, 20.0),
    "request_us": (0.0, 200.0),
    "first_ms": (0.0, 400.0),
    "lockstep": (0.0, 1.0),
}
"""Outside of these a coefficient would no longer mean what its name says."""

LOGARITHMIC = ("collective_us", "launch_us")
"""Fitted on a logarithmic scale, since cards differ by factors."""

NAMES = tuple(field.name for field in fields(ServingCoefficients))


def serving_coefficients(values: Mapping[str, float]) -> ServingCoefficients:
    """Return coefficients with defaults where ``values`` names none. Errors as ``within``."""
    return ServingCoefficients(**within(values, BOUNDS))
