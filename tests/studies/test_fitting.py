"""The mathematics of a fit against linear regression, conjugate normal posteriors, and spaces that are known."""

import numpy as np
import pytest
from scipy.stats import binom, t

from sheetmbs.studies.fitting.differences import judged_slopes
from sheetmbs.studies.fitting.direction_words import VariableMeaning, words_of
from sheetmbs.studies.fitting.directions import Direction, directions, null_space, sparsest
from sheetmbs.studies.fitting.estimate import estimate
from sheetmbs.studies.fitting.fit_space import FitSpace
from sheetmbs.studies.fitting.further_measurements import further_measurements, refit
from sheetmbs.studies.fitting.solve_fit import fit_all

INF = np.inf


def space(start, sd=None, low=None, high=None):
    """Variables with priors, or with bounds where sd is NaN."""
    count = len(start)
    return FitSpace(
        np.asarray(start, float),
        np.full(count, -INF) if low is None else np.asarray(low, float),
        np.full(count, INF) if high is None else np.asarray(high, float),
        np.full(count, np.nan) if sd is None else np.asarray(sd, float),
    )


class Model:
    """Readings y of a function of scaled variables, over their sd."""

    def __init__(self, own, y, computed, slopes, fails=lambda _values: False):
        self.own, self.y, self.computed, self.slopes, self.fails = own, y, computed, slopes, fails

    def residuals(self, scaled):
        values = self.own.values(scaled)
        return None if self.fails(values) else self.y - self.computed(values)

    def jacobian(self, scaled):
        return -self.slopes(self.own.values(scaled)) * self.own.scale


def linear(own, matrix, y):
    """A model that is linear in its variables."""
    return Model(own, y, lambda values: matrix @ values, lambda _values: matrix)


@pytest.fixture
def regression():
    random = np.random.default_rng(4)
    matrix = random.standard_normal((30, 3)) * [1.0, 20.0, 0.3]
    return matrix, matrix @ [1.0, -2.0, 3.0] + random.standard_normal(30)


def test_a_fit_without_priors_is_the_linear_regression(regression):
    matrix, y = regression
    own = space([0.0, 0.0, 0.0], low=[-50.0] * 3, high=[50.0] * 3)
    found = fit_all(own, linear(own, matrix, y))
    values = own.values(found.best.solution)
    wanted = np.linalg.lstsq(matrix, y)[0]
    assert values == pytest.approx(wanted, rel=1e-9)
    known = estimate(own, values, matrix, y - matrix @ values, interval="estimated")
    s2 = np.sum((y - matrix @ wanted) ** 2) / 27.0
    sd = np.sqrt(np.diag(s2 * np.linalg.inv(matrix.T @ matrix)))
    assert known.sd == pytest.approx(sd, rel=1e-9)
    assert known.high_95 - values == pytest.approx(t.ppf(0.975, 27) * sd, rel=1e-9)
    assert known.dof == pytest.approx(27.0)
    assert known.determined == pytest.approx(3.0)


def test_a_prior_is_the_conjugate_normal_posterior(regression):
    matrix, y = regression
    own = space([0.5, 0.0, 1.0], sd=[0.1, 0.02, 2.0])
    found = fit_all(own, linear(own, matrix, y))
    precision = matrix.T @ matrix + np.diag(own.prior_sd**-2.0)
    wanted = np.linalg.solve(precision, matrix.T @ y + own.start / own.prior_sd**2)
    assert own.values(found.best.solution) == pytest.approx(wanted, abs=1e-9)
    known = estimate(own, wanted, matrix, y - matrix @ wanted)
    assert known.covariance == pytest.approx(np.linalg.inv(precision), rel=1e-9)
    assert known.determined == pytest.approx(float(np.sum(1.0 - known.prior_share)), rel=1e-12)
    assert known.determined_by.sum() == pytest.approx(known.determined, rel=1e-12)


def test_a_bound_that_binds_holds_its_variable_and_the_others_are_fitted_with_it_there(regression):
    matrix, y = regression
    own = space([0.0, 0.0, 0.0], low=[-50.0] * 3, high=[50.0, 50.0, 1.5])
    found = fit_all(own, linear(own, matrix, y))
    values = own.values(found.best.solution)
    assert found.best.held.tolist() == [0.0, 0.0, 1.0]
    wanted = np.linalg.lstsq(matrix[:, :2], y - 1.5 * matrix[:, 2])[0]
    assert values == pytest.approx([*wanted, 1.5], rel=1e-7)
    known = estimate(own, values, matrix, y - matrix @ values, held=found.best.held != 0.0)
    assert np.isnan(known.sd).tolist() == [False, False, True]
    assert known.covariance[:2, :2] == pytest.approx(np.linalg.inv(matrix[:, :2].T @ matrix[:, :2]), rel=1e-9)


