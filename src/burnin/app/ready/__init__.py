"""How ready a learner is, what is missing, and how the real exam went."""

from burnin.app.ready.service import Ready
from burnin.app.ready.views import DomainReadiness, Missing, Point, Readiness, Reviews, Standing

__all__ = ["DomainReadiness", "Missing", "Point", "Readiness", "Ready", "Reviews", "Standing"]
