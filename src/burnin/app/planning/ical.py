"""A plan as an iCalendar file."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnin.learner.plan import Plan, Task

WORDS = {
    "placement": "Placement: a mixed set over all domains",
    "read": "Read",
    "practise": "Practise",
    "apply": "Labs, drills and sums",
    "mock": "A full exam under exam conditions, then its report",
    "review": "Reviews that are due",
    "check": "Self-check: ten questions",
}


def words(task: Task, titles: dict[str, str]) -> str:
    """Say a task in a line."""
    domain = f": {titles.get(task.domain, task.domain)}" if task.domain else ""
    return f"{WORDS[task.kind]}{domain}, {task.minutes} min"


def ical(plan: Plan, exam: str, titles: dict[str, str], stamp: datetime, *, begins_hour: int = 18) -> bytes:
    """Return the plan as iCalendar: an event for each day at ``begins_hour`` local time.

    An event's id is its exam and day, so that a new plan replaces the old one's days.
    Source: RFC 5545, through the ``icalendar`` package.
    """
    from icalendar import Calendar, Event

    calendar = Calendar()
    calendar.add("prodid", "-//burnin//plan//EN")
    calendar.add("version", "2.0")
    for day in plan.days:
        event = Event()
        # Floating: the evening of wherever the learner is.
        start = datetime(day.date.year, day.date.month, day.date.day, begins_hour)  # noqa: DTZ001
        event.add("uid", f"{exam.lower()}-{day.date.isoformat()}@burnin")
        event.add("dtstamp", stamp)
        event.add("dtstart", start)
        event.add("dtend", start + timedelta(minutes=day.minutes))
        event.add("summary", f"{exam}: {day.phase}, {day.minutes} min")
        event.add("description", "\n".join(words(task, titles) for task in day.tasks))
        calendar.add_component(event)
    return bytes(calendar.to_ical())
