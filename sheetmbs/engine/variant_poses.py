"""Configurations of one model with many sets of coordinates: frames, axes and lengths are written over between walks."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.newton import DONE
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.driven_poses import DrivenPoses, begin_poses, keep_row, reach_row
from sheetmbs.engine.records import Floats, Floats2, Floats3, Ints
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work


@dataclass(frozen=True, eq=False)
class Variants(Bundle):
    """Coordinates of V variants, and which of their rows are reached. Each has as many rows, the last of them at its start."""

    frame: Floats3  # (V, frames, 3) in body coordinates
    axis: Floats3  # (V, parts, 6) of a row's bodies i and j, in body coordinates
    offset: Floats2  # (V, parts)
    start: Floats  # (nq,) where each begins
    u: Floats2  # (V, d) and the values of the drivers there
    middle: Ints  # (V,) the row from which walks go up and down
    reached: Ints  # (V * rows,) 1 or 0


@inline_kernel
def write_variant(A, V, v):
    """Let a model have the coordinates of variant v."""
    for f in range(A.frame.shape[0]):
        A.frame[f].x = V.frame[v, f, 0]
        A.frame[f].y = V.frame[v, f, 1]
        A.frame[f].z = V.frame[v, f, 2]
    for p in range(A.part.shape[0]):
        A.part[p].ax = V.axis[v, p, 0]
        A.part[p].ay = V.axis[v, p, 1]
        A.part[p].az = V.axis[v, p, 2]
        A.part[p].bx = V.axis[v, p, 3]
        A.part[p].by = V.axis[v, p, 4]
        A.part[p].bz = V.axis[v, p, 5]
        A.part[p].offset = V.offset[v, p]


@kernel
def walk_rows(A, W, D, V, first, last, step, tolerance) -> None:
    """Reach rows from ``first`` to before ``last``, one from the other, as far as the linkage goes."""
    n = first
    while n != last:
        if reach_row(A, W, D, n, tolerance) != DONE:
            return
        keep_row(D, n)
        V.reached[n] = 1
        n += step


@kernel
def pose_variants(A: Arrays, W: Work, D: DrivenPoses, V: Variants, tolerance: float) -> None:
    """Configurations at the rows of ``D.value``, those of one variant after the other.

    ``A.row`` is the beginning of ``A.part``.
    """
    rows = D.value.shape[0] // V.u.shape[0]
    for v in range(V.u.shape[0]):
        write_variant(A, V, v)
        first, last = v * rows, (v + 1) * rows - 1
        middle = first + V.middle[v]
        for way in range(2):
            copy(V.start, D.q)
            for k in range(D.u.shape[0]):
                D.u[k] = V.u[v, k]
            if begin_poses(A, W, D, tolerance):
                break
            if way == 0:
                keep_row(D, last)
                V.reached[last] = 1
                walk_rows(A, W, D, V, middle, last, 1, tolerance)
            else:
                walk_rows(A, W, D, V, middle - 1, first - 1, -1, tolerance)
