import xml.etree.ElementTree as ET

import pytest

from burnin.domain.item import Exhibit, Series
from burnin.figures.chart import chart_svg, chart_table

NS = {"s": "http://www.w3.org/2000/svg"}


def exhibit(**changes):
    fields = {
        "id": "loss",
        "title": "Loss <by> epoch",
        "kind": "chart",
        "chart": "line",
        "x_label": "Epoch",
        "x_values": ("1", "2", "3"),
        "y_label": "Loss",
        "series": (
            Series(name="train & co", values=(2.0, 1.5, 1.0)),
            Series(name="validation", values=(2.1, 1.7, 1.6)),
        ),
        "summary": 'Two falling "lines"',
    }
    return Exhibit(**{**fields, **changes})


def parse(svg):
    return ET.fromstring(svg)


def test_title_and_summary_name_the_picture():
    root = parse(chart_svg(exhibit(), prefix="q1"))
    title, desc = root.find("s:title", NS), root.find("s:desc", NS)
    assert (title.text, desc.text) == ("Loss <by> epoch", 'Two falling "lines"')
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}" == "q1-title q1-desc"


def test_higher_values_stand_higher_and_later_ones_further_right():
    root = parse(chart_svg(exhibit(), prefix="q1"))
    marks = [m for m in root.findall("s:circle", NS) if m.get("class") == "mark s1"]
    points = [(float(m.get("cx")), float(m.get("cy"))) for m in marks[:3]]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert [y for _, y in points] == sorted(y for _, y in points)  # y grows downwards, loss falls


def test_bars_start_at_zero_also_below_it():
    chart = exhibit(chart="bar", series=(Series(name="gain", values=(-2.0, 1.0, 4.0)),))
    root = parse(chart_svg(chart, prefix="q"))
    bars = [r for r in root.findall("s:rect", NS) if "bar" in r.get("class")]
    heights = [float(bar.get("height")) for bar in bars]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.02)
    assert heights[2] == pytest.approx(4 * heights[1], abs=0.02)
    zero = float(bars[0].get("y"))
    assert float(bars[1].get("y")) + heights[1] == pytest.approx(zero, abs=0.02)


def test_series_differ_by_more_than_colour():
    lines = parse(chart_svg(exhibit(), prefix="q"))
    assert lines.findall("s:circle", NS)
    assert [p for p in lines.findall("s:path", NS) if p.get("class") == "mark s2"]
    bars = parse(chart_svg(exhibit(chart="bar"), prefix="q"))
    assert [p for p in bars.findall("s:path", NS) if p.get("class") == "hatch"]


def test_nothing_needs_an_inline_style_or_script():
    svg = chart_svg(exhibit(chart="bar"), prefix="q")
    assert "style=" not in svg
    assert "<script" not in svg
    assert "<by>" not in svg


def test_the_table_holds_every_value():
    columns, rows = chart_table(exhibit())
    assert columns == ("Epoch", "train & co", "validation")
    assert rows == (("1", "2", "2.1"), ("2", "1.5", "1.7"), ("3", "1", "1.6"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"chart": "pie"}, "pie"),
        ({"series": ()}, "series"),
        ({"series": (Series(name="short", values=(1.0,)),)}, "short"),
        ({"series": tuple(Series(name=str(n), values=(1.0, 2.0, 3.0)) for n in range(7))}, "six|6"),
    ],
)
def test_what_cannot_be_drawn_says_why(changes, says):
    with pytest.raises(ValueError, match=says):
        chart_svg(exhibit(**changes), prefix="q")


def test_a_long_legend_takes_rows_and_stays_inside():
    series = tuple(Series(name=f"a rather long name {n}", values=(1.0, 2.0, 3.0)) for n in range(5))
    root = parse(chart_svg(exhibit(series=series), prefix="q"))
    names = [t for t in root.findall("s:text", NS) if t.get("class") == "key"]
    assert len(names) == 5
    assert len({t.get("y") for t in names}) > 1
    assert all(float(t.get("x")) + 7 * len(t.text) < 560 for t in names)
    plot = root.find("s:g", NS)
    down = int(plot.get("transform").split()[1].rstrip(")"))
    assert float(root.get("height")) == 320 + down
    assert max(float(t.get("y")) for t in names) < 40 + down
