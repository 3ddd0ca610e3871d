"""What is fixed on a body over n poses, a little to either side of where it is along P parameters, with its derivatives.

Per unit of a parameter the body moves by (d0, theta), so that a point p and a direction r fixed on it go to

    p +- h (d0 + theta x p)      r +- h theta x r

d0 and theta have rows as in `engine/jet_rules.py`, but none by the last driver of the body's own ones, which moves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.jet_rules import clear, drivers_of, mirror_second
from sheetmbs.engine.records import Floats2, Floats3, Floats4
from sheetmbs.engine.vec import cross


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
