"""From a turned knob to the picture on the screen, for every explorer, in a real Chromium.

``knob to picture`` begins with the input event and ends with the frame that shows the new
picture: request, model, drawing, exchange, paint. ``redraw`` is the canvas alone. A SVG of the
same 2,048 passes is drawn in the same run, to show what the canvas is for.

    python -m benchmarks.explorers
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from playwright.sync_api import sync_playwright
from screenshots import ARGUMENTS, CHROMIUM, server

if TYPE_CHECKING:
    from playwright.sync_api import Page

TURNS = 15
BIG = "/explore/pipeline?stages=16&micro_batches=64"
PLACES = (
    ("memory", "/explore/memory", "seq"),
    ("pipeline, 64 passes", "/explore/pipeline", "send_ms"),
    ("pipeline, 2,048 passes", BIG, "send_ms"),
    ("pipeline, 8,192 passes", "/explore/pipeline?stages=32&micro_batches=128", "send_ms"),
    ("parallelism, 128 ranks", "/explore/parallelism?tp=8&dp=4&pp=4", "rank"),
    ("training, plan space swept before", "/explore/training", "micro"),
    ("training, 10,000 plans swept anew", "/explore/training", "global_batch"),
    ("training, 40,000 plans swept anew", "/explore/training?model=mixtral-8x7b&gpus=512", "global_batch"),
)
# A value of its own for each turn keeps the server from answering from what it has kept.
TURN = """([name, value]) => new Promise((done) => {
    let slider = document.querySelector(`input[data-for="k-${name}"]`);
    if (value) {
        slider = document.getElementById(`k-${name}`);
        slider.value = value;
    } else {
        slider.value = Number(slider.value) + (Number(slider.value) < Number(slider.max) ? 1 : -1);
    }
    const begin = performance.now();
    new MutationObserver((_, watch) => {
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));
    }).observe(document.body, {attributeFilter: ["data-shown"]});
    slider.dispatchEvent(new Event("input", {bubbles: true}));
})"""
REDRAW = """async (url) => {
    const { drawAll } = await import(url);
    const times = [];
    for (let i = 0; i < 20; i += 1) {
        const begin = performance.now();
        drawAll();
        document.querySelector("canvas").getContext("2d").getImageData(0, 0, 1, 1);
        times.push(performance.now() - begin);
    }
    return times;
}"""
SVG = """() => new Promise((done) => {
    const markup = document.querySelector("noscript").textContent;
    const place = document.getElementById("shown");
    const begin = performance.now();
    place.innerHTML = markup;
    place.getBoundingClientRect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));
})"""


def show(what: str, times: list[float]) -> None:
    """Print the middle and the slowest of some times."""
    middle, worst = statistics.median(times), max(times)
    print(f"{what:44} median {middle:6.1f} ms   slowest {worst:6.1f} ms   ({len(times)} times)")


def turned(page: Page, address: str, knob: str) -> list[float]:
    """Turn a knob back and forth and return each time."""
    page.goto(address)
    values = [512 * (n + 1) if knob == "global_batch" else None for n in range(TURNS + 1)]
    # The first asks for what is not warm yet.
    return [page.evaluate(TURN, [knob, value]) for value in values][1:]


def main() -> None:
    """Measure all pages."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as home, server(Path(home)) as base:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for name, path, knob in PLACES:
            show(f"{name}: knob to picture", turned(page, base + path, knob))
        page.goto(base + BIG)
        script = page.get_attribute('link[href*="timeline.js"]', "href")
        show("2,048 passes: redraw, canvas", page.evaluate(REDRAW, f"{base}{script}"))
        times = []
        for _ in range(5):
            page.goto(base + BIG)
            times.append(page.evaluate(SVG))
        show("2,048 passes: redraw, SVG instead", times)
        browser.close()


if __name__ == "__main__":
    main()
