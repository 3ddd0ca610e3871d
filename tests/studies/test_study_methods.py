"""Methods of studies on functions whose answers are known."""

from __future__ import annotations

from collections.abc import Callable
from math import erfc, sqrt

import numpy as np
import pytest

from sheetmbs.studies.goals import front, not_dominated
from sheetmbs.studies.methods.all_methods import METHODS
from sheetmbs.studies.methods.method import Evaluated
from sheetmbs.studies.study_book import StudyBook, StudyResponse, StudyVariable

Floats = np.ndarray


def variable(name: str, as_it_is: float, low: float, high: float, **more: object) -> StudyVariable:
    """A variable of one cell."""
    return StudyVariable(name, ((name, "A1"),), (as_it_is,), low, high, **more)  # type: ignore[arg-type]


def two(method: str, goals: tuple[StudyResponse, ...] = (), **more: object) -> StudyBook:
    """x from -2 to 2, now 0.5, and y from 0 to 4, now 1."""
    responses = goals or (StudyResponse("r", "r"),)
    return StudyBook(method, (), (variable("x", 0.5, -2.0, 2.0), variable("y", 1.0, 0.0, 4.0)), responses, **more)  # type: ignore[arg-type]


class Run:
    """A method run on a function of points (n, variables), which gives responses (n, r) and fails where they are NaN."""

    def __init__(self, study: StudyBook, function: Callable[[Floats], Floats]) -> None:
        self.study, self.function = study, function
        self.points: list[Floats] = []
        self.chosen = METHODS[study.method].run(study, self.evaluate)

    def evaluate(self, points: Floats) -> Evaluated:
        known = {point.tobytes() for point in self.points}
        self.points += [
            point
            for point in points
            if not (METHODS[self.study.method].declared.is_search and point.tobytes() in known)
        ]
        values = np.column_stack([self.function(points)]).reshape(len(points), -1)
        residuals = [
            np.sqrt(goal.weight) * (values[:, place] - (goal.value or 0.0))
            for place, goal in enumerate(self.study.responses)
            if goal.goal == "target"
        ]
        stacked = np.column_stack(residuals) if residuals else np.zeros((len(points), 0))
        return Evaluated(values, stacked, np.isfinite(values).all(axis=1))

    @property
    def asked(self) -> Floats:
        return np.array(self.points)


def nothing(points: Floats) -> Floats:
    return points.sum(axis=1)


def test_one_at_a_time_takes_low_and_high_of_each_variable_and_never_the_workbook_as_it_is() -> None:
    asked = Run(two("one-at-a-time"), nothing).asked
    np.testing.assert_array_equal(asked, [[-2.0, 1.0], [2.0, 1.0], [0.5, 0.0], [0.5, 4.0]])


def test_steps_of_one_at_a_time_are_even_and_leave_out_the_value_in_the_file() -> None:
    study = StudyBook("one-at-a-time", (), (variable("x", 1.0, 0.0, 4.0, steps=5),), (StudyResponse("r", "r"),))
    np.testing.assert_array_equal(Run(study, nothing).asked[:, 0], [0.0, 2.0, 3.0, 4.0])


def test_offsets_and_percents_are_changes_of_the_cell() -> None:
    study = StudyBook(
        "one-at-a-time",
        (),
        (variable("x", 10.0, -1.0, 2.0, how="offset"), variable("y", 20.0, -10.0, 50.0, how="percent")),
        (StudyResponse("r", "r"),),
    )
    np.testing.assert_allclose(Run(study, nothing).asked, [[9.0, 20.0], [12.0, 20.0], [10.0, 18.0], [10.0, 30.0]])


def test_cells_that_move_together_keep_their_distance_or_their_ratio() -> None:
    cells = (("A", "A1"), ("A", "A2"))
    apart = StudyVariable("x", cells, (10.0, 12.0), -1.0, 1.0, how="offset")
    in_ratio = StudyVariable("x", cells, (10.0, 12.0), -10.0, 10.0, how="percent")
    same = StudyVariable("x", cells, (10.0, 12.0), 9.0, 11.0)
    assert apart.cell_values(11.0) == (11.0, 13.0)
    assert in_ratio.cell_values(11.0) == pytest.approx((11.0, 13.2))
    assert same.cell_values(9.0) == (9.0, 9.0)


def test_a_grid_is_every_combination_the_last_variable_fastest() -> None:
    asked = Run(two("grid"), nothing).asked
    np.testing.assert_array_equal(asked, [[x, y] for x in (-2.0, 0.0, 2.0) for y in (0.0, 2.0, 4.0)])


SAMPLING = ("latin-hypercube", "sobol", "tolerance", "sensitivity")


