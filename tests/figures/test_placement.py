from xml.etree import ElementTree

import pytest

from burnin.figures.placement import WIDTH, Placement, placement_svg

SVG = "{http://www.w3.org/2000/svg}"


def figure(**more):
    fields = {
        "title": "Ranks",
        "summary": "who stands where",
        "boxes": tuple((f"node {n}", 8 * n, 8 * n + 8) for n in range(3)),
        "letters": ("TD", "T", *[""] * 6, "D", *[""] * 15),
        "chosen": 0,
        "kinds": (("T", "tensor"), ("D", "data"), ("P", "pipeline")),
    }
    return Placement(**{**fields, **more})


def test_every_rank_has_one_cell_inside_the_picture_and_none_overlap():
    root = ElementTree.fromstring(placement_svg(figure(), prefix="p"))
    height = float(root.get("viewBox").split()[3])
    cells = [e for e in root.iter(f"{SVG}rect") if e.get("class").startswith("cell")][3:]  # after the key
    assert len(cells) == 24
    places = {(float(e.get("x")), float(e.get("y"))) for e in cells}
    assert len(places) == 24
    assert all(0 <= x <= WIDTH - 42 and 0 <= y <= height - 36 for x, y in places)
    ranks = [int(e.text) for e in root.iter(f"{SVG}text") if e.get("class").startswith("rank")]
    assert ranks == list(range(24))


def test_letters_tell_who_shares_a_group_and_the_key_names_those_used():
    root = ElementTree.fromstring(placement_svg(figure(), prefix="p"))
    letters = [e.text for e in root.iter(f"{SVG}text") if e.get("class").startswith("letters")]
    assert letters == ["T", "D", "TD", "T", "D"]
    words = [e.text for e in root.iter(f"{SVG}text") if e.get("class") == "key"]
    assert words == ["rank 0", "tensor", "data"]
    assert [e.get("class") for e in root.iter(f"{SVG}rect")].count("cell chosen") == 2  # key and cell


def test_a_domain_of_72_wraps_and_a_rank_outside_is_refused():
    large = figure(boxes=(("NVLink domain 0", 0, 72),), letters=("",) * 72)
    assert placement_svg(large, prefix="p").count('class="cell') == 73
    with pytest.raises(ValueError, match="no box"):
        placement_svg(figure(chosen=24), prefix="p")
