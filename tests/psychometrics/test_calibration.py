from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.calibration import Calibration, NotIdentified, calibrate
from burnin.psychometrics.curves import Model
from burnin.psychometrics.priors import three_parameter
from burnin.psychometrics.responses import Responses
from tests.psychometrics import oracle, published
from tests.psychometrics.simulated import normal_table, table


def fitted(data: published.DataSet, model: Model, form: str) -> Calibration:
    if form == "rows":
        found = calibrate(Responses.of(data.rows), model)
    else:
        found = calibrate(Responses.of(data.patterns, data.counts), model)
    assert found.converged, found.why
    assert found.persons == 1000
    return found


@pytest.mark.parametrize("form", ["rows", "counts"])
class TestPublished:
    def test_lsat6_two_parameters(self, form: str) -> None:
        found, said = fitted(published.LSAT6, Model.TWO, form), published.LSAT6_TWO_PL
        assert found.items.a == pytest.approx(said["a"], abs=0.005)
        assert found.items.b == pytest.approx(said["b"], abs=0.01)
        assert found.se_a == pytest.approx(said["se_a"], abs=0.01)
        assert found.se_b == pytest.approx(said["se_b"], abs=0.01)
        assert found.loglik == pytest.approx(said["loglik"], abs=0.01)
        assert found.aic == pytest.approx(said["aic"], abs=0.02)
        assert found.bic == pytest.approx(said["bic"], abs=0.02)

    def test_lsat6_rasch(self, form: str) -> None:
        found = fitted(published.LSAT6, Model.RASCH, form)
        assert found.items.a == pytest.approx(1.0)
        assert found.items.b == pytest.approx(published.LSAT6_RASCH["b"], abs=0.005)
        assert found.loglik == pytest.approx(published.LSAT6_RASCH["loglik"], abs=0.01)

    def test_lsat6_common_slope(self, form: str) -> None:
        found, said = fitted(published.LSAT6, Model.ONE, form), published.LSAT6_ONE_PL
        assert found.items.a == pytest.approx(said["a"], abs=0.005)
        assert found.se_a == pytest.approx(said["se_a"], abs=0.005)
        assert found.items.d == pytest.approx(said["d"], abs=0.01)
        assert found.loglik == pytest.approx(said["loglik"], abs=0.01)
        assert found.parameters == 6

    def test_lsat7_common_slope(self, form: str) -> None:
        found, said = fitted(published.LSAT7, Model.ONE, form), published.LSAT7_ONE_PL
        assert found.items.a == pytest.approx(said["a"], abs=0.01)
        assert found.items.d == pytest.approx(said["d"], abs=0.01)
        assert found.loglik == pytest.approx(said["loglik"], abs=0.05)

    def test_lsat7_two_parameters(self, form: str) -> None:
        found, said = fitted(published.LSAT7, Model.TWO, form), published.LSAT7_TWO_PL
        assert found.items.a == pytest.approx(said["a"], abs=0.01)
        assert found.items.d == pytest.approx(said["d"], abs=0.01)
        assert found.se_a == pytest.approx(said["se_a"], abs=0.005)
        assert found.se_d == pytest.approx(said["se_d"], abs=0.005)
        assert found.loglik == pytest.approx(said["loglik"], abs=0.05)


class TestAgainstSlowLikelihood:
    """The maximum and its curvature, checked by a likelihood that shares no code."""

    def test_two_parameters_with_missing_answers(self) -> None:
        rows = normal_table(3, 300, 4)[3].astype(np.int8)
        rows[np.random.default_rng(1).random(rows.shape) < 0.2] = -1
        data = Responses.of(rows)
        found = calibrate(data)
        assert found.converged

        def value(point: np.ndarray) -> float:
            return oracle.loglik(data.patterns, data.counts, point[:4], point[4:], np.zeros(4))

        top = np.concatenate([found.items.a, found.items.d])
        assert found.loglik == pytest.approx(value(top), abs=1e-6)
        for i in range(8):
            for shift in (-0.05, 0.05):
                other = top.copy()
                other[i] += shift
                assert value(other) < value(top)

    def test_standard_errors_are_the_inverse_curvature(self) -> None:
        data = Responses.of(published.LSAT7.patterns, published.LSAT7.counts)
        found = calibrate(data)

        def value(point: np.ndarray) -> float:
            return oracle.loglik(data.patterns, data.counts, point[:5], point[5:], np.zeros(5))

        top = np.concatenate([found.items.a, found.items.d])
        covariance = np.linalg.inv(-oracle.hessian(value, top))
        expected = np.sqrt(np.diag(covariance))
        assert np.concatenate([found.se_a, found.se_d]) == pytest.approx(expected, rel=2e-3)

    def test_three_parameters_is_the_mode_with_the_named_prior(self) -> None:
        data = Responses.of(published.LSAT7.patterns, published.LSAT7.counts)
        found = calibrate(data, Model.THREE)
        assert found.converged
        assert "Beta" in found.prior

        def value(a: np.ndarray, d: np.ndarray, c: np.ndarray) -> float:
            prior = np.sum(-0.5 * (np.log(a) / 0.5) ** 2 + 4.0 * np.log(c) + 16.0 * np.log(1.0 - c))
            return oracle.loglik(data.patterns, data.counts, a, d, c) + float(prior)

        a, d, c = found.items.a, found.items.d, found.items.c
        top = value(a, d, c)
        assert found.log_posterior == pytest.approx(top, abs=1e-5)
        for j in range(2):
            for shift in (-0.03, 0.03):
                step = np.eye(5)[j] * shift
                assert value(a + step, d, c) < top
                assert value(a, d + step, c) < top
                assert value(a, d, c + step) < top


