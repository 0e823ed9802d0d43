"""A whole 65-item mock exam by keyboard alone, with everything that can go wrong on the way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from burnin.app.outcome import Result
from burnin.app.take import QuestionView
from burnin.app.wiring import Services, open_services
from tests.web.browsing import Process

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SIZE = 65
KILLED_AT, OFFLINE_AT, SECOND_TAB_AT, RELOADED_AT = 20, 33, 41, 50
LETTERS = "abcde"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path / "home")
    process.start()
    yield process
    process.stop()


class Candidate:
    """Somebody who only has a keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def until(self, expression: str, seconds: float = 40) -> None:
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, f"never: {expression}\n{self.page.inner_text('main')[:500]}"
            self.page.wait_for_timeout(15)

    def at(self, number: int) -> None:
        self.until(f"document.body.dataset.number === '{number}' && document.activeElement.id === 'heading'")

    def saved(self) -> None:
        self.until("sessionStorage.length === 0")

    def tab_to(self, expression: str, most: int = 200) -> None:
        """Press Tab until the focused element fits."""
        for _ in range(most):
            if self.page.evaluate(f"(() => {{ const e = document.activeElement; return {expression} }})()"):
                return
            self.press("Tab")
        raise AssertionError(f"Tab never reaches {expression}")

    def answer(self, question: QuestionView, options: tuple[str, ...]) -> None:
        for option in options:
            place = [shown.id for shown in question.asked.options].index(option)
            self.press(LETTERS[place] if place < 5 else "6")


def plan(number: int, key: tuple[str, ...], shown: tuple[str, ...], choose: int) -> tuple[str, ...]:
    """A known pattern: every fifth wrong, every eleventh open, choose-N half done at every seventh."""
    if number % 11 == 0:
        return ()
    if number % 5 == 0:
        return tuple(option for option in shown if option not in key)[:choose]
    if choose > 1 and number % 7 == 0:
        return key[: choose - 1]
    return key


def read(home: Path, what: str, sitting: str, size: int = SIZE) -> list[QuestionView] | Result:
    """Look into the data folder as another process would."""

    async def ask(services: Services) -> list[QuestionView] | Result:
        if what == "result":
            return await services.outcome.report(sitting)
        return [await services.take.question(sitting, n) for n in range(1, size + 1)]

    services = open_services(home)
    try:
        # The browser's driver occupies this thread's loop.
        with ThreadPoolExecutor(1) as other:
            return other.submit(asyncio.run, ask(services)).result()
    finally:
        services.close()


def keys_of(home: Path, questions: list[QuestionView]) -> dict[str, tuple[str, ...]]:
    """The key, from the stored form: the page never says it."""
    services = open_services(home)
    try:
        form = services.store.sittings.recent(1)[0].form
        _, items = services.store.forms.get(form)
        return {item.id: tuple(o.id for o in item.options if o.correct) for item in items}
    finally:
        services.close()


