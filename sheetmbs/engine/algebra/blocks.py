"""Products of the small dense blocks of J and S: the innermost loops of the linear algebra, unrolled.

A velocity has three components in the plane and six in space, that of a beam any number, and a joint has at most six rows.
Two rows, a planar hinge or slide, are so frequent that their products have kernels of their own. Indices are unsigned 32-bit
numbers throughout (see `engine/arrays.py`).
"""

import numpy as np

from sheetmbs.compiled import inline_kernel

# Kinds of products and columns for which there are kernels of their own.
PINS, PLANAR, SPATIAL, ANY = 0, 1, 2, 3


@inline_kernel
def dot(n, x, a, y, b):
    """x_a y_b + x_a+1 y_b+1 + .., n <= 6 terms: quicker without a loop."""
    total = 0.0
    if n > 0:
        total = x[a] * y[b]
    if n > 1:
        total += x[a + 1] * y[b + 1]
    if n > 2:
        total += x[a + 2] * y[b + 2]
    if n > 3:
        total += x[a + 3] * y[b + 3]
    if n > 4:
        total += x[a + 4] * y[b + 4]
    if n > 5:
        total += x[a + 5] * y[b + 5]
    return total


@inline_kernel
def subtract_multiple(n, factor, x, a, y, b):
    """y_b -= factor x_a, y_b+1 -= factor x_a+1, .., n <= 6 terms."""
    if n > 0:
        y[b] -= factor * x[a]
    if n > 1:
        y[b + 1] -= factor * x[a + 1]
    if n > 2:
        y[b + 2] -= factor * x[a + 2]
    if n > 3:
        y[b + 3] -= factor * x[a + 3]
    if n > 4:
        y[b + 4] -= factor * x[a + 4]
    if n > 5:
        y[b + 5] -= factor * x[a + 5]


@inline_kernel
def assemble(pairs, jacobian, s):
    """Lower triangle of S, without what hubs contribute, from the Jacobian blocks that meet on each body."""
    for k in range(s.shape[0]):
        s[k] = 0.0
    for p in range(pairs.shape[0]):
        pair = pairs[p]
        a = pair.entry_a
        b = pair.entry_b
        t = pair.target
        if pair.kind == PINS:
            a0, a1, a2 = jacobian[a], jacobian[a + 1], jacobian[a + 2]
            a3, a4, a5 = jacobian[a + 3], jacobian[a + 4], jacobian[a + 5]
            b0, b1, b2 = jacobian[b], jacobian[b + 1], jacobian[b + 2]
            b3, b4, b5 = jacobian[b + 3], jacobian[b + 4], jacobian[b + 5]
            s[t] += a0 * b0 + a1 * b1 + a2 * b2
            s[t + 1] += a0 * b3 + a1 * b4 + a2 * b5
            s[t + 2] += a3 * b0 + a4 * b1 + a5 * b2
            s[t + 3] += a3 * b3 + a4 * b4 + a5 * b5
            continue
        for i in range(pair.rows_a):
            columns = i + 1 if pair.is_own else np.int64(pair.rows_b)
            b = pair.entry_b
            if pair.kind == PLANAR:
                a0, a1, a2 = jacobian[a], jacobian[a + 1], jacobian[a + 2]
                for j in range(columns):
                    s[t + j] += a0 * jacobian[b] + a1 * jacobian[b + 1] + a2 * jacobian[b + 2]
                    b = np.uint32(b + 3)
                a = np.uint32(a + 3)
            elif pair.kind == ANY:
                for j in range(columns):
                    for k in range(pair.nv):
                        s[t + j] += jacobian[a + k] * jacobian[b + k]
                    b = np.uint32(b + pair.nv)
                a = np.uint32(a + pair.nv)
            else:
                a0, a1, a2 = jacobian[a], jacobian[a + 1], jacobian[a + 2]
                a3, a4, a5 = jacobian[a + 3], jacobian[a + 4], jacobian[a + 5]
                for j in range(columns):
                    linear = a0 * jacobian[b] + a1 * jacobian[b + 1] + a2 * jacobian[b + 2]
                    angular = a3 * jacobian[b + 3] + a4 * jacobian[b + 4] + a5 * jacobian[b + 5]
                    s[t + j] += linear + angular
                    b = np.uint32(b + 6)
                a = np.uint32(a + 6)
            t = np.uint32(t + pair.rows_b)


@inline_kernel
def subtract_product(blocks, jacobian, vector, residual):
    """Residual -= J vector."""
    for b in range(blocks.shape[0]):
        block = blocks[b]
        v = block.v
        row = block.row
        entry = block.entry
        x0 = vector[v]
        x1 = vector[v + 1]
        x2 = vector[v + 2]
        if block.nv == 3:
            for i in range(block.rows):
                at = entry + 3 * i
                residual[row + i] -= jacobian[at] * x0 + jacobian[at + 1] * x1 + jacobian[at + 2] * x2
        elif block.nv != 6:
            for i in range(block.rows):
                for k in range(block.nv):
                    residual[row + i] -= jacobian[entry] * vector[v + k]
                    entry = np.uint32(entry + 1)
        else:
            x3 = vector[v + 3]
            x4 = vector[v + 4]
            x5 = vector[v + 5]
            for i in range(block.rows):
                at = entry + 6 * i
                residual[row + i] -= (
                    jacobian[at] * x0
                    + jacobian[at + 1] * x1
                    + jacobian[at + 2] * x2
                    + (jacobian[at + 3] * x3 + jacobian[at + 4] * x4 + jacobian[at + 5] * x5)
                )


@inline_kernel
def add_product_transposed(blocks, jacobian, multiplier, vector):
    """Vector += J^T multiplier."""
    for b in range(blocks.shape[0]):
        block = blocks[b]
        v = block.v
        row = block.row
        entry = block.entry
        x0 = vector[v]
        x1 = vector[v + 1]
        x2 = vector[v + 2]
        if block.nv == 3:
            for i in range(block.rows):
                at = entry + 3 * i
                m = multiplier[row + i]
                x0 += m * jacobian[at]
                x1 += m * jacobian[at + 1]
                x2 += m * jacobian[at + 2]
        elif block.nv != 6:
            for i in range(block.rows):
                for k in range(block.nv):
                    vector[v + k] += multiplier[row + i] * jacobian[entry]
                    entry = np.uint32(entry + 1)
            continue
        else:
            x3 = vector[v + 3]
            x4 = vector[v + 4]
            x5 = vector[v + 5]
            for i in range(block.rows):
                at = entry + 6 * i
                m = multiplier[row + i]
                x0 += m * jacobian[at]
                x1 += m * jacobian[at + 1]
                x2 += m * jacobian[at + 2]
                x3 += m * jacobian[at + 3]
                x4 += m * jacobian[at + 4]
                x5 += m * jacobian[at + 5]
            vector[v + 3] = x3
            vector[v + 4] = x4
            vector[v + 5] = x5
        vector[v] = x0
        vector[v + 1] = x1
        vector[v + 2] = x2