class TestProperties:
    def test_order_of_items_and_people_does_not_matter(self) -> None:
        rows = normal_table(5, 300, 6)[3]
        chance = np.random.default_rng(2)
        order = chance.permutation(6)
        one, two = (
            calibrate(Responses.of(rows)),
            calibrate(Responses.of(rows[chance.permutation(300)][:, order])),
        )
        assert two.items.a == pytest.approx(one.items.a[order], abs=1e-4)
        assert two.loglik == pytest.approx(one.loglik, abs=1e-7)

    def test_swapping_right_and_wrong_mirrors_theta(self) -> None:
        rows = normal_table(6, 400, 6)[3]
        one, two = calibrate(Responses.of(rows)), calibrate(Responses.of(1 - rows))
        assert two.items.a == pytest.approx(one.items.a, abs=1e-4)
        assert two.items.b == pytest.approx(-one.items.b, abs=1e-3)
        assert two.loglik == pytest.approx(one.loglik, abs=1e-7)

    def test_models_nest(self) -> None:
        data = Responses.of(normal_table(7, 400, 8)[3])
        rasch, one, two = (calibrate(data, m).loglik for m in (Model.RASCH, Model.ONE, Model.TWO))
        assert rasch <= one <= two

    def test_people_without_answers_change_nothing(self) -> None:
        rows = normal_table(8, 200, 5)[3]
        more = np.vstack([rows, np.full((30, 5), -1)])
        assert calibrate(Responses.of(more)).loglik == pytest.approx(
            calibrate(Responses.of(rows)).loglik, abs=1e-8
        )

    def test_slopes_are_unbiased_on_a_long_test(self) -> None:
        # Posteriors here are narrower than a 61-step grid: a coarse one would show as bias.
        bias, z = [], []
        for seed in range(100, 106):
            a, b, _, rows = normal_table(seed, 2000, 120)
            found = calibrate(Responses.of(rows))
            assert found.converged
            bias.append(float((found.items.a - a).mean()))
            z.extend((found.items.b - b) / found.se_b)
        assert abs(np.mean(bias)) < 0.01
        # Below 1 since these samples have exactly the mean and spread that the model assumes.
        assert 0.75 < np.std(z) < 1.05

    def test_three_parameters_recover(self) -> None:
        a, b, _, rows = normal_table(11, 6000, 40, guess=0.2)
        found = calibrate(Responses.of(rows), Model.THREE)
        assert found.converged
        assert np.corrcoef(found.items.b, b)[0, 1] > 0.98
        assert np.mean(found.items.c) == pytest.approx(0.2, abs=0.03)
        assert np.mean(found.items.a - a) == pytest.approx(0.0, abs=0.08)


