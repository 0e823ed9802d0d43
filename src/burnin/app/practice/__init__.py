"""Practice: sittings made to a wish, and the same form again."""

from burnin.app.practice.service import Matching, Practice
from burnin.domain.sitting import Conditions
from burnin.exam.selection import Selection

__all__ = ["Conditions", "Matching", "Practice", "Selection"]
