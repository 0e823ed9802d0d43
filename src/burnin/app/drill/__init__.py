"""Drills: take one, and be told what it was."""

from burnin.app.drill.service import Drills, Verdict

__all__ = ["Drills", "Verdict"]
