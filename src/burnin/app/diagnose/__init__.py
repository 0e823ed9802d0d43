"""The diagnostic: a dozen questions that find out where to start."""

from burnin.app.diagnose.service import Diagnose
from burnin.app.diagnose.views import DiagnosticResult, DomainStart, Step

__all__ = ["Diagnose", "DiagnosticResult", "DomainStart", "Step"]
