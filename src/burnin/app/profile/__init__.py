"""Chosen exam and date, assumed pass mark, display preferences."""

from burnin.app.profile.service import Profile
from burnin.app.profile.settings import Settings

__all__ = ["Profile", "Settings"]
