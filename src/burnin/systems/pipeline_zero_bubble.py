"""Zero-bubble schedules: the weight gradient is split off and fills what was idle.

Qi et al., arXiv 2401.10241: the hand-made schedules of section 2 and the V of section 6.
"""

from __future__ import annotations

from burnin.systems.pipeline import Pass, Step, Task

F, I, W = Pass.FORWARD, Pass.INPUT, Pass.WEIGHT  # noqa: E741  # the papers' letters


def zb_h1_order(rank: int, ranks: int, micro_batches: int) -> tuple[Step, ...]:
    """As many activations as 1F1B: rank r keeps r weight gradients back, as it has r fewer in flight."""
    return _handmade(rank, ranks - rank, rank, micro_batches)


def zb_h2_order(rank: int, ranks: int, micro_batches: int) -> tuple[Step, ...]:
    """Twice the activations less one: enough forwards to fill the wait for the first backward."""
    return _handmade(rank, 2 * (ranks - rank) - 1, 2 * rank, micro_batches)


def _handmade(rank: int, ahead: int, kept_back: int, micro_batches: int) -> tuple[Step, ...]:
    ahead = min(ahead, micro_batches)
    order: list[Step] = [(Task(F, m, rank),) for m in range(ahead)]
    for m in range(micro_batches):
        order.append((Task(I, m, rank),))
        if m >= kept_back:
            order.append((Task(W, m - kept_back, rank),))
        if m + ahead < micro_batches:
            order.append((Task(F, m + ahead, rank),))
    left = range(max(0, micro_batches - kept_back), micro_batches)
    return (*order, *((Task(W, m, rank),) for m in left))


def zb_v_order(rank: int, ranks: int, micro_batches: int) -> tuple[Step, ...]:
    """Two chunks a rank in a V: down the ranks and back up, so loss and input share rank 0."""
    down, up = rank, 2 * ranks - 1 - rank
    # The pattern needs 2p - 1 micro-batches to close; with fewer, the rest falls out of it.
    total = max(2 * ranks - 1, micro_batches)
    count = {(kind, stage): 0 for kind in (F, I, W) for stage in (down, up)}
    order: list[Step] = []

    def add(kind: Pass, stage: int) -> None:
        m = count[kind, stage]
        count[kind, stage] += 1
        if m < micro_batches:
            order.append((Task(kind, m, stage),))

    for _ in range(2 * (ranks - rank) - 1):
        add(F, down)
    for _ in range(rank):
        add(F, up)
        add(F, down)
    for _ in range(ranks - rank):
        add(F, up)
        add(I, up)
        add(W, up)
    while count[F, up] < total:
        if count[F, down] < total:
            add(F, down)
        add(I, down)
        add(W, down)
        add(F, up)
        add(I, up)
        add(W, up)
    for _ in range(rank):
        add(I, down)
        add(I, up)
    for _ in range(ranks - rank):
        add(I, down)
        add(W, down)
    while count[W, up] < total:
        add(W, up)
    while count[W, down] < total:
        add(W, down)
    return tuple(order)
