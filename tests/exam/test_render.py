from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.domain.canonical import canonical_bytes
from burnin.domain.form import asked
from burnin.domain.item import Citation, Exhibit, Item, Misconception
from burnin.exam.render import Unresolved, render

from .builders import blueprint, item, shelf

EXHIBIT = Exhibit(id="x", title="A log", kind="code", text="line")
MISTAKE = Misconception(id="m", name="Free lunch", belief="it is free", why="it looks so", remedy="it is not")
SHELF = shelf(exhibits={"x": EXHIBIT}, misconceptions={"m": MISTAKE})


def rich() -> Item:
    plain = item("q", choose=2, exhibit="x", products={"vLLM": "0.9"}, guide_says="12 bytes")
    options = tuple(
        replace(o, misconception="m", flip="Right below 12 requests/s") if o.id == "elm" else o
        for o in plain.options
    )
    return replace(plain, options=options)


def test_holds_everything_that_asking_scoring_and_explaining_need() -> None:
    rendered = render(rich(), blueprint({"a": 1}), SHELF)
    assert (rendered.domain, rendered.domain_title, rendered.objective_text) == ("a", "A", "objective 0")
    assert (rendered.official, rendered.official_text) == ("1.1", "the vendor's words")
    assert rendered.exhibit == EXHIBIT
    assert (rendered.key, rendered.choose) == (frozenset({"ash", "birch"}), 2)
    elm = next(o for o in rendered.options if o.id == "elm")
    assert elm.misconception is not None
    assert (elm.misconception.name, elm.misconception.remedy) == ("Free lunch", "it is not")
    assert elm.flip == "Right below 12 requests/s"
    assert (rendered.sources[0].title, rendered.sources[0].locator) == ("A paper", "section 1")
    assert rendered.guide_says == "12 bytes"
    assert rendered.provenance == {"product vLLM": "0.9"}


def test_what_is_asked_gives_nothing_away() -> None:
    rendered = render(rich(), blueprint({"a": 1}), SHELF)
    text = canonical_bytes(asked(rendered, tuple(o.id for o in rendered.options))).decode()
    for secret in (
        "why",
        "correct",
        "Free lunch",
        "Right below",
        "it is not",
        "A paper",
        "12 bytes",
        "objective",
    ):
        assert secret not in text


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (replace(rich(), objective="z/o0"), "item q: NCP-GENL has no objective 'z/o0'"),
        (replace(rich(), objective="a/o9"), "item q: NCP-GENL has no objective 'a/o9'"),
        (replace(rich(), official="9.9"), "item q: domain a has no official objective '9.9'"),
        (replace(rich(), exhibit="y"), "item q: no exhibit 'y'"),
        (replace(rich(), sources=(Citation(source="z", locator=""),)), "item q: no source 'z'"),
        (
            replace(rich(), options=tuple(replace(o, misconception="z") for o in rich().options)),
            "item q, option ash: no misconception 'z'",
        ),
    ],
)
def test_a_reference_that_leads_nowhere_is_named(broken: Item, message: str) -> None:
    with pytest.raises(Unresolved, match=message):
        render(broken, blueprint({"a": 1}), SHELF)
