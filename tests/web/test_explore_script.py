"""Explorers in a real browser: knobs turned by keyboard, pictures that follow, nothing inaccessible."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web import machines
from tests.web.browsing import Live
from tests.web.test_access import LOOKS, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
BIG = "/explore/pipeline?stages=16&micro_batches=64"
# For each page: a slider, and what of the picture must follow it.
KNOBS = {
    "memory": ("seq", "svg.waterfall"),
    "pipeline": ("micro_batches", "svg.timeline"),
    "parallelism": ("tp", "svg.placement"),
    "training": ("global_batch", "svg.front"),
}


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path / "home", machines.catalog()) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(20_000)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


def until(page: Page, expression: str, seconds: float = 15) -> None:
    """Wait until an expression holds. Playwright's own way needs eval, which the page forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never: {expression}"
        page.wait_for_timeout(20)


def slider(name: str) -> str:
    return f'input[data-for="k-{name}"]'


def shown(page: Page) -> None:
    """Wait until what is shown is what the knobs ask for."""
    until(
        page,
        "document.body.dataset.shown === new URLSearchParams(new FormData(document.getElementById('knobs'))).toString()",
    )


@pytest.mark.parametrize("name", KNOBS)
def test_a_slider_turned_by_key_changes_sentence_picture_and_address(
    live: Live, page: Page, name: str
) -> None:
    knob, picture = KNOBS[name]
    page.goto(f"{live.base}/explore/{name}")
    before = (page.inner_text("#answer"), page.inner_html(picture), page.input_value(f"#k-{knob}"))
    page.focus(slider(knob))
    page.keyboard.press("ArrowRight")
    shown(page)
    after = (page.inner_text("#answer"), page.inner_html(picture), page.input_value(f"#k-{knob}"))
    assert all(a != b for a, b in zip(before, after, strict=True))
    assert f"{knob}={after[2]}" in page.url
    assert page.get_attribute(slider(knob), "aria-valuetext") == after[2]
    assert page.evaluate("document.activeElement.dataset.for") == f"k-{knob}"
    assert page.inner_text("#spoken") == ""
    until(page, "document.getElementById('spoken').textContent !== ''")
    assert page.inner_text("#spoken") == after[0]
    page.reload()
    assert page.inner_text("#answer") == after[0]
    assert page.inner_html(picture) == after[1]


def test_all_of_it_works_by_keyboard_alone(live: Live, page: Page) -> None:
    page.goto(live.base)
    for target in ("/explore", "/explore/memory"):
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.getAttribute('href')") == target:
                break
        page.keyboard.press("Enter")
        page.wait_for_url(live.base + target)
    reached: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.name || document.activeElement.dataset.for || ''")
        )
        if reached[-1] == "recompute":
            break
    assert {"model", "gpu", "k-micro", "micro", "k-seq", "zero"} <= set(reached)
    page.keyboard.press("f")  # the list's own type-ahead: full
    shown(page)
    assert "recompute=full" in page.url
    assert page.evaluate("document.activeElement.name") == "recompute"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.name") == "zero"


def test_a_quick_hand_ends_at_the_last_value(live: Live, page: Page) -> None:
    page.goto(f"{live.base}/explore/pipeline")
    page.focus(slider("stages"))
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    shown(page)
    assert page.input_value("#k-stages") == "16"
    assert "with 16 stages" in page.inner_text("#answer")
    assert page.locator("svg.timeline text", has_text="rank 15").count() == 1


def test_a_wrong_number_is_told_beside_it_and_forgotten_when_mended(live: Live, page: Page) -> None:
    page.goto(f"{live.base}/explore/memory")
    page.fill("#k-micro", "900")
    shown(page)
    assert "900 is outside" in page.inner_text("#k-micro-fault")
    assert page.get_attribute("#k-micro", "aria-invalid") == "true"
    until(page, "document.getElementById('spoken').textContent.includes('outside')")
    page.fill("#k-micro", "3")
    shown(page)
    assert not page.is_visible("#k-micro-fault")
    assert page.get_attribute("#k-micro", "aria-invalid") is None
    # Between two stops the slider stands at the nearer one and the number keeps its value.
    assert page.input_value("#k-micro") == "3"


