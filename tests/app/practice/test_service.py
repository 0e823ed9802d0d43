from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnin.app.errors import BadRequest, CannotAssemble, NotYet, UnknownExam, UnknownSitting
from burnin.app.practice import Conditions, Selection
from burnin.app.take import EventKind
from burnin.app.wiring import Services
from burnin.catalog import load
from tests.app.desk import HandClock, answer, bank_items, begin, catalog, open_at, send

ANY = Selection()


async def finished(services: Services) -> tuple[str, str, str, str]:
    """A timed sitting with a right, a wrong, an unsure and a flagged item; returns their ids."""
    sitting = await begin(services, Conditions.TIMED)
    right = await answer(services, sitting, 1)
    wrong = await answer(services, sitting, 2, right=False)
    unsure = await answer(services, sitting, 3)
    await send(services, sitting, EventKind.RATED, unsure, value="unsure")
    flagged = await answer(services, sitting, 4)
    await send(services, sitting, EventKind.FLAGGED, flagged, on=True)
    await send(services, sitting, EventKind.SUBMITTED)
    return right, wrong, unsure, flagged


async def items_of(services: Services, sitting: str) -> set[str]:
    return {entry.item for entry in (await services.take.view(sitting)).entries}


@pytest.mark.asyncio
async def test_missed_unsure_and_flagged_are_found_again(services: Services) -> None:
    _, wrong, unsure, flagged = await finished(services)
    for wish, expected in (
        (Selection(unsure=True), {unsure}),
        (Selection(flagged=True), {flagged}),
        (Selection(missed=True, unsure=True, flagged=True), {wrong, unsure, flagged}),
    ):
        sitting = await services.practice.create("ncp-genl", wish, conditions=Conditions.TUTOR, count=50)
        assert expected <= await items_of(services, sitting)
    assert (await services.practice.matching("NCP-GENL", Selection(unsure=True))).items == 1
    unseen = await services.practice.matching("NCP-GENL", Selection(unseen=True))
    assert unseen.items == len(bank_items()) - 4


@pytest.mark.asyncio
async def test_a_domain_drill_has_a_clock_at_the_exams_pace_and_is_no_evidence(services: Services) -> None:
    wish = Selection(domains=("evaluation",))
    sitting = await services.practice.create("NCP-GENL", wish, conditions=Conditions.TIMED, count=6)
    view = await services.take.view(sitting)
    assert view.size == 6
    assert view.limit_ms == 12 * 60_000  # 60 items in 120 minutes
    assert {services.catalog.items[i].domain for i in await items_of(services, sitting)} == {"evaluation"}
    await send(services, sitting, EventKind.SUBMITTED)
    assert not (await services.outcome.report(sitting)).report.exam_evidence


@pytest.mark.asyncio
async def test_minutes_limit_the_set_and_the_clock(services: Services) -> None:
    sitting = await services.practice.create("NCP-GENL", ANY, conditions=Conditions.TIMED, minutes=10)
    view = await services.take.view(sitting)
    assert view.limit_ms == 10 * 60_000
    assert view.size == 6  # 100 s each
    tutor = await services.practice.create("NCP-GENL", ANY, conditions=Conditions.TUTOR, minutes=10)
    assert (await services.take.view(tutor)).limit_ms is None


@pytest.mark.asyncio
async def test_the_same_wish_seed_and_history_give_the_same_form(services: Services) -> None:
    specs = []
    for _ in range(2):
        sitting = await services.practice.create("NCP-GENL", ANY, conditions=Conditions.TUTOR, seed=5)
        specs.append(services.store.sittings.get(sitting).form)
    assert specs[0] == specs[1]


@pytest.mark.asyncio
async def test_redo_asks_the_same_questions_in_another_order(services: Services) -> None:
    first = await begin(services, size=30, minutes=60)
    await send(services, first, EventKind.SUBMITTED)
    second = await services.practice.redo(first, conditions=Conditions.TIMED, seed=99)
    assert await items_of(services, first) == await items_of(services, second)
    orders = [[(await services.take.question(s, n)).asked.id for n in range(1, 31)] for s in (first, second)]
    assert orders[0] != orders[1]
    form, items = services.store.forms.get(services.store.sittings.get(second).form)
    assert form.assembly_rule == "redo/1"
    assert [i.id for i in items] == orders[1]


@pytest.mark.asyncio
@pytest.mark.parametrize("conditions", [Conditions.EXAM, Conditions.TIMED])
async def test_no_twin_gives_away_what_a_running_sitting_keeps_back(
    services: Services, clock: HandClock, conditions: Conditions
) -> None:
    first = await begin(services, conditions, size=20, minutes=40)
    with pytest.raises(NotYet, match="once this sitting is over"):
        await services.practice.redo(first, conditions=Conditions.TUTOR)
    clock.wait(41 * 60)  # time ran out, and nobody has looked since
    assert await services.practice.redo(first, conditions=Conditions.TUTOR)


@pytest.mark.asyncio
async def test_what_cannot_be_is_said(services: Services) -> None:
    make = services.practice.create
    with pytest.raises(BadRequest, match="no domain 'cooking'"):
        await make("NCP-GENL", Selection(domains=("cooking",)), conditions=Conditions.TUTOR)
    with pytest.raises(CannotAssemble, match="No question of NCP-GENL is meant"):
        await make("NCP-GENL", Selection(missed=True), conditions=Conditions.TUTOR)
    with pytest.raises(CannotAssemble, match="can be worked in 1 minutes"):
        await make("NCP-GENL", ANY, conditions=Conditions.TUTOR, minutes=1)
    with pytest.raises(BadRequest, match="exam conditions"):
        await make("NCP-GENL", ANY, conditions=Conditions.EXAM)
    with pytest.raises(BadRequest, match="between 1 and 300"):
        await make("NCP-GENL", ANY, conditions=Conditions.TUTOR, count=0)
    with pytest.raises(UnknownExam):
        await make("NOPE", ANY, conditions=Conditions.TUTOR)
    with pytest.raises(UnknownSitting):
        await services.practice.redo("nobody", conditions=Conditions.TUTOR)


