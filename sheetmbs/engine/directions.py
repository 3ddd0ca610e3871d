"""Directions of elastic and damping elements and of beams: what their forces do to themselves, and how fast that is.

An element deforms in one or more directions l, with a force F(l, l-dot) along each. In mass-scaled velocities u, with the
projector P onto J u = 0,

    l-dot = W u      u-dot = ... - P W^T F      so      l-double-dot = ... - B (k l + c l-dot),   B = W P W^T

where k = dF/dl and c = dF/dl-dot: in deformation space stiff elements are a small system of their own. An element gives, in
its own file in `engine/forces`, the gradient of each deformation in twist space, as a constraint row does, and its slopes.

The modal coordinates p of a beam deform by p-dot = eta - g sigma/s (`engine/bodies/beam_body.py`), with its elastic and damping
forces along each. They are directions where some of them vibrate far faster than the beam as a whole, as static shapes under
loads close to each other do: then only an implicit method can pass over them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.linear import least_norm
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import MODAL, STRETCH
from sheetmbs.engine.forces.all_forces import find_gradient
from sheetmbs.engine.kinematics import enter_row
from sheetmbs.engine.motion.curves import Curves
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import DIRECTION, Floats, Floats2, Floats3, Records
from sheetmbs.engine.work import Work

SMALL_PIVOT = 1e-6
POWERS = 8  # of the power method
FAST_SHAPE = 300.0  # times the lowest frequency of a free beam: its tenth mode has 50, loads well apart make 150
HELD = 1e-6  # share of a velocity that is left by rounding alone where joints hold it


@dataclass(frozen=True, eq=False)
class Directions(Bundle):
    """Directions of all elements of a model, then those of beams, whose numbers go on behind the elements; and scratch."""

    record: Annotated[Records, DIRECTION]
    gradient: Floats2  # (directions, 12) in twist space
    width: int  # entries of a row of W for either body: the largest number of velocities of a body
    entry: Floats  # flat, (stages, directions, 2, width): mass-scaled rows of W, for body i then body j
    slope: Floats3  # (stages, directions, 2) dF/dl, dF/dl-dot
    answer: Floats2  # (stages * directions, nv) rows of W P, mass-scaled: accelerations per unit force
    vector: Floats  # (nv,)
    image: Floats2  # (1, nv)
    zero: Floats  # (nr,)
    multiplier: Floats  # (nr,)


def make_directions(arrays: Arrays, stages: int = 1) -> Directions:
    """Directions of the force elements, but for those that never have stiffness or damping, and of beams with fast shapes."""
    record = arrays.elements.direction.copy()
    for size, curve in ((record.stiffness, record.curve_k), (record.damping, record.curve_c)):
        for n in np.flatnonzero(curve >= 0):
            size[n] = _steepest(arrays.curves, int(curve[n]))
    record = record[(np.abs(record.stiffness) > 0.0) | (np.abs(record.damping) > 0.0)]
    record = as_records(np.concatenate((record, _shape_directions(arrays))))
    count, nv, nr = len(record), len(arrays.scale), len(arrays.row)
    width = int(np.max(arrays.body.nv))
    return Directions(
        record=record,
        gradient=np.zeros((count, 12)),
        width=width,
        entry=np.zeros(max(stages * count * 2 * width, 1)),
        slope=np.zeros((stages, count, 2)),
        answer=np.zeros((stages * count, nv)),
        vector=np.zeros(nv),
        image=np.zeros((1, nv)),
        zero=np.zeros(nr),
        multiplier=np.zeros(nr),
    )


def _shape_directions(arrays: Arrays) -> Records:
    """A direction for each modal coordinate of the beams that have fast shapes."""
    found, beams = [], arrays.beams
    for number, beam in enumerate(beams.record):
        shapes = slice(beam.at, beam.at + beam.modes)
        frame = beams.section[number]
        bends = beams.shape[frame.at : frame.at + beam.modes] == 0.0  # nothing moves along the beam
        squares = beams.stiffness[shapes][bends]  # of frequencies, times the mass
        is_fast = len(squares) > 0 and np.max(squares) > FAST_SHAPE**2 * np.min(squares)
        if is_fast:
            element = len(arrays.elements.record) + number
            found += [
                (element, k, 0, 0, 0, beam.body, 0, stiffness, damping, -1, -1)
                for k, (stiffness, damping) in enumerate(
                    zip(beams.stiffness[shapes], beams.damping[shapes], strict=True)
                )
            ]
    return np.array(found, dtype=DIRECTION).view(np.recarray)


def _steepest(curves: Curves, curve: int) -> float:
    """Largest absolute slope of a curve: at knots or at a turning point of the slope between them."""
    start, count = int(curves.start[curve]), int(curves.count[curve])
    width = np.diff(curves.knot[start : start + count])
    _, c1, c2, c3 = curves.coefficient[start : start + count - 1].T
    turning = np.divide(-c2, 3.0 * c3, out=np.zeros_like(c2), where=c3 != 0.0)
    places: NDArray[np.float64] = np.stack((np.zeros_like(width), np.clip(turning, 0.0, width), width))
    return float(np.max(np.abs(c1 + places * (2.0 * c2 + 3.0 * places * c3))))


@kernel
def find_directions(A, W, D, stage) -> None:
    """Rows of W and slopes of all directions at the state evaluated last, as those of ``stage``."""
    count = D.record.shape[0]
    for n in range(count):
        direction = D.record[n]
        if direction.element >= A.elements.record.shape[0]:
            find_shape(A, W, D, stage, n)
            continue
        e = A.elements.record[direction.element]
        stiffness, damping = find_gradient(A, W, e, direction.component, D.gradient, n)
        D.slope[stage, n, 0] = stiffness
        D.slope[stage, n, 1] = damping
        at = (stage * count + n) * 2 * D.width
        for side in range(2):
            body = direction.body_i if side == 0 else direction.body_j
            frame = direction.frame_i if side == 0 else direction.frame_j
            gradient = D.gradient[n, 6 * side : 6 * side + 6]
            enter_row(A, W, (body, frame, at + D.width * side), gradient, D.entry, A.scale, 0)


@inline_kernel
def find_shape(A, W, D, stage, n):
    """Row of W and slopes of a direction that is a modal coordinate of a beam."""
    direction = D.record[n]
    number, k = direction.element - A.elements.record.shape[0], direction.component
    beam = A.beams.record[number]
    at = (stage * D.record.shape[0] + n) * 2 * D.width
    for m in range(A.body[beam.body].nv):
        D.entry[at + m] = 0.0
    lever = W.beam[number, MODAL + beam.modes + k] / W.beam[number, STRETCH]
    D.entry[at + 2] = -A.scale[beam.v + 2] * lever
    D.entry[at + 3 + k] = A.scale[beam.v + 3 + k]
    D.slope[stage, n, 0] = A.beams.stiffness[beam.at + k]
    D.slope[stage, n, 1] = A.beams.damping[beam.at + k]


@inline_kernel
def deformation(record, bodies, entry, at, width, vectors, number):
    """One row of W, which stands at ``at`` in ``entry``, times a mass-scaled vector: a row of ``vectors``."""
    total = 0.0
    body = bodies[record.body_i]
    for k in range(body.nv):
        total += entry[at + k] * vectors[number, body.v + k]
    body = bodies[record.body_j]
    for k in range(body.nv):
        total += entry[at + width + k] * vectors[number, body.v + k]
    return total


@inline_kernel
def push(record, bodies, entry, at, width, factor, vector):
    """Add a multiple of one row of W to a mass-scaled vector."""
    body = bodies[record.body_i]
    for k in range(body.nv):
        vector[body.v + k] += factor * entry[at + k]
    body = bodies[record.body_j]
    for k in range(body.nv):
        vector[body.v + k] += factor * entry[at + width + k]


@inline_kernel
def own_inertance(record, bodies, entry, at, width):
    """W_n W_n^T: what a unit force in a direction does to it where no joint hinders, at least as much as where one does."""
    total = 0.0
    for k in range(bodies[record.body_i].nv):
        total += entry[at + k] ** 2
    for k in range(bodies[record.body_j].nv):
        total += entry[at + width + k] ** 2
    return total


@kernel
def project_directions(A, W, D, stage, chosen, number) -> None:
    """P W^T of the ``number`` directions in ``chosen``, with the factor of S at hand; after `find_directions`."""
    count = D.record.shape[0]
    refinements = 1 if W.pivot_ratio[0] < SMALL_PIVOT else 0
    for e in range(number):
        n = chosen[e]
        for k in range(D.vector.shape[0]):
            D.vector[k] = 0.0
        push(D.record[n], A.body, D.entry, (stage * count + n) * 2 * D.width, D.width, 1.0, D.vector)
        leave_constraints(A, W, D, refinements)
        for k in range(D.vector.shape[0]):
            D.answer[stage * count + n, k] = D.vector[k]


@inline_kernel
def leave_constraints(A, W, D, refinements):
    """Project D.vector onto J u = 0."""
    least_norm(A.layout, W.jacobian, W, D.zero, D.vector, D.multiplier, refinements)


@kernel
def element_rate(A: Arrays, W: Work, D: Directions) -> tuple[float, int, int]:
    """Largest |lambda| of lambda^2 + c B lambda + k B = 0 over all elements, 1/s, and which element has most of it.

    To be called after `evaluate`, for the state evaluated then. Returns (|lambda|, element, 1 if decaying else 0), the element
    -1 for none. The largest eigenvalues of the two symmetric matrices C^1/2 B C^1/2 and K^1/2 B K^1/2 come from the power
    method in velocity space, one solution with S a power; |lambda| is then that of the quadratic equation, which is exact for
    a single element. D: `make_directions`, for one stage or more.
    """
    find_directions(A, W, D, 0)
    elastic, most_elastic = largest_eigenvalue(A, W, D, 0)
    damped, most_damped = largest_eigenvalue(A, W, D, 1)
    discriminant = damped * damped - 4.0 * elastic
    if discriminant > 0.0:
        return 0.5 * (damped + math.sqrt(discriminant)), most_damped, 1
    return math.sqrt(elastic), most_elastic, 0


@kernel
def largest_eigenvalue(A, W, D, column) -> tuple[float, int]:
    """Largest eigenvalue of P W^T |diag(slopes in ``column``)| W P by the power method, and the element that has most of it."""
    record, bodies, entry, slope, vector = D.record, A.body, D.entry, D.slope, D.vector
    count = record.shape[0]
    for k in range(vector.shape[0]):
        vector[k] = 0.0
    for n in range(count):  # of unequal weight, so as not to be blind to what two equal ones have in common
        weight = math.sqrt(abs(slope[0, n, column])) * (1.0 + 0.5 * n / count)
        push(record[n], bodies, entry, n * 2 * D.width, D.width, weight, vector)
    largest, element = 0.0, -1
    refinements = 1 if W.pivot_ratio[0] < SMALL_PIVOT else 0
    for _ in range(POWERS):
        before, size = 0.0, 0.0
        for k in range(vector.shape[0]):
            before += vector[k] * vector[k]
        leave_constraints(A, W, D, refinements)
        for k in range(vector.shape[0]):
            size += vector[k] * vector[k]
        if not size > HELD * HELD * before:
            break
        size = math.sqrt(size)
        for k in range(vector.shape[0]):
            D.image[0, k] = vector[k] / size
            vector[k] = 0.0
        largest, most = 0.0, 0.0
        for n in range(count):
            change = deformation(record[n], bodies, entry, n * 2 * D.width, D.width, D.image, 0)
            force = abs(slope[0, n, column]) * change
            push(record[n], bodies, entry, n * 2 * D.width, D.width, force, vector)
            largest += force * change
            if force * change > most:
                most = force * change
                element = record[n].element
    return largest, element
