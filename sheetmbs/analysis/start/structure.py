"""Degrees of freedom and redundant constraints, counted by rank and named by joint.

The rank is that of the Jacobian without units, rows of unit length, at the start and at a nearby configuration on the joint
constraints: at a singular position, such as a dead point, rows only seem dependent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.start.free_spin import free_spins
from sheetmbs.analysis.start.ranks import (
    RANK_TOLERANCE,
    SAMPLES,
    Dependence,
    dependence,
    independent_rows,
    random_motions,
    rank_of,
    taking_part,
    unit_jacobian,
)
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.lower import Lowered, System
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.lower.sparse import Sparse

Floats = NDArray[np.float64]

EXCURSION = 0.05  # of the characteristic length, or rad: how far the nearby configuration lies


@dataclass(frozen=True)
class Structure:
    """The degrees of freedom that constraints leave, and the rows that repeat others.

    degrees_of_freedom: the true number, coordinates minus rank. keep: (rows of the model,) an independent set of rows.
    redundant: number of dependent rows; redundant_names: elements that say something twice; undetermined: (constraints,)
    whether a reaction is not unique. conflicting: drivers among the redundant. singular_start: at the start more rows depend
    on each other than elsewhere. place: (nq,) the configuration at which was counted. ranks: there, of each part of the model
    that shares no body with the rest. idle: the bodies of each idle rotation, 1 of the freedoms. start: (nq,) the poses given,
    brought onto all rows; None where that is not known.
    """

    degrees_of_freedom: int
    keep: NDArray[np.bool_]
    redundant: int
    redundant_names: tuple[str, ...]
    undetermined: NDArray[np.bool_]
    conflicting: tuple[str, ...]
    singular_start: bool
    place: Floats
    ranks: tuple[int, ...]
    idle: tuple[tuple[str, ...], ...] = ()
    start: Floats | None = None

    @property
    def undriven(self) -> int:
        """Number of freedoms that drivers must still determine."""
        return self.degrees_of_freedom - len(self.idle)


def find_structure(
    lowered: Lowered, q: Floats, t: float, *, chooses_rows: bool = True, start: Floats | None = None
) -> Structure:
    """Count and name. q: (nq,) a configuration at time t, as nearly assembled as can be. start: as in `Structure`.

    chooses_rows: whether to choose the rows to keep where some are redundant; False where `of_whole_joints` does.
    """
    everything = lowered.measuring
    place, jacobian, seen = q, *_seen(lowered, everything, q, t)
    rows, coordinates = jacobian.height, jacobian.width
    rank_at_start = seen.rank
    if seen.rank < rows:
        nearby = _nearby(lowered, everything, q, t)
        if nearby is not None:
            there = unit_jacobian(everything, nearby, t)
            if rank_of(there, *_owners(lowered, everything)) > seen.rank:
                place, jacobian, seen = nearby, *_seen(lowered, everything, nearby, t)
    keep = np.ones(rows, dtype=np.bool_)
    if chooses_rows and seen.rank < rows:
        keep[everything.kept] = seen.independent
    undetermined = np.zeros(len(lowered.elements), dtype=np.bool_)
    if seen.rank < rows:
        undetermined[lowered.constraints.owner[everything.kept[taking_part(seen.vectors)]]] = True
    named = [element for element, twice in zip(lowered.elements, undetermined, strict=True) if twice]
    return Structure(
        degrees_of_freedom=coordinates - seen.rank,
        keep=keep,
        redundant=rows - seen.rank,
        redundant_names=tuple(element.name for element in named),
        undetermined=undetermined,
        conflicting=tuple(element.name for element in named if element.what != "joint"),
        singular_start=rank_at_start < seen.rank,
        place=place,
        ranks=seen.ranks,
        idle=free_spins(lowered, jacobian, place, t, coordinates - seen.rank).bodies,
        start=start,
    )


def of_whole_joints(lowered: Lowered, structure: Structure, t: float) -> Structure:
    """The same structure with rows chosen where it was counted, of whole joints where that can be."""
    everything = lowered.measuring
    jacobian = unit_jacobian(everything, structure.place, t)
    return _keeping(structure, everything, independent_rows(jacobian, *_owners(lowered, everything), structure.ranks))


def rechosen(lowered: Lowered, structure: Structure, q: Floats, t: float) -> Structure:
    """The same structure with the rows that are best at a configuration q (nq,), fewer where it is singular."""
    everything = lowered.measuring
    _, seen = _seen(lowered, everything, q, t, keeps_joints=False)
    return _keeping(structure, everything, seen.independent)


def _keeping(structure: Structure, everything: System, independent: NDArray[np.bool_]) -> Structure:
    """A structure with other rows. independent: in the order of a system of all rows."""
    keep = np.zeros(len(structure.keep), dtype=np.bool_)
    keep[everything.kept] = independent
    return replace(structure, keep=keep)


def spare_joints(lowered: Lowered, structure: Structure, t: float) -> list[Constraint]:
    """Joints all of whose rows the rest says too, drivers among it, where without drivers they still say something."""
    system = lowered.measuring
    jacobian = unit_jacobian(system, structure.place, t)
    owner = lowered.constraints.owner[system.kept]
    driven = np.array([element.what != "joint" for element in lowered.elements])[owner]

    def rank(chosen: NDArray[np.bool_]) -> int:
        part = jacobian.part(np.flatnonzero(chosen), np.arange(jacobian.width))
        return rank_of(part, owner[chosen], lowered.bodies.owner)

    everything = owner >= 0
    full, undriven = rank(everything), rank(~driven)
    found = []
    for number, element in enumerate(lowered.elements):
        others = owner != number
        if element.what != "joint" or not structure.undetermined[number]:
            continue
        if rank(others) == full and rank(others & ~driven) < undriven:
            found.append(element)
    return found


def free_bodies(lowered: Lowered, structure: Structure, t: float) -> tuple[str, ...]:
    """Bodies that can still move, but for idle rotations."""
    system, q = lowered.arrange(structure.keep, lowered.sizes()), structure.place
    motions = random_motions(system, q, t, SAMPLES)
    idle = free_spins(lowered, unit_jacobian(system, q, t), q, t, structure.degrees_of_freedom).motions
    moving = taking_part(motions - idle.T @ (idle @ motions))
    records = lowered.bodies.records
    spans = {name: records[number] for name, number in lowered.bodies.names.items()}
    return tuple(name for name, record in spans.items() if np.any(moving[record.v : record.v + record.nv]))


def _seen(
    lowered: Lowered, system: System, q: Floats, t: float, *, keeps_joints: bool = True
) -> tuple[Sparse, Dependence]:
    """The Jacobian without units at a configuration (nq,), and which of its rows depend on each other."""
    jacobian = unit_jacobian(system, q, t)
    return jacobian, dependence(jacobian, *_owners(lowered, system), keeps_groups=keeps_joints)


def _owners(lowered: Lowered, system: System) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(rows,) the element of each row of a system, and (nv,) the body of each velocity."""
    return lowered.constraints.owner[system.kept], lowered.bodies.owner


def _nearby(lowered: Lowered, everything: System, q: Floats, t: float) -> Floats | None:
    """A configuration a little way off along the joints' freedom, drivers let go; None if there is no way."""
    keep = np.ones(len(lowered.constraints.rows), dtype=np.bool_)
    for element in lowered.elements:
        if element.what != "joint":
            keep[element.first : element.first + element.count] = False
    joints = everything if np.all(keep) else lowered.arrange(keep, lowered.sizes())
    motion = random_motions(joints, q, t, 1)[:, 0]
    if np.max(np.abs(motion), initial=0.0) < RANK_TOLERANCE:
        return None
    direction = motion * joints.arrays.scale
    size = np.where(lowered.bodies.velocity_class == 1, 1.0, lowered.bodies.length)
    way = direction * EXCURSION / np.max(np.abs(direction / size))
    for share in (1.0, 0.3, 0.1):
        moved = lowered.moved(q, share * way)
        if solve_positions(joints.arrays, joints.work, t, moved, 1e-8 * lowered.bodies.length, DOGLEG) == 0:
            return np.asarray(moved)
    return None
