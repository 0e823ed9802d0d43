"""Results and reviews of finished sittings."""

from __future__ import annotations

from burnin.app.outcome.views import RecentSitting, Result


class Outcome:
    """Reads what sittings came to."""

    async def report(self, sitting_id: str, *, pass_mark_percent: int | None = None) -> Result:
        """Score, report and review. ``pass_mark_percent`` None means the profile's.

        Errors: ``UnknownSitting``; ``NotYet`` while the sitting is not over.
        """
        raise NotImplementedError

    async def recent(self, limit: int = 20) -> tuple[RecentSitting, ...]:
        """The newest sittings first, finished or not."""
        raise NotImplementedError
