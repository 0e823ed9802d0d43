"""The calendar to the exam."""

from burnin.app.planning.ical import ical, words
from burnin.app.planning.service import Planning, Wish

__all__ = ["Planning", "Wish", "ical", "words"]