def test_steps_that_cannot_be_solved_are_shortened_and_counted():
    own = space([0.0], sd=[1.0])
    slope = np.full((20, 1), 40.0)

    def computed(values):
        return 40.0 * values[0] + 15.0 * values[0] ** 2 * np.ones(20)

    model = Model(own, computed(np.array([0.9])), computed, lambda v: slope + 30.0 * v[0], lambda v: v[0] > 0.95)
    found = fit_all(own, model)
    assert found.best.shortened > 0
    assert found.best.converged
    assert own.values(found.best.solution)[0] == pytest.approx(0.9, abs=1e-3)


def test_further_starts_find_the_deeper_of_two_valleys():
    own = space([-1.0], low=[-3.0], high=[3.0])

    def computed(values):
        return np.array([4.0 * (values[0] ** 2 - 1.0), 0.5 * values[0]])

    model = Model(own, np.array([0.0, 0.5]), computed, lambda v: np.array([[8.0 * v[0]], [0.5]]))
    alone, several = fit_all(own, model), fit_all(own, model, starts=8, seed=1)
    assert own.values(alone.best.solution)[0] < 0.0
    assert own.values(several.best.solution)[0] == pytest.approx(1.0, abs=1e-6)
    assert several.spread > 1.0


def hinged(weak=0.0):
    """A Jacobian over 7 variables: two groups of two and three slide without any reading changing; the last two are seen."""
    slides = np.zeros((2, 7))
    slides[0, [0, 1]] = 0.6, -0.8
    slides[1, [2, 3, 4]] = np.array([1.0, 2.0, 2.0]) / 3.0
    across = np.linalg.svd(slides)[2][2:]
    random = np.random.default_rng(0)
    matrix = random.standard_normal((40, 5)) @ (across * np.array([9.0, 5.0, 3.0, 2.0, 1.0])[:, None])
    return slides, matrix + weak * random.standard_normal((40, 1)) * slides[0]


def test_the_unseen_space_is_turned_to_its_sparsest_vectors():
    slides, matrix = hinged()
    found = sparsest(null_space(matrix, 1e-9), matrix)
    assert len(found) == 2
    for slide in slides:
        assert max(abs(float(each @ slide)) for each in found) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("weak", "unseen"), [(0.0, 2), (1e-3, 1)])
def test_an_unseen_direction_changes_no_reading_and_a_nearly_unseen_one_is_weak(weak, unseen):
    _slides, matrix = hinged(weak)
    own = space(np.zeros(7), sd=np.ones(7))
    found = directions(own, np.zeros(7), matrix, lambda scaled: matrix @ scaled)
    verdicts = [each.verdict for each in found]
    assert verdicts.count("unseen") == unseen
    assert len(found) == 7
    values = np.linalg.svd(matrix, compute_uv=False)
    assert [each.singular_value for each in found][:5] == pytest.approx(values[:5], rel=1e-9)
    assert [each.verdict == "seen" for each in found] == [each.singular_value >= np.sqrt(3.0) for each in found]
    together = np.array([each.parts for each in found])
    assert np.linalg.matrix_rank(together) == 7


def test_a_direction_that_only_bends_is_not_called_unseen():
    own = space([0.0, 0.0], sd=[1.0, 1.0])
    found = directions(own, np.zeros(2), np.array([[5.0, 0.0]]), lambda x: np.array([5.0 * x[0] + x[1] ** 2]))
    assert [each.verdict for each in found] == ["seen", "weak"]


def test_a_variable_without_prior_in_an_unseen_direction_has_no_interval_and_counts_less():
    own = space([1.0, 1.0, 1.0], low=[0.0] * 3, high=[4.0] * 3)
    matrix = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    unseen = np.array([[1.0, -1.0, 0.0]]) / np.sqrt(2.0)
    known = estimate(own, own.start, matrix, np.zeros(3), unseen=unseen)
    assert np.isnan(known.sd).tolist() == [True, True, False]
    assert known.determined == pytest.approx(2.0)  # 1/2 + 1/2 + 1
    assert known.sd[2] == pytest.approx(0.5)


