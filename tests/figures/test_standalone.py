"""A picture as a file: well-formed, and coloured without a page around it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from burnin.figures.score import score_svg
from burnin.figures.standalone import standalone


def test_it_is_well_formed_and_keeps_the_picture() -> None:
    plain = score_svg(70, 60, 80, 75, prefix="p")
    root = ElementTree.fromstring(standalone(plain).encode())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    kinds = [child.tag.partition("}")[2] for child in root]
    assert kinds[0] == "style"
    assert kinds[1:] == [c.tag.partition("}")[2] for c in ElementTree.fromstring(plain)]


def test_other_text_is_refused() -> None:
    with pytest.raises(ValueError, match="not an svg"):
        standalone("<p>no</p>")
