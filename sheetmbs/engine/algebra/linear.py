"""Block-sparse LDL^T of S = J M^-1 J^T, and what is solved with it.

    S + eps C = L D L^T, column by column (right-looking). For block column k with diagonal block L_k D_k L_k^T and panel P:
        Y = P L_k^-T,   P <- Y D_k^-1,   then   S_ab -= P_a Y_b^T   for all a >= b that the panel reaches.
Row by row of the column, y_j = a_j - sum_k<j y_k l_jk, which in the diagonal block gives the pivots a_j - sum_k y_k l_k, too.
The regularisation eps C bounds the multipliers of nearly dependent rows: C is the sum of 1/m for translational rows
(never the full diagonal, which would drown a body of tiny inertia) and diag(S) for rotational ones; iterative refinement
against S itself removes its effect on the accelerations. Reactions follow from what inertia and applied forces leave over:
they are unique where those of the joints are, else of least size (`least_weighted`).

Bodies with many joints are vertices of their own (see `engine/algebra/ordering.py`): [S', J_h; J_h^T, -I] stands in place of
S, with S = S' + J_h J_h^T. Pivots of rows are positive and measured against the diagonal of S; those of hubs are <= -1.
"""

import math
from typing import Annotated

import numpy as np

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.blocks import (
    PINS,
    add_product_transposed,
    assemble,
    dot,
    subtract_multiple,
    subtract_product,
)
from sheetmbs.engine.algebra.factor_layout import BLOCK, FactorLayout
from sheetmbs.engine.records import ROW, Floats, Records
from sheetmbs.engine.work import Work

STALLED = 0.5  # of what was left over a step before: more than that is rounding too
MOST_REFINEMENTS = 20
REFINED = 0.01  # of what was left over before: more is rounding, or a singular position, which eps must soften
EXACT = 1e-15  # of what there was to solve for: what is left then is the rounding of the residual itself
ROUNDING = 1e-12
PIN, HINGE = 2, 5  # rows of a hinge in the plane and in space: widths for which `eliminate` is unrolled

REACTION_EPS = 1e-8  # regularisation of S, whose effect proximal iteration removes
PROXIMAL_STEPS = 40  # at most; four in most models
SETTLED = 1e-15  # of what is to be carried: less is rounding


@inline_kernel
def take_diagonal(columns, rows, s, diagonal):
    """Keep the diagonal; that of a hub is -1."""
    nr = rows.shape[0]
    for c in range(columns.shape[0]):
        column = columns[c]
        r = column.row
        at = column.square
        for _ in range(column.width):
            if r >= nr:
                s[at] = -1.0
            diagonal[r] = s[at]
            r = np.uint32(r + 1)
            at = np.uint32(at + column.width + 1)


@inline_kernel
def leave_out_light(blocks, missing, jacobian, diagonal):
    """Take what light coordinates contribute out of the diagonal: they yield as far as the rest lets them.

    A row that touches nothing else keeps its own.
    """
    for b in range(blocks.shape[0]):
        block = blocks[b]
        entry = block.entry
        for i in range(block.rows):
            square = 0.0
            for k in range(block.nv):
                if missing[block.v + k] > 0.0:
                    square += jacobian[entry] * jacobian[entry]
                entry = np.uint32(entry + 1)
            left = diagonal[block.row + i] - square
            if left > ROUNDING * diagonal[block.row + i]:
                diagonal[block.row + i] = left


@inline_kernel
def regularise(columns, rows, s, diagonal, eps):
    """Add eps C to the diagonal of the rows."""
    nr = rows.shape[0]
    for c in range(columns.shape[0]):
        column = columns[c]
        r = column.row
        at = column.square
        for _ in range(column.width):
            if r < nr:
                compliance = rows[r].compliance
                s[at] += eps * (compliance if compliance > 0.0 else diagonal[r])
            r = np.uint32(r + 1)
            at = np.uint32(at + column.width + 1)


