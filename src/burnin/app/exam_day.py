"""Which days an exam can be planned for, and which hours a week can be planned with."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta

YEARS_AHEAD, _SPAN = 3, "three years"
"""Nobody books further ahead, and a plan of every day until then is still a plan."""

LEAST_HOURS, MOST_HOURS = 0.25, 80.0
"""Hours a week: plans are made of quarters of an hour."""

_DAYS_AHEAD = 365 * YEARS_AHEAD + 1


def today_anywhere(wall_ms: int) -> tuple[date, date]:
    """Return the first and the last calendar day that it is somewhere on earth (UTC-12 to UTC+14)."""
    now = datetime.fromtimestamp(wall_ms / 1000, UTC)
    return (now - timedelta(hours=12)).date(), (now + timedelta(hours=14)).date()


def too_far(day: date, wall_ms: int) -> bool:
    """Say whether a day lies further ahead than an exam can be planned."""
    return (day - today_anywhere(wall_ms)[1]).days > _DAYS_AHEAD


def exam_day_fault(day: date, wall_ms: int) -> str | None:
    """Return why no exam can be planned for a day, in words that follow its name; None if one can.

    A day counts as passed once it has passed everywhere: the learner's own day may be either.
    """
    if day < today_anywhere(wall_ms)[0]:
        return f"{day} has passed; an exam to plan for lies ahead"
    if too_far(day, wall_ms):
        return f"{day} lies more than {_SPAN} ahead"
    return None


def result_day_fault(day: date, wall_ms: int) -> str | None:
    """Return why no exam can have been sat on a day, or None."""
    first, last = today_anywhere(wall_ms)
    if day > last:
        return f"{day} has not come yet"
    if (first - day).days > _DAYS_AHEAD:
        return f"{day} lies more than {_SPAN} back"
    return None


def hours_fault(hours: float) -> str | None:
    """Return why nobody can plan with so many hours a week, in words that follow their name, or None."""
    if math.isfinite(hours) and LEAST_HOURS <= hours <= MOST_HOURS:
        return None
    return f"lie between {LEAST_HOURS:g} (a quarter of an hour) and {MOST_HOURS:g}, not {hours:g}"