class TestAnchors:
    def test_link_to_the_scale_of_the_anchors(self) -> None:
        """People at mean 0.8, sd 1.3 answer; the anchors alone tell where zero is."""
        chance = np.random.default_rng(21)
        a, b = np.exp(chance.normal(0, 0.25, 30)), chance.normal(0, 1, 30)
        theta = 0.8 + 1.3 * chance.normal(size=4000)
        rows = table(chance, a, b, theta)
        anchors = {j: (float(a[j]), float(b[j]), 0.0) for j in range(12)}
        found = calibrate(Responses.of(rows), anchors=anchors)
        assert found.converged
        assert found.latent.mean == pytest.approx(theta.mean(), abs=0.06)
        assert found.latent.sd == pytest.approx(theta.std(), abs=0.06)
        assert found.items.a[:12] == pytest.approx(a[:12])
        assert found.items.b[:12] == pytest.approx(b[:12])
        assert (found.se_b[:12] == 0.0).all()
        assert np.mean(found.items.b[12:] - b[12:]) == pytest.approx(0.0, abs=0.05)
        z = (found.items.b[12:] - b[12:]) / found.se_b[12:]
        assert np.abs(z).max() < 4.0

    def test_agree_with_a_free_calibration_when_the_scale_is_its_own(self) -> None:
        rows = normal_table(22, 1500, 10)[3]
        free = calibrate(Responses.of(rows))
        anchors = {j: (float(free.items.a[j]), float(free.items.b[j]), 0.0) for j in range(5)}
        linked = calibrate(Responses.of(rows), anchors=anchors)
        assert linked.loglik == pytest.approx(free.loglik, abs=1e-5)
        assert linked.items.a == pytest.approx(free.items.a, abs=2e-3)
        assert (linked.latent.mean, linked.latent.sd) == pytest.approx((0.0, 1.0), abs=2e-3)

    def test_anchors_may_have_an_asymptote_where_the_others_have_none(self) -> None:
        chance = np.random.default_rng(23)
        a, b, c = np.full(16, 1.2), np.linspace(-2, 2, 16), np.where(np.arange(16) < 8, 0.2, 0.0)
        rows = table(chance, a, b, 0.5 + chance.normal(size=4000), c)
        found = calibrate(Responses.of(rows), anchors={j: (1.2, float(b[j]), 0.2) for j in range(8)})
        assert found.converged
        assert found.parameters == 2 * 8 + 2
        assert found.items.c == pytest.approx(c, abs=1e-6)
        assert found.latent.mean == pytest.approx(0.5, abs=0.08)
        assert np.mean(found.items.b[8:] - b[8:]) == pytest.approx(0.0, abs=0.08)

    def test_must_be_items(self) -> None:
        with pytest.raises(ValueError, match="anchor"):
            calibrate(Responses.of(normal_table(1, 20, 3)[3]), anchors={3: (1.0, 0.0, 0.0)})


class TestHardTables:
    def test_items_that_all_get_right_or_wrong_have_no_estimate(self) -> None:
        rows = normal_table(31, 300, 6)[3]
        rows[:, 0], rows[:, 1] = 1, 0
        found = calibrate(Responses.of(rows))
        alone = calibrate(Responses.of(rows[:, 2:]))
        assert found.converged
        assert np.isnan(found.items.a[:2]).all()
        assert "right" in found.notes[0]
        assert "wrong" in found.notes[1]
        assert found.items.a[2:] == pytest.approx(alone.items.a, abs=1e-6)

    def test_negative_discrimination_is_estimated_as_such(self) -> None:
        rows = normal_table(32, 800, 8)[3]
        rows[:, 3] = 1 - rows[:, 3]
        found = calibrate(Responses.of(rows))
        assert found.converged
        assert found.items.a[3] < 0
        assert (np.delete(found.items.a, 3) > 0).all()

    def test_an_item_twice_runs_to_the_bound_and_says_so(self) -> None:
        rows = normal_table(33, 300, 6)[3]
        rows[:, 5] = rows[:, 4]
        found = calibrate(Responses.of(rows))
        assert not found.converged
        assert "without bound" in found.why
        assert set(found.notes) == {4, 5}
        assert np.isfinite(found.items.b[:4]).all()

    def test_guttman_pattern_does_not_pretend(self) -> None:
        rows = np.tril(np.ones((7, 6), dtype=np.int8), -1)
        found = calibrate(Responses.of(rows, np.full(7, 10)))
        assert not found.converged

    @pytest.mark.parametrize("model", list(Model))
    def test_a_handful_of_people_ends_in_a_verdict(self, model: Model) -> None:
        for seed in range(6):
            try:
                found = calibrate(Responses.of(normal_table(40 + seed, 6, 5)[3]), model)
            except NotIdentified:
                continue
            assert found.why
            if found.converged:
                assert np.isfinite(found.items.a[found.usable]).all()

    def test_no_common_signal_gives_no_difficulty(self) -> None:
        # Two items that disagree more than chance: the common slope is zero.
        rows = np.array([[0, 1], [1, 0], [1, 1], [0, 0]])
        found = calibrate(Responses.of(rows, [30, 30, 5, 5]), Model.ONE)
        assert np.isnan(found.items.b).all()
        assert "slope is zero" in found.notes[0]

    def test_too_small_tables_are_refused_with_the_reason(self) -> None:
        with pytest.raises(NotIdentified, match="at least 3 items"):
            calibrate(Responses.of([[1, 0], [0, 1], [1, 1]]))
        with pytest.raises(NotIdentified, match="has 0"):
            calibrate(Responses.of(np.ones((20, 5), dtype=int)))
        with pytest.raises(NotIdentified, match="two people"):
            calibrate(Responses.of([[1, 0]]), Model.ONE, priors=three_parameter(), anchors={0: (1, 0, 0)})
