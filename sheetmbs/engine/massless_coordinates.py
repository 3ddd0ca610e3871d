"""Accelerations and multipliers of models with light coordinates: of bodies without mass, or so little that rounding drowns it.

The factor of S = J M^-1 J^T has a larger mass for such a coordinate; what is missing of it, a share D, must not act. With P the
projector onto J u = 0 in mass-scaled velocities and x the accelerations that the larger masses have, those of the true ones are

    x + y,    (1 - P D P) y = P D x        (Gould, Hribar and Nocedal 2001, a constraint preconditioner)

which conjugate gradients solve, in as many steps as light coordinates move in different ways: one or two, where what they carry
is much heavier. Forces that y leaves over, D y, then enter the multipliers.
"""

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.blocks import add_product_transposed, subtract_product
from sheetmbs.engine.algebra.linear import MOST_REFINEMENTS, least_norm, solve
from sheetmbs.engine.vec import copy

RELEASED = 1e-14  # of accelerations and reactions: what light coordinates may miss, and what rounding gives a free spin
MOST_DIRECTIONS = 60


@inline_kernel
def release(missing, x, held):
    """Give light coordinates the inertia back that the last pass took off them by mistake; held: x (nv,) at its beginning."""
    for k in range(missing.shape[0]):
        moved = x[k] - held[k]
        held[k] = x[k]
        x[k] += missing[k] * moved


@inline_kernel
def keep_to(layout, jacobian, s, inverse_pivot, x, residual):
    """Put a mass-scaled x (nv,) on J x = 0 by the least change."""
    for r in range(residual.shape[0]):
        residual[r] = 0.0
    subtract_product(layout.block, jacobian, x, residual)
    solve(layout, s, inverse_pivot, residual)
    add_product_transposed(layout.block, jacobian, residual, x)


@kernel
def accelerate(A, W, x) -> None:
    """Accelerations with the true masses, else like `linear.least_norm`: x (nv,), mass-scaled forces, becomes accelerations.

    They satisfy J x = `Work.gamma`, with multipliers in `Work.multiplier`. `Arrays.missing`: D, 0 for what is not light.
    """
    layout, missing, scale, scratch = A.layout, A.missing, A.scale, W.light
    jacobian, s, inverse_pivot, multiplier, residual = W.jacobian, W.s, W.inverse_pivot, W.multiplier, W.residual
    nv = x.shape[0]
    force, change, rest, way = scratch[0], scratch[1], scratch[2], scratch[3]
    copy(x, force)
    least_norm(layout, jacobian, W, W.gamma, x, multiplier, MOST_REFINEMENTS)
    carried = lightest = size = 0.0
    for r in range(residual.shape[0]):
        carried = max(carried, abs(multiplier[r]))
    for k in range(nv):
        size += x[k] * x[k]
        if missing[k] > 0.0:
            lightest = max(lightest, scale[k])
        rest[k] = missing[k] * x[k]
        change[k] = x[k]  # x + y
    enough = RELEASED * RELEASED * max(size, (carried * lightest) ** 2)
    keep_to(layout, jacobian, s, inverse_pivot, rest, residual)
    size = 0.0
    for k in range(nv):
        way[k] = rest[k]
        size += rest[k] * rest[k]
    for _ in range(MOST_DIRECTIONS):
        if size <= enough:
            break
        for k in range(nv):
            x[k] = missing[k] * way[k]
        keep_to(layout, jacobian, s, inverse_pivot, x, residual)
        bend = 0.0
        for k in range(nv):
            x[k] = way[k] - x[k]
            bend += way[k] * x[k]
        if not bend > 0.0:
            break
        before, size = size, 0.0
        for k in range(nv):
            change[k] += before / bend * way[k]
            rest[k] -= before / bend * x[k]
            size += rest[k] * rest[k]
        for k in range(nv):
            way[k] = rest[k] + size / before * way[k]
    for k in range(nv):
        x[k] = force[k] + missing[k] * change[k]
    least_norm(layout, jacobian, W, W.gamma, x, multiplier, MOST_REFINEMENTS)
