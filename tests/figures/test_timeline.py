import xml.etree.ElementTree as ET

import pytest

from burnin.figures.timeline import Block, Lanes, idle_shares, timeline_svg, timeline_table
from burnin.figures.timeline_text import timeline_text

NS = {"s": "http://www.w3.org/2000/svg"}
KINDS = (("F", "forward"), ("B", "backward"))


def lanes(**changes):
    fields = {
        "title": "1F1B <2 stages>",
        "summary": "Two ranks & one micro-batch",
        "unit": "ms",
        "lanes": ("rank 0", "rank 1"),
        "kinds": KINDS,
        "columns": ("Micro-batch",),
        "blocks": (
            Block(lane=0, start=0, end=1, kind=0, label="1", cells=("1",)),
            Block(lane=1, start=1, end=2, kind=0, label="1", cells=("1",)),
            Block(lane=1, start=2, end=4, kind=1, label="1", cells=("1",)),
            Block(lane=0, start=4, end=6, kind=1, label="1", cells=("1",)),
        ),
    }
    return Lanes(**{**fields, **changes})


def boxes(svg, of="mark"):
    root = ET.fromstring(svg)
    return [
        r
        for r in root.findall("s:rect", NS)
        if r.get("class").startswith(of) and r.find("s:title", NS) is not None
    ]


def test_title_and_summary_name_the_picture():
    root = ET.fromstring(timeline_svg(lanes(), prefix="t"))
    title, desc = root.find("s:title", NS), root.find("s:desc", NS)
    assert (title.text, desc.text) == ("1F1B <2 stages>", "Two ranks & one micro-batch")
    assert root.get("aria-labelledby") == "t-title t-desc"


def test_blocks_are_as_long_as_they_last_and_stand_in_their_lane():
    drawn = boxes(timeline_svg(lanes(), prefix="t"))
    widths = [float(r.get("width")) + 2 for r in drawn]
    assert widths[2] == pytest.approx(2 * widths[0], abs=0.05)
    assert float(drawn[1].get("x")) == pytest.approx(float(drawn[0].get("x")) + widths[0], abs=0.05)
    assert float(drawn[0].get("y")) == float(drawn[3].get("y")) < float(drawn[1].get("y"))
    assert drawn[2].find("s:title", NS).text == "backward 1: 2 to 4 ms"


def test_kinds_differ_by_letter_and_dash_as_well_as_by_colour():
    root = ET.fromstring(timeline_svg(lanes(), prefix="t"))
    words = [t.text for t in root.findall("s:text", NS)]
    assert {"F1", "B1", "F", "B", "forward", "backward"} <= set(words)
    dashes = [p for p in root.findall("s:path", NS) if p.get("class").startswith("line s")]
    assert {p.get("class") for p in dashes} == {"line s1", "line s2"}


def test_narrow_blocks_are_filled_and_ruled():
    many = tuple(Block(lane=0, start=t, end=t + 1, kind=t % 2, label=str(t)) for t in range(400))
    svg = timeline_svg(lanes(lanes=("rank 0",), blocks=many), prefix="t")
    assert len(boxes(svg, of="bar")) == 400
    ruled = ET.fromstring(svg).find("s:path[@class='hatch']", NS).get("d")
    assert ruled.count("M") == 200  # one line across each backward, none across a forward


def test_blocks_at_the_same_time_share_the_lane():
    pair = tuple(Block(lane=0, start=0, end=4, kind=k, label="1", row=k, rows=2) for k in (0, 1))
    upper, lower = boxes(timeline_svg(lanes(lanes=("rank 0",), blocks=pair), prefix="t"))
    assert float(upper.get("y")) + float(upper.get("height")) < float(lower.get("y"))
    assert timeline_text(lanes(lanes=("r",), blocks=pair), width=19).splitlines()[0] == "r  F1------B1======"
    assert idle_shares(lanes(lanes=("r",), blocks=pair)) == [0]


def test_the_table_holds_every_block_in_order():
    columns, rows = timeline_table(lanes())
    assert columns == ("Lane", "What", "Micro-batch", "Start (ms)", "End (ms)")
    assert rows == (
        ("rank 0", "forward", "1", "0", "1"),
        ("rank 0", "backward", "1", "4", "6"),
        ("rank 1", "forward", "1", "1", "2"),
        ("rank 1", "backward", "1", "2", "4"),
    )


def test_idle_time_is_what_no_block_covers():
    assert idle_shares(lanes()) == [0.5, 0.5]


def test_in_text_equal_blocks_are_equally_long():
    first, second, key = timeline_text(lanes(), width=26).splitlines()
    assert first == "rank 0  F1-·········B1===="
    assert second == "rank 1  ···F1-B1====······"
    assert key.strip() == "0 to 6 ms; F- forward, B= backward, · idle"


def test_text_fits_the_width_even_where_blocks_do_not():
    many = tuple(Block(lane=0, start=t, end=t + 1, kind=0, label=str(t)) for t in range(400))
    line = timeline_text(lanes(lanes=("rank 0",), blocks=many), width=40).splitlines()[0]
    assert len(line) == 40
    assert set(line[8:]) == {"F"}
    with pytest.raises(ValueError, match="no room"):
        timeline_text(lanes(), width=8)


def test_nothing_to_draw_and_too_many_kinds_are_refused():
    with pytest.raises(ValueError, match="at least one block"):
        timeline_svg(lanes(blocks=()), prefix="t")
    with pytest.raises(ValueError, match="at most 6 kinds"):
        timeline_svg(lanes(kinds=KINDS * 4), prefix="t")


def test_nothing_needs_an_inline_style_or_script():
    svg = timeline_svg(lanes(), prefix="t")
    assert "style=" not in svg
    assert "<script" not in svg
