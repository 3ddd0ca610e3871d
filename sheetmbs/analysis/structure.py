"""Degrees of freedom and redundant constraints, counted by rank and named by joint.

The rank is that of the Jacobian without units, rows of unit length, at the start and at a nearby configuration on the joint
constraints: at a singular position, such as a dead point, rows only seem dependent.

In space, a rod between two ball joints turns freely about the line through them. Such an idle rotation of a single body moves
nothing else and changes no joint's coordinate, so it need not be driven.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.poses import orientation
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.newton import DOGLEG, solve_positions
from sheetmbs.lower import Lowered, System

Floats = NDArray[np.float64]

RANK_TOLERANCE = 1e-6  # of a singular value: hardpoints are typed to five digits or more
SHARE = 1e-4  # of a null vector's largest entry: what takes part
PITCH = 1e-3  # of the characteristic length per rad: how little a body slides along the line about which it just turns
OFF_LINE = 1e-2  # of the characteristic length: how far from that line a centre of mass may lie
EXCURSION = 0.05  # of the characteristic length, or rad: how far the nearby configuration lies


@dataclass(frozen=True)
class Structure:
    """What the constraints leave free and say twice.

    degrees_of_freedom: the true number, coordinates minus rank. keep: (rows of the model,) an independent set of rows.
    redundant: number of dependent rows; redundant_names: elements that say something twice; undetermined: (constraints,)
    whether a reaction is not unique. free: bodies that can still move, but for idle rotations. conflicting: drivers among the
    redundant. singular_start: the start is a singular position. idle: bodies with an idle rotation, each 1 of the freedoms.
    """

    degrees_of_freedom: int
    keep: NDArray[np.bool_]
    redundant: int
    redundant_names: tuple[str, ...]
    undetermined: NDArray[np.bool_]
    free: tuple[str, ...]
    conflicting: tuple[str, ...]
    singular_start: bool
    idle: tuple[str, ...] = ()

    @property
    def undriven(self) -> int:
        """Number of freedoms that drivers must still determine."""
        return self.degrees_of_freedom - len(self.idle)


def find_structure(lowered: Lowered, q: Floats, t: float) -> Structure:
    """Count and name. q: (nq,) a configuration at time t, as nearly assembled as can be."""
    everything = lowered.arrange(weights=lowered.sizes())
    place, seen = q, _split(_jacobian(everything, q, t))
    nearby = _nearby(lowered, q, t)
    rank_at_start = seen.rank
    if nearby is not None:
        there = _split(_jacobian(everything, nearby, t))
        if there.rank > seen.rank:
            place, seen = nearby, there
    rank = seen.rank
    rows, coordinates = seen.matrix.shape
    keep = np.ones(rows, dtype=np.bool_)
    undetermined = np.zeros(len(lowered.elements), dtype=np.bool_)
    if rank < rows:
        keep[:] = False
        keep[everything.kept[_independent_rows(seen.matrix, rank)]] = True
        involved = _taking_part(seen.dependencies)
        undetermined[lowered.constraints.owner[everything.kept[involved]]] = True
    idle = _idle(lowered, seen, place, t)
    motions = seen.motions - (seen.motions @ idle.vectors.T) @ idle.vectors
    named = [element for element, twice in zip(lowered.elements, undetermined, strict=True) if twice]
    return Structure(
        degrees_of_freedom=coordinates - rank,
        keep=keep,
        redundant=rows - rank,
        redundant_names=tuple(element.name for element in named),
        undetermined=undetermined,
        free=_bodies_of(lowered, _taking_part(motions)) if coordinates - rank > len(idle.names) else (),
        conflicting=tuple(element.name for element in named if element.what != "joint"),
        singular_start=rank_at_start < rank,
        idle=idle.names,
    )


def geometric_jacobian(lowered: Lowered, q: Floats, t: float) -> Floats:
    """(rows, nv) of all rows at a configuration, without units: lengths over the characteristic one, rows of unit length."""
    return _jacobian(lowered.arrange(weights=lowered.sizes()), q, t)


def _jacobian(system: System, q: Floats, t: float) -> Floats:
    """(rows, nv) in the system's weights, rows of unit length, in the order of the system."""
    solve_positions(system.arrays, system.work, t, q.copy(), np.inf, DOGLEG)
    return _unit_rows(system.jacobian())


def _unit_rows(matrix: Floats) -> Floats:
    size = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(size > 0.0, size, 1.0))


