from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.systems.pipeline import Costs, Flush, run
from burnin.systems.pipeline_measures import activations, bubble, staleness, steady_bubble
from burnin.systems.pipeline_schedules import KINDS, make_schedule
from tests.systems.pipelines import TIMES, equal, next_size, schedules, unequal

SYNCHRONOUS = tuple(name for name in KINDS if name != "pipedream")


def measured(name, p, m, f, i, w, chunks=None, hidden=0):
    schedule = make_schedule(name, ranks=p, micro_batches=m, chunks=chunks)
    return bubble(run(schedule, equal(schedule, f, i, w, hidden=hidden)))


def test_shares_as_published_for_gpipe_and_1f1b():
    """arXiv 2104.04473, section 2.2.1: (p-1)/m of the ideal time, so (p-1)/(m+p-1) of the total."""
    for name in ("gpipe", "1f1b"):
        for p in range(1, 9):
            for m in range(1, 33):
                found = measured(name, p, m, 1, 1, 1)
                assert found.over_ideal == Fraction(p - 1, m)
                assert found.of_total == Fraction(p - 1, m + p - 1)
                assert found.imbalance == 0


def test_interleaving_divides_the_bubble():
    """Same paper, section 2.2.2: (p-1)/(v m)."""
    for p in range(1, 7):
        for groups in range(1, 5):
            for v in range(1, 5):
                assert measured("interleaved", p, p * groups, 1, 1, 1, v).over_ideal == Fraction(
                    p - 1, v * p * groups
                )


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_work_and_idle_add_up_to_the_period(data):
    schedule = data.draw(schedules())
    found = bubble(run(schedule, data.draw(unequal(schedule))))
    for work, idle in zip(found.work, found.idle, strict=True):
        assert work + idle == found.period
        assert idle >= 0
    assert found.of_total == sum(map(Fraction, found.idle)) / (found.period * len(found.idle))
    assert 0 <= found.imbalance <= found.of_total < 1
    assert found.of_total == found.over_ideal / (1 + found.over_ideal)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_more_micro_batches_never_raise_the_bubble_share_of_equal_stages(data):
    schedule = data.draw(schedules())
    weight, *longer = (data.draw(TIMES) for _ in range(3))
    # The zero-bubble orders are made for weight gradients that take no longer than the rest.
    split = schedule.name.startswith("zb")
    times = (*(weight + time if split else time for time in longer), weight)
    few, more = (bubble(run(s, equal(s, *times))) for s in (schedule, next_size(schedule)))
    assert more.of_total <= few.of_total


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_nor_of_unequal_stages_where_the_backward_is_whole(data):
    schedule = data.draw(schedules(names=("gpipe", "1f1b", "interleaved", "dualpipe", "pipedream")))
    costs = data.draw(unequal(schedule, send=st.just(0)))
    few, more = (bubble(run(s, costs)) for s in (schedule, next_size(schedule)))
    assert more.of_total <= few.of_total


def test_exposed_sends_can_raise_it():
    """Not a law: 1F1B hides no latency, and the fifth micro-batch here pays a round trip of its own."""
    few, more = (make_schedule("1f1b", ranks=2, micro_batches=m) for m in (4, 5))
    assert bubble(run(few, equal(few, send=1))).of_total == Fraction(7, 19)
    assert bubble(run(more, equal(more, send=1))).of_total == Fraction(9, 24)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_nothing_is_held_at_the_end_and_never_less_than_nothing(data):
    schedule = data.draw(schedules())
    timeline = run(schedule, data.draw(unequal(schedule)))
    for held in activations(timeline, kept_for_weights=data.draw(st.fractions(0, 1, max_denominator=8))):
        assert held.steps[-1][1] == 0
        assert min(amount for _, amount in held.steps) >= 0
        assert held.peak <= schedule.micro_batches


@pytest.mark.parametrize("name", KINDS)
def test_keeping_less_for_the_weight_gradient_never_holds_more(name):
    schedule = make_schedule(name, ranks=4, micro_batches=8)
    timeline = run(schedule, equal(schedule))
    all_kept, half, none = (activations(timeline, kept_for_weights=Fraction(k, 2)) for k in (2, 1, 0))
    for most, some, least in zip(all_kept, half, none, strict=True):
        assert most.peak >= some.peak >= least.peak
    with pytest.raises(ValueError, match="from 0 to 1"):
        activations(timeline, kept_for_weights=Fraction(2))


def test_each_stage_of_1f1b_holds_as_many_as_follow_it():
    schedule = make_schedule("1f1b", ranks=4, micro_batches=8)
    assert [held.peak for held in activations(run(schedule, equal(schedule)))] == [4, 3, 2, 1]


def test_an_unequal_stage_costs_what_it_is_longer():
    """Three of four ranks wait for the slow one; with many micro-batches nothing else is left."""
    schedule = make_schedule("1f1b", ranks=4, micro_batches=400)
    slow = Costs(forward=(1, 2, 1, 1), backward_input=(1, 2, 1, 1), backward_weight=(1, 2, 1, 1))
    found = bubble(run(schedule, slow))
    limit = 1 - Fraction(15, 4) / 6
    assert limit < found.of_total < limit + Fraction(1, 100)
    assert found.imbalance < limit


def test_a_stream_is_stale_by_the_stages_that_follow():
    """PipeDream, arXiv 1806.03377: p-1-s updates in stage s, and p versions in the first."""
    for p in range(1, 8):
        schedule = make_schedule("pipedream", ranks=p, micro_batches=3 * p)
        found = staleness(run(schedule, equal(schedule)))
        for stage, stale in enumerate(found):
            behind = p - 1 - stage
            assert stale.delays == tuple(min(m, behind) for m in range(3 * p))
            assert stale.versions == behind + 1


def test_a_full_stream_does_not_idle():
    schedule = make_schedule("pipedream", ranks=4, micro_batches=12)
    timeline = run(schedule, equal(schedule, 1, 1, 1))
    assert steady_bubble(timeline).of_total == 0
    assert bubble(timeline).of_total > 0
    short = make_schedule("pipedream", ranks=4, micro_batches=3)
    assert steady_bubble(run(short, equal(short))) is None


@pytest.mark.parametrize("name", SYNCHRONOUS)
def test_flushed_weights_have_no_staleness(name):
    schedule = make_schedule(name, ranks=2, micro_batches=4)
    assert schedule.flush is not Flush.NEVER
    with pytest.raises(ValueError, match="flushes"):
        staleness(run(schedule, equal(schedule)))
