"""Numerical differentiation formulas of orders 1 to 5 on backward differences of equal steps.

With D_j = nabla^j y_n over steps of length h, predictor and corrector are (Shampine and Reichelt 1997, sec. 2)

    y_p = sum_(j=0)^k D_j
    (1 - kappa_k) gamma_k (y - y_p) + sum_(j=1)^k gamma_j D_j = h f(t + h, y),      gamma_k = sum_(j=1)^k 1/j
    error of a step = (kappa_k gamma_k + 1/(k + 1)) nabla^(k+1) y,                  nabla^(k+1) y = y - y_p

kappa = 0 are the backward differentiation formulas; those of the paper allow longer steps of the same accuracy and order. A
state that is changed after the corrector, as by a projection, changes y - y_p and so every difference alike. The interpolating
polynomial of the differences serves the predictor, the reported rows and the change of step length:

    y(t_n + s h) = sum_j D_j phi_j(s),   phi_j(s) = s (s + 1) .. (s + j - 1)/j!
"""

import numpy as np

from sheetmbs.compiled import inline_kernel

HIGHEST = 5
KAPPA = np.array([0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0])  # by order
GAMMA = np.cumsum(np.array([0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0]))
LEADING = (1.0 - KAPPA) * GAMMA
ERROR = KAPPA * GAMMA + 1.0 / np.arange(1.0, HIGHEST + 2.0)
DIFFERENCES = HIGHEST + 3  # two beyond the highest order tell what the next order would do


@inline_kernel
def predict(difference, order, predicted, past):
    """Predictor, and what the corrector knows: y = past + h/LEADING f(y)."""
    for m in range(predicted.shape[0]):
        value = difference[0, m]
        weighted = 0.0
        for j in range(1, order + 1):
            value += difference[j, m]
            weighted += GAMMA[j] * difference[j, m]
        predicted[m] = value
        past[m] = value - weighted / LEADING[order]


@inline_kernel
def append_state(difference, order, predicted, y):
    """Differences at y, one step after those at hand, up to order + 2."""
    for m in range(y.shape[0]):
        change = y[m] - predicted[m]
        difference[order + 2, m] = change - difference[order + 1, m]
        difference[order + 1, m] = change
        for j in range(order, -1, -1):
            difference[j, m] += difference[j + 1, m]


@inline_kernel
def basis_polynomial(j, s):
    """Value of the basis polynomial phi_j(s)."""
    value = 1.0
    for k in range(j):
        value *= (s + k) / (k + 1.0)
    return value


@inline_kernel
def interpolate(difference, order, s, y):
    """State at s steps from the newest one: s <= 0 lies between states that are known."""
    for m in range(y.shape[0]):
        y[m] = difference[0, m]
    for j in range(1, order + 1):
        weight = basis_polynomial(j, s)
        for m in range(y.shape[0]):
            y[m] += weight * difference[j, m]


@inline_kernel
def change_step(difference, order, ratio):
    """Differences over steps ``ratio`` times as long, of the same polynomial.

    The j-th new difference is sum_i (-1)^i C(j, i) y(-i ratio); it holds only old ones of order j and higher.
    """
    for j in range(1, order + 1):
        for m in range(difference.shape[1]):
            difference[j, m] *= ratio**j
        for k in range(j + 1, order + 1):
            weight = 0.0
            sign = 1.0
            for i in range(j + 1):
                weight += sign * basis_polynomial(k, -i * ratio)
                sign *= -(j - i) / (i + 1.0)
            for m in range(difference.shape[1]):
                difference[j, m] += weight * difference[k, m]