@inline_kernel
def enter_hubs(hubs, jacobian, s, diagonal):
    """Blocks J_h of the matrix, and what they contribute to the diagonal of S."""
    for h in range(hubs.shape[0]):
        hub = hubs[h]
        entry = hub.entry
        r = hub.row
        row = hub.target
        for _ in range(hub.rows):
            square = 0.0
            at = row
            for _ in range(hub.nv):
                value = jacobian[entry]
                s[at] = value
                square += value * value
                entry = np.uint32(entry + 1)
                at = np.uint32(at + hub.column_step)
            diagonal[r] += square
            r = np.uint32(r + 1)
            row = np.uint32(row + hub.row_step)


@inline_kernel
def inverse_of(pivot, own):
    """1/pivot, or 0 for a row whose pivot is not positive."""
    return 1.0 / pivot if pivot > 0.0 or own < 0.0 else 0.0


@inline_kernel
def smaller_ratio(worst, pivot, own):
    """The smaller one of ``worst`` and pivot/own; divides only where it has to."""
    if pivot > worst * own:
        return worst
    return min(worst, pivot / own if own != 0.0 else 0.0)


@inline_kernel
def eliminate_pins(column, target, s, inverse_pivot, panel, diagonal, worst):
    """`eliminate` for a column of width 2 that reaches only blocks of two rows."""
    d = column.square
    r = column.row
    pivot = s[d]
    worst = smaller_ratio(worst, pivot, diagonal[r])
    inverse_0 = inverse_of(pivot, diagonal[r])
    below = s[d + 2]
    l = below * inverse_0
    pivot = s[d + 3] - below * l
    worst = smaller_ratio(worst, pivot, diagonal[r + 1])
    inverse_1 = inverse_of(pivot, diagonal[r + 1])
    s[d + 2] = l
    inverse_pivot[r] = inverse_0
    inverse_pivot[r + 1] = inverse_1
    product = column.products
    at = np.uint32(d + 4)
    for a in range(column.blocks):
        y0 = s[at]
        y1 = s[at + 1] - y0 * l
        y2 = s[at + 2]
        y3 = s[at + 3] - y2 * l
        p0, p1, p2, p3 = y0 * inverse_0, y1 * inverse_1, y2 * inverse_0, y3 * inverse_1
        s[at], s[at + 1], s[at + 2], s[at + 3] = p0, p1, p2, p3
        at = np.uint32(at + 4)
        y = 4 * a
        panel[y], panel[y + 1], panel[y + 2], panel[y + 3] = y0, y1, y2, y3
        for b in range(a + 1):
            t = target[product]
            product = np.uint32(product + 1)
            y0, y1, y2, y3 = panel[4 * b], panel[4 * b + 1], panel[4 * b + 2], panel[4 * b + 3]
            s[t] -= p0 * y0 + p1 * y1
            s[t + 1] -= p0 * y2 + p1 * y3
            s[t + 2] -= p2 * y0 + p3 * y1
            s[t + 3] -= p2 * y2 + p3 * y3
    return worst


@inline_kernel
def eliminate(n, column, layout, W, worst):
    """Factor one block column, of width n, and subtract its products from the later ones. Returns the smallest ratio so far."""
    below, target = layout.below, layout.target
    s, inverse_pivot, panel, diagonal = W.s, W.inverse_pivot, W.panel, W.square
    d = column.square
    r = column.row
    first = np.uint32(0)
    at = d
    for i in range(n):
        row_l = d
        for j in range(i):
            panel[j] = s[at + j] - dot(j, panel, first, s, row_l)
            row_l = np.uint32(row_l + n)
        pivot = s[at + i]
        for j in range(i):
            l = panel[j] * inverse_pivot[r + j]
            pivot -= panel[j] * l
            s[at + j] = l
        worst = smaller_ratio(worst, pivot, diagonal[r + i])
        inverse_pivot[r + i] = inverse_of(pivot, diagonal[r + i])
        at = np.uint32(at + n)
    p = at
    y = first
    for _ in range(column.height):
        row_l = d
        for j in range(n):
            panel[y + j] = s[at + j] - dot(j, panel, y, s, row_l)
            row_l = np.uint32(row_l + n)
        for j in range(n):
            s[at + j] = panel[y + j] * inverse_pivot[r + j]
        at = np.uint32(at + n)
        y = np.uint32(y + n)
    product = column.products
    at = p
    for a in range(column.blocks):
        rows_a = np.int64(below[column.below + a].rows)
        start = first
        for b in range(a + 1):
            rows_b = below[column.below + b].rows
            t = target[product]
            product = np.uint32(product + 1)
            row_a = at
            for i in range(rows_a):
                y = start
                for j in range(i + 1 if a == b else np.int64(rows_b)):
                    s[t + j] -= dot(n, s, row_a, panel, y)
                    y = np.uint32(y + n)
                row_a = np.uint32(row_a + n)
                t = np.uint32(t + rows_b)
            start = np.uint32(start + rows_b * n)
        at = np.uint32(at + rows_a * n)
    return worst


