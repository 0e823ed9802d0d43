"""How ready a learner is, what is missing, and how the real exam went."""

from burnin.app.ready.service import Ready
from burnin.app.ready.views import DomainReadiness, Missing, Readiness, Standing

__all__ = ["DomainReadiness", "Missing", "Readiness", "Ready", "Standing"]
