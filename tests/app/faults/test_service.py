from __future__ import annotations

import json

import pytest

from burnin.app.errors import BadRequest, UnknownQuestion, UnknownSitting
from burnin.app.wiring import Services
from tests.app.desk import HandClock, begin

pytestmark = pytest.mark.asyncio


async def test_a_report_names_exactly_the_text_that_was_seen(services: Services, clock: HandClock) -> None:
    sitting = await begin(services)
    item = (await services.take.question(sitting, 4)).asked.id
    first = await services.faults.add(sitting=sitting, item=item, kind="wrong-key", text="  It is 8 kB.\n ")
    clock.wait(1)
    second = await services.faults.add(sitting=sitting, item=item, kind="typo", text="")
    form = services.store.forms.get(services.store.sittings.get(sitting).form)[0]
    assert first.hash == {entry.item: entry.hash for entry in form.entries}[item]
    assert (first.text, first.version, first.exam) == ("It is 8 kB.", 1, "NCP-GENL")
    assert await services.faults.all() == (first, second)
    lines = [json.loads(line) for line in await services.faults.export()]
    assert [(line["id"], line["item"], line["kind"]) for line in lines] == [
        (first.id, item, "wrong-key"),
        (second.id, item, "typo"),
    ]


async def test_a_report_that_says_nothing_is_refused(services: Services) -> None:
    sitting = await begin(services)
    item = (await services.take.question(sitting, 1)).asked.id
    for kind, text, words in (
        ("nonsense", "x", "no kind of error"),
        ("other", "  ", "in a few words"),
        ("typo", "x" * 4001, "at most 4,000 characters; this one has 4,001"),
    ):
        with pytest.raises(BadRequest, match=words):
            await services.faults.add(sitting=sitting, item=item, kind=kind, text=text)
    with pytest.raises(UnknownQuestion, match="another"):
        await services.faults.add(sitting=sitting, item="another", kind="typo", text="x")
    with pytest.raises(UnknownSitting, match="nobody"):
        await services.faults.add(sitting="nobody", item=item, kind="typo", text="x")
    assert await services.faults.all() == ()
