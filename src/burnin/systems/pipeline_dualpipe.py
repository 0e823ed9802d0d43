"""DualPipe: micro-batches enter at both ends, and a forward of one direction runs together
with a backward of the other.

DeepSeek-AI, arXiv 2412.19437, section 3.2.1 and figure 5.
"""

from __future__ import annotations

from collections import deque

from burnin.systems.pipeline import Pass, Step, Task

F, B, I, W = Pass.FORWARD, Pass.BACKWARD, Pass.INPUT, Pass.WEIGHT  # noqa: E741


def dualpipe_orders(ranks: int, micro_batches: int) -> tuple[tuple[Step, ...], ...]:
    """Return the eight phases of the schedule for every rank.

    Even micro-batches enter at rank 0, odd ones at the last rank, where a second copy of
    the weights makes it stage 0. ``ValueError`` for an odd number of ranks or of
    micro-batches, or fewer than two micro-batches a rank.
    """
    if ranks % 2:
        raise ValueError(f"DualPipe needs an even number of stages, not {ranks}")
    if micro_batches % 2 or micro_batches < 2 * ranks:
        raise ValueError(
            f"DualPipe needs an even number of micro-batches, at least {2 * ranks} for {ranks} stages, "
            f"not {micro_batches}"
        )
    return tuple(_order(rank, ranks, micro_batches) for rank in range(ranks))


class _Rank:
    """Writes down one rank's steps. Side 0 is the direction whose input is the nearer end."""

    def __init__(self, rank: int, ranks: int) -> None:
        self.steps: list[Step] = []
        self._flipped = rank >= ranks // 2
        self._stages = (rank, ranks - 1 - rank)
        self._count: dict[tuple[str, int], int] = {}
        self._owed: deque[Task] = deque()

    def _next(self, what: str, side: int) -> tuple[int, int]:
        direction = side ^ self._flipped
        number = self._count.get((what, direction), 0)
        self._count[what, direction] = number + 1
        return 2 * number + direction, self._stages[direction]

    def forward(self, side: int) -> None:
        self.steps.append((Task(F, *self._next("forward", side)),))

    def backward(self, side: int, *, split: bool = False) -> None:
        place = self._next("backward", side)
        self.steps.append((Task(I if split else B, *place),))
        if split:
            self._owed.append(Task(W, *place))

    def weight(self) -> None:
        self.steps.append((self._owed.popleft(),))

    def together(self, forward_side: int) -> None:
        there = Task(F, *self._next("forward", forward_side))
        back = Task(B, *self._next("backward", 1 - forward_side))
        self.steps.append((there, back))


def _order(rank: int, ranks: int, micro_batches: int) -> tuple[Step, ...]:
    half = ranks // 2
    depth = min(rank, ranks - 1 - rank)
    inward = half - 1 - depth
    line = _Rank(rank, ranks)
    for _ in range(2 * inward):
        line.forward(0)
    for _ in range(depth + 1):
        line.forward(0)
        line.forward(1)
    for _ in range(inward):
        line.backward(1, split=True)
        line.weight()
        line.forward(1)
    for number in range(micro_batches // 2 - ranks + depth + 1):
        if number == 0 and inward == 0:
            # Nothing to hide behind yet on the two middle ranks: sending the output early is worth more.
            line.forward(0)
            line.backward(1)
        else:
            line.together(0)
        line.together(1)
    for _ in range(inward):
        line.backward(1)
        line.together(1)
    split = False
    for number in range(depth + 1):
        if number == (depth + 1) // 2 and depth % 2 == 1:
            split = True
        line.backward(1, split=split)
        if number == (depth + 1) // 2 and depth % 2 == 0:
            split = True
        line.backward(0, split=split)
    for _ in range(inward):
        line.weight()
        line.backward(0, split=True)
    for _ in range(depth + 1):
        line.weight()
    return tuple(line.steps)
