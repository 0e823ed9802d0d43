"""The question page with its script, in a real browser."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from burnin.app.take import Command, Conditions, EventKind, QuestionView
from tests.web.browsing import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser
SAVED = '#state[data-state="saved"]'
WAITING = '#state[data-state="waiting"]'


class Tab:
    """One page on a sitting."""

    def __init__(self, live: Live, page: Page, sitting: str) -> None:
        self.live, self.page, self.sitting = live, page, sitting
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console",
            lambda line: (
                self.errors.append(line.text)
                if line.type == "error" and "Failed to load resource" not in line.text
                else None
            ),
        )

    def open(self, number: int) -> None:
        self.page.goto(f"{self.live.base}/sittings/{self.sitting}/{number}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def at(self, number: int) -> None:
        """Wait until a question is in place and has the focus."""
        self.page.wait_for_selector(f'body[data-number="{number}"]')
        self.until("document.activeElement.id === 'heading'")

    def until(self, expression: str, seconds: float = 15) -> None:
        """Wait until an expression holds. Playwright's own way needs eval, which the page forbids."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, f"never: {expression}"
            self.page.wait_for_timeout(20)

    def stored(self, number: int) -> QuestionView:
        return self.live.ask(self.live.services.take.question(self.sitting, number))


def sitting(live: Live, conditions: str = "exam", **wishes: Any) -> str:
    wishes = {"size": 20, "seed": 7, **wishes}
    made = live.ask(live.services.take.create("NCP-GENL", conditions=Conditions(conditions), **wishes))
    live.ask(live.services.aids.choose(made, strike=True, notes=True))
    return made


def number_with(live: Live, id: str, choose: int) -> int:
    view = live.ask(live.services.take.view(id))
    return next(entry.number for entry in view.entries if entry.choose == choose)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context()
    made.set_default_timeout(15_000)
    yield made
    made.close()


@pytest.fixture
def tab(live: Live, context: BrowserContext) -> Iterator[Tab]:
    tab = Tab(live, context.new_page(), sitting(live))
    yield tab
    assert tab.errors == []


def test_each_change_is_saved_and_says_so(tab: Tab) -> None:
    number = number_with(tab.live, tab.sitting, 1)
    tab.open(number)
    tab.page.click("label.option >> nth=1")
    tab.page.wait_for_selector(SAVED)
    assert tab.page.inner_text("#state") == "Saved"
    assert tab.stored(number).selected == (tab.stored(number).asked.options[1].id,)
    assert tab.page.get_attribute("#state", "role") == "status"
    square = tab.page.locator(f'.map button[value="{number}"]')
    assert square.inner_text().strip().endswith("answered")
    tab.page.click("#clear")
    tab.until("document.querySelectorAll('input[name=o]:checked').length === 0")
    tab.page.wait_for_selector(SAVED)
    tab.until("document.querySelector('.map [aria-current]').className === ''")
    assert tab.stored(number).selected == ()


def test_keys_do_everything(tab: Tab) -> None:
    several = number_with(tab.live, tab.sitting, 2)
    tab.open(several)
    tab.press("a", "3")
    tab.page.wait_for_selector(SAVED)
    assert tab.page.inner_text("#count") == "2 of 2 chosen"
    tab.press("b")
    assert "already" in tab.page.inner_text("#count")
    assert tab.page.locator("input[name=o]:checked").count() == 2
    tab.press("a")
    assert tab.page.inner_text("#count") == "1 of 2 chosen"
    tab.press("f", "Shift+E")
    assert tab.page.get_attribute("#flag", "aria-pressed") == "true"
    assert "struck" in (tab.page.get_attribute(".options li >> nth=4", "class") or "")
    tab.until("!sessionStorage.length")
    stored = tab.stored(several)
    ids = [option.id for option in stored.asked.options]
    assert (stored.selected, stored.flagged, stored.struck) == ((ids[2],), True, (ids[4],))
    tab.press("x")
    tab.until("!sessionStorage.length")
    assert tab.stored(several).selected == ()
    tab.press("n")
    tab.at(several + 1)
    tab.press("p")
    tab.at(several)
    assert tab.page.url.endswith(f"/{several}")
    tab.press("ArrowRight")
    tab.at(several + 1)
    tab.press("g")
    assert tab.page.evaluate("document.activeElement.value") == str(several + 1)
    tab.press("?")
    assert tab.page.locator("#keys").is_visible()
    tab.press("Escape", "r")
    tab.page.wait_for_selector("text=Before you submit")
    assert tab.page.evaluate("document.activeElement.id") == "heading"
    tab.press("p")
    tab.at(several + 1)


