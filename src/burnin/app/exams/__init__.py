"""What each exam is."""

from burnin.app.exams.service import Exams

__all__ = ["Exams"]
