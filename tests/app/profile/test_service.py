from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from burnin.app.errors import BadRequest
from burnin.app.profile import Settings
from burnin.app.wiring import Services
from tests.app.desk import HandClock, open_at

pytestmark = pytest.mark.asyncio


async def test_settings_have_defaults_and_last(services: Services, home: Path, clock: HandClock) -> None:
    assert await services.profile.get() == Settings(pass_mark_percent=70)
    changed = await services.profile.change(
        exam="ncp-genl", exam_date="2027-03-31", pass_mark_percent=" 75", theme="dark", shortcuts="off"
    )
    expected = Settings(
        exam="NCP-GENL", exam_date=date(2027, 3, 31), pass_mark_percent=75, theme="dark", shortcuts=False
    )
    assert changed == expected
    services.close()
    later = open_at(home, clock)
    assert await later.profile.get() == expected
    assert (await later.profile.change(exam_date="", theme=None, show_clock=False)).exam_date is None
    assert (await later.profile.get()).theme == "system"
    later.close()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"exam": "NCP-NOPE"}, "Exam: 'NCP-NOPE' is none of NCP-GENL."),
        ({"exam_date": "31.03.2027"}, "Exam date: '31.03.2027' is no date such as 2027-03-31."),
        ({"exam_date": "9999-12-31"}, "Exam date: 9999-12-31 lies more than three years ahead."),
        ({"exam_date": "2026-12-31"}, "Exam date: 2026-12-31 has passed"),
        ({"hours_per_week": "1e-300"}, "Hours a week: lie between 0.25"),
        ({"hours_per_week": "nan"}, "Hours a week: lie between 0.25"),
        ({"pass_mark_percent": "101"}, "Assumed pass mark: 101 does not lie between 1 and 100."),
        ({"pass_mark_percent": "most"}, "Assumed pass mark: 'most' is not a whole number."),
        ({"theme": "pink"}, "Theme: 'pink' is none of system, light, dark."),
        ({"shortcuts": "maybe"}, "Keyboard shortcuts: 'maybe' is neither on nor off."),
        ({"colour": "red"}, "There is no setting 'colour'."),
    ],
)
async def test_a_bad_value_is_named_and_nothing_is_stored(
    services: Services, changes: dict[str, str], words: str
) -> None:
    with pytest.raises(BadRequest) as caught:
        await services.profile.change(motion="reduce", **changes)
    assert str(caught.value).startswith(words)
    assert await services.profile.get() == Settings()


async def test_a_stored_value_that_no_longer_fits_falls_back_to_the_default(services: Services) -> None:
    services.store.settings.set_all(
        {"profile.exam": "GONE-EXAM", "profile.theme": "dark", "profile.exam_date": 7, "other": 1}
    ).result()
    assert await services.profile.get() == Settings(theme="dark")


async def test_the_day_may_be_today_anywhere_and_stays_once_it_has_passed(
    services: Services, clock: HandClock
) -> None:
    # 2027-01-15 08:00 UTC: on Baker Island it is still the 14th, and on the 13th nowhere.
    assert (await services.profile.change(exam_date="2027-01-14")).exam_date == date(2027, 1, 14)
    with pytest.raises(BadRequest, match="has passed"):
        await services.profile.change(exam_date="2027-01-13")
    clock.wait(30 * 86_400)
    kept = await services.profile.change(exam_date="2027-01-14", theme="dark")
    assert (kept.exam_date, kept.theme) == (date(2027, 1, 14), "dark")


@pytest.mark.parametrize(("day", "taken"), [("2030-01-15", True), ("2030-01-18", False)])
async def test_three_years_ahead_is_as_far_as_a_date_goes(services: Services, day: str, taken: bool) -> None:
    if taken:
        assert str((await services.profile.change(exam_date=day)).exam_date) == day
    else:
        with pytest.raises(BadRequest, match="three years"):
            await services.profile.change(exam_date=day)
