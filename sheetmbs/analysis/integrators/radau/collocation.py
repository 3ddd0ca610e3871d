"""Radau IIA of order 5 (Hairer and Wanner 1996, sec. IV.5 and IV.8), and the polynomial that goes with its stages.

Y_i = y_0 + h sum_j a_ij f(Y_j),   a_ij = int_0^{c_i} l_j,   l_j Lagrange's polynomials of the nodes c
error = (I - h g J)^-1 h g (f(y_0) + sum_j e_j f(Y_j)),   1/g the real eigenvalue of A^-1
"""

import numpy as np
from numpy.polynomial import Polynomial

from sheetmbs.engine.records import Floats

STAGES = 3
ROOT = float(np.sqrt(6.0))
NODES = np.array([(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0])


def interpolation(nodes: Floats) -> Floats:
    """(n, n) powers: l_j(theta) = sum_d powers[j, d] theta^d is 1 at node j and 0 at the others."""
    powers = np.zeros((len(nodes), len(nodes)))
    for j, node in enumerate(nodes):
        others = np.delete(nodes, j)
        powers[j] = (Polynomial.fromroots(others) / np.prod(node - others)).coef
    return powers


def integration(powers: Floats) -> Floats:
    """(n, n): int_0^theta l_j = sum_d integrals[j, d] theta^(d + 1)."""
    return powers / np.arange(1, len(powers) + 1)


# int_0^{c_i} l_j
A = np.array(
    [[sum(row[d] * c ** (d + 1) for d in range(STAGES)) for row in integration(interpolation(NODES))] for c in NODES]
)
A2 = A @ A
_EIGENVALUES = np.linalg.eigvals(A)
REAL = float(_EIGENVALUES[np.argmin(np.abs(_EIGENVALUES.imag))].real)
# e_j: the weights -(13 + 7 sqrt 6)/3, (-13 + 7 sqrt 6)/3, -1/3 of Y_j - y_0 in those of f(Y_j)
ERROR = np.array([-(13.0 + 7.0 * ROOT) / 3.0, (-13.0 + 7.0 * ROOT) / 3.0, -1.0 / 3.0]) @ A

# The slope of the motion through its start and its stages, and its integral.
SLOPE_NODES = np.concatenate(([0.0], NODES))
SLOPE = interpolation(SLOPE_NODES)
DENSE = integration(SLOPE)
