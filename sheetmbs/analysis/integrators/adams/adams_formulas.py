"""Adams formulas on unequal steps in modified divided differences (Shampine and Gordon 1975, ch. 5; Hairer et al. 1993, III.5).

With the indices of the book, i = 1, 2, .., k, and phi_i the differences of f at t_n, t_(n-1), .. of order i - 1,

    psi_i = t_(n+1) - t_(n+1-i)                alpha_i = h/psi_i
    beta_1 = 1,   beta_i = beta_(i-1) psi_(i-1)/psi_(i-1 of the step before)
    sigma_1 = 1,  sigma_(i+1) = i alpha_i sigma_i
    g_(1,q) = 1/q,   g_(2,q) = 1/(q(q + 1)),   g_(i,q) = g_(i-1,q) - alpha_(i-1) g_(i-1,q+1),   g_i = g_(i,1)

    predictor of order k        p = y + h sum g_i beta_i phi_i
    foretold for t_(n+1)        ahead_(k+1) = 0,   ahead_i = ahead_(i+1) + beta_i phi_i
    corrector of order k + 1    y = p + h g_(k+1) (f(t_(n+1), p) - ahead_1)
    new differences             phi_(k+1) = f(t_(n+1), y) - ahead_1,   phi_i = ahead_i + phi_(k+1)

On equal steps beta_i = sigma_i = 1, phi_i are backward differences and g_i the coefficients of Adams and Bashforth; such a step
of order k errs by h sigma_(k+1) |gamma*_k| phi_(k+1). The interpolant is the polynomial of order k + 1 through y_(n+1) with the
slopes that phi_1, .., phi_(k+1) stand for.
"""

import math

import numpy as np

from sheetmbs.compiled import inline_kernel, kernel

HIGHEST = 12  # order of the predictor; the corrector is one order higher
DIFFERENCES = HIGHEST + 3  # rows of phi: row 0 is not used, so that indices are those of the book

# Rows of `formula`; places in them are the book's indices, place 0 is not used.
PSI, BEFORE, ALPHA, BETA, SIGMA, G, SCRATCH, INSIDE, SLOPE = range(9)


def moulton(count: int) -> list[float]:
    """|gamma*_i|, i = 0 to count: constants of the errors of the Adams-Moulton formulas (Hairer et al. 1993, III.1.8)."""
    gamma = [1.0]
    for m in range(1, count + 1):
        gamma.append(-sum(known / (m + 1 - j) for j, known in enumerate(gamma)))
    return [abs(number) for number in gamma]


MOULTON = np.array(moulton(HIGHEST + 1))


def new_formula() -> np.ndarray:
    """Coefficients before the first step."""
    return np.zeros((9, DIFFERENCES + 1))


@kernel
def set_formula(formula, order, h) -> None:
    """Coefficients of a step h of that order; `formula[BEFORE]` holds the psi of the step before."""
    formula[PSI, 1] = h
    formula[ALPHA, 1] = 1.0
    formula[BETA, 1] = 1.0
    formula[SIGMA, 1] = 1.0
    formula[SIGMA, 2] = 1.0
    for i in range(2, order + 1):
        before = formula[BEFORE, i - 1]
        formula[PSI, i] = h + before
        formula[ALPHA, i] = h / formula[PSI, i]
        formula[BETA, i] = formula[BETA, i - 1] * formula[PSI, i - 1] / before
        formula[SIGMA, i + 1] = i * formula[ALPHA, i] * formula[SIGMA, i]
    formula[G, 1] = 1.0
    formula[G, 2] = 0.5
    for q in range(1, order + 1):
        formula[SCRATCH, q] = 1.0 / (q * (q + 1.0))
    for i in range(3, order + 2):
        for q in range(1, order + 3 - i):
            formula[SCRATCH, q] -= formula[ALPHA, i - 1] * formula[SCRATCH, q + 1]
        formula[G, i] = formula[SCRATCH, 1]


