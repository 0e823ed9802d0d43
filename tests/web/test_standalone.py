"""A picture as a file in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnin.figures.standalone import standalone


@pytest.mark.browser
def test_a_browser_paints_its_colours(browser, tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    path.write_text(
        standalone('<svg xmlns="http://www.w3.org/2000/svg"><rect class="bar s1"/></svg>'), encoding="utf-8"
    )
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.evaluate("getComputedStyle(document.querySelector('rect')).fill") == "rgb(12, 92, 105)"
    page.close()
