"""Reading and changing the settings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, replace
from datetime import date
from typing import Any

from burnin.app.clock import Clock
from burnin.app.errors import BadRequest
from burnin.app.exam_day import exam_day_fault, hours_fault, too_far
from burnin.app.profile.settings import CONTRASTS, KEYS, MOTIONS, THEMES, Settings
from burnin.app.storing import read, written
from burnin.store import Store

PREFIX = "profile."


class Profile:
    """The learner's settings, kept in the store."""

    def __init__(self, store: Store, clock: Clock, *, exams: Collection[str]) -> None:
        self._store = store
        self._clock = clock
        self._readers = _readers(exams)

    async def get(self) -> Settings:
        """All settings; what was never set, or cannot be read, has its default."""
        stored = await read(self._store.settings.all)
        known = {}
        for name, reader in self._readers.items():
            if PREFIX + name in stored:
                try:
                    known[name] = reader(stored[PREFIX + name])
                except ValueError:
                    continue
        found = Settings(**known)
        if found.exam_date is not None and too_far(found.exam_date, self._clock.now().wall_ms):
            # Stored before such a date was refused: no page may plan all the days until then.
            return replace(found, exam_date=None)
        return found

    async def change(self, **changes: Any) -> Settings:
        """Check and store some settings by name; return all of them.

        Values may be text as a form sends it; None or "" takes a setting back to its
        default. ``BadRequest`` says which and why, and then nothing is stored;
        ``CannotSave`` if the data folder did not take it.
        """
        checked = {}
        for name, value in changes.items():
            if name not in self._readers:
                raise BadRequest(f"There is no setting {name!r}. Known: {', '.join(self._readers)}.")
            try:
                new = _DEFAULTS[name] if value is None or value == "" else self._readers[name](value)
            except ValueError as error:
                raise BadRequest(f"{_LABELS[name]}: {error}.") from error
            if isinstance(new, date):
                await self._check_day(_LABELS[name], new)
            checked[PREFIX + name] = new.isoformat() if isinstance(new, date) else new
        await written(self._store.settings.set_all(checked))
        return await self.get()

    async def _check_day(self, label: str, day: date) -> None:
        fault = exam_day_fault(day, self._clock.now().wall_ms)
        # A form sends the stored date back with what was changed, also after the exam.
        if fault is not None and day != (await self.get()).exam_date:
            raise BadRequest(f"{label}: {fault}.")

    async def pass_mark(self) -> int:
        """The pass mark to assume, in percent."""
        return (await self.get()).pass_mark_percent


_DEFAULTS = {field.name: getattr(Settings(), field.name) for field in fields(Settings)}
_LABELS = {
    "exam": "Exam",
    "exam_date": "Exam date",
    "hours_per_week": "Hours a week",
    "background": "Background",
    "weekdays": "Days of study",
    "pass_mark_percent": "Assumed pass mark",
    "theme": "Theme",
    "contrast": "Contrast",
    "motion": "Motion",
    "show_clock": "Show the clock",
    "shortcuts": "Keyboard shortcuts",
    "keys": "Keys",
}


def _readers(exams: Collection[str]) -> dict[str, Callable[[Any], Any]]:
    return {
        "exam": lambda value: _code(value, exams),
        "exam_date": _date,
        "hours_per_week": _hours,
        "background": _background,
        "weekdays": _weekdays,
        "pass_mark_percent": _percent,
        "theme": lambda value: _one_of(value, THEMES),
        "contrast": lambda value: _one_of(value, CONTRASTS),
        "motion": lambda value: _one_of(value, MOTIONS),
        "show_clock": _switch,
        "shortcuts": _switch,
        "keys": _keys,
    }


def _code(value: Any, exams: Collection[str]) -> str | None:
    for code in exams:
        if isinstance(value, str) and code.casefold() == value.strip().casefold():
            return code
    if value is None:
        return None
    raise ValueError(f"{value!r} is none of {', '.join(sorted(exams))}")


def _date(value: Any) -> date | None:
    if value is None or isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value).strip())
    except ValueError:
        raise ValueError(f"{value!r} is no date such as 2027-03-31") from None


def _percent(value: Any) -> int:
    try:
        number = int(str(value).strip())
    except ValueError:
        raise ValueError(f"{value!r} is not a whole number") from None
    if not 1 <= number <= 100:
        raise ValueError(f"{number} does not lie between 1 and 100")
    return number


def _hours(value: Any) -> float | None:
    if value is None:
        return None
    try:
        number = float(str(value).strip())
    except ValueError:
        raise ValueError(f"{value!r} is not a number") from None
    if fault := hours_fault(number):
        raise ValueError(fault)
    return number


def _background(value: Any) -> str | None:
    if value is None:
        return None
    text = str(value).strip()
    if not text or len(text) > 80 or not text.isprintable():
        raise ValueError(f"{value!r} is no background")
    return text


def _weekdays(value: Any) -> tuple[int, ...]:
    parts = value.replace(",", " ").split() if isinstance(value, str) else value
    try:
        days = sorted({int(part) for part in parts})
    except (TypeError, ValueError):
        raise ValueError(f"{value!r} does not name weekdays from 0 (Monday) to 6") from None
    if not days or not set(days) <= set(range(7)):
        raise ValueError(f"{value!r} does not name weekdays from 0 (Monday) to 6")
    return tuple(days)


def _keys(value: Any) -> dict[str, str]:
    if isinstance(value, str):
        value = dict(part.partition("=")[::2] for part in value.split())
    if not isinstance(value, Mapping) or not set(value) <= set(KEYS):
        raise ValueError(f"keys are given to {', '.join(KEYS)}, such as flag=f next=j")
    keys = {name: str(value.get(name, usual)).strip().lower() or usual for name, usual in KEYS.items()}
    for name, key in keys.items():
        if len(key) != 1 or not ("f" <= key <= "z"):
            raise ValueError(f"{name} takes one letter from f to z, not {key!r}; a to e choose options")
    twice = {key for key in keys.values() if list(keys.values()).count(key) > 1}
    if twice:
        raise ValueError(f"{', '.join(sorted(twice))} would do two things")
    return keys


def _one_of(value: Any, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ValueError(f"{value!r} is none of {', '.join(allowed)}")
    return str(value)


def _switch(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().casefold()
    if text in ("on", "true", "yes", "1"):
        return True
    if text in ("off", "false", "no", "0"):
        return False
    raise ValueError(f"{value!r} is neither on nor off")
