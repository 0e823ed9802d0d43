"""Terms as pages, and beside the reasons of a question that uses them."""

from __future__ import annotations

from dataclasses import replace

from burnin.app.take import Command, EventKind
from burnin.catalog import load
from burnin.domain.item import Citation, Confusion, Term
from burnin.web.glossary import found
from tests.web.desk import Desk


def term(id: str, name: str, *also: str, **changes: object) -> Term:
    facts = {
        "id": id,
        "term": name,
        "also": also,
        "meaning": f"What {name} means.",
        "confused_with": (Confusion(term="other", difference="Not the same."),),
        "sources": (Citation(source="paper", locator="section 1"),),
    }
    return Term(**{**facts, **changes})  # type: ignore[arg-type]


TERMS = {
    t.id: t
    for t in (
        term("weight", "Weight", "load"),
        term("mixed", "Mixed precision"),
        term("precision", "Precision", confused_with=(Confusion(term="mixed", difference="Two formats."),)),
    )
}


def names(text: str) -> list[str]:
    return [t.id for t in found(text, TERMS)]


def test_terms_are_found_by_name_other_name_and_plural_whole_and_longest_first() -> None:
    assert names("Mixed precision, then precision, and weights; precision again.") == [
        "mixed",
        "precision",
        "weight",
    ]
    assert names("overload, imprecision") == []
    assert names("The LOAD.") == ["weight"]
    assert found("weight", {}) == []


def test_reasons_name_the_terms_and_questions_before_do_not(desk: Desk) -> None:
    object.__setattr__(desk.services, "catalog", replace(desk.services.catalog, glossary=TERMS))
    sitting = desk.begin("tutor")
    before = desk.get(f"/sittings/{sitting}/1").text
    assert "Terms here" not in before
    item = desk.question(sitting, 1).asked.id
    desk.run(desk.services.take.act, sitting, Command("r", EventKind.REVEALED, item))
    after = desk.get(f"/sittings/{sitting}/1").text
    assert '<a href="/glossary/weight" title="What Weight means.">Weight</a>' in after
    desk.run(desk.services.take.act, sitting, Command("s", EventKind.SUBMITTED))
    assert "Terms here" in desk.get(f"/sittings/{sitting}/result").text


def test_pages_search_and_say_when_there_is_nothing(desk: Desk) -> None:
    assert "The glossary is empty" in desk.get("/glossary").text
    object.__setattr__(desk.services, "catalog", replace(desk.services.catalog, glossary=TERMS))
    assert desk.get("/glossary").text.count("<dt>") == 3
    assert desk.get("/glossary?q=LOAD").text.count("<dt>") == 1
    assert "No term holds" in desk.get("/glossary?q=%3Cb%3E").text
    page = desk.get("/glossary/precision").text
    assert '<a href="/glossary/mixed">Mixed precision</a>' in page
    assert "Two formats." in page
    desk.get("/glossary/none-such", 404)


def test_every_built_in_term_is_found_by_its_own_name_and_links_lead_somewhere() -> None:
    glossary = load(None).glossary
    for each in glossary.values():
        assert each in found(each.term, glossary) or each.term.casefold() in {
            name.casefold() for t in glossary.values() if t is not each for name in (t.term, *t.also)
        }
