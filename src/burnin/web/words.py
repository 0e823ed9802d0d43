"""Durations, dates and counts as people say them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnin.app.take import SittingView

from datetime import date, datetime

_SMALL = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def count(number: int) -> str:
    """Write a small count as a word: "three"; larger ones as digits."""
    return _SMALL[number] if 0 <= number < len(_SMALL) else str(number)


def plural(number: int, one: str, many: str | None = None) -> str:
    """Write "1 question", "3 questions"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def clock(ms: int) -> str:
    """Write a remaining time as "1:59:32" or "4:05". What has begun counts as a whole second."""
    seconds = max(0, -(-ms // 1000))
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}" if hour else f"{minute}:{second:02}"


def duration(seconds: float) -> str:
    """Write a length of time in at most two units: "1 hour 52 minutes", "45 seconds"."""
    whole = max(0, round(seconds))
    if whole < 60:
        return plural(whole, "second")
    minutes = round(whole / 60)
    if whole < 600 and whole % 60:
        return f"{plural(whole // 60, 'minute')} {plural(whole % 60, 'second')}"
    if minutes < 60:
        return plural(minutes, "minute")
    hours, rest = divmod(minutes, 60)
    return plural(hours, "hour") + (f" {plural(rest, 'minute')}" if rest else "")


def minutes(number: float) -> str:
    """Write minutes as a length of time."""
    return duration(number * 60)


def day(value: date) -> str:
    """Write "14 January 2027"."""
    return f"{value.day} {value:%B %Y}"


def iso_day(text: str) -> str:
    """Write an ISO date as ``day`` does; a text that is no date stays as it is."""
    try:
        return day(date.fromisoformat(text))
    except ValueError:
        return text


def moment(wall_ms: int) -> datetime:
    """The local time of a wall clock reading."""
    return datetime.fromtimestamp(wall_ms / 1000).astimezone()


def day_of(wall_ms: int) -> str:
    """Write the local day of a wall clock reading."""
    return day(moment(wall_ms).date())


def until(then: date, today: date) -> str:
    """Say how far away a day is, in plain words."""
    days = (then - today).days
    if days == 0:
        return "today"
    if days == 1:
        return "tomorrow"
    if days < 0:
        return "yesterday" if days == -1 else f"{_span(-days)} ago"
    return f"in {_span(days)}"


def _span(days: int) -> str:
    if days < 14:
        return f"{count(days)} days" if days > 1 else "one day"
    weeks, rest = divmod(days, 7)
    if weeks < 9:
        about = "" if rest == 0 else "about "
        return f"{about}{count(weeks + (rest > 3))} weeks"
    return f"about {count(round(days / 30.4))} months"


def pace(view: SittingView) -> str:
    """Say how a sitting stands against plan: the expected time of what is answered, scaled to the limit."""
    if view.limit_ms is None:
        return ""
    planned = sum(entry.seconds for entry in view.entries)
    done = sum(entry.seconds for entry in view.entries if entry.chosen)
    ahead = round((view.limit_ms * done / planned - view.elapsed_ms) / 60_000)
    if ahead == 0:
        return "On plan"
    return f"{plural(abs(ahead), 'minute')} {'ahead of' if ahead > 0 else 'behind'} plan"
