"""Local-first exam readiness for GenAI engineers."""

__version__ = "0.1.0"
