"""Form assembly as a mixed-integer model: what a form must hold, what it should, and why not."""

from burnin.assembly.forms import ASSEMBLY_RULE, PRACTICE_RULE, assemble, assemble_parallel, assemble_set
from burnin.assembly.refusals import Conflict, Infeasible, Nearest
from burnin.assembly.terms import Terms

__all__ = [
    "ASSEMBLY_RULE",
    "PRACTICE_RULE",
    "Conflict",
    "Infeasible",
    "Nearest",
    "Terms",
    "assemble",
    "assemble_parallel",
    "assemble_set",
]