def test_the_sixth_option_has_a_key_of_its_own(tab: Tab) -> None:
    number = number_with(tab.live, tab.sitting, 3)
    tab.open(number)
    tab.press("6", "f", "Shift+F")
    tab.until("!sessionStorage.length")
    stored = tab.stored(number)
    assert stored.selected == stored.struck == (stored.asked.options[5].id,)
    assert stored.flagged


def test_keys_rest_with_modifiers_in_text_fields_and_when_turned_off(tab: Tab) -> None:
    tab.open(1)
    tab.press("Control+b", "Alt+f")
    tab.page.evaluate(
        "() => { const t = document.createElement('textarea'); t.id = 'probe'; document.querySelector('main').append(t); t.focus() }"
    )
    tab.press("b", "f", "n")
    assert tab.page.input_value("#probe") == "bfn"
    assert tab.page.url.endswith("/1")
    tab.page.click("#keys-open")
    tab.page.uncheck("#keys-on")
    tab.page.click("text=Close")
    tab.press("b", "f", "n", "?")
    assert tab.stored(1).selected == ()
    assert not tab.stored(1).flagged
    assert not tab.page.locator("#keys").is_visible()
    tab.page.wait_for_timeout(200)
    assert not tab.live.ask(tab.live.services.profile.get()).shortcuts


def test_a_key_of_ones_own_works_and_the_old_one_rests(tab: Tab) -> None:
    tab.live.ask(tab.live.services.profile.change(keys="flag=j"))
    tab.open(1)
    tab.press("f")
    tab.press("j")
    tab.page.wait_for_selector("#state[data-state=saved]")
    assert tab.stored(1).flagged
    tab.press("f")
    tab.page.wait_for_timeout(200)
    assert tab.stored(1).flagged


def test_arrows_inside_radios_choose_and_do_not_move_on(tab: Tab) -> None:
    number = number_with(tab.live, tab.sitting, 1)
    tab.open(number)
    tab.press("a", "ArrowRight")
    tab.until("!sessionStorage.length")
    assert tab.page.url.endswith(f"/{number}")
    assert tab.stored(number).selected == (tab.stored(number).asked.options[1].id,)
    tab.press("Enter")
    tab.at(number + 1)


def test_a_dropped_connection_loses_nothing_and_is_told(tab: Tab, context: BrowserContext) -> None:
    number = number_with(tab.live, tab.sitting, 1)
    tab.open(number)
    context.set_offline(True)
    tab.press("c", "f", "Shift+A")
    tab.page.wait_for_selector(WAITING)
    assert "Not saved yet" in tab.page.inner_text("#state")
    assert tab.page.locator("label.option >> nth=2").locator("input").is_checked()
    tab.press("n")
    tab.until("document.getElementById('state').textContent.includes('goes on as soon')")
    assert tab.stored(number).selected == ()
    context.set_offline(False)
    tab.at(number + 1)
    tab.until("!sessionStorage.length")
    stored = tab.stored(number)
    ids = [option.id for option in stored.asked.options]
    assert (stored.selected, stored.flagged, stored.struck) == ((ids[2],), True, (ids[0],))


def test_unsaved_changes_survive_a_reload(tab: Tab) -> None:
    number = number_with(tab.live, tab.sitting, 1)
    tab.open(number)
    tab.page.route("**/api/**", lambda route: route.abort())
    tab.press("b", "d", "f")
    tab.page.wait_for_selector(WAITING)
    tab.page.on("dialog", lambda dialog: dialog.accept())
    tab.page.reload()
    tab.until("document.querySelectorAll('input[name=o]')[3].checked")
    assert tab.page.get_attribute("#flag", "aria-pressed") == "true"
    assert tab.page.inner_text("#state") != "Saved"
    assert tab.stored(number).selected == ()
    tab.page.unroute("**/api/**")
    tab.page.wait_for_selector(SAVED)
    stored = tab.stored(number)
    assert stored.selected == (stored.asked.options[3].id,)
    assert stored.flagged


