"""Points and directions fixed on moving bodies, with derivatives by chosen ways of moving, and what spans between them.

Drivers k move a body by the twists (v_k, w_k), which change by (a_kl, alpha_kl). A way i moves the drivers by b_ik, so that

    w_i = sum b_ik w_k        alpha_ij = sum b_ik b_jl alpha_kl        and likewise v_i and a_ij

and of a point p + r or a direction r fixed on the body (a direction goes without p, v and a):

    x = p + r      x_i = v_i + w_i x r      x_ij = a_ij + alpha_ij x r + (w_i x (w_j x r) + w_j x (w_i x r))/2

Turns do not commute, so that w_i changes by way j, and w_j by way i, as

    dw_i/dj = alpha_ij + w_j x w_i/2      dw_j/di = alpha_ij - w_j x w_i/2

Rows of a quantity over m ways are its value, m first derivatives and m^2 second ones, as in `engine/jet_rules.py`.

Varied vectors lie a little to either side of where they are: per unit of a parameter the body moves by (d0, theta), so that

    p goes to p +- h (d0 + theta x p)      r goes to r +- h theta x r

d0 and theta have rows as in `engine/jet_rules.py`, but none by the last driver of the body's own ones, which moves nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.jet_rules import clear, drivers_of, mirror_second, set_orientation, turned_rate
from sheetmbs.engine.records import Floats2, Floats3, Floats4, Ints, Ints2
from sheetmbs.engine.vec import cross, dot

POINT, DIRECTION, TURNING = 0, 1, 2
"""kinds of vectors; the last is the angular velocity of its body, whose value is none: w_i and dw_i/dj"""
ON_GROUND = -1


@dataclass(frozen=True, eq=False)
class FixedVectors(Bundle):
    """V vectors fixed on bodies of a model with d drivers, over m ways of moving.

    target: (V,) where each stands among all that are found. kind: (V,). at_q, at_v: (V,) where coordinates and velocities of
    its body begin, `ON_GROUND` of one that stands still. axes: (V, 3, 3) principal axes of the body; local: (V, 3).
    """

    target: Ints
    kind: Ints
    at_q: Ints
    at_v: Ints
    axes: Floats3
    local: Floats2
    basis: Floats2  # (m, d) b
    orientation: Floats2  # (3, 3) scratch
    velocity: Floats2  # (m, 3) scratch: v_i
    spin: Floats2  # (m, 3) scratch: w_i


@inline_kernel
def move_body(F, first, at_v, R, axes):
    """The twists of a body by each way, from those by each driver (d, nv)."""
    for i in range(F.basis.shape[0]):
        for x in range(3):
            linear = angular = 0.0
            for k in range(F.basis.shape[1]):
                if F.basis[i, k] != 0.0:
                    linear += F.basis[i, k] * first[k, at_v + x]
                    angular += F.basis[i, k] * turned_rate(first[k], at_v + 3, R, axes, x)
            F.velocity[i, x], F.spin[i, x] = linear, angular


@inline_kernel
def rate_of_twist(F, second, at_v, R, axes, i, j):
    """Components of a_ij and alpha_ij."""
    ax = ay = az = px = py = pz = 0.0
    for k in range(F.basis.shape[1]):
        for m in range(F.basis.shape[1]):
            share = F.basis[i, k] * F.basis[j, m]
            if share != 0.0:
                rate = second[k, m]
                ax += share * rate[at_v]
                ay += share * rate[at_v + 1]
                az += share * rate[at_v + 2]
                px += share * turned_rate(rate, at_v + 3, R, axes, 0)
                py += share * turned_rate(rate, at_v + 3, R, axes, 1)
                pz += share * turned_rate(rate, at_v + 3, R, axes, 2)
    return ax, ay, az, px, py, pz


@inline_kernel
def set_row(out, r, x, y, z):
    """Row r of a vector."""
    out[r, 0], out[r, 1], out[r, 2] = x, y, z


@inline_kernel
def carry_vector(F, v, q, first, second, out):
    """Rows (1 + m + m^2, 3) of vector v at one pose."""
    at_q, at_v, ways = F.at_q[v], F.at_v[v], F.basis.shape[0]
    sx, sy, sz = F.local[v, 0], F.local[v, 1], F.local[v, 2]
    if at_q == ON_GROUND:
        for r in range(1, out.shape[0]):
            set_row(out, r, 0.0, 0.0, 0.0)
        set_row(out, 0, sx, sy, sz)
        return
    R, axes, w = F.orientation, F.axes[v], F.spin
    is_point = 1.0 if F.kind[v] == POINT else 0.0
    set_orientation(q, at_q + 3, R)
    move_body(F, first, at_v, R, axes)
    rx = R[0, 0] * sx + R[0, 1] * sy + R[0, 2] * sz
    ry = R[1, 0] * sx + R[1, 1] * sy + R[1, 2] * sz
    rz = R[2, 0] * sx + R[2, 1] * sy + R[2, 2] * sz
    set_row(out, 0, is_point * q[at_q] + rx, is_point * q[at_q + 1] + ry, is_point * q[at_q + 2] + rz)
    for i in range(ways):
        cx, cy, cz = cross(w[i, 0], w[i, 1], w[i, 2], rx, ry, rz)
        u = F.velocity[i]
        set_row(out, 1 + i, is_point * u[0] + cx, is_point * u[1] + cy, is_point * u[2] + cz)
        for j in range(i + 1):
            ax, ay, az, px, py, pz = rate_of_twist(F, second, at_v, R, axes, i, j)
            if F.kind[v] == TURNING:
                tx, ty, tz = cross(w[j, 0], w[j, 1], w[j, 2], 0.5 * w[i, 0], 0.5 * w[i, 1], 0.5 * w[i, 2])
                set_row(out, 1 + ways + i * ways + j, px + tx, py + ty, pz + tz)
                set_row(out, 1 + ways + j * ways + i, px - tx, py - ty, pz - tz)
            else:
                ex, ey, ez = cross(w[j, 0], w[j, 1], w[j, 2], rx, ry, rz)
                fx, fy, fz = cross(w[i, 0], w[i, 1], w[i, 2], ex, ey, ez)
                gx, gy, gz = cross(w[j, 0], w[j, 1], w[j, 2], cx, cy, cz)
                hx, hy, hz = cross(px, py, pz, rx, ry, rz)
                px = is_point * ax + hx + 0.5 * (fx + gx)
                py = is_point * ay + hy + 0.5 * (fy + gy)
                pz = is_point * az + hz + 0.5 * (fz + gz)
                set_row(out, 1 + ways + i * ways + j, px, py, pz)
                set_row(out, 1 + ways + j * ways + i, px, py, pz)
    if F.kind[v] == TURNING:
        set_row(out, 0, 0.0, 0.0, 0.0)
        for i in range(ways):
            set_row(out, 1 + i, w[i, 0], w[i, 1], w[i, 2])


@kernel
def carry_vectors(F: FixedVectors, q: Floats2, first: Floats3, second: Floats4, out: Floats4) -> None:
    """Fill the rows of all vectors at n poses: out (n, all that are found, 1 + m + m^2, 3).

    q: (n, nq); first: (n, d, nv) and second: (n, d, d, nv) derivatives by the drivers.
    """
    for i in range(q.shape[0]):
        for v in range(F.target.shape[0]):
            carry_vector(F, v, q[i], first[i], second[i], out[i, F.target[v]])


@inline_kernel
def row_product(a, r, b, s):
    """Scalar product of row r of a vector and row s of another."""
    return dot(a[r, 0], a[r, 1], a[r, 2], b[s, 0], b[s, 1], b[s, 2])


@inline_kernel
def scalar_rows(a, b, ways, out, at, n):
    """Out[at, :, n] = a . b."""
    out[at, 0, n] = row_product(a, 0, b, 0)
    for i in range(ways):
        out[at, 1 + i, n] = row_product(a, 1 + i, b, 0) + row_product(a, 0, b, 1 + i)
        for j in range(ways):
            r = 1 + ways + i * ways + j
            across = row_product(a, 1 + i, b, 1 + j) + row_product(a, 1 + j, b, 1 + i)
            out[at, r, n] = row_product(a, r, b, 0) + across + row_product(a, 0, b, r)


@kernel
def measure_distances(vectors: Floats4, pairs: Ints2, out: Floats3) -> None:
    """Distances l between pairs (E, 2) of points, d = x_a - x_b apart: out (E, 1 + m + m^2, n).

    l_i = d.d_i/l      l_ij = (d_i.d_j + d.d_ij - l_i l_j)/l
    """
    ways = 0
    while 1 + ways + ways * ways < out.shape[1]:
        ways += 1
    for e in range(pairs.shape[0]):
        for n in range(vectors.shape[0]):
            d, other = vectors[n, pairs[e, 0]], vectors[n, pairs[e, 1]]
            square = 0.0
            for x in range(3):
                square += (d[0, x] - other[0, x]) ** 2
            length = math.sqrt(square)
            out[e, 0, n] = length
            for i in range(ways):
                along = 0.0
                for x in range(3):
                    along += (d[0, x] - other[0, x]) * (d[1 + i, x] - other[1 + i, x])
                out[e, 1 + i, n] = along / length
                for j in range(i + 1):
                    r = 1 + ways + i * ways + j
                    across = 0.0
                    for x in range(3):
                        across += (d[1 + i, x] - other[1 + i, x]) * (d[1 + j, x] - other[1 + j, x])
                        across += (d[0, x] - other[0, x]) * (d[r, x] - other[r, x])
                    bend = (across - out[e, 1 + i, n] * out[e, 1 + j, n]) / length
                    out[e, r, n] = out[e, 1 + ways + j * ways + i, n] = bend


@kernel
def project_directions(vectors: Floats4, pairs: Ints2, out: Floats3) -> None:
    """Scalar products of pairs (E, 2) of directions: out (E, 1 + m + m^2, n)."""
    ways = 0
    while 1 + ways + ways * ways < out.shape[1]:
        ways += 1
    for e in range(pairs.shape[0]):
        for n in range(vectors.shape[0]):
            scalar_rows(vectors[n, pairs[e, 0]], vectors[n, pairs[e, 1]], ways, out, e, n)


@dataclass(frozen=True, eq=False)
class VariedBody(Bundle):
    """A body over n poses, and its motion per unit of each of P parameters, which is six of the coordinates in ``shift``."""

    position: Floats3  # (3, rows, n) of its origin
    turn: Floats4  # (3, 3, rows, n) each of its axes as a vector
    shift: Floats4  # (n, rows without the last driver, coordinates, P)
    at: int  # where its d0 and theta begin among the coordinates
    begin: int  # the first of the parameters that are varied
    count: int  # and how many are
    step: float  # h


@kernel
def vary_vector(B: VariedBody, along: Floats2, is_point: bool, out: Floats3) -> None:
    """Fill ``out`` (3, rows, 2 n count) with a point or a direction: for +h and then -h all parameters, each at all poses.

    along: (3, 2 n count) or, the same everywhere, (3, 1) in the axes of the body, from its origin.
    """
    d, poses, count = drivers_of(B.shift.shape[1]), B.shift.shape[0], B.count
    for x in range(3):
        clear(out[x])
    for side in range(2):
        h = B.step if side == 0 else -B.step
        for i in range(poses):
            first = side * count * poses + i
            place_row(B, along, is_point, out, 0, i, first)
            for k in range(d):
                place_row(B, along, is_point, out, 1 + k, i, first)
                for m in range(k + 1):
                    place_row(B, along, is_point, out, 2 + d + k * (d + 1) + m, i, first)
            for k in range(d):  # a row needs those of lower order as they are without the step
                for m in range(k + 1):
                    move_second(B, is_point, out, k, m, i, first, h)
            for k in range(d):
                move_first(B, is_point, out, k, i, first, h)
            move_value(B, is_point, out, i, first, h)
    for x in range(3):
        mirror_second(out[x])


@inline_kernel
def place_row(B, along, is_point, out, r, i, first):
    """A row at pose i of what stands still on the body, for all parameters; ``first`` is the column of the first of them."""
    step = 1 if along.shape[1] > 1 else 0
    poses = B.shift.shape[0]
    for x in range(3):
        base = B.position[x, r, i] if is_point else 0.0
        a, b, c = B.turn[0, x, r, i], B.turn[1, x, r, i], B.turn[2, x, r, i]
        for p in range(B.count):
            column = first + p * poses
            at = step * column
            out[x, r, column] = base + (a * along[0, at] + b * along[1, at] + c * along[2, at])


@inline_kernel
def turned_row(B, out, r, turning, i, p, column):
    """Theta x a row of ``out``, with the row ``turning`` of theta."""
    shift, at, q = B.shift, B.at + 3, B.begin + p
    x, y, z = shift[i, turning, at, q], shift[i, turning, at + 1, q], shift[i, turning, at + 2, q]
    return cross(x, y, z, out[0, r, column], out[1, r, column], out[2, r, column])


@inline_kernel
def add_step(B, is_point, row, at, moved, out):
    """Add h times (d0 where it is a point) + ``moved``. row: of the shifts. at: i, p, row and column of ``out``, and h."""
    i, p, r, column, h = at
    for x in range(3):
        linear = B.shift[i, row, B.at + x, B.begin + p] if is_point else 0.0
        out[x, r, column] += h * (linear + moved[x])


@inline_kernel
def move_second(B, is_point, out, k, m, i, first, h):
    """The second derivative by the drivers k and m."""
    d = drivers_of(B.shift.shape[1])
    r, row = 2 + d + k * (d + 1) + m, 1 + d + k * d + m
    for p in range(B.count):
        c = first + p * B.shift.shape[0]
        ax, ay, az = turned_row(B, out, 0, row, i, p, c)
        bx, by, bz = turned_row(B, out, 1 + m, 1 + k, i, p, c)
        cx, cy, cz = turned_row(B, out, 1 + k, 1 + m, i, p, c)
        dx, dy, dz = turned_row(B, out, r, 0, i, p, c)
        add_step(B, is_point, row, (i, p, r, c, h), (ax + bx + cx + dx, ay + by + cy + dy, az + bz + cz + dz), out)


@inline_kernel
def move_first(B, is_point, out, k, i, first, h):
    """The first derivative by driver k."""
    for p in range(B.count):
        c = first + p * B.shift.shape[0]
        ax, ay, az = turned_row(B, out, 0, 1 + k, i, p, c)
        bx, by, bz = turned_row(B, out, 1 + k, 0, i, p, c)
        add_step(B, is_point, 1 + k, (i, p, 1 + k, c, h), (ax + bx, ay + by, az + bz), out)


@inline_kernel
def move_value(B, is_point, out, i, first, h):
    """Value of a vector a step along."""
    for p in range(B.count):
        c = first + p * B.shift.shape[0]
        add_step(B, is_point, 0, (i, p, 0, c, h), turned_row(B, out, 0, 0, i, p, c), out)
