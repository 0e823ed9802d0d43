"""Report an error in an item."""

from burnin.app.faults.service import KINDS, FaultReport, Faults

__all__ = ["KINDS", "FaultReport", "Faults"]
