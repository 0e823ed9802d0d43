"""Taking an exam: sittings from the first question to submission."""

from burnin.app.take.service import Take
from burnin.app.take.views import Ack, EntryView, QuestionView, SittingView
from burnin.domain.sitting import Conditions, EventKind, Rating
from burnin.exam.sitting import Command

__all__ = [
    "Ack",
    "Command",
    "Conditions",
    "EntryView",
    "EventKind",
    "QuestionView",
    "Rating",
    "SittingView",
    "Take",
]
