from __future__ import annotations

import csv
import io
import sys

import pytest

from burnin.app.errors import BadRequest, NotYet, UnknownSitting
from burnin.app.report import COLUMNS, csv_text, parquet_bytes, rows
from burnin.app.take import Conditions, EventKind
from burnin.app.wiring import Services
from tests.app.desk import HandClock, answer, begin, send


async def sat(
    services: Services, *, right: int, conditions: Conditions = Conditions.EXAM, seed: int = 7
) -> str:
    sitting = await begin(services, conditions, size=10, minutes=20, seed=seed)
    for number in range(1, 11):
        services_item = await answer(services, sitting, number, right=number <= right)
        if conditions is not Conditions.EXAM:
            await send(services, sitting, EventKind.RATED, services_item, value="sure")
    await send(services, sitting, EventKind.SUBMITTED)
    return sitting


@pytest.mark.asyncio
async def test_the_report_agrees_with_the_result(services: Services) -> None:
    sitting = await sat(services, right=6, conditions=Conditions.TIMED)
    full = await services.report.full(sitting)
    result = await services.outcome.report(sitting)
    assert full.insight.report == result.report
    assert full.insight.report.earned == 6
    (level,) = full.insight.confidence
    assert (level.id, level.earned, level.items) == ("sure", 6, 10)
    (met,) = full.insight.misconceptions
    assert (met.name, len(met.items)) == ("MISCONCEPTION", 4)
    assert 1 <= len(full.insight.actions) <= 3


@pytest.mark.asyncio
async def test_the_trend_tells_reruns_and_short_forms(services: Services, clock: HandClock) -> None:
    first = await sat(services, right=5)
    clock.wait(60)
    again = await services.practice.redo(first, conditions=Conditions.TIMED)
    for number in range(1, 11):
        await answer(services, again, number)
    await send(services, again, EventKind.SUBMITTED)
    one, two = (await services.report.full(again)).trend
    assert (one.sitting, one.size, one.percent, one.doubts) == (first, 10, 50.0, ("short",))
    assert (two.percent, two.fresh, two.fresh_percent) == (100.0, 0, None)
    assert set(two.doubts) == {"practice", "short", "rerun"}
    full = await services.report.full(again)
    assert full.insight.seen_before == 10
    assert full.insight.fresh is None
    # The first report still says that nothing had been seen then.
    assert (await services.report.full(first)).insight.seen_before == 0


@pytest.mark.asyncio
async def test_every_item_is_a_row_of_the_csv(services: Services) -> None:
    full = await services.report.full(await sat(services, right=6))
    text = csv_text(full)
    assert text.count("\r\n") == 11
    read = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(read[0]) == list(COLUMNS)
    assert sum(float(row["earned"]) for row in read) == 6
    assert [row["item"] for row in read] == [row["item"] for row in rows(full)]
    assert {row["changed"] for row in read} == {"false"}
    wrong = [row for row in read if row["outcome"] == "wrong"]
    assert len(wrong) == 4
    assert all(row["error_class"] and row["misconceptions"] for row in wrong)
    for row in rows(full):
        for name, kind in COLUMNS.items():
            assert isinstance(row[name], kind), name


@pytest.mark.asyncio
async def test_parquet_holds_the_same_rows(services: Services) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    full = await services.report.full(await sat(services, right=6))
    read = parquet.read_table(io.BytesIO(parquet_bytes(full))).to_pylist()
    assert read == rows(full)


@pytest.mark.asyncio
async def test_without_the_extra_parquet_says_how_to_get_it(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = await services.report.full(await sat(services, right=6))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadRequest, match=r"burnin\[parquet\]"):
        parquet_bytes(full)


@pytest.mark.asyncio
async def test_what_cannot_be_is_said(services: Services) -> None:
    with pytest.raises(UnknownSitting):
        await services.report.full("nobody")
    with pytest.raises(NotYet):
        await services.report.full(await begin(services))
    with pytest.raises(BadRequest, match="between 1 and 100"):
        await services.report.full(await begin(services), pass_mark_percent=0)
    with pytest.raises(BadRequest, match="no score"):
        await services.report.full(await services.diagnose.start("NCP-GENL"))
