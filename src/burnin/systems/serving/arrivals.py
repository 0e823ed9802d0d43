"""What is asked, and when: arrival processes, lengths, shared prefixes, adapters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Requests in order of arrival, an entry each.

    >>> work = workload(arrival_s=[0.0, 0.5], prompt=1000, output=200)
    >>> len(work), work.prompt.tolist()
    (2, [1000, 1000])

    ``arrival_s`` is in seconds and does not fall. With ``clients`` it is not used: so
    many clients send the next request ``think_s`` after the last answer (closed loop).
    ``priority``: smaller goes first. ``prefix`` names a group whose first
    ``prefix_tokens`` are the same, -1 none; ``adapter`` a LoRA adapter, -1 none.
    """

    arrival_s: Floats
    prompt: Ints
    output: Ints
    priority: Ints
    prefix: Ints
    prefix_tokens: Ints
    adapter: Ints
    clients: int = 0
    think_s: float = 0.0

    def __len__(self) -> int:
        return len(self.prompt)


def workload(
    *,
    arrival_s: Any = (),
    prompt: Any,
    output: Any,
    priority: Any = 0,
    prefix: Any = -1,
    prefix_tokens: Any = 0,
    adapter: Any = -1,
    clients: int = 0,
    think_s: float = 0.0,
    count: int | None = None,
) -> Workload:
    """Make a workload; what is one number holds for all requests. ``count`` is needed in a closed loop.

    Raises ValueError where lengths differ, fall below one token, or arrivals fall.
    """
    size = count if clients and count is not None else len(np.atleast_1d(np.asarray(arrival_s, float)))
    if not size:
        raise ValueError("a workload has at least one request")
    times = np.zeros(size) if clients else np.asarray(arrival_s, float).reshape(-1)
    if np.any(np.diff(times) < 0) or not np.all(np.isfinite(times)) or times[0] < 0:
        raise ValueError("arrivals are finite, not negative, and do not fall")
    columns: dict[str, Ints] = {}
    for name, value in (
        ("prompt", prompt),
        ("output", output),
        ("priority", priority),
        ("prefix", prefix),
        ("prefix_tokens", prefix_tokens),
        ("adapter", adapter),
    ):
        array = np.asarray(value, np.int64)
        if array.ndim and len(array) != size:
            raise ValueError(f"{name} has {len(array)} entries for {size} requests")
        columns[name] = np.broadcast_to(array, size).copy()
    if columns["prompt"].min() < 1 or columns["output"].min() < 1:
        raise ValueError("prompt and output have at least one token")
    if columns["priority"].min() < 0 or columns["prefix_tokens"].min() < 0:
        raise ValueError("priorities and prefix lengths are not negative")
    return Workload(arrival_s=times, clients=clients, think_s=think_s, **columns)


def poisson(rate: float, count: int, rng: np.random.Generator) -> Floats:
    """Return arrivals of a Poisson process of ``rate`` a second.

    >>> poisson(10.0, 3, np.random.default_rng(0)).shape
    (3,)
    """
    return np.cumsum(rng.exponential(1 / rate, count))


def bursty(rate: float, count: int, rng: np.random.Generator, *, cv: float = 3.0) -> Floats:
    """Return arrivals with Gamma gaps of mean 1 / rate and coefficient of variation ``cv``; 1 is Poisson.

    >>> bool(np.all(np.diff(bursty(10.0, 50, np.random.default_rng(0))) >= 0))
    True
    """
    shape = 1 / cv**2
    return np.cumsum(rng.gamma(shape, 1 / (rate * shape), count))


def modulated(
    calm: float, busy: float, count: int, rng: np.random.Generator, *, calm_s: float, busy_s: float
) -> Floats:
    """Return arrivals of a Poisson process that switches between two rates (MMPP(2)).

    >>> len(modulated(1.0, 20.0, 40, np.random.default_rng(0), calm_s=10.0, busy_s=2.0))
    40

    Stays in either state are exponential with means ``calm_s`` and ``busy_s`` (Fischer
    and Meier-Hellstern, Performance Evaluation 18(2), 1993). A change of rate discards
    the gap under way, which an exponential gap does not notice.
    """
    times: list[float] = []
    now, quiet = 0.0, True
    while len(times) < count:
        until = now + rng.exponential(calm_s if quiet else busy_s)
        rate = calm if quiet else busy
        arrivals = rng.poisson(rate * (until - now))
        times.extend(np.sort(rng.uniform(now, until, arrivals)).tolist())
        now, quiet = until, not quiet
    return np.array(times[:count])


def uniform_lengths(low: int, high: int, count: int, rng: np.random.Generator) -> Ints:
    """Return whole lengths between ``low`` and ``high``, both included."""
    return rng.integers(low, high + 1, count)


def lognormal_lengths(
    mean: float, cv: float, count: int, rng: np.random.Generator, *, most: int = 131_072
) -> Ints:
    """Return lengths of a lognormal law with this mean and coefficient of variation, from 1 to ``most``.

    >>> abs(lognormal_lengths(500, 0.5, 100_000, np.random.default_rng(0)).mean() / 500 - 1) < 0.01
    True
    """
    variance = np.log1p(cv**2)
    drawn = rng.lognormal(np.log(mean) - variance / 2, np.sqrt(variance), count)
    return np.clip(np.rint(drawn), 1, most).astype(np.int64)


def accepted_drafts(rate: float, drafts: int, rng: np.random.Generator, *, count: int = 1 << 16) -> Ints:
    """Return how many of ``drafts`` tokens are accepted in each of ``count`` draws, one after the other at ``rate``.

    The mean of one plus the draw is (1 - rate^(drafts + 1)) / (1 - rate), Leviathan et al., ICML 2023, eq. 1.
    """
    hits = rng.random((count, drafts)) < rate
    accepted: Ints = np.cumprod(hits, axis=1).sum(axis=1).astype(np.int64)
    return accepted
