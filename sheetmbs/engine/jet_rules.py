"""Quantities over n poses with first and second derivatives by d drivers, as rows of one array (1 + d + d^2, n).

Row 0 is the value, rows 1 + k are the first derivatives, rows 1 + d + k d + l the second ones, which are symmetric:

    (f g)_k = f_k g + f g_k          (f g)_kl = f_kl g + f_k g_l + f_l g_k + f g_kl
    phi(f)_k = phi' f_k              phi(f)_kl = phi'' f_k f_l + phi' f_kl
    (f/g)_k = (f_k - (f/g) g_k)/g    and the derivative of g (f/g)_k + (f/g) g_k = f_k gives (f/g)_kl
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.records import Floats, Floats2, Floats3, Floats4
from sheetmbs.engine.vec import cross


@inline_kernel
def drivers_of(rows):
    """Number d of drivers of so many rows."""
    d = 0
    while 1 + d + d * d < rows:
        d += 1
    return d


@inline_kernel
def add_product(f, g, factor, out):
    """Out += factor f g."""
    d, count = drivers_of(f.shape[0]), f.shape[1]
    for i in range(count):
        out[0, i] += factor * f[0, i] * g[0, i]
    for k in range(1, d + 1):
        for i in range(count):
            out[k, i] += factor * (f[k, i] * g[0, i] + f[0, i] * g[k, i])
        for m in range(1, k + 1):
            r = d + (k - 1) * d + m
            for i in range(count):
                out[r, i] += factor * (f[r, i] * g[0, i] + f[k, i] * g[m, i] + f[m, i] * g[k, i] + f[0, i] * g[r, i])


@inline_kernel
def mirror_second(out):
    """Copy second derivatives across the diagonal."""
    d, count = drivers_of(out.shape[0]), out.shape[1]
    for k in range(1, d + 1):
        for m in range(1, k):
            r, other = d + (k - 1) * d + m, d + (m - 1) * d + k
            for i in range(count):
                out[other, i] = out[r, i]


@inline_kernel
def clear(out):
    """Set all entries to zero: out = 0."""
    for r in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[r, i] = 0.0


@inline_kernel
def copy_rows(f, out):
    """Copy a number with its derivatives: out = f."""
    for r in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[r, i] = f[r, i]


@kernel
def multiply(f: Floats2, g: Floats2, out: Floats2) -> None:
    """Multiply two numbers with their derivatives: out = f g."""
    clear(out)
    add_product(f, g, 1.0, out)
    mirror_second(out)


@kernel
def scalar_product(f: Floats3, g: Floats3, out: Floats2) -> None:
    """Out = f . g of vectors (3, rows, n)."""
    clear(out)
    for x in range(3):
        add_product(f[x], g[x], 1.0, out)
    mirror_second(out)


@kernel
def along_axes(axes: Floats4, f: Floats3, out: Floats3) -> None:
    """Out = f . c of each axis c of ``axes`` (3, 3, rows, n), of a vector (3, rows, n)."""
    for j in range(3):
        scalar_product(axes[j], f, out[j])


@kernel
def vector_product(f: Floats3, g: Floats3, out: Floats3) -> None:
    """Out = f x g of vectors (3, rows, n)."""
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        clear(out[x])
        add_product(f[y], g[z], 1.0, out[x])
        add_product(f[z], g[y], -1.0, out[x])
        mirror_second(out[x])


@kernel
def scale(f: Floats3, g: Floats2, out: Floats3) -> None:
    """Out = f g of a vector (3, rows, n) and a number."""
    for x in range(3):
        clear(out[x])
        add_product(f[x], g, 1.0, out[x])
        mirror_second(out[x])


@inline_kernel
def divide_by(f, g, out):
    """Divide by a number in place: out = f/g."""
    d, count = drivers_of(f.shape[0]), f.shape[1]
    for i in range(count):
        out[0, i] = f[0, i] / g[0, i]
    for k in range(1, d + 1):
        for i in range(count):
            out[k, i] = (f[k, i] - out[0, i] * g[k, i]) / g[0, i]
        for m in range(1, k + 1):
            r = d + (k - 1) * d + m
            for i in range(count):
                moved = out[k, i] * g[m, i] + out[m, i] * g[k, i] + out[0, i] * g[r, i]
                out[r, i] = (f[r, i] - moved) / g[0, i]
    mirror_second(out)


@inline_kernel
def measure(f, out):
    """Out = |f| of a vector (3, rows, n): the derivative of |f|^2 = f . f."""
    d, count = drivers_of(f.shape[1]), f.shape[2]
    clear(out)
    for x in range(3):
        add_product(f[x], f[x], 0.5, out)
    for i in range(count):
        out[0, i] = math.sqrt(2.0 * out[0, i])
    for k in range(1, d + 1):
        for i in range(count):
            out[k, i] /= out[0, i]
        for m in range(1, k + 1):
            r = d + (k - 1) * d + m
            for i in range(count):
                out[r, i] = (out[r, i] - out[k, i] * out[m, i]) / out[0, i]
    mirror_second(out)


@kernel
def quotient(f: Floats2, g: Floats2, out: Floats2) -> None:
    """Divide two numbers with their derivatives: out = f/g."""
    divide_by(f, g, out)


@kernel
def quotient_of_vector(f: Floats3, g: Floats2, out: Floats3) -> None:
    """Out = f/g of a vector (3, rows, n) and a number."""
    for x in range(3):
        divide_by(f[x], g, out[x])


@kernel
def length(f: Floats3, out: Floats2) -> None:
    """Out = |f| of a vector (3, rows, n)."""
    measure(f, out)


@kernel
def unit_vector(f: Floats3, size: Floats2, out: Floats3) -> None:
    """Out = f/|f| of a vector (3, rows, n). size: (rows, n) becomes |f|."""
    measure(f, size)
    for x in range(3):
        divide_by(f[x], size, out[x])


@kernel
def reject(f: Floats3, g: Floats3, along: Floats2, out: Floats3) -> None:
    """Out = f - g (f . g) of vectors (3, rows, n). along: (rows, n) becomes f . g."""
    scalar_product(f, g, along)
    for x in range(3):
        copy_rows(f[x], out[x])
        add_product(g[x], along, -1.0, out[x])
        mirror_second(out[x])


@kernel
def go_along(start: Floats3, f: Floats3, distance: float, size: Floats2, out: Floats3) -> None:
    """Out = start + distance f/|f| of vectors (3, rows, n). size: (rows, n) becomes |f|."""
    measure(f, size)
    for x in range(3):
        divide_by(f[x], size, out[x])
        for r in range(out.shape[1]):
            for i in range(out.shape[2]):
                out[x, r, i] = start[x, r, i] + distance * out[x, r, i]


@kernel
def chain(f: Floats2, value: Floats, slope: Floats, bend: Floats, out: Floats2) -> None:
    """Out = phi(f), from phi and its first and second derivative at f, (n,) each."""
    d, count = drivers_of(f.shape[0]), f.shape[1]
    for i in range(count):
        out[0, i] = value[i]
    for k in range(1, d + 1):
        for i in range(count):
            out[k, i] = slope[i] * f[k, i]
        for m in range(1, k + 1):
            r = d + (k - 1) * d + m
            for i in range(count):
                out[r, i] = bend[i] * (f[k, i] * f[m, i]) + slope[i] * f[r, i]
    mirror_second(out)


@kernel
def angle(y: Floats2, x: Floats2, out: Floats2) -> None:
    """Out = the angle of a direction, exact in all quadrants: a_k = (x y_k - y x_k)/r^2, and a_kl is the derivative of that."""
    d, count = drivers_of(x.shape[0]), x.shape[1]
    for i in range(count):
        square = x[0, i] * x[0, i] + y[0, i] * y[0, i]
        c, s = x[0, i] / square, y[0, i] / square
        out[0, i] = math.atan2(y[0, i], x[0, i])
        for k in range(1, d + 1):
            out[k, i] = c * y[k, i] - s * x[k, i]
        for k in range(1, d + 1):
            radial = c * x[k, i] + s * y[k, i]  # r_k/r
            for m in range(1, k + 1):
                r = d + (k - 1) * d + m
                other = c * x[m, i] + s * y[m, i]
                out[r, i] = c * y[r, i] - s * x[r, i] - radial * out[m, i] - other * out[k, i]
    mirror_second(out)


@kernel
def rebase(f: Floats2, basis: Floats2, out: Floats2) -> None:
    """Out = f by other drivers. basis: (new, d), how each of them moves the present ones."""
    rebase_rows(f, basis, out)


@kernel
def rebase_vector(f: Floats3, basis: Floats2, out: Floats3) -> None:
    """The same of a vector (3, rows, n)."""
    for x in range(3):
        rebase_rows(f[x], basis, out[x])


@inline_kernel
def rebase_rows(f, basis, out):
    """Out = f by other drivers."""
    d, new, count = drivers_of(f.shape[0]), basis.shape[0], f.shape[1]
    clear(out)
    for i in range(count):
        out[0, i] = f[0, i]
    for k in range(new):
        for p in range(d):
            if basis[k, p] != 0.0:
                for i in range(count):
                    out[1 + k, i] += basis[k, p] * f[1 + p, i]
        for m in range(new):
            for p in range(d):
                for t in range(d):
                    factor = basis[k, p] * basis[m, t]
                    if factor != 0.0:
                        for i in range(count):
                            out[1 + new + k * new + m, i] += factor * f[1 + d + p * d + t, i]


@kernel
def combine_columns(base: Floats3, turn: Floats4, along: Floats2, out: Floats3) -> None:
    """Out = base + turn along of vectors (3, rows, n): turn (3, 3, rows, n) has a column of each body axis first.

    along: (3, n) or, the same at all poses, (3, 1).
    """
    rows, count = out.shape[1], out.shape[2]
    step = 1 if along.shape[1] == count else 0
    for x in range(3):
        for r in range(rows):
            for i in range(count):
                at = i * step
                out[x, r, i] = base[x, r, i] + (
                    turn[0, x, r, i] * along[0, at] + turn[1, x, r, i] * along[1, at] + turn[2, x, r, i] * along[2, at]
                )


@inline_kernel
def turned_rate(rate, at, orientation, axes, x):
    """Global component x of an angular rate whose components along principal axes stand in ``rate`` from ``at`` on."""
    found = 0.0
    for j in range(3):
        along = axes[j, 0] * rate[at] + axes[j, 1] * rate[at + 1] + axes[j, 2] * rate[at + 2]
        found += orientation[x, j] * along
    return found


@dataclass(frozen=True, eq=False)
class CarriedBody(Bundle):
    """A body over n poses and d drivers, one more of which, the last, moves none; rows are those of d + 1 drivers."""

    q: Floats2  # (n, nq)
    first: Floats3  # (n, d, nv)
    second: Floats4  # (n, d, d, nv)
    orientation: Floats2  # (3, 3) scratch
    axes: Floats2  # (3, 3) principal axes in body coordinates
    spin: Floats2  # (d, 3) scratch
    position: Floats3  # (3, rows, n) found
    turn: Floats4  # (3, 3, rows, n) found: each axis of the body as a vector


@inline_kernel
def set_orientation(q, at, R):
    """Rotation matrix of the Euler parameters that begin at ``at``, brought to unit length; Nikravesh (1988), eq. 6.19."""
    size = math.sqrt(q[at] * q[at] + q[at + 1] * q[at + 1] + q[at + 2] * q[at + 2] + q[at + 3] * q[at + 3])
    e0, e1, e2, e3 = q[at] / size, q[at + 1] / size, q[at + 2] / size, q[at + 3] / size
    R[0, 0], R[0, 1], R[0, 2] = 2 * (e0 * e0 + e1 * e1) - 1, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)
    R[1, 0], R[1, 1], R[1, 2] = 2 * (e1 * e2 + e0 * e3), 2 * (e0 * e0 + e2 * e2) - 1, 2 * (e2 * e3 - e0 * e1)
    R[2, 0], R[2, 1], R[2, 2] = 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 2 * (e0 * e0 + e3 * e3) - 1


@kernel
def carry_body(M: CarriedBody, at_q: int, at_v: int) -> None:
    """Fill position and turn of a body whose coordinates begin at ``at_q`` and whose velocities begin at ``at_v``.

    With w_k and alpha_kl the angular velocities by the drivers and their derivatives, of an axis c:

        c_k = w_k x c      c_kl = alpha_kl x c + (w_k x (w_l x c) + w_l x (w_k x c))/2
    """
    count, d = M.first.shape[0], M.first.shape[1]
    for x in range(3):
        clear(M.position[x])
        for j in range(3):
            clear(M.turn[j, x])
    for i in range(count):
        set_orientation(M.q[i], at_q + 3, M.orientation)
        R = M.orientation
        for x in range(3):
            M.position[x, 0, i] = M.q[i, at_q + x]
            for j in range(3):
                M.turn[j, x, 0, i] = R[x, j]
            for k in range(d):
                M.position[x, 1 + k, i] = M.first[i, k, at_v + x]
                M.spin[k, x] = turned_rate(M.first[i, k], at_v + 3, R, M.axes, x)
        for k in range(d):
            turn_axes(M, i, k)
            for m in range(k + 1):
                r = 2 + d + k * (d + 1) + m
                bend_axes(M, i, k, m, at_v, r)
                for x in range(3):
                    M.position[x, r, i] = M.second[i, k, m, at_v + x]
    for x in range(3):
        mirror_second(M.position[x])
        for j in range(3):
            mirror_second(M.turn[j, x])


@inline_kernel
def turn_axes(M, i, k):
    """First derivatives of the axes of a body at pose i by driver k."""
    w, turn = M.spin[k], M.turn
    for j in range(3):
        a, b, c = cross(w[0], w[1], w[2], turn[j, 0, 0, i], turn[j, 1, 0, i], turn[j, 2, 0, i])
        turn[j, 0, 1 + k, i], turn[j, 1, 1 + k, i], turn[j, 2, 1 + k, i] = a, b, c


@inline_kernel
def bend_axes(M, i, k, m, at_v, r):
    """Second derivatives by the drivers k and m, of which first ones have been found, as row r."""
    R, turn, w, u = M.orientation, M.turn, M.spin[k], M.spin[m]
    px = turned_rate(M.second[i, k, m], at_v + 3, R, M.axes, 0)
    py = turned_rate(M.second[i, k, m], at_v + 3, R, M.axes, 1)
    pz = turned_rate(M.second[i, k, m], at_v + 3, R, M.axes, 2)
    for j in range(3):
        ax, ay, az = cross(px, py, pz, turn[j, 0, 0, i], turn[j, 1, 0, i], turn[j, 2, 0, i])
        bx, by, bz = cross(w[0], w[1], w[2], turn[j, 0, 1 + m, i], turn[j, 1, 1 + m, i], turn[j, 2, 1 + m, i])
        cx, cy, cz = cross(u[0], u[1], u[2], turn[j, 0, 1 + k, i], turn[j, 1, 1 + k, i], turn[j, 2, 1 + k, i])
        turn[j, 0, r, i] = ax + 0.5 * (bx + cx)
        turn[j, 1, r, i] = ay + 0.5 * (by + cy)
        turn[j, 2, r, i] = az + 0.5 * (bz + cz)