def test_without_a_measurement_the_fit_is_that_of_the_others(regression):
    matrix, y = regression
    own = space([0.0, 0.0, 0.0], sd=[3.0, 3.0, 3.0])
    model = linear(own, matrix, y)
    found = fit_all(own, model).best.solution
    rows = np.arange(30) < 20
    without = refit(own, model.residuals, model.jacobian(found), found, rows, np.zeros(3, bool))
    alone = linear(own, matrix[rows], y[rows])
    assert without == pytest.approx(fit_all(own, alone).best.solution, abs=1e-8)


def test_the_further_measurement_is_the_one_that_lowers_the_worst_share_most():
    seen = np.diag([10.0, 0.5, 0.0, 0.0])
    candidates = {"third": np.array([[0.0, 0.0, 4.0, 0.0]]), "second": np.array([[0.0, 8.0, 0.0, 0.0]])}
    first, second = further_measurements(seen, candidates)
    assert (first.name, second.name) == ("third", "second")
    assert (first.before, first.after) == pytest.approx((1.0, 1.0 / np.sqrt(17.0)))
    assert (second.before, second.after) == pytest.approx((1.0 / np.sqrt(1.25), 1.0 / np.sqrt(65.25)))


def test_differences_are_judged_by_two_steps_and_a_kink_is_seen():
    own = space([0.0, 0.0], sd=[1.0, 1.0])
    found = judged_slopes(own, lambda x: np.array([np.exp(x[0]), 3.0 * np.abs(x[1] - 3e-4)]), np.zeros(2))
    assert found.jacobian[0, 0] == pytest.approx(1.0, abs=1e-9)
    assert found.errors[0] < 1e-6
    assert found.kinks == [1]


HINGE = {
    "lower arm front": np.array([100.0, 200.0, 110.0]),
    "lower arm rear": np.array([-100.0, 220.0, 120.0]),
    "lower ball joint": np.array([0.0, 600.0, 115.0]),
}


def meanings(points=HINGE):
    """All coordinates of some points."""
    return [
        VariableMeaning(f"{p}.{a}", "mm", "point", "front", p, k, HINGE) for p in points for k, a in enumerate("xyz")
    ]


def said(parts, verdict="unseen", value=0.0, names=None, values=None):
    """A direction in words."""
    names = meanings() if names is None else names
    parts = np.asarray(parts, float) / np.linalg.norm(parts)
    return words_of(
        Direction(parts, value, verdict), np.ones(len(names)), np.ones(len(names)) if values is None else values, names
    )


def test_a_pivot_along_its_hinge_has_the_words_of_the_page():
    along = HINGE["lower arm rear"] - HINGE["lower arm front"]
    wanted = "the lower arm's front pivot may slide along its hinge by any amount: no measured column changes"
    assert said([*along, *np.zeros(6)]) == wanted


def test_an_arm_as_a_whole_and_a_common_scale_have_words():
    assert said([0, 0, 1] * 3, "weak", 0.01) == "lower arm moved up as a whole: 100 mm sd"
    masses = [VariableMeaning(name, "kg", "mass") for name in ("crank", "rod")]
    told = said([2.0, 1.0], names=masses, values=np.array([4.0, 2.0]))
    assert told.startswith("a common scale of all masses")


def test_bands_of_a_bent_model_hold_the_truth_as_often_as_they_say():
    """Truth from its prior, readings with noise: 95 % bands hold it in a binomial share of the seeds, tails of 1e-4."""
    at = np.linspace(0.0, 2.0, 25)
    own = space([1.0, 0.8], sd=[0.3, 0.2])
    held, seeds = 0, 150

    def computed(v):
        return 20.0 * v[0] * np.exp(-v[1] * at)

    def slopes(v):
        bent = 20.0 * np.exp(-v[1] * at)
        return np.column_stack([bent, -v[0] * at * bent])

    for seed in range(seeds):
        random = np.random.default_rng(seed)
        truth = own.start + own.prior_sd * random.standard_normal(2)
        model = Model(own, computed(truth) + random.standard_normal(25), computed, slopes)
        values = own.values(fit_all(own, model).best.solution)
        known = estimate(own, values, slopes(values), model.y - computed(values))
        held += int(np.sum((truth >= known.low_95) & (truth <= known.high_95)))
    assert binom.ppf(1e-4, 2 * seeds, 0.95) <= held <= binom.ppf(1.0 - 1e-4, 2 * seeds, 0.95)
