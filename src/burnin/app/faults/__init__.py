"""Report an error in an item."""

from burnin.app.faults.service import KINDS, Faults
from burnin.domain.fault import FaultReport

__all__ = ["KINDS", "FaultReport", "Faults"]
