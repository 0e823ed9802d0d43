from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import burnin
from burnin.assembly import Infeasible, assemble
from burnin.domain.canonical import content_hash
from burnin.domain.item import Exhibit
from burnin.exam.forms import quotas
from tests.exam.builders import GENL, GENM, blueprint, item, pool, shelf


class TestAssemble:
    @pytest.mark.parametrize("seed", range(60))
    def test_every_form_is_legal(self, seed: int) -> None:
        size = 10 + seed
        bank = tangled_pool()
        form, items = assemble(
            blueprint(), bank, shelf(exhibits=EXHIBITS), size=size, seed=seed, bank_version="b"
        )
        drawn = [e.item for e in form.entries]
        assert len(drawn) == len(set(drawn)) == size
        assert [i.id for i in items] == drawn
        by_id = {i.id: i for i in bank}
        assert Counter(e.domain for e in form.entries) == Counter(quotas(GENL, size))
        families = [by_id[i].family for i in drawn if by_id[i].family]
        assert len(families) == len(set(families))
        for one, other in itertools.permutations(drawn, 2):
            assert other not in by_id[one].enemies
        for exhibit in EXHIBITS:
            places = [n for n, i in enumerate(drawn) if by_id[i].exhibit == exhibit]
            assert places == list(range(places[0], places[0] + len(places))) if places else True
        for entry, rendered in zip(form.entries, items, strict=True):
            assert sorted(entry.options) == sorted(o.id for o in rendered.options)
            assert entry.hash == content_hash(rendered)
            assert entry.choose == rendered.choose == len(rendered.key)
        assert form.id == content_hash(replace(form, id=""))

    def test_choose_n_share_is_met_where_the_pool_allows(self) -> None:
        for seed in range(20):
            form, _ = assemble(blueprint(), pool(), shelf(), size=64, seed=seed, bank_version="b")
            assert sum(e.choose > 1 for e in form.entries) == 16

    @pytest.mark.parametrize(("multiple_every", "expected"), [(1, 60), (100, 0)])
    def test_choose_n_share_gives_way_to_quotas(self, multiple_every: int, expected: int) -> None:
        bank = [
            i for i in pool(each=17, multiple_every=multiple_every) if multiple_every == 1 or i.choose == 1
        ]
        form, _ = assemble(blueprint(), bank, shelf(), size=60, seed=1, bank_version="b")
        assert sum(e.choose > 1 for e in form.entries) == expected

    def test_a_domains_only_choose_n_item_is_drawn_as_often_as_the_domains_others(self) -> None:
        bank = pool(GENM, 20, multiple_every=100)  # one choose-2 item in each of seven domains
        drawn: Counter[str] = Counter()
        for seed in range(140):
            form, _ = assemble(
                blueprint(GENM, multiple=0.05), bank, shelf(), size=60, seed=seed, bank_version="b"
            )
            multiples = [e.item for e in form.entries if e.choose > 1]
            assert len(multiples) == 3
            drawn.update(multiples)
        # A form takes quota / 20 of a domain's items: of 140 forms 7 quota hold any one of them.
        for domain, quota in quotas(GENM, 60).items():
            due = 7 * quota
            spread = (due * (1 - quota / 20)) ** 0.5
            assert abs(drawn[f"{domain}-00"] - due) < 4 * spread

    def test_every_objective_comes_before_one_comes_twice(self) -> None:
        for seed in range(20):
            _, items = assemble(
                blueprint({"a": 1}), pool({"a": 1}, 40), shelf(), size=8, seed=seed, bank_version="b"
            )
            assert set(Counter(i.objective for i in items).values()) == {2}

    def test_same_arguments_give_the_same_form_whatever_the_order_of_the_pool(self) -> None:
        def make(bank: list) -> str:  # type: ignore[type-arg]
            return assemble(blueprint(), bank, shelf(), size=65, seed=7, bank_version="b")[0].id

        assert make(pool()) == make(pool()[::-1])

    def test_seeds_and_bank_versions_tell_forms_apart(self) -> None:
        ids = {
            assemble(blueprint(), pool(), shelf(), size=20, seed=seed, bank_version=version)[0].id
            for seed in range(10)
            for version in ("b1", "b2")
        }
        assert len(ids) == 20

    def test_the_same_form_in_every_process(self, tmp_path: Path) -> None:
        script = tmp_path / "form_id.py"
        script.write_text(
            "from tests_exam.builders import blueprint, pool, shelf\n"
            "from burnin.assembly import assemble\n"
            "print(assemble(blueprint(), pool(), shelf(), size=65, seed=11, bank_version='b')[0].id)\n"
        )
        (tmp_path / "tests_exam").symlink_to(Path(__file__).parents[1] / "exam", target_is_directory=True)
        source = str(Path(burnin.__file__).parents[1])
        ids = {
            subprocess.run(
                [sys.executable, str(script)],
                env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": source},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed in ("0", "1", "4242")
        }
        here, _ = assemble(blueprint(), pool(), shelf(), size=65, seed=11, bank_version="b")
        assert ids == {here.id + "\n"}

    def test_the_seed_leaves_the_global_generator_alone(self) -> None:
        import random

        random.seed(5)
        expected = random.random()
        random.seed(5)
        assemble(blueprint(), pool(), shelf(), size=20, seed=1, bank_version="b")
        assert random.random() == expected

    def test_every_option_stands_in_every_place(self) -> None:
        bank = [item("q", choose=1)]
        first = Counter(
            assemble(blueprint({"a": 1}), bank, shelf(), size=1, seed=s, bank_version="b")[0]
            .entries[0]
            .options[0]
            for s in range(400)
        )
        assert set(first) == {"ash", "birch", "cedar", "elm"}
        assert all(60 <= n <= 140 for n in first.values())

    def test_every_item_is_drawn_now_and_then(self) -> None:
        drawn: Counter[str] = Counter()
        for seed in range(80):
            _, items = assemble(blueprint(), pool(), shelf(), size=60, seed=seed, bank_version="b")
            drawn.update(i.id for i in items)
        assert set(drawn) == {i.id for i in pool()}

    def test_items_of_another_exam_are_left_alone(self) -> None:
        bank = [item("q1"), item("q2", exam="NCA-GENM"), item("q3", "nowhere")]
        _, items = assemble(blueprint({"a": 1}), bank, shelf(), size=1, seed=1, bank_version="b")
        assert [i.id for i in items] == ["q1"]

    def test_an_id_that_stands_twice_is_refused(self) -> None:
        with pytest.raises(ValueError, match="twice in the pool: q1"):
            assemble(blueprint({"a": 1}), [item("q1"), item("q1")], shelf(), size=1, seed=1, bank_version="b")

    def test_an_empty_form_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at least one item"):
            assemble(blueprint(), pool(), shelf(), size=0, seed=1, bank_version="b")


class TestInfeasible:
    def test_names_each_domain_and_how_many_it_lacks(self) -> None:
        bank = [i for i in pool() if i.domain != "evaluation"]
        bank = [i for i in bank if i.domain != "gpu-acceleration" or i.id < "gpu-acceleration-05"]
        with pytest.raises(Infeasible) as caught:
            assemble(blueprint(), bank, shelf(), size=65, seed=1, bank_version="b")
        assert caught.value.short == {"gpu-acceleration": 4, "evaluation": 5}
        assert "gpu-acceleration needs 9 items and has 5" in str(caught.value)
        assert "evaluation needs 5 items and has 0" in str(caught.value)

    def test_names_the_domain_whose_families_leave_too_few(self) -> None:
        bank = [item(f"q{n}", family=f"f{n // 3}") for n in range(9)]
        with pytest.raises(
            Infeasible, match="a needs 5 items, and of its 9 at most 3 can stand together"
        ) as caught:
            assemble(blueprint({"a": 1}), bank, shelf(), size=5, seed=1, bank_version="b")
        assert caught.value.short == {"a": 2}

    def test_names_the_domains_that_take_items_from_each_other(self) -> None:
        bank = [
            item("q1", "a", enemies=("q2",)),
            item("q2", "b"),
            item("q3", "c"),
            item("q4", "c", family="f"),
        ]
        exam = blueprint({"a": 1, "b": 1, "c": 1})
        with pytest.raises(Infeasible, match="apart: a, b take items from each other") as caught:
            assemble(exam, bank, shelf(), size=3, seed=1, bank_version="b")
        assert caught.value.short == {"a": 0, "b": 0}

    def test_a_tight_pool_that_a_greedy_draw_misses_is_still_drawn(self) -> None:
        # Only the four outer items of each star stand together.
        bank = [item("hub", enemies=("q1", "q2", "q3", "q4"))] + [item(f"q{n}") for n in (1, 2, 3, 4)]
        for seed in range(30):
            _, items = assemble(blueprint({"a": 1}), bank, shelf(), size=4, seed=seed, bank_version="b")
            assert {i.id for i in items} == {"q1", "q2", "q3", "q4"}

    @settings(max_examples=150, deadline=None)
    @given(st.data())
    def test_agrees_with_trying_every_set(self, data: st.DataObject) -> None:
        ids = [f"q{n}" for n in range(data.draw(st.integers(2, 9)))]
        bank = [
            item(
                i,
                data.draw(st.sampled_from("ab")),
                family=data.draw(st.sampled_from([None, None, "f", "g"])),
                enemies=tuple(data.draw(st.sets(st.sampled_from(ids), max_size=2)) - {i}),
            )
            for i in ids
        ]
        size = data.draw(st.integers(1, len(ids)))
        quota = quotas({"a": 2, "b": 1}, size)

        def legal(chosen: tuple) -> bool:  # type: ignore[type-arg]
            per = Counter(i.domain for i in chosen)
            return all(per[d] == n for d, n in quota.items()) and not any(
                y.id in x.enemies or (x.family is not None and x.family == y.family)
                for x, y in itertools.permutations(chosen, 2)
            )

        possible = any(legal(chosen) for chosen in itertools.combinations(bank, size))
        exam = blueprint({"a": 2, "b": 1})
        seed = data.draw(st.integers(0, 99))
        if not possible:
            with pytest.raises(Infeasible) as caught:
                assemble(exam, bank, shelf(), size=size, seed=seed, bank_version="b")
            assert caught.value.short
            return
        _, items = assemble(exam, bank, shelf(), size=size, seed=seed, bank_version="b")
        assert legal(tuple(b for b in bank if b.id in {i.id for i in items}))


EXHIBITS = {f"x{n}": Exhibit(id=f"x{n}", title="A log", kind="code", text="line") for n in range(6)}


def tangled_pool() -> list:  # type: ignore[type-arg]
    """A bank with families of three, chains of enemies, and shared exhibits."""
    bank = []
    for place, one in enumerate(pool(each=20)):
        n = int(one.id[-2:])
        changes: dict[str, object] = {}
        if n < 6:
            changes["family"] = f"{one.domain}-f{n // 3}"
        elif n < 9:
            changes["enemies"] = (f"{one.domain}-{n + 1:02}",)
        elif n in (10, 11, 12):
            changes["exhibit"] = f"x{place // 20 % 6}"
        bank.append(replace(one, **changes))
    return bank
