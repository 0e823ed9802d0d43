"""What a screen reader hears: the accessibility tree of a question, the navigator, the confirmation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from burnin.app.take import Command, Conditions, EventKind
from tests.web.browsing import Live

pytestmark = pytest.mark.browser
HEARD = Path(__file__).parent / "heard"


def test_the_tree_is_the_one_that_was_read_aloud_and_judged(browser, live: Live) -> None:
    take = live.services.take
    sitting = live.ask(take.create("NCP-GENL", conditions=Conditions.EXAM, size=10, seed=3))
    for number in (1, 2, 4):
        asked = live.ask(take.question(sitting, number)).asked
        live.ask(
            take.act(sitting, Command(f"a{number}", EventKind.ANSWERED, asked.id, (asked.options[0].id,)))
        )
    flagged = live.ask(take.question(sitting, 2)).asked.id
    live.ask(take.act(sitting, Command("f", EventKind.FLAGGED, flagged, on=True)))
    page = browser.new_page()
    page.goto(f"{live.base}/sittings/{sitting}/2")
    page.wait_for_selector("#clock")
    heard = {
        "question": page.locator("#answer").aria_snapshot(),
        "navigator": page.locator("nav.map").aria_snapshot(),
    }
    page.goto(f"{live.base}/sittings/{sitting}/submit")
    heard["confirmation"] = page.locator("main").aria_snapshot()
    page.close()
    for name, tree in heard.items():
        plain = re.sub(r"/sittings/[0-9a-f]+", "/sittings/ID", tree).strip() + "\n"
        assert plain == (HEARD / f"{name}.txt").read_text(encoding="utf-8"), f"{name} is heard otherwise now"
