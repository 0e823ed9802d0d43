from fractions import Fraction

import pytest

from burnin.app.errors import BadRequest
from burnin.app.simulate.pipeline import SCHEDULES, compare, lanes, milliseconds, plain, simulate, trace
from burnin.figures.timeline import idle_shares


@pytest.mark.parametrize("name", SCHEDULES)
def test_picture_trace_and_measures_tell_the_same(name):
    done = simulate(name, stages=4, micro_batches=8, forward_ms=[Fraction(3, 2)])
    found = plain(done)
    drawn = lanes(done)
    assert drawn.end == pytest.approx(found["makespan_ms"])
    events = [e for e in trace(done)["traceEvents"] if e["ph"] == "X"]
    assert len(events) == len(drawn.blocks)
    assert max(e["ts"] + e["dur"] for e in events) == pytest.approx(1000 * found["makespan_ms"])
    if found["flush"] == "together":
        idle = [rank["idle_ms"] / found["period_ms"] for rank in found["ranks"]]
        assert idle_shares(drawn) == pytest.approx(idle)
    if name != "pipedream":
        assert found["published"]["bubble_ms"] == pytest.approx(found["bubble_ms"])


def test_the_answer_is_one_sentence_with_the_numbers():
    said = plain(simulate("1f1b", stages=4, micro_batches=12))["answer"]
    assert said == (
        "1F1B (PipeDream-flush) with 4 stages and 12 micro-batches: a batch takes 45 ms, and ranks idle 20 % of it "
        "(25 % of the working time); a rank holds at most 4 micro-batches of activations."
    )
    stream = plain(simulate("pipedream", stages=4, micro_batches=12))["answer"]
    assert stream.endswith(
        "0 % idle once full, and the first stage applies gradients of weights that are 3 updates old."
    )


def test_unequal_stages_are_said_to_be_so_and_have_no_published_formula():
    done = simulate("1f1b", stages=2, micro_batches=4, forward_ms=[Fraction(1), Fraction(3)])
    found = plain(done)
    assert found["imbalance_of_total"] > 0
    assert "because stages are unequal" in found["answer"]
    assert found["published"] is None


def test_held_memory_in_bytes_follows_the_count():
    found = plain(simulate("1f1b", stages=4, micro_batches=8, activation_gib=1.5))
    assert [rank["activation_peak_gib"] for rank in found["ranks"]] == [6.0, 4.5, 3.0, 1.5]


def test_a_schedule_without_that_size_is_left_out_of_a_comparison():
    runs = compare(SCHEDULES, stages=3, micro_batches=6)
    left_out = [run for run in runs if isinstance(run, str)]
    assert left_out == ["DualPipe: DualPipe needs an even number of stages, not 3"]
    assert len(runs) == len(SCHEDULES)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"forward_ms": [Fraction(1)] * 3}, "forward takes one time or 4"),
        ({"forward_ms": [Fraction(0)]}, "above 0"),
        ({"weight_ms": [Fraction(2)]}, "must be shorter"),
        ({"micro_batches": 100_000}, "over 200,000 passes"),
        ({"name": "zigzag"}, "no schedule 'zigzag'"),
    ],
)
def test_what_cannot_be_is_refused(changes, said):
    arguments = {"name": "1f1b", "stages": 4, "micro_batches": 8, **changes}
    if "weight_ms" in changes:
        arguments["backward_ms"] = [Fraction(2)]
    with pytest.raises(BadRequest, match=said):
        simulate(arguments.pop("name"), **arguments)


def test_times_are_read_exactly():
    assert milliseconds("0.1, 1/3", "--forward-ms") == (Fraction(1, 10), Fraction(1, 3))
    for text in ("", "1,,2", "x", "nan", "inf", "1/0"):
        with pytest.raises(BadRequest, match="--forward-ms takes"):
            milliseconds(text, "--forward-ms")
    with pytest.raises(BadRequest, match="below 0"):
        milliseconds("-1", "--send-ms")