def test_an_acknowledgement_that_got_lost_is_asked_for_again(tab: Tab) -> None:
    number = number_with(tab.live, tab.sitting, 1)
    tab.open(number)
    lost: list[str] = []

    def swallow(route: Any) -> None:
        lost.append(route.request.post_data)
        route.fetch()  # the server has it, the page never hears
        route.abort()

    tab.page.route("**/events", swallow, times=1)
    version = tab.live.ask(tab.live.services.take.view(tab.sitting)).version
    tab.press("b")
    tab.page.wait_for_selector(SAVED)
    assert len(lost) == 1
    assert tab.live.ask(tab.live.services.take.view(tab.sitting)).version == version + 1


def test_a_second_tab_never_overwrites_what_it_has_not_seen(tab: Tab, context: BrowserContext) -> None:
    number = number_with(tab.live, tab.sitting, 1)
    tab.open(number)
    other = Tab(tab.live, context.new_page(), tab.sitting)
    other.open(number)
    other.press("c")
    other.page.wait_for_selector(SAVED)
    tab.page.keyboard.press("a")
    tab.page.wait_for_selector("#message")
    assert "changed in another tab" in tab.page.inner_text("#message")
    assert tab.page.locator("input[name=o] >> nth=2").is_checked()
    ids = [option.id for option in tab.stored(number).asked.options]
    assert tab.stored(number).selected == (ids[2],)
    tab.press("d")  # now it has been seen
    tab.until("!sessionStorage.length")
    assert tab.stored(number).selected == (ids[3],)
    assert other.errors == []


def test_back_and_forward_keep_their_meaning(tab: Tab) -> None:
    tab.open(1)
    for number in (2, 3):
        tab.press("n")
        tab.at(number)
    tab.page.go_back()
    tab.at(2)
    tab.page.go_back()
    tab.at(1)
    tab.page.go_forward()
    tab.at(2)
    assert tab.page.title().startswith("Question 2 of 20")
    assert tab.live.ask(tab.live.services.take.view(tab.sitting)).current == 2


def test_the_time_can_be_hidden_and_comes_back_at_five_minutes(live: Live, context: BrowserContext) -> None:
    tab = Tab(live, context.new_page(), sitting(live, minutes=30))
    tab.open(1)
    clock = tab.page.locator("#clock")
    assert re.fullmatch(r"(29:5\d|30:00)", clock.inner_text())
    tab.press("t")
    assert not clock.is_visible()
    assert tab.page.inner_text("#clock-toggle") == "Show time"
    live.clock.wait(60 * 26)
    tab.press("b")  # any acknowledgement brings the server's time
    tab.page.wait_for_selector("#clock.late", state="visible")
    assert re.fullmatch(r"[34]:\d\d", clock.inner_text())
    assert not tab.page.locator("#clock-toggle").is_visible()
    assert tab.errors == []


def test_time_is_spoken_at_the_marks_and_cleared(live: Live, context: BrowserContext) -> None:
    page = context.new_page()
    page.clock.install()
    tab = Tab(live, page, sitting(live, minutes=31))
    tab.open(1)
    assert page.get_attribute("#spoken", "aria-live") == "polite"
    page.clock.run_for(2_000)
    live.clock.wait(90)
    tab.press("b")
    page.clock.run_for(1_000)
    page.wait_for_selector(SAVED)
    page.clock.run_for(1_000)
    assert page.text_content("#spoken") == "30 minutes left."
    assert page.inner_text("#told") == "30 minutes left."
    assert page.get_attribute("#told", "aria-hidden") == "true"
    page.clock.run_for(21_000)
    assert page.text_content("#spoken") == page.text_content("#told") == ""


