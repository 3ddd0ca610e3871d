"""Numerical differentiation formulas of orders 1 to 5 on backward differences of equal steps; the memory of a run by them.

With D_j = nabla^j y_n over steps of length h, predictor and corrector are (Shampine and Reichelt 1997, sec. 2)

    y_p = sum_(j=0)^k D_j
    (1 - kappa_k) gamma_k (y - y_p) + sum_(j=1)^k gamma_j D_j = h f(t + h, y),      gamma_k = sum_(j=1)^k 1/j
    error of a step = (kappa_k gamma_k + 1/(k + 1)) nabla^(k+1) y,                  nabla^(k+1) y = y - y_p

kappa = 0 are the backward differentiation formulas; those of the paper allow longer steps of the same accuracy and order. A
state that is changed after the corrector, as by a projection, changes y - y_p and so every difference alike. The interpolating
polynomial of the differences serves the predictor, the reported rows and the change of step length:

    y(t_n + s h) = sum_j D_j phi_j(s),   phi_j(s) = s (s + 1) .. (s + j - 1)/j!
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sheetmbs.analysis.integrators.stepping.driver import record, zeros
from sheetmbs.compiled import Bundle, inline_kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.records import Floats, Floats2, Ints, Records

HIGHEST = 5
KAPPA = np.array([0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0])  # by order
GAMMA = np.cumsum(np.array([0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0]))
LEADING = (1.0 - KAPPA) * GAMMA
ERROR = KAPPA * GAMMA + 1.0 / np.arange(1.0, HIGHEST + 2.0)
DIFFERENCES = HIGHEST + 3  # two beyond the highest order tell what the next order would do
UNKNOWN_RATE = 0.3  # of convergence, that is counted on before one is seen


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


# order: of the formula, 0: the method must begin again. spacing: of the states whose differences are known; equal: steps taken
# with it; rejected: tries in vain since as many equal steps were taken as the order has. seen: rate of convergence of the
# corrector's last iteration; trusted: the one that the next step counts on; factored: c of the factors, 0 none;
# rank: vectors of Z, 0 as long as there are none. rate: what errors of velocities are measured by in the step under way, the
# largest of |v|/L and |omega|; diverged: whether its corrector did.
NDF_STATE = np.dtype(
    [
        ("order", "i8"),
        ("spacing", "f8"),
        ("equal", "i8"),
        ("rejected", "i8"),
        ("observed", "f8"),
        ("trusted", "f8"),
        ("factored", "f8"),
        ("rank", "i8"),
        ("rate", "f8"),
        ("diverged", "?"),
    ]
)


@dataclass(frozen=True, eq=False)
class NdfMemory(Bundle):
    """Memory of a run; n = nq + nv + 1, d degrees of freedom."""

    state: Annotated[Records, NDF_STATE]  # (1,)
    difference: Floats2  # (DIFFERENCES, n) of the states, the newest of which is row 0
    start: Floats  # (n,) derivative of the newest state
    predicted: Floats  # (n,)
    past: Floats  # (n,) what the corrector knows: y = past + c f(t, y)
    x: Floats  # (n,) iterate of the corrector
    x_v: Floats  # (nv,) view of x
    trial: Floats  # (n,) its copy that is evaluated
    trial_q: Floats  # (nq,) view of trial
    trial_v: Floats  # (nv,) view of trial
    rates: Floats  # (n,) derivative of the iterate
    moved: Floats  # (n,) derivative beside it, or a change
    basis: Floats2  # (d, nv) Z
    by_position: Floats2  # (d, d) A_q
    by_velocity: Floats2  # (d, d) A_v
    matrix: Floats2  # (d, d) factors of I - c A_v - c^2 A_q
    swap: Ints  # (d,)
    residual: Floats  # (nv,) mass-scaled
    along: Floats  # (d,) residual along Z
    still: Floats  # (nr,) zeros


def make_memory(arrays: Arrays) -> NdfMemory:
    """Memory for a run over a model, without differences and matrices yet."""
    nq, nv, nr = len(arrays.position_size), len(arrays.scale), len(arrays.row)
    n, d = nq + nv + 1, max(nv - nr, 1)
    x, trial = np.zeros(n), np.zeros(n)
    return NdfMemory(
        state=record(NDF_STATE, observed=1.0, trusted=UNKNOWN_RATE),
        x=x,
        x_v=x[nq : nq + nv],
        trial=trial,
        trial_q=trial[:nq],
        trial_v=trial[nq : nq + nv],
        swap=np.zeros(d, dtype=np.int64),
        **zeros("difference", DIFFERENCES, n),
        **zeros("start predicted past rates moved", n),
        **zeros("basis", d, nv),
        **zeros("by_position by_velocity matrix", d, d),
        **zeros("residual", nv),
        **zeros("along", d),
        **zeros("still", nr),
    )