def test_a_full_mock_by_keyboard_survives_everything(server: Process, browser: Browser) -> None:
    context = browser.new_context()
    context.set_default_timeout(40_000)
    me = Candidate(context.new_page())
    me.page.goto(server.base)
    me.tab_to("e.name === 'exam'")
    me.press("ArrowDown", "Space")
    if me.page.evaluate("document.activeElement.value") != "NCP-GENL":
        me.press("ArrowDown")
    me.tab_to("e.textContent === 'Continue'")
    me.press("Enter")
    me.page.wait_for_selector("text=How would you like to begin?")
    me.tab_to("e.textContent === 'Read the rules'")
    me.press("Enter")
    me.page.wait_for_selector("text=never stops")
    me.tab_to("e.id === 'strike'")
    me.page.keyboard.press("Space")
    me.tab_to("e.textContent === 'Start the clock'")
    me.press("Enter")
    me.page.wait_for_selector('body[data-number="1"]')
    sitting = me.page.evaluate("document.body.dataset.sitting")
    questions = read(server.home, "questions", sitting)
    assert isinstance(questions, list)
    key = keys_of(server.home, questions)

    expected: dict[str, tuple[str, ...]] = {}
    for number, question in enumerate(questions, start=1):
        if number > 1:
            me.at(number)
        item, choose = question.asked.id, question.asked.choose
        shown = tuple(option.id for option in question.asked.options)
        options = plan(number, key[item], shown, choose)
        expected[item] = options
        if number == KILLED_AT:
            server.kill()
            me.answer(question, options)
            me.page.wait_for_selector('#state[data-state="waiting"]')
            me.press("n")  # goes on by itself as soon as the server is back
            server.start()
            continue
        if number == OFFLINE_AT:
            context.set_offline(True)
            me.answer(question, options)
            me.press("f")
            me.page.wait_for_selector('#state[data-state="waiting"]')
            context.set_offline(False)
            me.saved()
            me.press("n")
            continue
        if number == SECOND_TAB_AT:
            expected[item] = second_tab(me, question, shown)
            continue
        me.answer(question, options)
        if number == RELOADED_AT:
            me.press("Shift+A")
            me.saved()
            me.page.reload()
            me.page.wait_for_selector(f'body[data-number="{number}"]')
            assert me.page.locator("input[name=o]:checked").count() == len(options)
            assert me.page.locator(".options li.struck").count() == 1
        if number % 9 == 0:
            me.press("f")
        me.press("n" if number % 2 else "ArrowRight") if not me.page.evaluate(
            "document.activeElement.name === 'o'"
        ) else me.press("n")

    me.page.wait_for_selector("text=Before you submit")
    flagged = {n for n in range(1, SIZE + 1) if n % 9 == 0} | {OFFLINE_AT}
    view_unanswered = sum(not options for options in expected.values())
    incomplete = sum(0 < len(expected[q.asked.id]) < q.asked.choose for q in questions)
    words = me.page.inner_text(".facts")
    assert f"Unanswered\n{view_unanswered}" in words
    assert f"Incomplete\n{incomplete}" in words
    assert f"Flagged\n{len(flagged)}" in words

    # Back to a flagged one through the review screen, and again to the end.
    me.tab_to("e.pathname && e.pathname.endsWith('/9')")
    me.press("Enter")
    me.at(9)
    me.press("f")
    me.saved()
    me.press("r")
    me.page.wait_for_selector("text=Before you submit")
    me.tab_to("e.id === 'to-submit'")
    me.press("Enter")
    me.page.wait_for_selector("text=Submit for good?")
    assert "cannot be undone" in me.page.inner_text("main")
    me.tab_to("e.id === 'submit-now'")
    me.press("Enter")
    me.page.wait_for_url("**/result")

    right = sum(set(expected[q.asked.id]) == set(key[q.asked.id]) for q in questions)
    result = read(server.home, "result", sitting)
    assert isinstance(result, Result)
    assert {r.item.id: set(r.selected) for r in result.review} == {i: set(o) for i, o in expected.items()}
    assert {r.number for r in result.review if r.flagged} == flagged - {9}
    assert (result.report.earned, result.report.possible) == (right, SIZE)
    assert not result.report.interrupted  # the server died, the machine did not
    main = me.page.inner_text("main")
    assert f"{right} of {SIZE} questions right" in main
    assert f"{100 * right / SIZE:.0f} %".replace(" ", "\N{NO-BREAK SPACE}") in main
    assert 0 < right < SIZE
    assert me.errors == []
    context.close()


def second_tab(me: Candidate, question: QuestionView, shown: tuple[str, ...]) -> tuple[str, ...]:
    """Answer in another tab first: this one is told, shows it, and then changes it knowingly."""
    other = Candidate(me.page.context.new_page())
    other.page.goto(me.page.url)
    other.answer(question, shown[:1])
    other.saved()
    me.page.bring_to_front()
    me.answer(question, shown[1:2])
    me.until("document.getElementById('message') || document.querySelector('input[name=o]').checked")
    me.saved()
    me.until("document.querySelector('input[name=o]').checked")
    other.page.close()
    if question.asked.choose == 1:
        me.answer(question, shown[2:3])
        chosen = shown[2:3]
    else:
        me.answer(question, shown[1:2])
        chosen = shown[:2]
    me.saved()
    me.press("n")
    return chosen
