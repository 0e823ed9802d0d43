"""Strike-out and notes: allowed or not for each sitting, and the notes themselves. Never scored."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.app.errors import BadRequest
from burnin.app.storing import read, written
from burnin.store import Store

LONGEST_NOTE = 4000
AIDS_KEY, NOTE_KEY = "aids.", "note."


@dataclass(frozen=True, slots=True, kw_only=True)
class AidsOf:
    """What one sitting allows."""

    strike: bool
    notes: bool
    extra_time_percent: int = 0


class Aids:
    """Exam conditions allow neither unless it was chosen before the start; practice allows both."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def choose(self, sitting: str, *, strike: bool, notes: bool, extra_time_percent: int = 0) -> None:
        """Fix what a sitting allows, and keep what extra time it had. Errors: ``CannotSave``."""
        terms = {"strike": strike, "notes": notes, "extra": extra_time_percent}
        await written(self._store.settings.set(AIDS_KEY + sitting, terms))

    async def of(self, sitting: str, conditions: str) -> AidsOf:
        """Return what a sitting allows; where nothing was chosen, its conditions decide."""
        stored = await read(self._store.settings.get, AIDS_KEY + sitting)
        usual = conditions != "exam"
        if not isinstance(stored, dict):
            stored = {}
        extra = stored.get("extra")
        return AidsOf(
            strike=bool(stored.get("strike", usual)),
            notes=bool(stored.get("notes", usual)),
            extra_time_percent=extra if isinstance(extra, int) else 0,
        )

    async def note(self, sitting: str, item: str) -> str:
        """Return the note on a question, empty if there is none."""
        text = await read(self._store.settings.get, f"{NOTE_KEY}{sitting}.{item}")
        return text if isinstance(text, str) else ""

    async def write(self, sitting: str, item: str, text: str) -> None:
        """Keep a note in place of an older one. ``BadRequest`` for more than 4,000 letters."""
        if len(text) > LONGEST_NOTE:
            raise BadRequest(f"A note holds {LONGEST_NOTE:,} letters at most; this one has {len(text):,}.")
        clean = "".join(letter for letter in text if letter in "\n\t" or letter.isprintable())
        await written(self._store.settings.set(f"{NOTE_KEY}{sitting}.{item}", clean))
