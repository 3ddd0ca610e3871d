"""Reactions from what inertia and applied forces leave over: unique where joints are, else of least size."""

import math

from sheetmbs.compiled import kernel
from sheetmbs.engine.algebra.blocks import add_product_transposed, subtract_product
from sheetmbs.engine.algebra.linear import STALLED, solve

REACTION_EPS = 1e-8  # regularisation of S, whose effect proximal iteration removes
PROXIMAL_STEPS = 40  # at most; four in most models
SETTLED = 1e-15  # of what is to be carried: less is rounding


@kernel
def least_weighted(layout, rows, W, eps, x) -> None:
    """The multipliers of least C-weighted size among all with J^T multiplier = x, to W.multiplier.

    W: `Work` or `FrictionWork`, in which `factor` with eps is called before.
    x: (nv,), of which is left what they do not reach. By proximal iteration, multiplier +=
    (S + eps C)^-1 J x, until J x is rounding. That puts a little of J x where J^T is blind, 1/eps enlarges it and no later step
    takes it away. But after the first step eps C multiplier = J x, and the multiplier that follows from there is free of it.
    """
    blocks, jacobian, multiplier, residual = layout.block, W.jacobian, W.multiplier, W.residual
    nr = multiplier.shape[0]
    for r in range(nr):
        multiplier[r] = 0.0
    first, before = 0.0, math.inf
    for step in range(PROXIMAL_STEPS):
        worst = 0.0
        for r in range(nr):
            residual[r] = 0.0
        subtract_product(blocks, jacobian, x, residual)
        for r in range(nr):
            worst = max(worst, abs(residual[r]))
        first = max(first, worst)
        if step > 1 and (worst <= SETTLED * first or worst > STALLED * before):
            break
        before = worst
        solve(layout, W.s, W.inverse_pivot, residual)
        for r in range(nr):
            multiplier[r] -= residual[r]
        add_product_transposed(blocks, jacobian, residual, x)
        if step == 0:
            for r in range(nr):
                residual[r] = 0.0
            subtract_product(blocks, jacobian, x, residual)
            for r in range(nr):
                c = rows[r].compliance if rows[r].compliance > 0.0 else W.square[r]
                found = -residual[r] / (eps * c) if c > 0.0 else 0.0
                residual[r] = multiplier[r] - found
                multiplier[r] = found
            add_product_transposed(blocks, jacobian, residual, x)