@pytest.mark.parametrize("method", SAMPLING[:3])
def test_samples_are_the_same_for_the_same_seed_only(method: str) -> None:
    first, again = (Run(two(method, samples=64, seed=3), nothing).asked for _ in range(2))
    other = Run(two(method, samples=64, seed=4), nothing).asked
    np.testing.assert_array_equal(first, again)
    assert first.shape == (64, 2)
    assert np.abs(first - other).max() > 0.1


SPREAD = (
    (variable("even", 0.5, -2.0, 2.0), -2.0, 2.0),
    (variable("off", 10.0, -1.0, 2.0, how="offset"), 9.0, 12.0),
    (variable("negative", -5.0, -10.0, 20.0, how="percent"), -6.0, -4.5),
    (variable("three-cornered", 1.0, 0.0, 4.0, distribution="triangular"), 0.0, 4.0),
    (variable("cut", 5.0, 4.9, 5.3, distribution="normal", sd=0.2), 4.9, 5.3),
    (variable("narrow", 5.0, 4.99, 5.01, distribution="normal", sd=3.0), 4.99, 5.01),
    (variable("cut change", -5.0, -10.0, 20.0, how="percent", distribution="normal", sd=8.0), -6.0, -4.5),
    (variable("tail", 0.0, 9.0, 12.0, distribution="normal", sd=1.0), 9.0, 12.0),
)
"""variables, with the limits of their cells"""


@pytest.mark.parametrize("method", SAMPLING)
def test_every_sample_lies_within_the_limits_of_all_variables_and_fills_them(method: str) -> None:
    pytest.importorskip("SALib")
    variables, lows, highs = zip(*SPREAD, strict=True)
    study = StudyBook(method, (), variables, (StudyResponse("r", "r"),), samples=256, seed=1)
    asked = Run(study, nothing).asked
    assert np.isfinite(asked).all()
    assert (asked >= lows).all()
    assert (asked <= highs).all()
    reached = np.ptp(asked, axis=0) / (np.array(highs) - lows)
    assert (reached[:-1] > 0.75).all()  # the last one ends where hardly anything is left of its tail
    assert reached[-1] > 0.1


def cut_normal(x: Floats, middle: float, sd: float, low: float, high: float) -> Floats:
    """The share of a normal distribution, cut at low and high, that lies below x."""

    def above(value: float) -> float:
        return 0.5 * erfc((value - middle) / (sd * sqrt(2.0)))

    return np.array([(above(low) - above(each)) / (above(low) - above(high)) for each in x])


@pytest.mark.parametrize("method", SAMPLING[:3])
@pytest.mark.parametrize(("low", "high"), [(4.9, 5.3), (4.6, 5.1), (5.1, 6.0), (6.7, 8.0), (None, 5.1)], ids=str)
def test_a_cut_normal_has_the_distribution_of_its_closed_form(
    method: str, low: float | None, high: float | None
) -> None:
    x = variable("x", 5.0, low, high, distribution="normal", sd=0.2)  # type: ignore[arg-type]
    count = 2048
    study = StudyBook(method, (), (x,), (StudyResponse("r", "r"),), samples=count, seed=5)
    asked = np.sort(Run(study, nothing).asked[:, 0])
    share = cut_normal(asked, 5.0, 0.2, -np.inf if low is None else low, np.inf if high is None else high)
    apart = np.abs(share - (np.arange(count) + 0.5) / count).max()
    assert apart < 1.95 / np.sqrt(count)  # by Kolmogorov and Smirnov one sample of a thousand is farther off
    assert len(np.unique(asked)) == count  # none is moved onto a limit


def test_a_latin_hypercube_has_one_sample_in_each_layer_of_every_variable() -> None:
    asked = Run(two("latin-hypercube", samples=20), nothing).asked
    layers = np.floor((asked - [-2.0, 0.0]) / 4.0 * 20).astype(int)
    for column in layers.T:
        assert sorted(column) == list(range(20))


def test_normal_samples_have_the_cell_as_mean_and_the_given_deviation() -> None:
    x = variable("x", 5.0, None, None, distribution="normal", sd=0.2)  # type: ignore[arg-type]
    study = StudyBook("tolerance", (), (x,), (StudyResponse("r", "r"),), samples=20_000)
    asked = Run(study, nothing).asked[:, 0]
    assert asked.mean() == pytest.approx(5.0, abs=5 * 0.2 / np.sqrt(20_000))
    assert asked.std() == pytest.approx(0.2, rel=0.03)


def test_triangular_samples_have_the_mean_of_their_three_corners() -> None:
    x = variable("x", 1.0, 0.0, 4.0, distribution="triangular")
    asked = Run(StudyBook("tolerance", (), (x,), (StudyResponse("r", "r"),), samples=20_000), nothing).asked[:, 0]
    assert asked.mean() == pytest.approx(5.0 / 3.0, abs=0.03)


