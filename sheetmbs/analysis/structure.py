"""Degrees of freedom and redundant constraints, counted by rank and named by joint.

The rank is that of the Jacobian without units, rows of unit length, at the start and at a nearby configuration on the joint
constraints: at a singular position, such as a dead point, rows only seem dependent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.newton import DOGLEG, solve_positions
from sheetmbs.lower import Lowered, System

Floats = NDArray[np.float64]

RANK_TOLERANCE = 1e-6  # of a singular value: hardpoints are typed to five digits or more
SHARE = 1e-4  # of a null vector's largest entry: what takes part
EXCURSION = 0.05  # of the characteristic length, or rad: how far the nearby configuration lies


@dataclass(frozen=True)
class Structure:
    """What the constraints leave free and say twice.

    degrees_of_freedom: the true number, coordinates minus rank. keep: (rows of the model,) an independent set of rows.
    redundant: number of dependent rows; redundant_names: elements that say something twice; undetermined: (constraints,)
    whether a reaction is not unique. free: bodies that can still move. conflicting: drivers among the redundant.
    singular_start: the start is a singular position.
    """

    degrees_of_freedom: int
    keep: NDArray[np.bool_]
    redundant: int
    redundant_names: tuple[str, ...]
    undetermined: NDArray[np.bool_]
    free: tuple[str, ...]
    conflicting: tuple[str, ...]
    singular_start: bool


def find_structure(lowered: Lowered, q: Floats, t: float) -> Structure:
    """Count and name. q: (nq,) a configuration at time t, as nearly assembled as can be."""
    everything = lowered.arrange(weights=lowered.sizes())
    at_start = _jacobian(everything, q, t)
    nearby = _nearby(lowered, q, t)
    jacobian = at_start if nearby is None else _jacobian(everything, nearby, t)
    ranks = [_rank(matrix) for matrix in (at_start, jacobian)]
    if ranks[0] >= ranks[1]:
        jacobian = at_start
    rank = max(ranks)
    rows, coordinates = jacobian.shape
    keep = np.ones(rows, dtype=np.bool_)
    undetermined = np.zeros(len(lowered.elements), dtype=np.bool_)
    said_twice = np.zeros(len(lowered.elements), dtype=np.bool_)
    if rank < rows:
        chosen = _independent_rows(jacobian, rank)
        keep[:] = False
        keep[everything.kept[chosen]] = True
        involved = _taking_part(_null_space(jacobian.T, rank))
        owners = lowered.constraints.owner[everything.kept[involved]]
        undetermined[owners] = True
        said_twice[owners] = True
    free_coordinates = _taking_part(_null_space(jacobian, rank)) if rank < coordinates else np.zeros(coordinates, bool)
    elements = lowered.elements
    named = [element for element, twice in zip(elements, said_twice, strict=True) if twice]
    return Structure(
        degrees_of_freedom=coordinates - rank,
        keep=keep,
        redundant=rows - rank,
        redundant_names=tuple(element.name for element in named),
        undetermined=undetermined,
        free=_bodies_of(lowered, free_coordinates),
        conflicting=tuple(element.name for element in named if element.what != "joint"),
        singular_start=ranks[0] < rank,
    )


def geometric_jacobian(lowered: Lowered, q: Floats, t: float) -> Floats:
    """(rows, nv) of all rows at a configuration, without units: lengths over the characteristic one, rows of unit length."""
    return _jacobian(lowered.arrange(weights=lowered.sizes()), q, t)


def _jacobian(system: System, q: Floats, t: float) -> Floats:
    """(rows, nv) in the system's weights, rows of unit length, in the order of the system."""
    solve_positions(system.arrays, system.work, t, q.copy(), np.inf, DOGLEG)
    dense = system.jacobian()
    size = np.linalg.norm(dense, axis=1, keepdims=True)
    return np.asarray(dense / np.where(size > 0.0, size, 1.0))


def _nearby(lowered: Lowered, q: Floats, t: float) -> Floats | None:
    """A configuration a little way off along the joints' freedom, drivers let go; None if there is no way."""
    driven = [element for element in lowered.elements if element.what != "joint"]
    keep = np.ones(len(lowered.constraints.rows), dtype=np.bool_)
    for element in driven:
        keep[element.first : element.first + element.count] = False
    joints = lowered.arrange(keep, lowered.sizes())
    jacobian = _jacobian(joints, q, t)
    rank = _rank(jacobian)
    if rank == jacobian.shape[1]:
        return None
    free = _null_space(jacobian, rank) * joints.arrays.scale
    direction = np.random.default_rng(1).standard_normal(len(free)) @ free
    size = lowered.bodies.position_size
    way = direction * EXCURSION / np.max(np.abs(direction / size))
    for share in (1.0, 0.3, 0.1):
        moved = q + share * way
        if solve_positions(joints.arrays, joints.work, t, moved, 1e-8 * lowered.bodies.length, DOGLEG) == 0:
            return np.asarray(moved)
    return None


def _rank(matrix: Floats) -> int:
    if not matrix.size:
        return 0
    return int(np.sum(np.linalg.svd(matrix, compute_uv=False) > RANK_TOLERANCE))


def _null_space(matrix: Floats, rank: int) -> Floats:
    """(dimension, columns) orthonormal vectors x with matrix x = 0."""
    return np.asarray(np.linalg.svd(matrix, full_matrices=True)[2][rank:])


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