def test_at_zero_the_last_saved_answers_are_submitted(live: Live, context: BrowserContext) -> None:
    tab = Tab(live, context.new_page(), sitting(live, minutes=5))
    number = number_with(live, tab.sitting, 1)
    tab.open(number)
    key = next(iter(live.services.catalog.items[tab.stored(number).asked.id].key))
    place = [option.id for option in tab.stored(number).asked.options].index(key)
    tab.press("abcde"[place])
    tab.page.wait_for_selector(SAVED)
    live.clock.wait(5 * 60 - 2)
    tab.press("f")  # brings the server's time: about two seconds
    tab.page.wait_for_url("**/result", timeout=20_000)
    assert "Time ran out" in tab.page.inner_text("main")
    assert "1 of 20 questions right" in tab.page.inner_text("main")


def test_pause_hides_the_question_and_the_clock_stands(live: Live, context: BrowserContext) -> None:
    tab = Tab(live, context.new_page(), sitting(live, "timed", minutes=10))
    tab.open(2)
    tab.press("b")
    tab.page.click(".time >> text=Pause")
    tab.page.wait_for_selector("text=put away")
    assert tab.page.locator(".options").count() == 0
    assert tab.page.locator(".stem").count() == 0
    live.clock.wait(3600)
    tab.page.click("text=Go on with question 2")
    tab.page.wait_for_selector(".options")
    assert tab.page.locator("input[name=o]:checked").count() == 1
    assert re.fullmatch(r"10:00|9:[345]\d", tab.page.inner_text("#clock"))
    assert tab.errors == []


def test_tutor_checks_with_enter_and_shows_why(live: Live, context: BrowserContext) -> None:
    tab = Tab(live, context.new_page(), sitting(live, "tutor"))
    tab.open(1)
    tab.press("b", "Enter")
    tab.page.wait_for_selector("#verdict")
    tab.until("document.activeElement.id === 'verdict'")
    main = tab.page.inner_text("main")
    assert "REASON-" in main
    assert "When would this have been right?" in main
    tab.press("f")
    tab.until("!sessionStorage.length")
    assert "answered" in tab.page.locator('.map button[value="1"]').inner_text()
    tab.press("n")
    tab.at(2)
    assert "REASON-" not in tab.page.content()


def test_a_second_tab_that_submits_ends_the_first(tab: Tab) -> None:
    tab.open(1)
    tab.live.ask(tab.live.services.take.act(tab.sitting, Command("x", EventKind.SUBMITTED)))
    tab.press("b")
    tab.page.wait_for_url("**/result")


def test_the_page_is_light(live: Live, context: BrowserContext) -> None:
    tab = Tab(live, context.new_page(), sitting(live, size=65))
    sizes: list[int] = []

    def weigh(response: Any) -> None:
        sizes.append(int(response.headers.get("content-length", 0)))

    tab.page.on("response", weigh)
    tab.open(1)
    tab.page.wait_for_load_state("networkidle")
    assert len(sizes) <= 5
    assert sum(sizes) < 25_000


def test_without_a_script_the_whole_way_works(live: Live, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live.base)
    page.check("input[value=NCP-GENL]")
    page.click("text=Continue")
    page.click("text=Start with question 1")
    page.wait_for_url("**/1")
    id = page.url.split("/")[-2]
    page.click("label.option >> nth=0")
    page.click("button:has-text('Save')")
    assert page.inner_text("#state") == "Saved"
    assert not page.locator("#clock-toggle").count() or not page.locator("#clock-toggle").is_visible()
    page.click("#flag")
    assert page.get_attribute("#flag", "aria-pressed") == "true"
    page.click(".strike >> nth=1")
    page.click("#check")
    assert "REASON-" in page.inner_text("main")
    page.click(".moves >> text=Next")
    assert page.url.endswith("/2")
    page.click('.map button[value="5"]')
    page.click("label.option >> nth=1")
    page.click('.map button[value="review"]')
    page.click("#to-submit")
    page.click("#submit-now")
    assert "Your result" in page.inner_text("main")
    assert live.ask(live.services.take.view(id)).phase == "submitted"
    context.close()
