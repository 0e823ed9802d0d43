"""Timelines against the formulas of the papers, in exact arithmetic."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.systems.pipeline import run
from burnin.systems.pipeline_measures import activations, bubble, steady_bubble
from burnin.systems.pipeline_published import published
from burnin.systems.pipeline_schedules import KINDS, make_schedule
from tests.systems.pipelines import TIMES, equal, schedules


def compare(schedule, f, i, w, hidden=0):
    """Return (published, measured bubble, measured peak)."""
    said = published(
        schedule.name,
        ranks=schedule.ranks,
        micro_batches=schedule.micro_batches,
        forward=f,
        backward_input=i,
        backward_weight=w,
        chunks=schedule.chunks,
        hidden=hidden,
    )
    timeline = run(schedule, equal(schedule, f, i, w, hidden=hidden))
    found = steady_bubble(timeline) if schedule.name == "pipedream" else bubble(timeline)
    return said, found and found.longest, max(held.peak for held in activations(timeline))


@given(st.data())
@settings(max_examples=500, deadline=None)
def test_bubbles_and_peaks_equal_the_papers(data):
    schedule = data.draw(schedules(ranks=8, micro_batches=32))
    w = data.draw(TIMES)
    f = w + data.draw(TIMES | st.just(0))
    i = f if schedule.name in ("dualpipe", "zb-v") else w + data.draw(TIMES | st.just(0))
    w = f if schedule.name == "zb-v" else w
    hidden = data.draw(st.integers(0, 8)) * Fraction(f) / 8 if schedule.name == "dualpipe" else 0
    said, found, peak = compare(schedule, f, i, w, hidden)
    if said.bubble is not None and found is not None:
        assert found == said.bubble
    if said.peak is not None:
        assert peak == said.peak


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("p", [1, 2, 3, 4, 6, 8])
def test_every_size_with_equal_passes(name, p):
    tried = 0
    for m in range(1, 4 * p + 3):
        try:
            schedule = make_schedule(name, ranks=p, micro_batches=m)
        except ValueError:
            continue
        said, found, peak = compare(schedule, 1, 1, 1)
        if said.bubble is not None and found is not None:
            assert (m, found) == (m, said.bubble)
            tried += 1
        if said.peak is not None:
            assert (m, peak) == (m, said.peak)
    assert tried >= 2 or p % 2


def by_letters(schedule, f, b, w, pair=None):
    """The table of the DeepSeek-V3 report, whose B is the whole backward."""
    p = schedule.ranks
    return {
        "1f1b": (p - 1) * (f + b),
        "zb-h1": (p - 1) * (f + b - 2 * w),
        "dualpipe": (Fraction(p, 2) - 1) * ((pair or f + b) + b - 3 * w),
    }[schedule.name]


@pytest.mark.parametrize("name", ["1f1b", "zb-h1", "dualpipe"])
def test_both_notations_give_the_same_bubble(name):
    """Zero Bubble's B is I, DeepSeek's B is I + W; ZB1P there is ZB-H1 here."""
    for p in (2, 4, 6, 8):
        schedule = make_schedule(name, ranks=p, micro_batches=2 * p)
        for f, i, w in ((2, 2, 1), (3, 3, 3), (5, 5, 2)):
            _, found, _ = compare(schedule, f, i, w)
            assert found == by_letters(schedule, f, i + w, w)


def test_a_third_of_1f1b_when_all_passes_are_equal():
    """arXiv 2401.10241, section 2: ZB-H1 cuts the bubble to a third."""
    for p in range(2, 9):
        plain, split = (make_schedule(name, ranks=p, micro_batches=2 * p) for name in ("1f1b", "zb-h1"))
        assert compare(plain, 1, 1, 1)[1] == 3 * compare(split, 1, 1, 1)[1]


def test_no_claim_outside_the_papers_assumptions():
    few = {"ranks": 4, "micro_batches": 3, "forward": 1, "backward_input": 1, "backward_weight": 1}
    assert published("zb-h1", **few).bubble is None
    assert published("zb-v", **few).peak is None
    heavy = {**few, "micro_batches": 8, "backward_weight": 2}
    assert [published(name, **heavy).bubble for name in ("zb-h1", "zb-h2", "zb-v", "dualpipe")] == [None] * 4
    with pytest.raises(KeyError):
        published("none", **few)