def test_a_contradiction_takes_the_picture_away_and_turning_back_returns_it(live: Live, page: Page) -> None:
    page.goto(f"{live.base}/explore/memory")
    page.fill("#k-tp", "3")
    shown(page)
    assert "does not divide" in page.inner_text("#answer")
    assert page.locator(".picture").count() == 0
    page.fill("#k-tp", "4")
    shown(page)
    assert page.locator("svg.waterfall:visible").count() == 1


def test_opened_tables_stay_open_and_focus_in_the_result_stays(live: Live, page: Page) -> None:
    page.goto(f"{live.base}/explore/pipeline")
    page.click("#table-2 > summary")
    page.focus("#sum-1 > summary")
    page.evaluate(
        "const f = document.getElementById('k-stages'); f.value = 5; f.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    shown(page)
    assert page.get_attribute("#table-2", "open") is not None
    assert page.evaluate("document.activeElement.parentElement.id") == "sum-1"


def test_a_silent_server_is_told_and_the_picture_stays(live: Live, page: Page) -> None:
    page.goto(f"{live.base}/explore/memory")
    page.route("**/explore/**", lambda route: route.abort())
    page.focus(slider("seq"))
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('answer').textContent.includes('does not answer')")
    assert page.locator("svg.waterfall:visible").count() == 1
    page.unroute("**/explore/**")
    page.keyboard.press("ArrowRight")
    shown(page)
    assert "GiB" in page.inner_text("#answer")


PIXELS = """(() => {
    const canvas = document.querySelector('canvas.timeline');
    const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let sum = 0, painted = 0;
    for (let i = 0; i < all.length; i += 4) {
        if (all[i + 3]) { painted += 1; sum = (sum * 31 + all[i] + 7 * all[i + 1] + 13 * all[i + 2]) % 1000003; }
    }
    return [painted, sum];
})()"""


def test_a_timeline_of_2048_passes_is_painted_and_painted_anew(live: Live, page: Page) -> None:
    page.goto(live.base + BIG)
    painted, first = page.evaluate(PIXELS)
    assert painted > 10_000
    page.focus(slider("send_ms"))
    page.keyboard.press("ArrowRight")
    shown(page)
    assert page.evaluate(PIXELS)[1] != first
    light = page.evaluate(PIXELS)[1]
    page.emulate_media(color_scheme="dark")
    until(page, f"{PIXELS.rstrip(';')}[1] !== {light}")
    assert page.get_attribute("canvas.timeline", "aria-label").startswith("1F1B")
    # Under the limit it is a picture with parts again.
    page.fill("#k-micro_batches", "8")
    shown(page)
    assert page.locator("svg.timeline").count() == 1


def test_without_a_script_the_form_and_the_picture_are_there(live: Live, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live.base + BIG)
    assert page.locator("noscript svg.timeline").count() or page.locator("svg.timeline").count()
    assert page.locator("input[type=range]:visible").count() == 0
    page.goto(f"{live.base}/explore/memory")
    page.fill("#k-seq", "32768")
    page.click("text=Show")
    assert "seq=32768" in page.url
    assert "GiB" in page.inner_text("#answer")
    context.close()


@pytest.mark.parametrize("look", LOOKS)
def test_every_explorer_is_accessible_and_fits(live: Live, browser: Browser, look: str) -> None:
    context = browser.new_context(**LOOKS[look])
    page = context.new_page()
    faults: list[str] = []
    rules = {"contrast": ["color-contrast"], "forced": [], "zoomed": []}.get(look)
    places = ["/explore", *(f"/explore/{name}" for name in KNOBS), BIG]
    places += ["/explore/memory?micro=x&flash=y", "/explore/memory?tp=3"]
    for place in places:
        page.goto(live.base + place)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        found = violations(page) if rules is None else violations(page, rules)
        faults += [f"{place}: {line}" for line in found]
        wide = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        if wide > 0:
            faults.append(f"{place}: {wide} px too wide")
        small = page.evaluate(
            """[...document.querySelectorAll('main button, main a, main select, main input')].filter((e) => {
                const box = e.getBoundingClientRect();
                return box.width > 0 && box.height < 24 && getComputedStyle(e).display !== 'inline';
            }).map((e) => e.outerHTML.slice(0, 100))"""
        )
        faults += [f"{place}: small: {html}" for html in small]
    context.close()
    assert faults == []
