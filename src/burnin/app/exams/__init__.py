"""What each exam is."""

from burnin.app.exams.service import Exams
from burnin.domain.blueprint import Blueprint

__all__ = ["Blueprint", "Exams"]
