"""Pictures of every page in light, dark and at 320 px, into a folder (default ``screenshots/``)."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LOOKS: dict[str, dict[str, object]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 700}, "color_scheme": "light"},
}
EXAM = "NCP-GENL"


@contextmanager
def server(home: Path) -> Iterator[str]:
    """Run burnin on any free port over a fresh data folder; give its address."""
    child = subprocess.Popen(
        [sys.executable, "-m", "burnin.cli.main", "serve", "--port", "0", "--no-browser"],
        env={**os.environ, "BURNIN_HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        yield next(word for word in child.stdout.readline().split() if word.startswith("http")).rstrip("/")
    finally:
        child.terminate()
        child.wait(10)


class Camera:
    """Takes one picture of each named page in one look."""

    def __init__(self, page: Page, base: str, folder: Path, look: str) -> None:
        self.page, self.base, self.folder, self.look = page, base, folder, look
        self.count = 0

    def shoot(self, name: str, path: str | None = None, *, full: bool = True) -> None:
        if path is not None:
            self.page.goto(self.base + path)
        self.page.evaluate("full => full && scrollTo(0, 0)", full)
        self.page.wait_for_timeout(120)
        self.count += 1
        self.page.screenshot(path=self.folder / f"{self.count:02}-{name}-{self.look}.png", full_page=full)


def tour(browser: Browser, base: str, folder: Path, look: str) -> None:
    """Walk through the whole application as a newcomer would."""
    page = browser.new_page(**LOOKS[look])  # type: ignore[arg-type]
    shot = Camera(page, base, folder, look)
    shot.shoot("first-visit", "/")
    page.check(f"input[value={EXAM}]")
    page.fill("#exam_date", "2027-01-14")
    page.click("text=Continue")
    shot.shoot("begin")
    shot.shoot("exams", "/exams")
    shot.shoot("exam", f"/exams/{EXAM}")
    for conditions in ("exam", "timed", "tutor"):
        shot.shoot(f"new-{conditions}", f"/sittings/new?exam={EXAM}&conditions={conditions}")
    shot.shoot("tutorial", "/tutorial")
    for key in ("b", "Shift+C", "f"):
        page.keyboard.press(key)
    shot.shoot("tutorial-half-way")
    page.goto(base + f"/sittings/new?exam={EXAM}&conditions=tutor")
    page.select_option("#size", "30")
    page.click("text=Start >> nth=-1")
    page.wait_for_url("**/1")
    tutor = page.url.removesuffix("/1")
    seen: set[str] = set()
    for number in range(1, 31):
        page.goto(f"{tutor}/{number}")
        kind = next(
            (k for k in ("svg.chart", ".exhibit pre", ".exhibit table") if page.query_selector(k)), ""
        )
        kind = kind or ("select-several" if page.query_selector("#count") else "plain")
        if kind not in seen:
            seen.add(kind)
            shot.shoot("question-" + kind.strip(".").replace(" ", "-").replace(".", "-"))
    page.goto(f"{tutor}/1")
    page.keyboard.press("b")
    page.keyboard.press("Shift+A")
    page.keyboard.press("f")
    page.wait_for_selector("#state[data-state=saved]")
    shot.shoot("tutor-chosen")
    page.click("button.rate[value=unsure]")
    page.click("text=Note")
    page.fill("#note", "Which rail sees the passages?")
    page.wait_for_selector("#state:has-text('Note saved')")
    page.click("[data-filter=unsure]")
    shot.shoot("tutor-rated-note-filter")
    page.click("#check")
    page.wait_for_selector("#verdict")
    shot.shoot("tutor-reasons")
    turn = ""
    for number in range(2, 31):
        page.goto(f"{tutor}/{number}")
        page.click("#check")
        page.wait_for_selector("#verdict")
        links = page.query_selector_all(".flip a")
        if links:
            turn = links[0].get_attribute("href") or ""
            break
    if turn:
        page.goto(base + turn)
        page.focus("#knob")
        page.keyboard.press("ArrowRight")
        shot.shoot("flip")
    page.goto(base + f"/sittings/new?exam={EXAM}&conditions=timed")
    page.click("text=Start the clock")
    page.wait_for_url("**/1")
    sitting = page.url.removesuffix("/1")
    page.keyboard.press("?")
    shot.shoot("keys-dialog", full=False)
    page.keyboard.press("Escape")
    for number in range(1, 15):
        page.goto(f"{sitting}/{number}")
        page.keyboard.press("abcd"[number % 4])
        if number % 5 == 0:
            page.keyboard.press("f")
        page.wait_for_selector("#state[data-state=saved]")
    shot.shoot("question-timed")
    page.click("text=Pause")
    page.wait_for_selector("text=put away")
    shot.shoot("paused")
    page.click("text=Go on with")
    page.wait_for_selector(".options")
    shot.shoot("desk-open-sitting", "/")
    shot.shoot("review", sitting.removeprefix(base) + "/review")
    shot.shoot("confirm", sitting.removeprefix(base) + "/submit")
    page.click("#submit-now")
    page.wait_for_url("**/result")
    shot.shoot("result")
    page.click("details.fold > summary >> nth=1")
    shot.shoot("result-item")
    shot.shoot("desk", "/")
    page.goto(f"{sitting}/result")
    page.click("details.fold > summary >> nth=0")
    page.click("text=Report an error in this item >> nth=0")
    shot.shoot("fault-new")
    page.fill("#text", "The cited section speaks of stage 2.")
    page.click("text=Keep this report")
    shot.shoot("faults")
    for name in ("", "/memory", "/pipeline", "/parallelism", "/training"):
        shot.shoot("explore" + name.replace("/", "-"), f"/explore{name}")
    shot.shoot("result-by-time", sitting.removeprefix(base) + "/result?sort=slowest")
    shot.shoot("practice", f"/practice?exam={EXAM}&missed=on")
    shot.shoot("practice-nothing-meant", f"/practice?exam={EXAM}&unsure=on")
    shot.shoot("diagnose", "/diagnose")
    page.click("text=Begin")
    page.wait_for_url("**/diagnose/*")
    shot.shoot("diagnose-question")
    while not page.locator("text=Practise ten of it").count():
        with page.expect_navigation():
            page.click("text=I do not know")
    shot.shoot("diagnosed")
    shot.shoot("desk-after-diagnostic", "/")
    shot.shoot("ready", f"/ready?exam={EXAM}")
    page.goto(base + f"/plan?exam={EXAM}")
    page.fill("#hours_per_week", "8")
    with page.expect_navigation():
        page.click("button:has-text('Plan')")
    shot.shoot("plan")
    shot.shoot("misconceptions", "/misconceptions")
    shot.shoot("misconceptions-found", "/misconceptions?find=cache")
    shot.shoot("misconception", "/misconceptions/zero-free-of-cost")
    shot.shoot("glossary", "/glossary")
    shot.shoot("settings", "/settings")
    shot.shoot("keys", "/help/keys")
    shot.shoot("not-found", "/nowhere")
    page.close()


def main() -> None:
    """Run the tour in every look."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("screenshots"))
    parser.add_argument("--look", choices=sorted(LOOKS), action="append")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for look in arguments.look or LOOKS:
            with tempfile.TemporaryDirectory() as home, server(Path(home)) as base:
                tour(browser, base, arguments.folder, look)
        browser.close()
    print(f"{len(list(arguments.folder.glob('*.png')))} pictures in {arguments.folder}")


if __name__ == "__main__":
    main()
