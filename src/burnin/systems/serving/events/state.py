"""Requests of a run while it runs: lists, an entry a request, as scalar reads of arrays are slow."""

from __future__ import annotations

from collections.abc import Sequence

from burnin.systems.serving.arrivals import Workload

Note = tuple[float, int, str, int]


class Requests:
    """What is asked (from the workload), and what has become of it."""

    def __init__(self, work: Workload, accepted: Sequence[int], notes: bool, samples: bool) -> None:
        count = self.count = len(work)
        self.prompt: list[int] = work.prompt.tolist()
        self.output: list[int] = work.output.tolist()
        self.prefix: list[int] = work.prefix.tolist()
        self.prefix_tokens: list[int] = work.prefix_tokens.tolist()
        self.adapter: list[int] = work.adapter.tolist()
        self.accepted = accepted
        # The order of the queue: priority, then arrival, then place in the workload.
        self.key: list[int] = [p * count + i for i, p in enumerate(work.priority.tolist())]
        self.ranked = len(set(work.priority.tolist())) > 1
        nan = float("nan")
        self.arrival: list[float] = [nan] * count
        self.queued: list[float] = [nan] * count
        self.first: list[float] = [nan] * count
        self.finish: list[float] = [nan] * count
        self.replica = [-1] * count
        self.preempted = [0] * count
        self.made = [0] * count
        self.moved = [False] * count
        self.left = [0] * count
        self.start = [0] * count
        self.shared = [0] * count
        self.joined = [0] * count
        self.context = [0] * count
        self.hits = 0
        self.notes: list[Note] | None = [] if notes else None
        self.samples: list[tuple[float, int, int, int, int]] | None = [] if samples else None

    def context_at_start(self, index: int) -> int:
        """Tokens to be in the cache before the next token: the prompt, and what was made before an eviction."""
        made = self.made[index]
        return self.prompt[index] + (made - 1 if self.moved[index] else made)

    def note(self, now: float, index: int, what: str, replica: int) -> None:
        if self.notes is not None:
            self.notes.append((now, index, what, replica))