@kernel
def factor(
    layout: FactorLayout,
    rows: Annotated[Records, ROW],
    missing: Floats,
    jacobian: Floats,
    W: Work,
    eps: float,
) -> float:
    """Assemble S and factor S + eps C in W. Returns the smallest ratio of a pivot to its diagonal entry.

    W: also a `FrictionWork`.
    missing: (nv,) share of the mass of each coordinate that it does not have, see `engine/massless_coordinates.py`, or empty.
    A pivot that is not positive drops its row (multiplier 0): the caller sees the ratio.
    """
    columns, s, diagonal = layout.column, W.s, W.square
    assemble(layout.pair, jacobian, s)
    take_diagonal(columns, rows, s, diagonal)
    enter_hubs(layout.hub, jacobian, s, diagonal)
    if missing.shape[0] > 0:
        leave_out_light(layout.block, missing, jacobian, diagonal)
    if eps > 0.0:
        regularise(columns, rows, s, diagonal, eps)
    worst = 1.0
    for c in range(columns.shape[0]):
        column = columns[c]
        n = np.int64(column.width)
        if column.kind == PINS:
            worst = eliminate_pins(column, layout.target, s, W.inverse_pivot, W.panel, diagonal, worst)
        elif n == PIN:
            worst = eliminate(np.int64(PIN), column, layout, W, worst)
        elif n == HINGE:
            worst = eliminate(np.int64(HINGE), column, layout, W, worst)
        else:
            worst = eliminate(n, column, layout, W, worst)
    return worst


@inline_kernel
def reduce(n, column, below, s):
    """Take what a block column of width n says about its unknowns out of the right-hand sides of all later ones."""
    at = column.square
    place = column.place
    for i in range(n):
        s[place + i] -= dot(i, s, at, s, place)
        at = np.uint32(at + n)
    for a in range(column.blocks):
        reached = below[column.below + a].place
        for i in range(below[column.below + a].rows):
            s[reached + i] -= dot(n, s, at, s, place)
            at = np.uint32(at + n)


@inline_kernel
def substitute(n, column, below, s, inverse_pivot):
    """Unknowns of a block column of width n from all later ones."""
    place = column.place
    r = column.row
    for k in range(n):
        s[place + k] *= inverse_pivot[r + k]
    at = np.uint32(column.square + n * n)
    for a in range(column.blocks):
        reached = below[column.below + a].place
        for i in range(below[column.below + a].rows):
            subtract_multiple(n, s[reached + i], s, at, s, place)
            at = np.uint32(at + n)
    for i in range(n - 1, 0, -1):
        subtract_multiple(i, s[place + i], s, np.uint32(column.square + i * n), s, place)


@kernel
def solve(layout: FactorLayout, s: Floats, inverse_pivot: Floats, x: Floats) -> None:
    """Solve L D L^T x = b in place; x (nr,) without the unknowns of hubs, for which there is room behind the factor."""
    columns, below = layout.column, layout.below
    nr = x.shape[0]
    behind = np.uint32(s.shape[0] - inverse_pivot.shape[0])
    for k in range(nr):
        s[behind + k] = x[k]
    for k in range(nr, inverse_pivot.shape[0]):
        s[behind + k] = 0.0
    for c in range(columns.shape[0]):
        column = columns[c]
        n = np.int64(column.width)
        at = column.square
        place = column.place
        if column.kind == PINS:
            x0 = s[place]
            x1 = s[place + 1] - s[at + 2] * x0
            s[place + 1] = x1
            for a in range(column.blocks):
                at = np.uint32(at + 4)
                reached = below[column.below + a].place
                s[reached] -= s[at] * x0 + s[at + 1] * x1
                s[reached + 1] -= s[at + 2] * x0 + s[at + 3] * x1
            continue
        if n == HINGE:
            reduce(np.int64(HINGE), column, below, s)
        else:
            reduce(n, column, below, s)
    for c in range(columns.shape[0] - 1, -1, -1):
        column = columns[c]
        n = np.int64(column.width)
        place, r = column.place, column.row
        if column.kind == PINS:
            at = column.square
            l = s[at + 2]
            x0 = s[place] * inverse_pivot[r]
            x1 = s[place + 1] * inverse_pivot[r + 1]
            for a in range(column.blocks):
                at = np.uint32(at + 4)
                reached = below[column.below + a].place
                known_0, known_1 = s[reached], s[reached + 1]
                x0 -= s[at] * known_0 + s[at + 2] * known_1
                x1 -= s[at + 1] * known_0 + s[at + 3] * known_1
            s[place + 1] = x1
            s[place] = x0 - l * x1
            continue
        if n == HINGE:
            substitute(np.int64(HINGE), column, below, s, inverse_pivot)
        else:
            substitute(n, column, below, s, inverse_pivot)
    for k in range(nr):
        x[k] = s[behind + k]


@kernel
def residual_of(blocks, jacobian, wanted, vector, residual) -> float:
    """Residual = wanted - J vector. Returns its largest absolute entry."""
    for r in range(residual.shape[0]):
        residual[r] = wanted[r]
    subtract_product(blocks, jacobian, vector, residual)
    worst = 0.0
    for r in range(residual.shape[0]):
        worst = max(worst, abs(residual[r]))
    return worst


@kernel
def add_transposed(blocks: Annotated[Records, BLOCK], jacobian: Floats, multiplier: Floats, vector: Floats) -> None:
    """Vector += J^T multiplier."""
    add_product_transposed(blocks, jacobian, multiplier, vector)


@kernel
def least_norm(
    layout: FactorLayout,
    jacobian: Floats,
    W: Work,
    wanted: Floats,
    x: Floats,
    multiplier: Floats,
    refinements: int,
) -> None:
    """Add to the mass-scaled x the smallest change with J x = wanted, by the factor in W; multipliers go to ``multiplier``.

    wanted, multiplier: (nr,); x: (nv,). refinements: how often what is left over is solved for again, at most,
    as long as that makes it smaller; the last digits count where masses are small.
    """
    least_norm_within(layout, jacobian, W, wanted, x, multiplier, refinements, 0.0)


@kernel
def least_norm_within(layout, jacobian, W, wanted, x, multiplier, refinements, share) -> None:
    """The same, but no more is solved for where no more is left over than this share of what there was."""
    residual, before, first = W.residual, math.inf, 0.0
    for k in range(multiplier.shape[0]):
        multiplier[k] = 0.0
    for number in range(1 + refinements):
        worst = residual_of(layout.block, jacobian, wanted, x, residual)
        first = max(first, worst)
        if refinements > 1 and (worst <= share * first or (number > 1 and worst > REFINED * before)):
            break
        before = worst
        solve(layout, W.s, W.inverse_pivot, residual)
        for k in range(multiplier.shape[0]):
            multiplier[k] += residual[k]
        add_product_transposed(layout.block, jacobian, residual, x)
        if worst * worst <= share * first * first:  # the factor leaves that share of a share over, so no more than this
            break


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
