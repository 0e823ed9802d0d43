from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.domain.fault import FaultReport
from burnin.store import Duplicate, Store

REPORT = FaultReport(
    id="r1",
    item="genl-gpu-zero3",
    version=2,
    hash="ab" * 16,
    exam="NCP-GENL",
    sitting="s1",
    kind="outdated",
    text="Since 25.10 the default is 8 kB; “block” means something else.\nSecond line.",
    wall_ms=1_800_000_000_000,
)


def test_reports_come_back_in_order_and_once(store: Store) -> None:
    assert store.reports.all() == ()
    early = replace(REPORT, id="r2", wall_ms=REPORT.wall_ms - 1)
    store.reports.add(REPORT).result()
    store.reports.add(early).result()
    with pytest.raises(Duplicate, match="r1"):
        store.reports.add(replace(REPORT, text="again")).result()
    assert store.reports.all() == (early, REPORT)
