from xml.etree import ElementTree

import pytest

from burnin.figures.scatter import Front, front_svg

SVG = "{http://www.w3.org/2000/svg}"


def figure(**more):
    fields = {
        "title": "Plans",
        "summary": "speed against memory",
        "x_name": "GiB",
        "y_name": "tokens/s",
        "points": ((10.0, 100.0), (40.0, 300.0), (20.0, 200.0)),
        "here": (30.0, 150.0),
        "limit": 80.0,
        "limit_name": "card",
    }
    return Front(**{**fields, **more})


def test_points_keep_their_order_and_proportions():
    root = ElementTree.fromstring(front_svg(figure(), prefix="p"))
    at = sorted((float(e.get("cx")), float(e.get("cy"))) for e in root.iter(f"{SVG}circle"))
    assert len(at) == 3
    (x1, y1), (x2, y2), (x3, y3) = at
    assert (x3 - x1) / (x2 - x1) == pytest.approx(3, rel=0.01)
    assert y1 > y2 > y3


def test_the_stair_never_passes_above_what_can_be_had():
    svg = front_svg(figure(), prefix="p")
    stair = svg.partition('class="line s1" d="M')[2].partition('"')[0]
    # From one point sideways at its own height, then up to the next.
    assert stair.count("H") == stair.count("V") == 2
    assert stair.index("H") < stair.index("V")


def test_the_point_compared_has_a_name_and_a_shape_of_its_own():
    assert "this plan" in front_svg(figure(here_name="this plan"), prefix="p")
    assert "this one" not in front_svg(figure(here=None), prefix="p")


def test_one_point_is_enough_and_none_is_refused():
    assert front_svg(figure(points=()), prefix="p")
    with pytest.raises(ValueError, match="at least one"):
        front_svg(figure(points=(), here=None), prefix="p")
