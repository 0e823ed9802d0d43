"""What every request of a run saw, and what the replicas held and did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A run; arrays have an entry a request, seconds from the start. What never came is NaN.

    ``notes`` are (seconds, request, event, replica), ``samples`` (seconds, replica, KV
    blocks used, running, waiting) at the start of steps.
    """

    arrival_s: NDArray[np.float64]
    first_s: NDArray[np.float64]
    finish_s: NDArray[np.float64]
    prompt: NDArray[np.int64]
    tokens: NDArray[np.int64]
    preempted: NDArray[np.int64]
    replica: NDArray[np.int64]
    steps: int
    busy_s: tuple[float, ...]
    prefilled_tokens: int
    cached_tokens: int
    rejected: int
    kv_blocks: int
    free_blocks: tuple[int, ...]
    peak_blocks: tuple[int, ...]
    notes: tuple[tuple[float, int, str, int], ...]
    samples: tuple[tuple[float, int, int, int, int], ...]

    @property
    def done(self) -> Any:
        return ~np.isnan(self.finish_s)

    @property
    def ttft_s(self) -> Any:
        """Time to first token: from arrival to the end of the step that made it."""
        return self.first_s - self.arrival_s

    @property
    def latency_s(self) -> Any:
        return self.finish_s - self.arrival_s

    @property
    def itl_s(self) -> Any:
        """Inter-token latency a request, (last - first) / (tokens - 1) as AIPerf has it; NaN for one token."""
        gaps = np.where(self.tokens > 1, self.tokens - 1, np.nan)
        return (self.finish_s - self.first_s) / gaps

    @property
    def span_s(self) -> float:
        """From the first arrival to the last finish."""
        return float(np.nanmax(self.finish_s) - np.nanmin(self.arrival_s)) if self.done.any() else 0.0
