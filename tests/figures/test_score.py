import xml.etree.ElementTree as ET

from burnin.figures.score import score_svg

NS = {"s": "http://www.w3.org/2000/svg"}


def test_the_point_lies_inside_its_interval_and_words_say_so():
    root = ET.fromstring(score_svg(72.0, 60.0, 82.0, 70.0, prefix="r"))
    band = root.find("s:rect", NS)
    point = root.find("s:circle", NS)
    left = float(band.get("x"))
    assert left < float(point.get("cx")) < left + float(band.get("width"))
    words = root.find("s:desc", NS).text
    assert all(part in words for part in ("72 %", "60", "82 %", "assumed pass mark 70 %"))


def test_the_ends_of_the_scale_can_be_drawn():
    for percent in (0.0, 100.0):
        root = ET.fromstring(score_svg(percent, percent, percent, 100.0, prefix="r"))
        assert 0 < float(root.find("s:circle", NS).get("cx")) < 560
