"""Chosen exam and date, assumed pass mark, display preferences."""

from burnin.app.profile.service import Profile
from burnin.app.profile.settings import KEYS, Settings

__all__ = ["KEYS", "Profile", "Settings"]
