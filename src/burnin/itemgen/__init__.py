"""Computed questions: the words come from content, the numbers from the models."""

from burnin.itemgen.making import CannotMake, Made, make, wording_faults, work_out
from burnin.itemgen.registry import SUMS

__all__ = ["SUMS", "CannotMake", "Made", "make", "wording_faults", "work_out"]
