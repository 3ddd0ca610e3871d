"""Verner's pair of order 6(5): its coefficients are right, and so is what it computes."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod

import numpy as np
import pytest

import sheetmbs
from sheetmbs.analysis.integrators.explicit import rkv65
from sheetmbs.analysis.integrators.explicit.rkv65 import RKV65
from tests.analysis.squeezer import squeezer
from tests.support.mechanisms import double_pendulum

LEAF = ()
TOTAL = range(rkv65.TOTAL)


def trees(order):
    """All rooted trees with that many nodes, each the sorted tuple of the trees on its root."""
    if order == 1:
        return [LEAF]
    found = set()

    def grow(left, branches):
        if left == 0:
            found.add(tuple(sorted(branches)))
        for size in range(1, left + 1):
            for branch in trees(size):
                if not branches or branch <= branches[-1]:
                    grow(left - size, (*branches, branch))

    for first in range(1, order):
        for branch in trees(first):
            grow(order - 1 - first, (branch,))
    return sorted(found)


def order_of(tree):
    return 1 + sum(order_of(branch) for branch in tree)


def density(tree):
    return order_of(tree) * prod(density(branch) for branch in tree)


def exact_lower():
    a = [[Fraction(0)] * rkv65.TOTAL for _ in range(rkv65.TOTAL)]
    for row, column, over, under in rkv65.LOWER:
        a[row][column] = Fraction(over, under)
    return a


A = exact_lower()


def stage_weights(tree):
    """Elementary weight of each stage: the product over the branches of A times theirs (Hairer, Norsett, Wanner II.2)."""
    weights = [Fraction(1)] * rkv65.TOTAL
    for branch in tree:
        inner = stage_weights(branch)
        for i in range(rkv65.TOTAL):
            weights[i] *= sum(a * w for a, w in zip(A[i], inner, strict=True))
    return weights


def dot(weights, tree):
    return sum(w * s for w, s in zip(weights, stage_weights(tree), strict=True))


def test_there_are_as_many_trees_as_the_books_say():
    assert [len(trees(order)) for order in range(1, 7)] == [1, 1, 2, 4, 9, 20]


@pytest.mark.parametrize("order", range(1, 7))
def test_solution_meets_every_condition_up_to_order_six_exactly(order):
    assert all(dot(A[rkv65.STAGES], tree) == Fraction(1, density(tree)) for tree in trees(order))


def test_solution_is_not_of_order_seven():
    assert any(dot(A[rkv65.STAGES], tree) != Fraction(1, density(tree)) for tree in trees(7))


@pytest.mark.parametrize("order", range(1, 7))
def test_error_estimate_vanishes_up_to_order_five_and_no_further(order):
    weights = [Fraction(0)] * rkv65.TOTAL
    for stage, over, under in rkv65.ERROR:
        weights[stage] = Fraction(over, under)
    assert all(dot(weights, tree) == 0 for tree in trees(order)) == (order <= 5)


@pytest.mark.parametrize("order", range(1, 7))
def test_dense_output_meets_every_condition_up_to_order_six_exactly(order):
    """sum_i b_i(theta) Phi_i(tree) = theta^order / density, power by power."""
    for power in range(6):
        weights = [Fraction(0)] * rkv65.TOTAL
        for stage, column, over, under in rkv65.DENSE:
            if column == power:
                weights[stage] = Fraction(over, under)
        for tree in trees(order):
            assert dot(weights, tree) == (Fraction(1, density(tree)) if power + 1 == order else 0)


def test_nodes_are_row_sums_exactly():
    assert [sum(row) for row in A] == [Fraction(over, under) for over, under in rkv65.NODES]


def test_arrays_are_the_fractions_to_the_last_digit():
    assert all(RKV65.a[row, column] == float(Fraction(over, under)) for row, column, over, under in rkv65.LOWER)
    assert np.count_nonzero(RKV65.a) == len(rkv65.LOWER)
    assert np.count_nonzero(RKV65.dense) == len(rkv65.DENSE)


def decayed(steps, end=2, theta=Decimal("0.4")):
    """Largest errors on y' = -y at the end of a step and at theta of it, in 40 digits."""
    lower = [[(column, Decimal(over) / under) for row, column, over, under in rkv65.LOWER if row == i] for i in TOTAL]
    inner = [Decimal(0) for _ in TOTAL]
    for stage, column, over, under in rkv65.DENSE:
        inner[stage] += Decimal(over) / under * theta ** (column + 1)
    h, y = Decimal(end) / steps, Decimal(1)
    at_ends = between = Decimal(0)
    for n in range(steps):
        k = []
        for i in TOTAL:
            k.append(-y - h * sum(weight * k[column] for column, weight in lower[i]))
        inside = y + h * sum(weight * slope for weight, slope in zip(inner, k, strict=True))
        between = max(between, abs(inside - (-(n + theta) * h).exp()))
        y += h * sum(weight * k[column] for column, weight in lower[rkv65.STAGES])
        at_ends = max(at_ends, abs(y - (-(n + 1) * h).exp()))
    return float(at_ends), float(between)


def test_fixed_steps_show_order_six_at_their_ends_and_between():
    """In 40 digits: the leading error is so small that in 16 rounding hides it behind that of order seven."""
    with localcontext() as context:
        context.prec = 40
        errors = np.array([decayed(steps) for steps in (320, 640, 1280)])
    observed = np.log2(errors[:-1] / errors[1:])
    assert np.abs(observed - 6).max() < 0.2, observed


def ends(**settings):
    return sheetmbs.run(double_pendulum(t_end=2.0, **settings)).bodies.iloc[-1].to_numpy()[1:7]


def test_error_is_proportional_to_the_tolerance():
    exact = ends(rtol=1e-13)
    tolerances = 10.0 ** -np.arange(4, 11)
    errors = [np.abs(ends(integrator="rkv65", rtol=rtol) - exact).max() for rtol in tolerances]
    assert 0.8 < np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0] < 1.2
    assert (errors < 100 * tolerances).all()


def test_steps_grow_in_number_as_order_six_says():
    settings = {"integrator": "rkv65", "t_end": 10.0}
    steps = [sheetmbs.run(double_pendulum(rtol=rtol, **settings)).summary["steps"] for rtol in (1e-5, 1e-10)]
    assert 5 / np.log10(steps[1] / steps[0]) == pytest.approx(6, rel=0.2)


def test_rows_between_steps_are_as_exact_as_the_steps():
    """A run that reports 40 rows a second agrees with one of a method of order 8."""
    runs = [sheetmbs.run(double_pendulum(t_step=0.025, integrator=name)).bodies for name in ("rkv65", "dop853")]
    assert np.abs(runs[0] - runs[1]).to_numpy()[:, :7].max() < 1e-7


def test_squeezer_reaches_the_published_angle():
    """IFToMM A03: beta(0.05) = 33.825867767 rad (Hairer and Wanner, sec. VII.7)."""
    result = sheetmbs.run(squeezer(integrator="rkv65"))
    assert abs(result.bodies["K1.phi"].iloc[-1] - 33.825867767) < 1e-7
