"""What a finished sitting came to: score, report, review."""

from burnin.app.outcome.service import Outcome
from burnin.app.outcome.views import RecentSitting, Result, ReviewItem
from burnin.exam.report import Report

__all__ = ["Outcome", "RecentSitting", "Report", "Result", "ReviewItem"]
