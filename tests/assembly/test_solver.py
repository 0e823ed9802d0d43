from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.assembly.solver import Model


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_agrees_with_trying_every_choice(data: st.DataObject) -> None:
    costs = data.draw(st.lists(st.integers(-9, 9), min_size=1, max_size=7))
    rows = data.draw(
        st.lists(
            st.tuples(
                st.lists(st.integers(-3, 3), min_size=len(costs), max_size=len(costs)),
                st.integers(-4, 4),
                st.integers(0, 4),
            ),
            max_size=4,
        )
    )
    model = Model()
    columns = [model.binary(float(cost)) for cost in costs]
    for values, low, width in rows:
        model.row([(c, float(v)) for c, v in zip(columns, values, strict=True) if v], low, low + width)
    best = min(
        (
            sum(c for c, x in zip(costs, choice, strict=True) if x)
            for choice in itertools.product((0, 1), repeat=len(costs))
            if all(
                low <= sum(v for v, x in zip(values, choice, strict=True) if x) <= low + width
                for values, low, width in rows
            )
        ),
        default=None,
    )
    found = model.minimum()
    if best is None:
        assert found is None
    else:
        assert found is not None
        assert round(sum(c * x for c, x in zip(costs, found, strict=True)), 6) == best


def test_nothing_is_printed(capfd) -> None:  # type: ignore[no-untyped-def]
    model = Model()
    model.row([(model.binary(1.0), 1.0)], 1.0, 1.0)
    model.minimum()
    assert capfd.readouterr() == ("", "")
