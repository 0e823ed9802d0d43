import pytest

from burnin.systems.pipeline_schedules import KINDS, make_schedule


def letters(name, ranks, micro_batches, **more):
    schedule = make_schedule(name, ranks=ranks, micro_batches=micro_batches, **more)
    return [
        " ".join("+".join(f"{t.kind}{t.micro_batch + 1}" for t in step) for step in order)
        for order in schedule.orders
    ]


def test_gpipe_does_all_forwards_first():
    assert letters("gpipe", 2, 3) == ["F1 F2 F3 B3 B2 B1"] * 2


def test_1f1b_as_drawn_in_megatron_figure_4():
    """arXiv 2104.04473, figure 4 top, with four devices and eight micro-batches."""
    drawn = letters("1f1b", 4, 8)
    assert drawn[0] == "F1 F2 F3 F4 B1 F5 B2 F6 B3 F7 B4 F8 B5 B6 B7 B8"
    assert drawn[3] == " ".join(f"F{m} B{m}" for m in range(1, 9))


def test_interleaved_as_drawn_in_megatron_figure_4():
    """Bottom of the same figure: device 1 warms up with 1-4 twice, then 5-6 and 7-8 of chunk one."""
    schedule = make_schedule("interleaved", ranks=4, micro_batches=8, chunks=2)
    first = [(t.kind.value, t.micro_batch + 1, t.stage // 4) for (t,) in schedule.orders[0]]
    warm_up = [("F", m, c) for c in (0, 1) for m in (1, 2, 3, 4)] + [("F", m, 0) for m in (5, 6)]
    assert first[:10] == warm_up
    assert first[10:14] == [("F", 7, 0), ("B", 1, 1), ("F", 8, 0), ("B", 2, 1)]
    assert first[-4:] == [("B", m, 0) for m in (5, 6, 7, 8)]


def test_one_chunk_interleaved_is_1f1b_with_a_longer_warm_up():
    assert letters("interleaved", 4, 8, chunks=1)[3] == letters("1f1b", 4, 8)[3]


def test_zb_h1_as_drawn_in_figure_3():
    """arXiv 2401.10241: the first device never keeps weight gradients back, the last keeps three."""
    drawn = letters("zb-h1", 4, 8)
    assert drawn[0].startswith("F1 F2 F3 F4 I1 W1 F5 I2 W2 F6")
    assert drawn[3].startswith("F1 I1 F2 I2 F3 I3 F4 I4 W1 F5")
    assert drawn[3].endswith("W5 W6 W7 W8")


def test_zb_h2_fills_the_wait_with_forwards():
    assert letters("zb-h2", 4, 8)[0].startswith("F1 F2 F3 F4 F5 F6 F7 I1 W1 F8")


def test_dualpipe_as_in_the_report():
    """arXiv 2412.19437, figure 5: eight ranks, twenty micro-batches.

    Rank 0 runs six forwards alone, then one of each direction, before its first backward.
    """
    schedule = make_schedule("dualpipe", ranks=8, micro_batches=20)
    kinds = ["+".join(t.kind.value for t in step) for step in schedule.orders[0]]
    assert kinds[:8] == ["F"] * 8
    assert kinds[8:17] == ["I", "W", "F"] * 3
    assert kinds[17] == "F+B"
    assert schedule.copies == 2
    mirrored = [[(t.kind, t.micro_batch ^ 1) for t in step] for step in schedule.orders[7]]
    assert [[(t.kind, t.micro_batch) for t in step] for step in schedule.orders[0]] == mirrored


@pytest.mark.parametrize(
    ("name", "size", "said"),
    [
        ("1f2b", {"ranks": 2, "micro_batches": 2}, "no schedule '1f2b'; known: gpipe, 1f1b"),
        ("1f1b", {"ranks": 0, "micro_batches": 2}, "at least one stage"),
        ("1f1b", {"ranks": 2, "micro_batches": 2, "chunks": 2}, "only interleaved takes a number"),
        ("interleaved", {"ranks": 4, "micro_batches": 6}, "multiples of the 4 stages, not 6"),
        ("interleaved", {"ranks": 4, "micro_batches": 8, "chunks": 0}, "at least one chunk"),
        ("dualpipe", {"ranks": 3, "micro_batches": 8}, "even number of stages"),
        ("dualpipe", {"ranks": 4, "micro_batches": 6}, "at least 8 for 4 stages"),
    ],
)
def test_sizes_that_a_schedule_does_not_have_are_named(name, size, said):
    with pytest.raises(ValueError, match=said):
        make_schedule(name, **size)


def test_every_kind_names_its_source():
    assert all(kind.source.startswith("arXiv ") for kind in KINDS.values())
