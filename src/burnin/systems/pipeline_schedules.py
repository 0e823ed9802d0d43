"""The pipeline schedules by name, each as the order of passes on every rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from burnin.systems.pipeline import Flush, Pass, Schedule, Step, Task
from burnin.systems.pipeline_dualpipe import dualpipe_orders
from burnin.systems.pipeline_zero_bubble import zb_h1_order, zb_h2_order, zb_v_order

F, B = Pass.FORWARD, Pass.BACKWARD


def gpipe_order(rank: int, ranks: int, micro_batches: int) -> tuple[Step, ...]:
    """All forwards, then all backwards. Huang et al., arXiv 1811.06965, figure 2(c)."""
    forwards = [(Task(F, m, rank),) for m in range(micro_batches)]
    return (*forwards, *((Task(B, m, rank),) for m in reversed(range(micro_batches))))


def one_f_one_b_order(rank: int, ranks: int, micro_batches: int) -> tuple[Step, ...]:
    """Fill, then one forward, one backward. Narayanan et al., arXiv 2104.04473, section 2.2."""
    ahead = min(ranks - rank - 1, micro_batches)
    order: list[Step] = [(Task(F, m, rank),) for m in range(ahead)]
    for m in range(micro_batches):
        if m + ahead < micro_batches:
            order.append((Task(F, m + ahead, rank),))
        order.append((Task(B, m, rank),))
    return tuple(order)


def interleaved_order(rank: int, ranks: int, micro_batches: int, chunks: int) -> tuple[Step, ...]:
    """1F1B over several chunks a rank, micro-batches in groups of as many as there are ranks.

    Narayanan et al., arXiv 2104.04473, section 2.2; Megatron's warm-up of
    2 (p - rank - 1) + (v - 1) p passes before the first pair.
    """
    passes = micro_batches * chunks

    def task(number: int, kind: Pass) -> Step:
        group, within = divmod(number, ranks * chunks)
        chunk, place = divmod(within, ranks)
        if kind is B:
            chunk = chunks - 1 - chunk
        return (Task(kind, group * ranks + place, chunk * ranks + rank),)

    ahead = min(2 * (ranks - rank - 1) + (chunks - 1) * ranks, passes)
    order: list[Step] = [task(number, F) for number in range(ahead)]
    for number in range(passes):
        if number + ahead < passes:
            order.append(task(number + ahead, F))
        order.append(task(number, B))
    return tuple(order)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a schedule is called, needs and gives up."""

    title: str
    source: str
    order: Callable[[int, int, int], tuple[Step, ...]] | None = None
    chunks: int = 1
    copies: int = 1
    flush: Flush = Flush.TOGETHER


KINDS: dict[str, Kind] = {
    "gpipe": Kind(title="GPipe", source="arXiv 1811.06965", order=gpipe_order),
    "1f1b": Kind(
        title="1F1B (PipeDream-flush)", source="arXiv 2104.04473, section 2.2", order=one_f_one_b_order
    ),
    "interleaved": Kind(title="Interleaved 1F1B", source="arXiv 2104.04473, section 2.2", chunks=2),
    "zb-h1": Kind(title="ZB-H1", source="arXiv 2401.10241, section 2", order=zb_h1_order),
    "zb-h2": Kind(title="ZB-H2", source="arXiv 2401.10241, section 2", order=zb_h2_order, flush=Flush.EACH),
    "zb-v": Kind(
        title="ZB-V", source="arXiv 2401.10241, section 6", order=zb_v_order, chunks=2, flush=Flush.EACH
    ),
    "dualpipe": Kind(title="DualPipe", source="arXiv 2412.19437, section 3.2.1", copies=2),
    "pipedream": Kind(
        title="PipeDream (asynchronous 1F1B)",
        source="arXiv 1806.03377, work scheduling",
        order=one_f_one_b_order,
        flush=Flush.NEVER,
    ),
}


def make_schedule(name: str, *, ranks: int, micro_batches: int, chunks: int | None = None) -> Schedule:
    """Return a schedule by name.

    >>> [task.kind.value for (task,) in make_schedule("1f1b", ranks=2, micro_batches=2).orders[0]]
    ['F', 'F', 'B', 'B']

    ``chunks`` is for ``interleaved`` only (2 unless said). ``ValueError`` for an unknown
    name or a size that the schedule does not have, in words that name the rule.
    """
    kind = KINDS.get(name)
    if kind is None:
        raise ValueError(f"no schedule {name!r}; known: {', '.join(KINDS)}")
    if ranks < 1 or micro_batches < 1:
        raise ValueError("a pipeline needs at least one stage and one micro-batch")
    if chunks is not None and name != "interleaved" and chunks != kind.chunks:
        raise ValueError(f"{kind.title} has {kind.chunks} chunk(s) a rank; only interleaved takes a number")
    parts = kind.chunks if chunks is None else chunks
    if name == "interleaved":
        if parts < 1:
            raise ValueError("a rank needs at least one chunk")
        if micro_batches % ranks:
            raise ValueError(
                f"interleaving takes micro-batches in multiples of the {ranks} stages, not {micro_batches}"
            )
        orders = tuple(interleaved_order(rank, ranks, micro_batches, parts) for rank in range(ranks))
    elif name == "dualpipe":
        orders = dualpipe_orders(ranks, micro_batches)
    else:
        assert kind.order is not None
        orders = tuple(kind.order(rank, ranks, micro_batches) for rank in range(ranks))
    return Schedule(
        name=name,
        micro_batches=micro_batches,
        orders=orders,
        chunks=parts,
        copies=kind.copies,
        flush=kind.flush,
    )