@kernel
def predict(formula, order, h, y, phi, ahead, predicted) -> None:
    """Predicted state, and the differences foretold for the end of the step: rows 1 to order of ``ahead``."""
    n = y.shape[0]
    for m in range(n):
        predicted[m] = 0.0
        ahead[order + 1, m] = 0.0
    for i in range(order, 0, -1):
        g = formula[G, i]
        beta = formula[BETA, i]
        for m in range(n):
            star = beta * phi[i, m]
            predicted[m] += g * star
            ahead[i, m] = ahead[i + 1, m] + star
    for m in range(n):
        predicted[m] = y[m] + h * predicted[m]


@kernel
def accept(formula, order, phi, ahead, rates) -> None:
    """Differences at the end of a step, whose derivative is ``rates``."""
    n = rates.shape[0]
    for m in range(n):
        newest = rates[m] - ahead[1, m]
        phi[order + 2, m] = newest - phi[order + 1, m]
        phi[order + 1, m] = newest
    for i in range(1, order + 1):
        for m in range(n):
            phi[i, m] = ahead[i, m] + phi[order + 1, m]
        formula[BEFORE, i] = formula[PSI, i]


@kernel
def interpolate(formula, order, back, y, phi, state) -> None:
    """State at ``back`` (negative) from the end of the last step, which was of that order."""
    for i in range(1, order + 2):
        formula[SCRATCH, i] = 1.0 / i
    formula[INSIDE, 1] = 1.0
    from_end = 0.0
    for j in range(2, order + 2):
        psi = formula[BEFORE, j - 1]
        gamma = (back + from_end) / psi
        eta = back / psi
        for i in range(1, order + 3 - j):
            formula[SCRATCH, i] = gamma * formula[SCRATCH, i] - eta * formula[SCRATCH, i + 1]
        formula[INSIDE, j] = formula[SCRATCH, 1]
        from_end = psi
    n = y.shape[0]
    for m in range(n):
        state[m] = 0.0
    for i in range(order + 1, 0, -1):
        g = formula[INSIDE, i]
        for m in range(n):
            state[m] += g * phi[i, m]
    for m in range(n):
        state[m] = y[m] + back * state[m]


@inline_kernel
def foretold_error(ahead, i, rates, size, count):
    """Norm of the difference phi_i at the end of a step, before the correction."""
    total = 0.0
    for m in range(count):
        total += ((ahead[i, m] + rates[m] - ahead[1, m]) / size[m]) ** 2
    return math.sqrt(total / count)


@inline_kernel
def errors(formula, order, h, ahead, rates, size, count):
    """Errors of a predicted step, of equal steps of its order and of the one below, and the order for which they speak.

    ahead: its row order + 1 is zero. Source: Shampine and Gordon 1975, ch. 7.
    """
    newest = foretold_error(ahead, order + 1, rates, size, count)
    error = h * (formula[G, order] - formula[G, order + 1]) * newest
    same = h * formula[SIGMA, order + 1] * MOULTON[order] * newest
    if order == 1:
        return error, same, 0.0, 1
    lower = h * formula[SIGMA, order] * MOULTON[order - 1] * foretold_error(ahead, order, rates, size, count)
    if order == 2:
        return error, same, lower, 1 if lower <= 0.5 * same else 2
    lowest = h * formula[SIGMA, order - 1] * MOULTON[order - 2] * foretold_error(ahead, order - 1, rates, size, count)
    return error, same, lower, order - 1 if max(lower, lowest) <= same else order


@inline_kernel
def norm(vectors, i, size, count):
    """Root mean square of the first ``count`` components of a row over their sizes."""
    total = 0.0
    for m in range(count):
        total += (vectors[i, m] / size[m]) ** 2
    return math.sqrt(total / count)


@inline_kernel
def next_order(order, lowered, starting, equal, lower, same, higher):
    """Order of the next step and the error of a step of that order.

    lowered: the order for which `errors` spoke. equal: how many equal steps there were with order - 1 and above; lower, same,
    higher: errors of the orders below, of this one and of the one above. Source: the same, ch. 7.
    """
    if lowered < order:
        return order - 1, lower
    if starting and order < HIGHEST:
        return order + 1, 0.0
    if order >= equal:  # the error of the order above is not known
        return order, same
    if order > 1 and lower <= min(same, higher):
        return order - 1, lower
    if order < HIGHEST and higher < (same if order > 1 else 0.5 * same):
        return order + 1, higher
    return order, same