def test_least_squares_meet_two_targets_with_two_variables() -> None:
    goals = (StudyResponse("a", "a", goal="target", value=3.0), StudyResponse("b", "b", goal="target", value=0.25))
    run = Run(
        two("optimise", goals, budget=200), lambda p: np.column_stack([p[:, 0] + p[:, 1], p[:, 0] * p[:, 1] ** 0.5])
    )
    misses = np.abs(run.function(run.asked) - [3.0, 0.25]).max(axis=1)
    assert misses.min() < 1e-8
    assert len(run.asked) <= 200


def test_the_least_of_rosenbrocks_valley_is_found() -> None:
    def valley(points: Floats) -> Floats:
        x, y = points.T
        return (1.0 - x) ** 2 + 100.0 * (y - x**2) ** 2

    run = Run(two("optimise", (StudyResponse("r", "r", goal="minimise"),), budget=600), valley)
    assert valley(run.asked).min() < 1e-6


def test_the_least_of_many_valleys_is_found_beside_points_that_fail() -> None:
    def hills(points: Floats) -> Floats:  # Rastrigin's function, its least value 0 at (1, 2), without a corner
        z = points - [1.0, 2.0]
        value = 10.0 * z.shape[1] + (z**2 - 10.0 * np.cos(2.0 * np.pi * z)).sum(axis=1)
        return np.where(points.sum(axis=1) < -1.0, np.nan, value)

    run = Run(two("optimise", (StudyResponse("r", "r", goal="minimise"),), budget=1500), hills)
    assert np.nanmin(hills(run.asked)) < 1e-5


def test_an_optimum_at_a_limit_lies_on_it() -> None:
    goals = (StudyResponse("r", "r", goal="maximise"), StudyResponse("s", "s", goal="at most", value=3.0))

    def both(points: Floats) -> Floats:  # x + 2 y, at most 3 of x^2 + y^2
        return np.column_stack([points @ [1.0, 2.0], (points**2).sum(axis=1)])

    run = Run(two("optimise", goals, budget=600), both)
    values = both(run.asked)
    best = values[values[:, 1] <= 3.0 * (1.0 + 1e-9), 0].max()
    assert best == pytest.approx(np.sqrt(15.0), rel=1e-4)  # by Cauchy and Schwarz


def test_a_front_is_what_no_other_point_betters() -> None:
    goals = (StudyResponse("a", "a", goal="minimise"), StudyResponse("b", "b", goal="minimise"))

    def both(points: Floats) -> Floats:  # the front is y = 0, x from 0 to 1 (Schaffer)
        x, y = points.T
        return np.column_stack([x**2 + y, (x - 1.0) ** 2 + y])

    pytest.importorskip("pymoo")
    run = Run(two("pareto", goals, budget=800), both)
    of_front = run.asked[list(front(run.study, both(run.asked), np.ones(len(run.asked), dtype=bool)))]
    near = of_front[of_front[:, 1] < 0.02]
    assert len(near) > 10
    assert np.ptp(near[:, 0]) > 0.7
    assert len(run.asked) <= 800


def test_dominated_points_are_told_by_comparing_all_pairs() -> None:
    goals = np.random.default_rng(1).random((60, 3)).round(1)
    kept = not_dominated(goals)
    for place, goal in enumerate(goals):
        is_bettered = any((other <= goal).all() and (other < goal).any() for other in goals)
        assert kept[place] == (not is_bettered)


def test_sobol_indices_of_ishigamis_function_are_those_of_its_closed_form() -> None:
    pytest.importorskip("SALib")
    names = ("x", "y", "z")
    variables = tuple(variable(name, 0.1, -np.pi, np.pi) for name in names)
    study = StudyBook("sensitivity", (), variables, (StudyResponse("r", "r"),), samples=1024)

    def ishigami(points: Floats) -> Floats:
        x, y, z = points.T
        return np.sin(x) + 7.0 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x)

    run = Run(study, ishigami)
    assert len(run.asked) == 1024 * 8
    (found,) = run.chosen.indices
    np.testing.assert_allclose(found.first, [0.3139, 0.4424, 0.0], atol=0.05)  # Saltelli et al. 2008, sec. 4.6
    np.testing.assert_allclose(found.total, [0.5576, 0.4424, 0.2437], atol=0.05)


def test_blocks_with_a_failed_variant_are_left_out_and_counted() -> None:
    pytest.importorskip("SALib")
    study = two("sensitivity", samples=64)
    run = Run(study, lambda points: np.where(points[:, 0] > 1.95, np.nan, points @ [1.0, 3.0]))
    (found,) = run.chosen.indices
    values = run.function(run.asked).reshape(64, 6)
    assert found.left_out == int(np.isnan(values).any(axis=1).sum()) > 0
    assert found.blocks == 64 - found.left_out
