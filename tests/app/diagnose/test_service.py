from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from burnin.app.errors import BadRequest, CannotAssemble, NotYet, UnknownExam, UnknownSitting
from burnin.app.practice import Selection
from burnin.app.wiring import Services
from tests.app.desk import HandClock, begin, catalog, open_at


async def run(services: Services, sitting: str, knows: Callable[[str], bool | None]) -> list[str]:
    """Answer by domain: rightly, wrongly, or not at all (None); return the items asked."""
    asked = []
    step = await services.diagnose.step(sitting)
    while step.number is not None:
        question = await services.take.question(sitting, step.number)
        assert step.item is not None
        item = services.catalog.items[step.item]
        right = knows(item.domain)
        wrong = [o.id for o in question.asked.options if o.id not in item.key]
        chosen = () if right is None else tuple(item.key) if right else tuple(wrong[: item.choose])
        asked.append(step.item)
        step = await services.diagnose.answer(sitting, step.item, chosen, client_id=f"d{len(asked)}")
    return asked


@pytest.mark.asyncio
async def test_it_looks_into_every_domain_and_finds_the_weak_one(services: Services) -> None:
    sitting = await services.diagnose.start("ncp-genl", seed=3)
    with pytest.raises(NotYet):
        await services.diagnose.result(sitting)
    asked = await run(services, sitting, lambda domain: domain != "fine-tuning")
    held = Counter(services.catalog.items[i].domain for i in asked)
    assert 10 <= len(asked) <= 15
    assert len(set(asked)) == len(asked)
    assert set(held) == {d.id for d in services.catalog.blueprints["NCP-GENL"].domains}
    assert max(held.values()) <= 2
    result = await services.diagnose.result(sitting)
    weak = next(d for d in result.domains if d.id == "fine-tuning")
    assert weak.mean_percent == min(d.mean_percent for d in result.domains)
    assert result.domains[0].id in {"fine-tuning", "model-optimization"}  # 13 % unknown, or 17 % known
    assert weak.right == 0
    assert result.right == len(asked) - weak.asked
    for line in result.domains:
        assert 0 <= line.low_percent < line.mean_percent < line.high_percent <= 100
    assert [d.open_points for d in result.domains] == sorted(
        (d.open_points for d in result.domains), reverse=True
    )
    assert sum(d.weight * (100 - d.mean_percent) / 100 for d in result.domains) == pytest.approx(
        sum(d.open_points for d in result.domains)
    )


@pytest.mark.asyncio
async def test_who_knows_more_is_asked_harder_and_rated_higher(home: Path, clock: HandClock) -> None:
    from dataclasses import replace

    from tests.app.desk import bank_items

    bank = catalog([replace(i, difficulty=1 + int(i.id[-2:]) % 5) for i in bank_items()])
    services = open_at(home, clock, bank)
    results, grades = [], []
    for right in (True, False):
        sitting = await services.diagnose.start("NCP-GENL", seed=3)
        asked = await run(services, sitting, lambda _domain, right=right: right)
        results.append(await services.diagnose.result(sitting))
        grades.append(sum(services.catalog.items[i].difficulty for i in asked) / len(asked))
    assert results[0].theta > 0.5 > -0.5 > results[1].theta
    assert grades[0] > grades[1]
    services.close()


@pytest.mark.asyncio
async def test_it_goes_on_where_it_was_left_even_in_another_process(
    services: Services, home: Path, clock: HandClock
) -> None:
    sitting = await services.diagnose.start("NCP-GENL", seed=3)
    step = await services.diagnose.step(sitting)
    assert step.item is not None
    step = await services.diagnose.answer(sitting, step.item, (), client_id="d1")
    other = open_at(home, clock, catalog())
    assert await other.diagnose.step(sitting) == step
    assert (await other.take.view(sitting)).current == step.number
    other.close()


@pytest.mark.asyncio
async def test_an_answer_sent_twice_counts_once(services: Services) -> None:
    sitting = await services.diagnose.start("NCP-GENL", seed=3)
    first = await services.diagnose.step(sitting)
    assert first.item is not None
    once = await services.diagnose.answer(sitting, first.item, (), client_id="same")
    again = await services.diagnose.answer(sitting, first.item, (), client_id="same")
    assert again == once
    assert once.asked == 1


@pytest.mark.asyncio
async def test_it_has_no_score_and_only_what_was_asked_is_on_record(services: Services) -> None:
    sitting = await services.diagnose.start("NCP-GENL", seed=3)
    asked = await run(services, sitting, lambda _: None)
    with pytest.raises(BadRequest, match="no score"):
        await services.outcome.report(sitting)
    (line,) = await services.outcome.recent()
    assert line.percent is None
    assert line.over
    missed = await services.practice.matching("NCP-GENL", Selection(missed=True))
    assert missed.items == len(asked)


@pytest.mark.asyncio
async def test_what_cannot_be_is_said(services: Services, home: Path, clock: HandClock) -> None:
    with pytest.raises(UnknownExam):
        await services.diagnose.start("NOPE")
    with pytest.raises(UnknownSitting):
        await services.diagnose.step("nobody")
    with pytest.raises(BadRequest, match="no diagnostic"):
        await services.diagnose.step(await begin(services))
    empty = open_at(home / "empty", clock, catalog([]))
    with pytest.raises(CannotAssemble, match="No diagnostic"):
        await empty.diagnose.start("NCP-GENL")
    empty.close()
