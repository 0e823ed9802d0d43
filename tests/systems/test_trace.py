import itertools
import json
from fractions import Fraction

from burnin.systems.pipeline import run
from burnin.systems.pipeline_schedules import make_schedule
from burnin.systems.trace import chrome_trace
from tests.systems.pipelines import equal


def events(name, **more):
    schedule = make_schedule(name, ranks=4, micro_batches=8)
    timeline = run(schedule, equal(schedule, 2, 2, 1))
    trace = json.loads(json.dumps(chrome_trace(timeline, **more)))
    return timeline, [event for event in trace["traceEvents"] if event["ph"] == "X"]


def test_every_task_is_one_event_in_microseconds():
    timeline, found = events("1f1b")
    assert len(found) == 2 * 4 * 8
    assert max(event["ts"] + event["dur"] for event in found) == 1000 * timeline.makespan
    first = found[0]
    assert (first["name"], first["cat"], first["ts"], first["dur"]) == ("F 0", "forward", 0, 2000)
    assert first["args"] == {"micro_batch": 0, "stage": 0, "rank": 0}


def test_the_unit_can_be_another():
    _, seconds = events("1f1b", us_per_unit=Fraction(10**6))
    assert seconds[0]["dur"] == 2_000_000


def test_events_of_one_line_do_not_overlap():
    _, found = events("dualpipe")
    lines = {}
    for event in found:
        lines.setdefault(event["tid"], []).append(event)
    assert len(lines) == 8  # four ranks, each with a second line for pairs
    for line in lines.values():
        for one, other in itertools.pairwise(line):
            assert one["ts"] + one["dur"] <= other["ts"]
