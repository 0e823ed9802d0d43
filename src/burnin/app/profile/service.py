"""Reading and changing the settings."""

from __future__ import annotations

from typing import Any

from burnin.app.profile.settings import Settings


class Profile:
    """The learner's settings, kept in the store."""

    async def get(self) -> Settings:
        """All settings; what was never set, or cannot be read, has its default."""
        raise NotImplementedError

    async def change(self, **changes: Any) -> Settings:
        """Check and store some settings by name; return all of them.

        Values may be text as a form sends it. ``BadRequest`` says which and why, and
        then nothing is stored.
        """
        raise NotImplementedError
