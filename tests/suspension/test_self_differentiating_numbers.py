"""Numbers and vectors that differentiate themselves obey the laws that lengths, directions and quotients are made by."""

import numpy as np
import pytest

from sheetmbs.elements.rotation import cross
from sheetmbs.suspension.kinematics.jets import Jet, Vec, constant

POSES, DRIVERS = 7, 3


def rows(count: int) -> np.ndarray:
    """(count, 1 + d + d^2, n) random values and derivatives, the second ones symmetric."""
    drawn = np.random.default_rng(3).uniform(0.5, 1.5, (count, 1 + DRIVERS + DRIVERS**2, POSES))
    second = drawn[:, 1 + DRIVERS :].reshape(count, DRIVERS, DRIVERS, POSES)
    drawn[:, 1 + DRIVERS :] = (second + second.swapaxes(1, 2)).reshape(count, -1, POSES)
    return drawn


def test_a_quotient_times_its_divisor_is_the_dividend():
    one, two = map(Jet, rows(2))
    np.testing.assert_allclose(((one / two) * two).rows, one.rows, rtol=1e-13, atol=1e-13)


def test_a_vector_over_a_number_times_it_is_the_vector():
    vector, number = Vec(rows(4)[:3].copy()), Jet(rows(4)[3])
    np.testing.assert_allclose(((vector / number) * number).rows, vector.rows, rtol=1e-12, atol=1e-12)


def test_a_length_squared_is_the_product_of_a_vector_with_itself():
    vector = Vec(rows(3))
    size = vector.norm()
    np.testing.assert_allclose((size * size).rows, vector.dot(vector).rows, rtol=1e-13, atol=1e-13)


def test_a_direction_keeps_its_length_whatever_moves():
    unit = Vec(rows(3)).unit()
    found = unit.dot(unit).rows
    np.testing.assert_allclose(found[0], 1.0, rtol=1e-14)
    np.testing.assert_allclose(found[1:], 0.0, atol=1e-13)
    np.testing.assert_allclose((unit * Vec(rows(3)).norm()).rows, rows(3), rtol=1e-12, atol=1e-12)


def test_other_drivers_there_and_back_leave_a_vector_as_it_was():
    basis = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 2.0]])
    vector = Vec(rows(3))
    back = vector.rebased(basis).rebased(np.linalg.inv(basis))
    np.testing.assert_allclose(back.rows, vector.rows, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("kind", [float, complex])
def test_a_vector_product_is_square_to_both_and_as_long_as_their_area(kind):
    one, two = np.random.default_rng(4).normal(size=(2, 5, 3)).astype(kind)
    found = cross(one[:, None], two)
    np.testing.assert_allclose(np.sum(found * one[:, None], axis=-1), 0.0, atol=1e-14)
    np.testing.assert_allclose(np.sum(found * two, axis=-1), 0.0, atol=1e-14)
    area = np.sum(one[:, None] ** 2, axis=-1) * np.sum(two**2, axis=-1) - np.sum(one[:, None] * two, axis=-1) ** 2
    np.testing.assert_allclose(np.sum(found**2, axis=-1), area, rtol=1e-12)
    assert np.all(cross(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])) == [0.0, 0.0, 1.0])


def test_nothing_moves_a_constant():
    still = constant(np.array([3.0, 4.0, 0.0]), POSES, DRIVERS).norm()
    assert np.all(still.value == 5.0)
    assert not np.any(still.rows[1:])
