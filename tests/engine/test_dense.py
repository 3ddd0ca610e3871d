"""Dense LU factors: against numpy, with interchanges, zeros and singular matrices."""

import numpy as np
import pytest

from sheetmbs.engine.algebra.dense import factor_dense, solve_dense


def solved(matrix, right):
    factors, pivot, x = matrix.copy(), np.zeros(len(matrix), dtype=np.int64), right.copy()
    assert factor_dense(factors, len(matrix), pivot) == 0
    solve_dense(factors, len(matrix), pivot, x)
    return x


@pytest.mark.parametrize("size", [1, 2, 7, 30])
@pytest.mark.parametrize("fullness", [1.0, 0.3])
def test_solution_is_that_of_numpy(size, fullness):
    random = np.random.default_rng(size)
    matrix = random.normal(size=(size, size)) * (random.random((size, size)) < fullness) + np.eye(size)[::-1]
    right = random.normal(size=size)
    exact = np.linalg.solve(matrix, right)
    assert np.abs(solved(matrix, right) - exact).max() < 1e-10 * np.linalg.cond(matrix)


def test_saddle_point_with_zeros_on_its_diagonal_is_solved():
    matrix = np.array([[0.0, 0.0, 1.0], [0.0, 2.0, -1.0], [1.0, -1.0, 0.0]])
    assert np.abs(matrix @ solved(matrix, np.array([3.0, 4.0, 5.0])) - [3.0, 4.0, 5.0]).max() < 1e-14


def test_small_pivot_is_not_taken_where_there_is_a_large_one():
    matrix = np.array([[1e-20, 1.0], [1.0, 1.0]])
    assert np.abs(solved(matrix, np.array([1.0, 2.0])) - 1.0).max() < 1e-15


@pytest.mark.parametrize("matrix", [np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 4.0]]), np.full((2, 2), np.nan)])
def test_matrix_without_inverse_is_told(matrix):
    assert factor_dense(matrix.copy(), 2, np.zeros(2, dtype=np.int64)) == 1
