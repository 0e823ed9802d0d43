"""A timeline as a trace that chrome://tracing and Perfetto open."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from burnin.systems.pipeline import Pass, Timeline

NAMES = {
    Pass.FORWARD: "forward",
    Pass.BACKWARD: "backward",
    Pass.INPUT: "input gradient",
    Pass.WEIGHT: "weight gradient",
}
_COLOURS = {
    Pass.FORWARD: "thread_state_running",
    Pass.BACKWARD: "thread_state_runnable",
    Pass.INPUT: "thread_state_iowait",
    Pass.WEIGHT: "thread_state_sleeping",
}


def chrome_trace(timeline: Timeline, *, us_per_unit: Fraction = Fraction(1000)) -> dict[str, Any]:
    """Return the trace as plain data, one complete event a task, one thread a rank.

    ``us_per_unit`` turns the timeline's unit into the format's microseconds (1000 for
    milliseconds). Two tasks run together become two events side by side in the same time
    on a second line of their rank, since events of one thread must nest. Trace Event
    Format (Google), "Complete Events" and "Metadata Events".
    """
    events: list[dict[str, Any]] = [
        {"ph": "M", "pid": 0, "tid": 0, "name": "process_name", "args": {"name": timeline.schedule.name}}
    ]
    for rank, spans in enumerate(timeline.spans):
        lines = max((len(span.step) for span in spans), default=1)
        for line in range(lines):
            label = f"rank {rank}" if line == 0 else f"rank {rank}, together"
            tid = 2 * rank + line
            events.append({"ph": "M", "pid": 0, "tid": tid, "name": "thread_name", "args": {"name": label}})
            events.append(
                {"ph": "M", "pid": 0, "tid": tid, "name": "thread_sort_index", "args": {"sort_index": tid}}
            )
        for span in spans:
            for line, task in enumerate(span.step):
                events.append(
                    {
                        "ph": "X",
                        "pid": 0,
                        "tid": 2 * rank + line,
                        "ts": float(span.start * us_per_unit),
                        "dur": float((span.end - span.start) * us_per_unit),
                        "name": f"{task.kind} {task.micro_batch}",
                        "cat": NAMES[task.kind],
                        "cname": _COLOURS[task.kind],
                        "args": {"micro_batch": task.micro_batch, "stage": task.stage, "rank": rank},
                    }
                )
    return {
        "displayTimeUnit": "ms",
        "otherData": {"schedule": timeline.schedule.name, "micro_batches": timeline.schedule.micro_batches},
        "traceEvents": events,
    }