@pytest.mark.asyncio
async def test_unseen_items_come_first_in_the_next_exam_form(services: Services) -> None:
    first = await begin(services, size=20, minutes=40)
    for number in range(1, 21):
        await answer(services, first, number)
    second = await begin(services, size=20, minutes=40)  # the same seed
    assert not await items_of(services, first) & await items_of(services, second)


@pytest.mark.asyncio
async def test_a_damaged_sitting_does_not_hide_the_others(services: Services) -> None:
    _, wrong, _, _ = await finished(services)
    form, items = services.store.forms.get(
        services.store.sittings.get(services.store.sittings.recent()[0].id).form
    )
    broken = replace(services.store.sittings.recent()[0], id="broken", items=("gone",))
    services.store.sittings.create(broken).result()
    assert form
    assert items
    matching = await services.practice.matching("NCP-GENL", Selection(missed=True))
    assert matching.items >= 1
    assert wrong


@pytest.mark.asyncio
async def test_computed_questions_come_with_new_numbers_each_time(home: Path, clock: HandClock) -> None:
    bank = load(None)
    words = bank.generators["calc-kv-cache-gib"]
    # Alone with the bank's items, so that the other generators need not be worked out.
    services = open_at(home, clock, replace(bank, generators={words.id: words}))
    wish = Selection(objectives=(words.objective,))
    first = await services.practice.create(
        words.exam, wish, conditions=Conditions.TUTOR, count=300, computed=True, seed=11
    )
    second = await services.practice.redo(first, conditions=Conditions.TUTOR, seed=12)
    assert f"{words.id}-11" in await items_of(services, first)
    assert f"{words.id}-12" in await items_of(services, second)
    stems = []
    for sitting, seed in ((first, 11), (second, 12)):
        form, items = services.store.forms.get(services.store.sittings.get(sitting).form)
        (made,) = [i for i in items if i.id == f"{words.id}-{seed}"]
        assert len(made.key) == 1
        assert len(form.entries) == len(items)
        stems.append(made.stem)
    assert stems[0] != stems[1]
    # What only a computed question offers can be drilled too.
    static = {o.misconception for i in bank.items.values() if i.exam == words.exam for o in i.options}
    own = next(slip.misconception for slip in words.slips if slip.misconception not in static)
    assert services.practice.mistakes(words.exam)[own] == 1
    assert own in services.practice.mistakes_by_domain(words.exam)[words.domain]
    drill = Selection(misconceptions=(own,))
    assert (await services.practice.matching(words.exam, drill, computed=True)).items == 1
    plain = await services.practice.matching(words.exam, wish)
    assert (await services.practice.matching(words.exam, wish, computed=True)).items == plain.items + 1
    services.close()


@pytest.mark.asyncio
async def test_practice_shows_nothing_that_an_open_exam_asks(services: Services) -> None:
    exam = await begin(services, Conditions.EXAM)
    asked = await items_of(services, exam)
    left = await services.practice.matching("NCP-GENL", ANY)
    assert left.kept_back >= len(asked)
    assert left.items + left.kept_back == len(bank_items())
    for sitting in (
        await services.practice.create("NCP-GENL", ANY, conditions=Conditions.TUTOR, count=300),
        await services.practice.create("NCP-GENL", ANY, conditions=Conditions.TIMED, count=300),
        await services.take.create("NCP-GENL", conditions=Conditions.TUTOR, size=10),
        await services.diagnose.start("NCP-GENL"),
    ):
        assert not await items_of(services, sitting) & asked
    one = Selection(items=(min(asked),))
    with pytest.raises(CannotAssemble, match="stand in an open exam"):
        await services.practice.create("NCP-GENL", one, conditions=Conditions.TUTOR)
    await send(services, exam, EventKind.SUBMITTED)
    assert (await services.practice.matching("NCP-GENL", ANY)).kept_back == 0
    again = await services.practice.create("NCP-GENL", one, conditions=Conditions.TUTOR)
    assert await items_of(services, again) == {min(asked)}


@pytest.mark.asyncio
@pytest.mark.parametrize("shared", ["family", "exhibit"])
async def test_practice_holds_back_a_twin_of_another_domain(
    home: Path, clock: HandClock, shared: str
) -> None:
    services = open_at(home, clock)
    asked = await items_of(services, await begin(services, Conditions.EXAM))
    services.close()
    items = bank_items()
    one = next(item for item in items if item.id in asked)
    twin = next(item for item in items if item.id not in asked and item.domain != one.domain)
    both = {one.id, twin.id}
    told = [replace(item, **{shared: "both"}) if item.id in both else item for item in items]
    services = open_at(home, clock, catalog(told))
    with pytest.raises(CannotAssemble, match="stand in an open exam"):
        await services.practice.create("NCP-GENL", Selection(items=(twin.id,)), conditions=Conditions.TUTOR)
    domain = await services.practice.matching("NCP-GENL", Selection(domains=(twin.domain,)))
    of_domain = [item for item in items if item.domain == twin.domain]
    assert domain.kept_back == len(asked & {item.id for item in of_domain}) + 1
    services.close()
