"""Coordinate partitioning (Wehage and Haug 1982): independent coordinates are integrated, the others follow from constraints.

Gaussian elimination of J with full pivoting sorts its columns into [J_u J_w] with J_u regular and as far from singular as J
allows: u are the dependent coordinates, w the independent ones.
    positions: J_u du = -Phi(u, w) until Phi = 0          velocities: J_u u-dot = nu - J_w w-dot
J_u stands in the same blocks as J, with zeros for w, so that it is solved with as J is: by the factor of J_u J_u^T. A
coordinate of a turning body is a component of its rotation vector. When a pivot has fallen far below what it was when the
coordinates were chosen, they are chosen again.
"""

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.linear import add_transposed, factor, residual_of, solve
from sheetmbs.engine.codes import Count
from sheetmbs.engine.constraints import place_all
from sheetmbs.engine.kinematics import displace

FACTORISATIONS = int(Count.FACTORISATIONS)
ITERATIONS = int(Count.ITERATIONS)
REPARTITIONS = int(Count.REPARTITIONS)

MOST_ITERATIONS = 20
SWEEPS = 3  # of the linear velocity equations: the first solves them, the others remove what rounding left
POOR = 0.01  # of the pivot ratio at the choice, below which another choice is due
RATIO, CHOSEN = 0, 1  # places in `Work.part_ratio`


@inline_kernel
def mask(rows, bodies, jacobian, is_dependent, part_jacobian):
    """J_u: the columns of the independent coordinates set to zero."""
    for r in range(rows.shape[0]):
        row = rows[r]
        mask_block(bodies[row.body_i], row.entry_i, jacobian, is_dependent, part_jacobian)
        mask_block(bodies[row.body_j], row.entry_j, jacobian, is_dependent, part_jacobian)
        if row.terms > 0:
            mask_block(bodies[row.body_k], row.entry_k, jacobian, is_dependent, part_jacobian)
            mask_block(bodies[row.body_l], row.entry_l, jacobian, is_dependent, part_jacobian)


@inline_kernel
def mask_block(body, entry, jacobian, is_dependent, part_jacobian):
    """The entries of one row for one body."""
    for k in range(body.nv):
        part_jacobian[entry + k] = jacobian[entry + k] * is_dependent[body.v + k]


@inline_kernel
def spread(body, entry, jacobian, dense, r):
    """Write the entries of one row for one body into a dense matrix."""
    for k in range(body.nv):
        dense[r, body.v + k] = jacobian[entry + k]


@kernel
def choose_dependent(rows, bodies, jacobian, dense, is_dependent) -> None:
    """Mark as dependent the column of each pivot of Gaussian elimination with full pivoting; dense: (nr, nv) scratch."""
    nr, nv = dense.shape
    for k in range(nv):
        is_dependent[k] = 0.0
    for r in range(nr):
        for k in range(nv):
            dense[r, k] = 0.0
        row = rows[r]
        spread(bodies[row.body_i], row.entry_i, jacobian, dense, r)
        spread(bodies[row.body_j], row.entry_j, jacobian, dense, r)
        if row.terms > 0:
            spread(bodies[row.body_k], row.entry_k, jacobian, dense, r)
            spread(bodies[row.body_l], row.entry_l, jacobian, dense, r)
    for done in range(nr):
        best, at_row, at_column = 0.0, done, 0
        for r in range(done, nr):
            for k in range(nv):
                if abs(dense[r, k]) > best and is_dependent[k] == 0.0:
                    best, at_row, at_column = abs(dense[r, k]), r, k
        if best == 0.0:
            return
        is_dependent[at_column] = 1.0
        for k in range(nv):
            dense[done, k], dense[at_row, k] = dense[at_row, k], dense[done, k]
        for r in range(done + 1, nr):
            share = dense[r, at_column] / dense[done, at_column]
            if share != 0.0:
                for k in range(nv):
                    dense[r, k] -= share * dense[done, k]


@inline_kernel
def sum_of_squares(body, entry, jacobian):
    """Sum of squares of the entries of one row for one body."""
    total = 0.0
    for k in range(body.nv):
        total += jacobian[entry + k] * jacobian[entry + k]
    return total


@inline_kernel
def hold(rows, bodies, jacobian, inverse_pivot):
    """Smallest pivot of J_u J_u^T over the diagonal entry of J J^T in its row: how well J_u determines the dependents."""
    worst = 1.0
    for r in range(rows.shape[0]):
        row = rows[r]
        whole = sum_of_squares(bodies[row.body_i], row.entry_i, jacobian)
        whole += sum_of_squares(bodies[row.body_j], row.entry_j, jacobian)
        if row.terms > 0:
            whole += sum_of_squares(bodies[row.body_k], row.entry_k, jacobian)
            whole += sum_of_squares(bodies[row.body_l], row.entry_l, jacobian)
        pivot = 1.0 / inverse_pivot[r] if inverse_pivot[r] > 0.0 else 0.0
        worst = min(worst, pivot / whole if whole > 0.0 else 0.0)
    return worst


@kernel
def put_dependent(A, W, q, v, tolerance, may_choose) -> int:
    """Solve for the dependent coordinates and velocities in place.

    may_choose: whether they may be chosen again. Returns 1 if the positions do not converge, else 0.
    """
    rows, bodies, layout = A.row, A.body, A.layout
    status = 1
    before = 1e300
    for _ in range(MOST_ITERATIONS):
        place_all(A, W, A.turn, q)
        W.count[ITERATIONS] += 1
        worst = 0.0
        for r in range(W.phi.shape[0]):
            worst = max(worst, abs(W.phi[r]))
        if (may_choose and W.part_ratio[RATIO] < POOR * W.part_ratio[CHOSEN]) or W.part_ratio[CHOSEN] == 0.0:
            choose_dependent(rows, bodies, W.jacobian, W.dense, W.is_dependent)
            W.count[REPARTITIONS] += 1
            W.part_ratio[CHOSEN] = 0.0
        mask(rows, bodies, W.jacobian, W.is_dependent, W.part_jacobian)
        factor(layout, rows, A.missing, W.part_jacobian, W, 0.0)
        W.count[FACTORISATIONS] += 1
        W.part_ratio[RATIO] = hold(rows, bodies, W.jacobian, W.inverse_pivot)
        if W.part_ratio[CHOSEN] == 0.0:
            W.part_ratio[CHOSEN] = W.part_ratio[RATIO]
        if worst <= tolerance * A.length or (worst >= before and worst <= 1e3 * tolerance * A.length):
            status = 0
            break
        if not worst < 1e300:
            break
        before = worst
        for r in range(W.phi.shape[0]):
            W.multiplier[r] = -W.phi[r]
        solve(layout, W.s, W.inverse_pivot, W.multiplier)
        for k in range(W.step.shape[0]):
            W.step[k] = 0.0
        add_transposed(layout.block, W.part_jacobian, W.multiplier, W.step)
        displace(bodies, A.beams, q, W.step, A.scale, 1.0)
    for k in range(W.step.shape[0]):
        W.step[k] = v[k] / A.scale[k]
    for _ in range(SWEEPS):
        residual_of(layout.block, W.jacobian, W.nu, W.step, W.residual)
        solve(layout, W.s, W.inverse_pivot, W.residual)
        add_transposed(layout.block, W.part_jacobian, W.residual, W.step)
    for k in range(W.step.shape[0]):
        v[k] = W.step[k] * A.scale[k]
    return status
