"""The examples in docstrings run and say what they say."""

import doctest

import pytest

from burnin.figures import timeline_text
from burnin.itemgen import showing, sums
from burnin.systems import pipeline, pipeline_published, pipeline_schedules


@pytest.mark.parametrize(
    "module", [pipeline, pipeline_schedules, pipeline_published, timeline_text, showing, sums]
)
def test_examples_hold(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed
