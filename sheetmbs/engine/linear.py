"""Block-sparse LDL^T of S = J M^-1 J^T, and what is solved with it.

    S + eps C = L D L^T, column by column (right-looking). For block column k with diagonal block L_k D_k L_k^T and panel P:
        Y = P L_k^-T,   P <- Y D_k^-1,   then   S_ab -= P_a Y_b^T   for all a >= b that the panel reaches.
The regularisation eps C bounds the multipliers of nearly dependent rows: C is the sum of 1/m for translational rows
(never the full diagonal, which would drown a body of tiny inertia) and diag(S) for rotational ones; iterative refinement
against S itself removes its effect on the accelerations.
"""

from sheetmbs.engine.kinematics import add_row, row_product
from sheetmbs.jit import inline_kernel, kernel


@inline_kernel
def assemble(pairs, jacobian, s):
    """Lower triangle of S from the Jacobian blocks that meet on each body."""
    for k in range(s.shape[0]):
        s[k] = 0.0
    for p in range(pairs.shape[0]):
        pair = pairs[p]
        nv = pair.nv
        for a in range(pair.rows_a):
            row_a = pair.entry_a + a * nv
            target = pair.target + a * pair.stride
            last = a + 1 if pair.symmetric else pair.rows_b
            for b in range(last):
                row_b = pair.entry_b + b * nv
                total = 0.0
                for k in range(nv):
                    total += jacobian[row_a + k] * jacobian[row_b + k]
                s[target + b] += total


@kernel
def factor(layout, rows, jacobian, s, inverse_pivot, panel, diagonal, eps):
    """Assemble S and factor S + eps C in place. Returns the smallest ratio of a pivot to its diagonal entry.

    A pivot that is not positive drops its row (multiplier 0): the caller sees the ratio.
    """
    columns, target = layout.column, layout.target
    assemble(layout.pair, jacobian, s)
    worst = 1.0
    for c in range(columns.shape[0]):
        column = columns[c]
        n = column.width
        d = column.square
        for i in range(n):
            own = s[d + i * n + i]
            compliance = rows[column.row + i].compliance
            diagonal[column.row + i] = own
            s[d + i * n + i] = own + eps * (compliance if compliance > 0.0 else own)
    for c in range(columns.shape[0]):
        column = columns[c]
        n = column.width
        d = column.square
        first = column.row
        for j in range(n):
            pivot = s[d + j * n + j]
            for k in range(j):
                pivot -= s[d + j * n + k] * s[d + j * n + k] * s[d + k * n + k]
            own = diagonal[first + j]
            ratio = pivot / own if own > 0.0 else 0.0
            worst = min(worst, ratio)
            pivot = max(0.0, pivot)
            inverse = 1.0 / pivot if pivot > 0.0 else 0.0
            s[d + j * n + j] = pivot
            inverse_pivot[first + j] = inverse
            for i in range(j + 1, n):
                total = s[d + i * n + j]
                for k in range(j):
                    total -= s[d + i * n + k] * s[d + j * n + k] * s[d + k * n + k]
                s[d + i * n + j] = total * inverse
        height = column.height
        start = column.panel
        for a in range(height):
            at = start + a * n
            for j in range(n):
                total = s[at + j]
                for k in range(j):
                    total -= panel[a * n + k] * s[d + j * n + k]
                panel[a * n + j] = total
                s[at + j] = total * inverse_pivot[first + j]
        next_target = column.targets
        for a in range(height):
            row_a = start + a * n
            for b in range(a + 1):
                total = 0.0
                for k in range(n):
                    total += s[row_a + k] * panel[b * n + k]
                s[target[next_target]] -= total
                next_target += 1
    return worst


@kernel
def solve(columns, panel_row, s, inverse_pivot, x):
    """Solve L D L^T x = b in place."""
    for c in range(columns.shape[0]):
        column = columns[c]
        n = column.width
        d = column.square
        first = column.row
        for i in range(1, n):
            total = x[first + i]
            for k in range(i):
                total -= s[d + i * n + k] * x[first + k]
            x[first + i] = total
        for a in range(column.height):
            at = column.panel + a * n
            total = 0.0
            for k in range(n):
                total += s[at + k] * x[first + k]
            x[panel_row[column.rows + a]] -= total
    for c in range(columns.shape[0] - 1, -1, -1):
        column = columns[c]
        n = column.width
        d = column.square
        first = column.row
        for k in range(n):
            x[first + k] *= inverse_pivot[first + k]
        for a in range(column.height):
            at = column.panel + a * n
            known = x[panel_row[column.rows + a]]
            for k in range(n):
                x[first + k] -= s[at + k] * known
        for i in range(n - 1, 0, -1):
            known = x[first + i]
            for k in range(i):
                x[first + k] -= s[d + i * n + k] * known


@kernel
def residual_of(rows, bodies, jacobian, wanted, vector, residual):
    """Residual = wanted - J vector. Returns its largest absolute entry."""
    worst = 0.0
    for r in range(rows.shape[0]):
        residual[r] = wanted[r] - row_product(rows[r], bodies, jacobian, vector)
        worst = max(worst, abs(residual[r]))
    return worst


@kernel
def add_transposed(rows, bodies, jacobian, multiplier, vector):
    """Vector += J^T multiplier."""
    for r in range(rows.shape[0]):
        add_row(rows[r], bodies, jacobian, multiplier[r], vector)


@kernel
def least_norm(rows, bodies, layout, jacobian, s, inverse_pivot, wanted, x, multiplier, residual, refinements):
    """Add to the mass-scaled x the smallest change with J x = wanted; its multipliers go to ``multiplier``.

    wanted, multiplier, residual: (nr,); x: (nv,). refinements: how often what is left over is solved for again.
    """
    for k in range(multiplier.shape[0]):
        multiplier[k] = 0.0
    for _ in range(1 + refinements):
        residual_of(rows, bodies, jacobian, wanted, x, residual)
        solve(layout.column, layout.panel_row, s, inverse_pivot, residual)
        for k in range(multiplier.shape[0]):
            multiplier[k] += residual[k]
        add_transposed(rows, bodies, jacobian, residual, x)
