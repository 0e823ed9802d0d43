"""Wishes beyond quotas: history, spread, time, exhibits, parallel forms, and why not."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.assembly import Infeasible, Terms, assemble, assemble_parallel, assemble_set
from burnin.domain.blueprint import Blueprint, OfficialObjective
from burnin.domain.exposure import exposed_as
from burnin.domain.item import Exhibit, Item
from burnin.exam.apart import conflicts
from burnin.exam.forms import quotas
from tests.exam.builders import GENL, GENM, blueprint, item, pool, shelf

FOUR = tuple(OfficialObjective(number=f"1.{n}", text="…") for n in range(1, 5))


def with_officials(exam: Blueprint) -> Blueprint:
    return replace(exam, domains=tuple(replace(d, official=FOUR) for d in exam.domains))


def drawn_by(terms: Terms, bank: Sequence[Item], exam: Blueprint, **more: object) -> list[list[Item]]:
    by_id = {i.id: i for i in bank}
    made = assemble_parallel(exam, bank, shelf(), terms=terms, bank_version="b", **{"seed": 1, **more})  # type: ignore[arg-type]
    return [[by_id[e.item] for e in form.entries] for form, _ in made]


class TestHistory:
    def test_what_was_not_seen_comes_first(self) -> None:
        bank = pool(each=24)
        seen = {i.id: 1 for i in bank if int(i.id[-2:]) < 10}
        (form,) = drawn_by(Terms(size=65), bank, blueprint(), history=seen)
        assert not [i.id for i in form if i.id in seen]

    def test_exposure_stays_even_over_a_row_of_forms(self) -> None:
        exam = blueprint(GENM, multiple=0)
        bank = [i for i in pool(GENM, each=45) if i.choose == 1]
        seen: Counter[str] = Counter()
        for seed in range(20):
            form, _ = assemble(exam, bank, shelf(), size=50, seed=seed, bank_version="b", history=seen)
            seen.update(e.item for e in form.entries)
            for domain in GENM:
                times = [seen[i.id] for i in bank if i.domain == domain]
                # Nobody's turn comes twice before everybody's came once.
                assert max(times) - min(times) <= 1

    def test_a_computed_item_is_as_known_as_its_generator(self) -> None:
        made = [item(f"gen-{n}", provenance={"generator": "gen"}) for n in (7, 8)]
        assert {exposed_as(i) for i in made} == {"gen"}
        bank = [*made, item("static", family="other")]
        (form,) = drawn_by(Terms(size=1), bank, blueprint({"a": 1}), history={"gen": 1})
        assert [i.id for i in form] == ["static"]


class TestAims:
    @pytest.mark.parametrize("size", [10, 33, 65])
    def test_official_objectives_differ_by_one_at_most_where_each_has_enough(self, size: int) -> None:
        exam = with_officials(blueprint())
        bank = [replace(i, official=f"1.{int(i.id[-2:]) // 4 % 4 + 1}") for i in pool(each=48)]
        for seed in range(5):
            (form,) = drawn_by(Terms(size=size), bank, exam, seed=seed)
            for domain, quota in quotas(GENL, size).items():
                counts = Counter(i.official for i in form if i.domain == domain)
                assert all(quota // 4 <= counts[o.number] <= -(-quota // 4) for o in FOUR), (domain, counts)

    def test_the_mix_of_difficulty_is_the_banks_in_every_form(self) -> None:
        bank = [replace(i, difficulty=1 + int(i.id[-2:]) % 5) for i in pool(each=30)]
        for seed in range(8):
            (form,) = drawn_by(Terms(size=65), bank, blueprint(), seed=seed)
            assert Counter(i.difficulty for i in form) == dict.fromkeys(range(1, 6), 13)

    def test_the_exams_time_holds_where_the_bank_is_not_all_slow(self) -> None:
        # 65 items in 120 minutes: 110 s each; the bank's mean is 130 s.
        bank = [replace(i, seconds=60 if int(i.id[-2:]) % 2 else 200) for i in pool(each=30)]
        (form,) = drawn_by(Terms(size=65), bank, blueprint())
        assert sum(i.seconds for i in form) <= 120 * 60

    def test_an_exhibit_that_is_read_serves_all_its_items(self) -> None:
        exhibits = {f"x{n}": Exhibit(id=f"x{n}", title="A log", kind="code", text="line") for n in range(10)}
        bank = [
            item(f"q{n:02}", objective=f"o{n % 4}", exhibit=f"x{n // 3}" if n < 30 else None)
            for n in range(60)
        ]
        for seed in range(10):
            form, _ = assemble(
                blueprint({"a": 1}), bank, shelf(exhibits=exhibits), size=20, seed=seed, bank_version="b"
            )
            read = Counter(i.exhibit for i in bank if i.exhibit and i.id in {e.item for e in form.entries})
            assert set(read.values()) <= {3}


class TestParallel:
    @pytest.mark.parametrize("exam", [blueprint(GENL), blueprint(GENM)], ids=["GENL", "GENM"])
    def test_forms_share_no_item_and_are_alike(self, exam: Blueprint) -> None:
        weights = {d.id: d.weight for d in exam.domains}
        bank = [replace(i, difficulty=1 + int(i.id[-2:]) % 5) for i in pool(weights, each=50)]
        forms = drawn_by(Terms(size=60, forms=3), bank, exam)
        assert len({i.id for form in forms for i in form}) == 180
        for form in forms:
            assert Counter(i.domain for i in form) == Counter(quotas(weights, 60))
            assert Counter(i.difficulty for i in form) == dict.fromkeys(range(1, 6), 12)
            assert sum(i.choose > 1 for i in form) == 15

    def test_a_bank_that_holds_exactly_two_forms_is_split(self) -> None:
        # Members of a family must go to different forms: drawing one form first could take both wrongly.
        bank = [item(f"q{n}", family=f"f{n // 2}") for n in range(8)]
        one, other = drawn_by(Terms(size=4, forms=2), bank, blueprint({"a": 1}))
        assert {i.family for i in one} == {i.family for i in other} == {f"f{n}" for n in range(4)}

    def test_too_many_forms_say_how_many_there_are(self) -> None:
        with pytest.raises(
            Infeasible, match=r"a needs 12 items and has 8\. Possible: 2 forms of 4"
        ) as caught:
            drawn_by(Terms(size=4, forms=3), [item(f"q{n}") for n in range(8)], blueprint({"a": 1}))
        assert caught.value.nearest is not None
        assert caught.value.nearest.forms == 2


class TestDemands:
    def test_time_is_kept_to_the_second(self) -> None:
        bank = [item(f"q{n}", seconds=50 + n) for n in range(20)]
        (form,) = drawn_by(Terms(size=5, seconds=260), bank, blueprint({"a": 1}))
        assert sum(i.seconds for i in form) == 260

    def test_too_little_time_names_time_and_the_quickest_form(self) -> None:
        bank = [item(f"q{n}", seconds=50 + n) for n in range(20)]
        with pytest.raises(Infeasible, match="260 s at the least, and 259 s are allowed") as caught:
            drawn_by(Terms(size=5, seconds=259), bank, blueprint({"a": 1}))
        (conflict,) = caught.value.conflicts
        assert (conflict.constraint, conflict.asked, conflict.possible) == ("time", 259, 260)
        assert caught.value.nearest is not None
        assert set(caught.value.nearest.items) == {"q0", "q1", "q2", "q3", "q4"}
        assert not caught.value.short

    def test_choose_n_can_be_asked_for_exactly(self) -> None:
        for many in (0, 3, 5):
            (form,) = drawn_by(Terms(size=10, multiple=many), pool(GENM, 20), blueprint(GENM))
            assert sum(i.choose > 1 for i in form) == many

    def test_choose_n_that_the_bank_lacks_is_named(self) -> None:
        bank = [item(f"q{n}", choose=2 if n < 3 else 1) for n in range(9)]
        with pytest.raises(Infeasible, match="5 choose-N items are asked for, and 3") as caught:
            drawn_by(Terms(size=6, multiple=5), bank, blueprint({"a": 1}))
        assert caught.value.nearest is not None
        assert caught.value.nearest.multiple == 3

    def test_unseen_only_is_named_with_what_is_left(self) -> None:
        bank = [item(f"q{n}") for n in range(9)]
        seen = {f"q{n}": 2 for n in range(5)}
        (form,) = drawn_by(Terms(size=4, unseen_only=True), bank, blueprint({"a": 1}), history=seen)
        assert not [i for i in form if i.id in seen]
        with pytest.raises(Infeasible, match="only 4 of 6 items can be unseen") as caught:
            drawn_by(Terms(size=6, unseen_only=True), bank, blueprint({"a": 1}), history=seen)
        assert caught.value.nearest is not None
        assert (caught.value.nearest.size, caught.value.nearest.seen) == (6, 2)

    def test_the_largest_form_that_can_be_made_is_named_and_can_be_made(self) -> None:
        bank = [i for i in pool(each=16) if i.domain != "evaluation" or i.id < "evaluation-02"]
        with pytest.raises(Infeasible, match="largest form that can be made has") as caught:
            assemble(blueprint(), bank, shelf(), size=65, seed=1, bank_version="b")
        nearest = caught.value.nearest
        assert nearest is not None
        assemble(blueprint(), bank, shelf(), size=nearest.size, seed=1, bank_version="b")
        for larger in range(nearest.size + 1, 66):
            with pytest.raises(Infeasible):
                assemble(blueprint(), bank, shelf(), size=larger, seed=1, bank_version="b")

    def test_an_empty_bank_has_no_nearest_form(self) -> None:
        with pytest.raises(Infeasible, match="No smaller form can be made either") as caught:
            assemble(blueprint(), [], shelf(), size=10, seed=1, bank_version="b")
        assert caught.value.nearest is None

    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def test_two_forms_exist_exactly_when_a_search_finds_them(self, data: st.DataObject) -> None:
        ids = [f"q{n}" for n in range(data.draw(st.integers(2, 8)))]
        bank = [
            item(
                i,
                family=data.draw(st.sampled_from([None, "f", "g"])),
                enemies=tuple(data.draw(st.sets(st.sampled_from(ids), max_size=1)) - {i}),
                seconds=data.draw(st.sampled_from([60, 90])),
            )
            for i in ids
        ]
        size = data.draw(st.integers(1, len(ids) // 2))
        seconds = data.draw(st.integers(60 * size - 10, 90 * size))
        apart = conflicts(bank)

        def legal(chosen: tuple[Item, ...]) -> bool:
            clash = any(b.id in apart[a.id] for a, b in itertools.combinations(chosen, 2))
            return not clash and sum(i.seconds for i in chosen) <= seconds

        legal_sets = [{i.id for i in c} for c in itertools.combinations(bank, size) if legal(c)]
        possible = any(not a & b for a, b in itertools.product(legal_sets, legal_sets))
        terms = Terms(size=size, forms=2, seconds=seconds)
        if not possible:
            with pytest.raises(Infeasible) as caught:
                drawn_by(terms, bank, blueprint({"a": 1}))
            assert caught.value.conflicts
            return
        one, other = drawn_by(terms, bank, blueprint({"a": 1}))
        assert {i.id for i in one} in legal_sets
        assert {i.id for i in other} in legal_sets
        assert not {i.id for i in one} & {i.id for i in other}


class TestSet:
    def test_as_many_as_asked_spread_over_domains(self) -> None:
        made = assemble_set(blueprint(GENM), pool(GENM, 9), shelf(), most=14, seed=1, bank_version="b")
        assert made is not None
        form, _ = made
        assert Counter(e.domain for e in form.entries) == dict.fromkeys(GENM, 2)
        assert {d.id: d.quota for d in form.domains} == dict.fromkeys(GENM, 2)
        assert form.assembly_rule == "practice-set/1"

    def test_as_many_as_there_are_and_go_together(self) -> None:
        bank = [item("q1", family="f"), item("q2", family="f"), item("q3", enemies=("q4",)), item("q4")]
        made = assemble_set(blueprint({"a": 1}), bank, shelf(), most=30, seed=1, bank_version="b")
        assert made is not None
        assert len(made[0].entries) == 2

    def test_as_many_as_the_time_allows(self) -> None:
        bank = [item(f"q{n}", seconds=s) for n, s in enumerate((100, 100, 60, 60, 60, 200))]
        made = assemble_set(blueprint({"a": 1}), bank, shelf(), most=9, seed=1, bank_version="b", seconds=185)
        assert made is not None
        assert {e.item for e in made[0].entries} == {"q2", "q3", "q4"}

    def test_nothing_to_draw_from_is_none(self) -> None:
        assert assemble_set(blueprint({"a": 1}), [], shelf(), most=9, seed=1, bank_version="b") is None


@pytest.mark.parametrize("terms", [{"size": 0}, {"size": 3, "forms": 0}, {"size": 3, "quota": {"a": 2}}])
def test_terms_that_make_no_sense_are_refused(terms: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Terms(**terms)  # type: ignore[arg-type]
