"""Degrees of freedom and redundant constraints, counted by rank and named by joint.

The rank is that of the Jacobian without units, rows of unit length, at the start and at a nearby configuration on the joint
constraints: at a singular position, such as a dead point, rows only seem dependent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.idle import idle_rotations
from sheetmbs.analysis.ranks import independent_rows, split, taking_part, unit_jacobian
from sheetmbs.engine.newton import DOGLEG, solve_positions
from sheetmbs.lower import Lowered

Floats = NDArray[np.float64]

EXCURSION = 0.05  # of the characteristic length, or rad: how far the nearby configuration lies


@dataclass(frozen=True)
class Structure:
    """What the constraints leave free and say twice.

    degrees_of_freedom: the true number, coordinates minus rank. keep: (rows of the model,) an independent set of rows.
    redundant: number of dependent rows; redundant_names: elements that say something twice; undetermined: (constraints,)
    whether a reaction is not unique. free: bodies that can still move, but for idle rotations. conflicting: drivers among the
    redundant. singular_start: the start is a singular position. idle: the bodies of each idle rotation, 1 of the freedoms.
    """

    degrees_of_freedom: int
    keep: NDArray[np.bool_]
    redundant: int
    redundant_names: tuple[str, ...]
    undetermined: NDArray[np.bool_]
    free: tuple[str, ...]
    conflicting: tuple[str, ...]
    singular_start: bool
    idle: tuple[tuple[str, ...], ...] = ()

    @property
    def undriven(self) -> int:
        """Number of freedoms that drivers must still determine."""
        return self.degrees_of_freedom - len(self.idle)


def find_structure(lowered: Lowered, q: Floats, t: float) -> Structure:
    """Count and name. q: (nq,) a configuration at time t, as nearly assembled as can be."""
    everything = lowered.arrange(weights=lowered.sizes())
    place, seen = q, split(unit_jacobian(everything, q, t))
    nearby = _nearby(lowered, q, t)
    rank_at_start = seen.rank
    if nearby is not None:
        there = split(unit_jacobian(everything, nearby, t))
        if there.rank > seen.rank:
            place, seen = nearby, there
    rank = seen.rank
    rows, coordinates = seen.matrix.shape
    keep = np.ones(rows, dtype=np.bool_)
    undetermined = np.zeros(len(lowered.elements), dtype=np.bool_)
    if rank < rows:
        keep[:] = False
        keep[everything.kept[independent_rows(seen.matrix, rank)]] = True
        involved = taking_part(seen.dependencies)
        undetermined[lowered.constraints.owner[everything.kept[involved]]] = True
    idle = idle_rotations(lowered, seen.matrix, place, t)
    motions = seen.motions - (seen.motions @ idle.motions.T) @ idle.motions
    named = [element for element, twice in zip(lowered.elements, undetermined, strict=True) if twice]
    return Structure(
        degrees_of_freedom=coordinates - rank,
        keep=keep,
        redundant=rows - rank,
        redundant_names=tuple(element.name for element in named),
        undetermined=undetermined,
        free=_bodies_of(lowered, taking_part(motions)) if coordinates - rank > len(idle.bodies) else (),
        conflicting=tuple(element.name for element in named if element.what != "joint"),
        singular_start=rank_at_start < rank,
        idle=idle.bodies,
    )


def geometric_jacobian(lowered: Lowered, q: Floats, t: float) -> Floats:
    """(rows, nv) of all rows at a configuration, without units: lengths over the characteristic one, rows of unit length."""
    return unit_jacobian(lowered.arrange(weights=lowered.sizes()), q, t)


def _nearby(lowered: Lowered, q: Floats, t: float) -> Floats | None:
    """A configuration a little way off along the joints' freedom, drivers let go; None if there is no way."""
    driven = [element for element in lowered.elements if element.what != "joint"]
    keep = np.ones(len(lowered.constraints.rows), dtype=np.bool_)
    for element in driven:
        keep[element.first : element.first + element.count] = False
    joints = lowered.arrange(keep, lowered.sizes())
    motions = split(unit_jacobian(joints, q, t)).motions
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


def _bodies_of(lowered: Lowered, coordinates: NDArray[np.bool_]) -> tuple[str, ...]:
    found = []
    for name, number in lowered.bodies.names.items():
        record = lowered.bodies.records[number]
        if np.any(coordinates[record.v : record.v + record.nv]):
            found.append(name)
    return tuple(found)
