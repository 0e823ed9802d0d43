"""Computed questions: the words come from content, the numbers from the models."""

from burnin.itemgen.making import CannotMake, Made, make, work_out
from burnin.itemgen.registry import SUMS
from burnin.itemgen.wording import usable, wording_faults

__all__ = ["SUMS", "CannotMake", "Made", "make", "usable", "wording_faults", "work_out"]
