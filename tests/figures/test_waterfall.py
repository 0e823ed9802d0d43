import itertools
import re
from xml.etree import ElementTree

import pytest

from burnin.figures.waterfall import Waterfall, waterfall_svg

SVG = "{http://www.w3.org/2000/svg}"


def figure(**more):
    fields = {
        "title": "Fill <it>",
        "summary": "what fills it",
        "unit": "GiB",
        "axis": "GiB",
        "parts": (("weights", 40.0), ("states", 30.0), ("rest", 10.0)),
        "limit": 60.0,
        "limit_name": "card",
    }
    return Waterfall(**{**fields, **more})


def bars(svg):
    root = ElementTree.fromstring(svg)
    return [
        (float(e.get("x")), float(e.get("width"))) for e in root.iter(f"{SVG}rect") if "bar" in e.get("class")
    ]


def test_every_bar_begins_where_the_last_one_ended_and_the_total_spans_all():
    *parts, total = bars(waterfall_svg(figure(), prefix="p"))
    for (left, width), (after, _) in itertools.pairwise(parts):
        assert left + width == pytest.approx(after, abs=0.02)
    assert total[0] == parts[0][0]
    assert total[1] == pytest.approx(sum(width for _, width in parts), abs=0.05)
    assert parts[0][1] / parts[2][1] == pytest.approx(4, rel=0.01)


def test_what_lies_beyond_the_limit_is_hatched_and_nothing_else():
    assert waterfall_svg(figure(), prefix="p").count('class="hatch"') == 3  # states, rest, total
    assert 'class="hatch"' not in waterfall_svg(figure(limit=80.0), prefix="p")
    assert 'class="hatch"' not in waterfall_svg(figure(limit=None), prefix="p")


def test_values_and_the_limit_stand_in_words():
    words = re.sub(r"<[^>]+>", " ", waterfall_svg(figure(), prefix="p"))
    for part in ("weights", "40", "total", "80.0", "card: 60.0 GiB", "Fill &lt;it&gt;"):
        assert part in words


def test_long_names_get_the_room_they_need():
    long = "norms, activations and weights through memory"
    root = ElementTree.fromstring(waterfall_svg(figure(parts=((long, 1.0),), limit=None), prefix="p"))
    name = next(e for e in root.iter(f"{SVG}text") if e.text == long)
    assert float(name.get("x")) >= 7 * len(long)


def test_a_narrow_one_fits_a_phone_and_shows_the_same():
    wide, narrow = (waterfall_svg(figure(), prefix="p", narrow=on) for on in (False, True))
    assert float(ElementTree.fromstring(narrow).get("width")) <= 320
    ratios = [[width / bars(svg)[-1][1] for _, width in bars(svg)] for svg in (wide, narrow)]
    assert ratios[0] == pytest.approx(ratios[1], abs=0.01)
    words = [re.findall(r"<text[^>]*>([^<]*)<", svg) for svg in (wide, narrow)]
    assert {"weights", "states", "rest", "total", "80.0", "card: 60.0 GiB"} <= set(words[0]) & set(words[1])


@pytest.mark.parametrize("parts", [(), (("a", -1.0),)])
def test_nothing_and_negative_parts_are_refused(parts):
    with pytest.raises(ValueError, match="waterfall"):
        waterfall_svg(figure(parts=parts), prefix="p")
