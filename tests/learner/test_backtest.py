"""Forecasts of people who do not share the model: ``benchmarks/backtest`` is the large run."""

from __future__ import annotations

import pytest

from burnin.catalog import load
from tests.learner.backtest import bank, run, verdict
from tests.learner.people import Kind


@pytest.fixture(scope="module", params=["NCP-GENL", "NCA-GENM"])
def made(request: pytest.FixtureRequest):
    return bank(load(None), request.param, practice=16, full=8)


def test_forecasts_are_calibrated_and_better_than_the_base_rate(made) -> None:
    found = verdict(run(made, Kind(start=(0.3, 1.0)), 600, 5), bins=5)
    assert found.brier < 0.9 * found.base
    # 600 learners leave some .03 of calibration error to chance; the large run says .03 in all.
    assert found.ece < 0.09
    assert 0.86 < found.coverage < 0.97
    assert abs(found.bias) < 4


def test_guessers_are_not_told_that_they_will_pass(made) -> None:
    cases = run(made, Kind(guesser=True), 60, 6)
    assert all(case.forecast.p_pass < 0.05 for case in cases)


def test_wrong_grades_of_the_authors_do_little_harm(made) -> None:
    found = verdict(run(made, Kind(start=(0.3, 1.0)), 200, 7, wrong_grades=True), bins=5)
    assert found.brier < found.base
    assert found.coverage > 0.85


def test_people_import_nothing_of_the_model() -> None:
    from pathlib import Path

    source = (Path(__file__).parent / "people.py").read_text(encoding="utf-8")
    assert "burnin.learner" not in source
    assert "burnin.psychometrics" not in source
