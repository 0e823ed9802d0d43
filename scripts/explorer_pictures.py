"""The pictures of docs/explorers.md: each explorer from its answer down, and one at 320 px in the dark."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from screenshots import ARGUMENTS, CHROMIUM, server

FOLDER = Path(__file__).parents[1] / "docs" / "images"
PAGES = {
    "explore-memory": "/explore/memory?model=llama-3.1-70b&gpu=h100-sxm5-80gb&dp=64&zero=3",
    "explore-pipeline": "/explore/pipeline?schedule=zb-h1&stages=4&micro_batches=8",
    "explore-pipeline-large": "/explore/pipeline?stages=16&micro_batches=64",
    "explore-parallelism": "/explore/parallelism?tp=4&dp=2&pp=4&rank=5",
    "explore-training": "/explore/training",
}
TO = "place => scrollTo(0, document.querySelector(place).getBoundingClientRect().top - 12)"
WIDE = {"viewport": {"width": 1180, "height": 900}, "color_scheme": "light"}
NARROW = {"viewport": {"width": 320, "height": 640}, "color_scheme": "dark"}


def main() -> None:
    """Take them all."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as home, server(Path(home)) as base:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for look, pages in (
            (WIDE, PAGES),
            (NARROW, {"explore-narrow-dark": PAGES["explore-memory"]}),
        ):
            page = browser.new_page(**look)  # type: ignore[arg-type]
            for name, path in pages.items():
                page.goto(base + path)
                page.evaluate(TO, "#shown" if look is NARROW else "#verdict")
                page.wait_for_timeout(200)
                page.screenshot(path=FOLDER / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
