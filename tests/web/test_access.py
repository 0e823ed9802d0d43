"""No axe violation on any page, in light, dark, high contrast and at 320 px; nothing overflows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from burnin.app.take import Command, Conditions, EventKind
from tests.web.browsing import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

AXE = next((Path(__file__).parent / "vendor").glob("axe-*.min.js")).read_text()
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 640}, "color_scheme": "light"},
    "contrast": {"viewport": {"width": 800, "height": 900}, "color_scheme": "dark", "contrast": "more"},
    "forced": {"viewport": {"width": 1280, "height": 900}, "forced_colors": "active"},
    "zoomed": {"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2},
}


def pages(live: Live) -> dict[str, str]:
    """Every page in every state that looks different, by name."""
    take = live.services.take

    def begin(conditions: str, size: int = 20) -> str:
        return live.ask(take.create("NCP-GENL", conditions=Conditions(conditions), size=size, seed=3))

    def do(sitting: str, kind: EventKind, number: int = 1, **more: Any) -> None:
        item = live.ask(take.question(sitting, number)).asked.id if kind is not EventKind.SUBMITTED else None
        name = f"{kind}-{number}-{more}"
        live.ask(take.act(sitting, Command(name, kind, item=item, **more)))

    found = {"first": "/"}
    exam, timed, tutor, over = begin("exam", 40), begin("timed"), begin("tutor"), begin("exam", 10)
    kinds: dict[str, int] = {}
    for number in range(1, 41):
        asked = live.ask(take.question(exam, number)).asked
        do(exam, EventKind.ANSWERED, number, options=(asked.options[0].id,)) if number % 2 else None
        do(exam, EventKind.FLAGGED, number, on=True) if number % 3 == 0 else None
        kinds.setdefault(f"{asked.exhibit.kind if asked.exhibit else 'plain'}-{asked.choose}", number)
    found |= {f"question-{kind}": f"/sittings/{exam}/{number}" for kind, number in kinds.items()}
    do(exam, EventKind.STRUCK, 2, options=(live.ask(take.question(exam, 2)).asked.options[1].id,))
    found["struck"] = f"/sittings/{exam}/2"
    found["review"] = f"/sittings/{exam}/review"
    found["confirm"] = f"/sittings/{exam}/submit"
    do(tutor, EventKind.ANSWERED, options=(live.ask(take.question(tutor, 1)).asked.options[0].id,))
    do(tutor, EventKind.REVEALED)
    found["tutor"] = f"/sittings/{tutor}/2"
    found["revealed"] = f"/sittings/{tutor}/1"
    live.ask(take.act(timed, Command("p", EventKind.PAUSED)))
    found["paused"] = f"/sittings/{timed}/1"
    do(over, EventKind.ANSWERED, options=(live.ask(take.question(over, 1)).asked.options[0].id,))
    do(over, EventKind.SUBMITTED)
    found["result"] = f"/sittings/{over}/result"
    diagnosis = live.ask(live.services.diagnose.start("NCP-GENL", seed=1))
    found["by-time"] = f"/sittings/{over}/result?sort=over&show=missed"
    tapped = begin("tutor", 10)
    for number in (1, 2, 3):
        right = tuple(live.services.catalog.items[live.ask(take.question(tapped, number)).asked.id].key)
        do(tapped, EventKind.ANSWERED, number, options=right)
        do(tapped, EventKind.RATED, number, value=("sure", "unsure", "guess")[number - 1])
    do(tapped, EventKind.SUBMITTED)
    found["rated"] = f"/sittings/{tapped}/result"
    finished = live.ask(live.services.diagnose.start("NCP-GENL", seed=2))
    while (step := live.ask(live.services.diagnose.step(finished))).item is not None:
        live.ask(live.services.diagnose.answer(finished, step.item, (), client_id=step.item))
    found["diagnosed"] = f"/diagnose/{finished}"
    found["practice-counted"] = "/practice?exam=NCP-GENL&domain=domain-2&unseen=on"
    found["mistakes-found"] = "/misconceptions?find=mistake"
    found["diagnose"] = "/diagnose"
    found["diagnose-step"] = f"/diagnose/{diagnosis}"
    found["practice"] = "/practice?exam=NCP-GENL&missed=on"
    found["misconceptions"] = "/misconceptions"
    found["misconception"] = "/misconceptions/mistake"
    found["glossary"] = "/glossary"
    found["tutorial"] = "/tutorial"
    found["ready"] = "/ready?exam=NCP-GENL"
    found["plan"] = "/plan?exam=NCP-GENL"
    found["fault"] = f"/faults/new?sitting={over}&n=1"
    for conditions in ("exam", "timed", "tutor"):
        found[f"new-{conditions}"] = f"/sittings/new?exam=NCP-GENL&conditions={conditions}"
    plain = ("/exams", "/exams/NCP-GENL", "/faults", "/settings?saved", "/help/keys", "/nowhere")
    found |= {path: path for path in plain}
    live.ask(live.services.faults.add(sitting=over, item=_item(live, over), kind="typo", text="a slip"))
    return found


def _item(live: Live, sitting: str) -> str:
    return live.ask(live.services.take.question(sitting, 1)).asked.id


ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Looks that change colours only, or only the room there is, need no second walk over the markup.
RULES: dict[str, list[str]] = {
    "contrast": ["color-contrast", "link-in-text-block"],
    "forced": [],
    "zoomed": [],
}


def violations(page: Page, rules: list[str] = ALL_RULES) -> list[str]:
    if not rules:
        return []
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, {runOnly: rules})", rules)
    return [f"{v['id']}: {node['html'][:200]}" for v in found["violations"] for node in v["nodes"][:3]]


@pytest.fixture
def look(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(**LOOKS[request.param])
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_every_page_is_accessible_and_fits(live: Live, look: Page, request: pytest.FixtureRequest) -> None:
    faults: list[str] = []
    rules = RULES.get(request.node.callspec.params["look"], ALL_RULES)
    for name, path in pages(live).items():
        look.goto(live.base + path)
        if name in ("result", "rated", "practice-counted", "misconceptions"):
            look.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        faults += [f"{name}: {line}" for line in violations(look, rules)]
        # Reflow: the page itself never scrolls sideways, at 320 px and at 200 % too.
        wide = look.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        if wide > 0:
            faults.append(f"{name}: {wide} px too wide")
    live.ask(live.services.profile.change(exam="NCP-GENL", exam_date="2027-01-14"))
    look.goto(live.base)
    faults += [f"desk: {line}" for line in violations(look, rules)]
    assert faults == []


@pytest.mark.parametrize("look", ["light", "narrow"], indirect=True)
def test_the_sheet_of_keys_and_messages_are_accessible(live: Live, look: Page) -> None:
    sitting = live.ask(live.services.take.create("NCP-GENL", conditions=Conditions.EXAM, size=20, seed=7))
    view = live.ask(live.services.take.view(sitting))
    number = next(entry.number for entry in view.entries if entry.choose == 2)
    look.goto(f"{live.base}/sittings/{sitting}/{number}")
    look.keyboard.press("a")
    look.keyboard.press("b")
    look.keyboard.press("c")
    assert "already" in look.inner_text("#count")
    assert violations(look) == []
    look.keyboard.press("?")
    assert violations(look) == []


@pytest.mark.parametrize("look", ["light"], indirect=True)
def test_targets_are_large_enough_and_focus_shows(live: Live, look: Page) -> None:
    sitting = live.ask(live.services.take.create("NCP-GENL", conditions=Conditions.EXAM, size=65, seed=7))
    look.goto(f"{live.base}/sittings/{sitting}/1")
    small = look.evaluate(
        """[...document.querySelectorAll('button, a, .option, select')].filter((e) => {
            const box = e.getBoundingClientRect();
            return box.width > 1 && getComputedStyle(e).display !== 'none' && (box.width < 24 || box.height < 24);
        }).map((e) => e.outerHTML.slice(0, 120))"""
    )
    assert [html for html in small if "skip" not in html and "vh" not in html[:80]] == []
    look.keyboard.press("Tab")
    assert look.evaluate("document.activeElement.className") == "skip"
    for _ in range(12):
        look.keyboard.press("Tab")
        outlined = look.evaluate(
            """(() => { let e = document.activeElement; e = e.closest('.option') ?? e;
            return getComputedStyle(e).outlineStyle })()"""
        )
        assert outlined != "none"