def _nearby(lowered: Lowered, q: Floats, t: float) -> Floats | None:
    """A configuration a little way off along the joints' freedom, drivers let go; None if there is no way."""
    driven = [element for element in lowered.elements if element.what != "joint"]
    keep = np.ones(len(lowered.constraints.rows), dtype=np.bool_)
    for element in driven:
        keep[element.first : element.first + element.count] = False
    joints = lowered.arrange(keep, lowered.sizes())
    motions = _split(_jacobian(joints, q, t)).motions
    if not len(motions):
        return None
    direction = np.random.default_rng(1).standard_normal(len(motions)) @ (motions * joints.arrays.scale)
    size = np.where(lowered.bodies.velocity_class == 1, 1.0, lowered.bodies.length)
    way = direction * EXCURSION / np.max(np.abs(direction / size))
    for share in (1.0, 0.3, 0.1):
        moved = lowered.moved(q, share * way)
        if solve_positions(joints.arrays, joints.work, t, moved, 1e-8 * lowered.bodies.length, DOGLEG) == 0:
            return np.asarray(moved)
    return None


@dataclass(frozen=True)
class _Split:
    """A matrix (rows, n), its rank, and orthonormal bases of what it allows and of what its rows say twice.

    motions: (n - rank, n). dependencies: (rows - rank, rows).
    """

    matrix: Floats
    rank: int
    motions: Floats
    dependencies: Floats


def _split(matrix: Floats) -> _Split:
    """Orthonormal bases of both null spaces."""
    rows, columns = matrix.shape
    if not rows or not columns:
        return _Split(matrix, 0, np.eye(columns), np.eye(rows))
    left, sizes, right = np.linalg.svd(matrix, full_matrices=True)
    rank = int(np.sum(sizes > RANK_TOLERANCE))
    return _Split(matrix, rank, right[rank:], left.T[rank:])


@dataclass(frozen=True)
class _Idle:
    """Idle rotations: names of their bodies, and (rotations, nv) orthonormal motions without units."""

    names: tuple[str, ...]
    vectors: Floats


def _idle(lowered: Lowered, seen: _Split, q: Floats, t: float) -> _Idle:
    """Rotations of single bodies about a line that move no other body and no joint coordinate; at configuration q.

    A kinematic analysis asks no more. Where forces count, the line must also pass through the centre of mass, so that gravity
    does not turn the body.
    """
    names, vectors = [], []
    coordinates = _jacobian(lowered.gauges(lowered.sizes()), q, t)
    for body in lowered.model.bodies:
        record = lowered.bodies.records[lowered.bodies.names[body.name]]
        columns = slice(record.v, record.v + record.nv)
        alone = seen.matrix[:, columns]
        touching = alone[np.any(alone != 0.0, axis=1)]
        if record.kind != BodyKind.SPATIAL or not len(touching):
            continue
        motions = _split(touching).motions
        if len(motions) != 1 or np.any(np.abs(coordinates[:, columns] @ motions[0]) > RANK_TOLERANCE):
            continue
        slide, turn = motions[0][:3], _global_turn(lowered, q, body.name, motions[0][3:])
        along = abs(slide @ turn) / max(float(turn @ turn), 1e-300)
        about = np.linalg.norm(slide) / max(float(np.linalg.norm(turn)), 1e-300)
        if along < PITCH and (about < OFF_LINE or lowered.model.settings.analysis == "kinematic"):
            names.append(body.name)
            vectors.append(np.zeros(len(lowered.bodies.v)))
            vectors[-1][columns] = motions[0]
    return _Idle(tuple(names), np.array(vectors).reshape(len(names), len(lowered.bodies.v)))


def _global_turn(lowered: Lowered, q: Floats, name: str, principal: Floats) -> Floats:
    """Global components of an angular velocity given in principal axes."""
    body = lowered.bodies.names[name]
    return np.asarray(orientation(lowered, q, body) @ lowered.bodies.axes[body] @ principal)


def _taking_part(vectors: Floats) -> NDArray[np.bool_]:
    """Which entries some vector of the space reaches; independent of the basis."""
    size = np.linalg.norm(vectors, axis=0)
    return np.asarray(size > SHARE * max(float(np.max(size, initial=0.0)), 1e-300))


def _independent_rows(matrix: Floats, rank: int) -> NDArray[np.int64]:
    """Rows of a well-conditioned basis of the row space: Gram-Schmidt, always taking the row that sticks out most."""
    rest = matrix.copy()
    chosen = np.zeros(rank, dtype=np.int64)
    for k in range(rank):
        sizes = np.linalg.norm(rest, axis=1)
        chosen[k] = np.argmax(sizes)
        direction = rest[chosen[k]] / sizes[chosen[k]]
        rest -= np.outer(rest @ direction, direction)
    return np.sort(chosen)


def _bodies_of(lowered: Lowered, coordinates: NDArray[np.bool_]) -> tuple[str, ...]:
    found = []
    for name, number in lowered.bodies.names.items():
        record = lowered.bodies.records[number]
        if np.any(coordinates[record.v : record.v + record.nv]):
            found.append(name)
    return tuple(found)
