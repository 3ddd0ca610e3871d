"""Directions of the elastic and damping elements: what their forces do to themselves, and how fast that is.

An element deforms in one or more directions l, with a force F(l, l-dot) along each. In mass-scaled velocities u, with the
projector P onto J u = 0,

    l-dot = W u      u-dot = ... - P W^T F      so      l-double-dot = ... - B (k l + c l-dot),   B = W P W^T

where k = dF/dl and c = dF/dl-dot: in deformation space stiff elements are a small system of their own. A new element gives,
in its own file in `engine/forces`, the gradient of each deformation in twist space, as a constraint row does; here it gets
its slopes and its line in the if-chain.
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
from sheetmbs.engine.codes import SpringKind
from sheetmbs.engine.forces.bushing import bushing_gradient
from sheetmbs.engine.forces.rotational_spring import angle_gradient
from sheetmbs.engine.forces.translational_spring import length_gradient
from sheetmbs.engine.kinematics import enter_row
from sheetmbs.engine.motion.curves import evaluate
from sheetmbs.engine.motion.motion_tables import Curves
from sheetmbs.engine.records import Floats, Floats2, Floats3, Records
from sheetmbs.engine.work import Work

TRANSLATIONAL = int(SpringKind.TRANSLATIONAL)
ROTATIONAL = int(SpringKind.ROTATIONAL)
BUSHING = int(SpringKind.BUSHING)

SIDE = 24  # entries of a direction for either body: at least as many as it has velocities
ENTRIES = 2 * SIDE
SMALL_PIVOT = 1e-6
POWERS = 8  # of the power method
HELD = 1e-6  # share of a velocity that is left by rounding alone where joints hold it

# Direction of an element: its kind (codes.SpringKind), its number among those of its kind and in all, which of its
# deformations, frames and bodies, and the largest |k| and |c| it can have.
DIRECTION = np.dtype(
    [
        ("kind", "i8"),
        ("index", "i8"),
        ("element", "i8"),
        ("component", "i8"),
        ("frame_i", "u4"),
        ("frame_j", "u4"),
        ("body_i", "u4"),
        ("body_j", "u4"),
        ("stiffness", "f8"),
        ("damping", "f8"),
    ]
)


@dataclass(frozen=True, eq=False)
class Directions(Bundle):
    """Directions of all elements of a model, and scratch for them."""

    record: Annotated[Records, DIRECTION]
    gradient: Floats2  # (directions, 12) in twist space
    entry: Floats  # flat, (stages, directions, ENTRIES): mass-scaled rows of W, for body i then body j
    slope: Floats3  # (stages, directions, 2) dF/dl, dF/dl-dot
    answer: Floats2  # (stages * directions, nv) rows of W P, mass-scaled: accelerations per unit force
    vector: Floats  # (nv,)
    image: Floats2  # (1, nv)
    zero: Floats  # (nr,)
    multiplier: Floats  # (nr,)


def make_directions(arrays: Arrays, stages: int = 1) -> Directions:
    """Directions of the springs, then the bushings; those that never have stiffness or damping are left out."""
    records: list[tuple[float, ...]] = []
    for k, spring in enumerate(arrays.spring):
        stiffness = abs(float(spring.k)) if spring.curve_k < 0 else _steepest(arrays.curves, int(spring.curve_k))
        damping = abs(float(spring.c)) if spring.curve_c < 0 else _steepest(arrays.curves, int(spring.curve_c))
        ends = (spring.frame_i, spring.frame_j, spring.body_i, spring.body_j)
        records.append((int(spring.kind), k, k, 0, *ends, stiffness, damping))
    for k, bushing in enumerate(arrays.bushings.record):
        ends = (bushing.frame_i, bushing.frame_j, bushing.body_i, bushing.body_j)
        stiffness, damping = np.abs(arrays.bushings.stiffness[k]), np.abs(arrays.bushings.damping[k])
        for m in range(9):
            stiff = stiffness[m] if m < 6 else 0.0
            damped = damping[m] if m < 3 else damping[m - 3] if m >= 6 else 0.0
            records.append((BUSHING, k, len(arrays.spring) + k, m, *ends, stiff, damped))
    live = [record for record in records if record[-1] > 0.0 or record[-2] > 0.0]
    n, nv, nr = len(live), len(arrays.scale), len(arrays.row)
    return Directions(
        record=np.array(live, dtype=DIRECTION).view(np.recarray),
        gradient=np.zeros((n, 12)),
        entry=np.zeros(max(stages * n * ENTRIES, 1)),
        slope=np.zeros((stages, n, 2)),
        answer=np.zeros((stages * n, nv)),
        vector=np.zeros(nv),
        image=np.zeros((1, nv)),
        zero=np.zeros(nr),
        multiplier=np.zeros(nr),
    )


def _steepest(curves: Curves, curve: int) -> float:
    """Largest absolute slope of a curve: at knots or at a turning point of the slope between them."""
    start, count = int(curves.start[curve]), int(curves.count[curve])
    width = np.diff(curves.knot[start : start + count])
    _, c1, c2, c3 = curves.coefficient[start : start + count - 1].T
    turning = np.divide(-c2, 3.0 * c3, out=np.zeros_like(c2), where=c3 != 0.0)
    places: NDArray[np.float64] = np.stack((np.zeros_like(width), np.clip(turning, 0.0, width), width))
    return float(np.max(np.abs(c1 + places * (2.0 * c2 + 3.0 * places * c3))))


@inline_kernel
def slope_at(curves, hint, curve, start, count, constant, x):
    """Slope at x of the part of a curve that begins at knot ``start``, or the constant where there is no curve."""
    if curve < 0:
        return constant
    _y, slope, _bend, interval = evaluate(curves.knot, curves.coefficient, start, count, x, hint[curve])
    hint[curve] = interval
    return slope


@kernel
def find_directions(
    record,
    gradient,
    entry,
    slope,
    stage,
    springs,
    bushings,
    bodies,
    curves,
    scale,
    pose,
    place,
    turn,
    spring_state,
    bushing_state,
    hint,
    held,
):
    """Rows of W and slopes of all directions at the state evaluated last, as those of ``stage``."""
    count = record.shape[0]
    for n in range(count):
        direction = record[n]
        k = direction.index
        i = direction.frame_i
        j = direction.frame_j
        if direction.kind == BUSHING:
            m = direction.component
            bushing_gradient(bushings.record[k], pose, place, bushing_state[k], m, gradient, n)
            slope[stage, n, 0] = bushings.stiffness[k, m] if m < 6 else 0.0
            slope[stage, n, 1] = bushings.damping[k, m] if m < 3 else bushings.damping[k, m - 3] if m >= 6 else 0.0
        else:
            spring = springs[k]
            if direction.kind == TRANSLATIONAL:
                length_gradient(place, i, j, gradient, n)
            elif direction.kind == ROTATIONAL:
                angle_gradient(spring, pose, turn, gradient, n)
            deflection = spring_state[k, 0] - spring.natural
            slope[stage, n, 0] = slope_at(curves, hint, spring.curve_k, held[k, 0], held[k, 1], spring.k, deflection)
            slope[stage, n, 1] = slope_at(
                curves, hint, spring.curve_c, held[k, 2], held[k, 3], spring.c, spring_state[k, 1]
            )
        at = (stage * count + n) * ENTRIES
        for side in range(2):
            body = direction.body_i if side == 0 else direction.body_j
            frame = i if side == 0 else j
            enter_row(bodies, body, pose, place, frame, gradient, n, 6 * side, entry, at + SIDE * side, scale, 0)


@inline_kernel
def deformation(record, bodies, entry, at, vectors, number):
    """One row of W, which stands at ``at`` in ``entry``, times a mass-scaled vector: a row of ``vectors``."""
    total = 0.0
    body = bodies[record.body_i]
    for k in range(body.nv):
        total += entry[at + k] * vectors[number, body.v + k]
    body = bodies[record.body_j]
    for k in range(body.nv):
        total += entry[at + SIDE + k] * vectors[number, body.v + k]
    return total


@inline_kernel
def push(record, bodies, entry, at, factor, vector):
    """Add a multiple of one row of W to a mass-scaled vector."""
    body = bodies[record.body_i]
    for k in range(body.nv):
        vector[body.v + k] += factor * entry[at + k]
    body = bodies[record.body_j]
    for k in range(body.nv):
        vector[body.v + k] += factor * entry[at + SIDE + k]


@inline_kernel
def own_inertance(record, bodies, entry, at):
    """W_n W_n^T: what a unit force in a direction does to it where no joint hinders, at least as much as where one does."""
    total = 0.0
    for k in range(bodies[record.body_i].nv):
        total += entry[at + k] ** 2
    for k in range(bodies[record.body_j].nv):
        total += entry[at + SIDE + k] ** 2
    return total


@kernel
def project_directions(
    record,
    entry,
    answer,
    vector,
    zero,
    multiplier,
    stage,
    chosen,
    number,
    bodies,
    layout,
    jacobian,
    s,
    inverse_pivot,
    residual,
    ratio,
):
    """P W^T of the ``number`` directions in ``chosen``, with the factor of S at hand; after `find_directions`."""
    count = record.shape[0]
    refinements = 1 if ratio < SMALL_PIVOT else 0
    for e in range(number):
        n = chosen[e]
        for k in range(vector.shape[0]):
            vector[k] = 0.0
        push(record[n], bodies, entry, (stage * count + n) * ENTRIES, 1.0, vector)
        least_norm(layout, jacobian, s, inverse_pivot, zero, vector, multiplier, residual, refinements)
        for k in range(vector.shape[0]):
            answer[stage * count + n, k] = vector[k]


@kernel
def element_rate(A: Arrays, W: Work, D: Directions) -> tuple[float, int, int]:
    """Largest |lambda| of lambda^2 + c B lambda + k B = 0 over all elements, 1/s, and which element has most of it.

    To be called after `evaluate`, for the state evaluated then. Returns (|lambda|, element, 1 if decaying else 0).
    Elements count springs first, then bushings; -1: none. The largest eigenvalues of the two symmetric matrices C^1/2 B C^1/2
    and K^1/2 B K^1/2 come from the power method in velocity space, one solution with S a power; |lambda| is then that of the
    quadratic equation, which is exact for a single element. D: `make_directions`, for one stage or more.
    """
    find_directions(
        D.record,
        D.gradient,
        D.entry,
        D.slope,
        0,
        A.spring,
        A.bushings,
        A.body,
        A.curves,
        A.scale,
        W.pose,
        W.place,
        W.turn,
        W.spring,
        W.bushing,
        W.hint,
        W.held,
    )
    elastic, damped = 0.0, 0.0
    most_elastic, most_damped = -1, -1
    for column in range(2):  # one place to call from: each compiles the whole again
        elastic, most_elastic = damped, most_damped
        damped, most_damped = largest_eigenvalue(
            D.record,
            D.entry,
            D.slope,
            D.vector,
            D.image,
            D.zero,
            D.multiplier,
            column,
            A.body,
            A.layout,
            W.jacobian,
            W.s,
            W.inverse_pivot,
            W.residual,
            W.pivot_ratio[0],
        )
    discriminant = damped * damped - 4.0 * elastic
    if discriminant > 0.0:
        return 0.5 * (damped + math.sqrt(discriminant)), most_damped, 1
    return math.sqrt(elastic), most_elastic, 0


@kernel
def largest_eigenvalue(
    record,
    entry,
    slope,
    vector,
    image,
    zero,
    multiplier,
    column,
    bodies,
    layout,
    jacobian,
    s,
    inverse_pivot,
    residual,
    ratio,
):
    """Largest eigenvalue of P W^T |diag(slopes in ``column``)| W P by the power method, and the element that has most of it."""
    count = record.shape[0]
    for k in range(vector.shape[0]):
        vector[k] = 0.0
    for n in range(count):  # of unequal weight, so as not to be blind to what two equal ones have in common
        weight = math.sqrt(abs(slope[0, n, column])) * (1.0 + 0.5 * n / count)
        push(record[n], bodies, entry, n * ENTRIES, weight, vector)
    largest, element = 0.0, -1
    refinements = 1 if ratio < SMALL_PIVOT else 0
    for _ in range(POWERS):
        before, size = 0.0, 0.0
        for k in range(vector.shape[0]):
            before += vector[k] * vector[k]
        least_norm(layout, jacobian, s, inverse_pivot, zero, vector, multiplier, residual, refinements)
        for k in range(vector.shape[0]):
            size += vector[k] * vector[k]
        if not size > HELD * HELD * before:
            break
        size = math.sqrt(size)
        for k in range(vector.shape[0]):
            image[0, k] = vector[k] / size
            vector[k] = 0.0
        largest, most = 0.0, 0.0
        for n in range(count):
            change = deformation(record[n], bodies, entry, n * ENTRIES, image, 0)
            force = abs(slope[0, n, column]) * change
            push(record[n], bodies, entry, n * ENTRIES, force, vector)
            largest += force * change
            if force * change > most:
                most = force * change
                element = record[n].element
    return largest, element
