"""The placement in a terminal."""

from __future__ import annotations

import pytest

from burnin.figures.placement import Placement
from burnin.figures.placement_text import placement_text

FIGURE = Placement(
    title="t",
    summary="s",
    boxes=(("node 0", 0, 4), ("node 1", 4, 8)),
    letters=("T", "T", "", "", "D", "", "", ""),
    chosen=0,
    kinds=(("T", "its tensor group"), ("D", "its data group"), ("P", "its pipeline group")),
)


def test_boxes_are_rows_and_groups_are_letters() -> None:
    assert placement_text(FIGURE).splitlines() == [
        "node 0  [0]T 1:T  2    3",
        "node 1  4:D  5    6    7",
        "[0] is the rank asked about; T its tensor group, D its data group",
    ]


def test_wide_boxes_are_broken_and_every_rank_stands_once() -> None:
    wide = Placement(
        title="t", summary="s", boxes=(("domain 0", 0, 72),), letters=("",) * 72, chosen=70, kinds=()
    )
    text = placement_text(wide)
    ranks = [
        int(word.strip("[]"))
        for line in text.splitlines()[:-1]
        for word in line.replace("domain 0", "").split()
    ]
    assert ranks == list(range(72))


def test_a_rank_outside_is_refused() -> None:
    with pytest.raises(ValueError, match="no box"):
        placement_text(
            Placement(title="t", summary="s", boxes=(("n", 0, 1),), letters=("",), chosen=5, kinds=())
        )
