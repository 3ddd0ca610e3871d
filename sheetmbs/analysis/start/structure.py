"""Degrees of freedom, free spins among them, and redundant constraints, counted by rank and named by joint.

The rank is that of the Jacobian without units, rows of unit length, at the start and at a nearby configuration on the joint
constraints: at a singular position, such as a dead point, rows only seem dependence.

A free spin, also called idle rotation, is in space that of a rod between two ball joints about the line through them. It moves
nothing else, so a kinematic analysis need not have it driven: it keeps its rate. Bodies that do not turn against each other, as
the two halves of a strut that slide in each other, are idle together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.start.poses import orientation, right_angles
from sheetmbs.analysis.start.ranks import (
    FEW,
    RANK_TOLERANCE,
    SAMPLES,
    Dependence,
    connected,
    dependence,
    independent_rows,
    is_surely_independent,
    is_surely_regular,
    random_motions,
    rank_of,
    split,
    taking_part,
    unit_jacobian,
)
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.lower import Lowered, System
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.lower.sparse import Sparse

PITCH = 1e-3  # of the characteristic length per rad: how little a body slides along the line about which it just turns
OFF_LINE = 1e-2  # of the characteristic length: how far from that line a centre of mass may lie
EXCURSION = 0.05  # of the characteristic length, or rad: how far the nearby configuration lies


@dataclass(frozen=True)
class FreeSpins:
    """Free spins: names of the bodies of each, and (rotations, nv) orthonormal motions without units."""

    bodies: tuple[tuple[str, ...], ...]
    motions: Floats


def free_spins(lowered: Lowered, jacobian: Sparse, q: Floats, t: float, freedoms: int) -> FreeSpins:
    """Rotations about a line that move no other body and no joint's own coordinate.

    jacobian: (rows, nv) of all rows without units, at configuration q (nq,). freedoms: how many it leaves, each of these
    rotations being one. A kinematic analysis asks no more of them. Where
    forces count, the line must also pass through the centre of mass, so that gravity does not turn the body.
    """
    found: list[tuple[str, ...]] = []
    vectors: list[Floats] = []
    measured: Sparse | None = None  # of most models no body is a candidate, and then it need not be known
    clusters = [(bodies, _columns(lowered, bodies)) for bodies in _clusters(lowered)] if freedoms else []
    if clusters and jacobian.width <= FEW and _all_held(jacobian, [columns for _, columns in clusters]):
        clusters = []
    for bodies, columns in clusters:
        touching = jacobian.touching(columns)
        if is_surely_independent(touching.T):
            continue  # the body cannot move by itself
        motions = split(touching).motions
        if not len(touching) or len(motions) != 1:
            continue
        measured = measured or _own_coordinates(lowered, q, t)
        if np.any(np.abs(measured.touching(columns) @ motions[0]) > RANK_TOLERANCE):
            continue
        if all(_turns(lowered, q, body, part) for body, part in zip(bodies, motions[0].reshape(-1, 6), strict=True)):
            found.append(bodies)
            vectors.append(np.zeros(len(lowered.bodies.v)))
            vectors[-1][columns] = motions[0]
    return FreeSpins(tuple(found), np.array(vectors).reshape(len(found), len(lowered.bodies.v)))


def _clusters(lowered: Lowered) -> list[tuple[str, ...]]:
    """Spatial bodies that no joint lets turn against each other, in the order of the workbook."""
    kinds = lowered.bodies.records.kind.tolist()
    names = [GROUND, *(name for name, number in lowered.bodies.names.items() if kinds[number] == BodyKind.SPATIAL)]
    numbers = {name: number for number, name in enumerate(names)}
    ends = [(joint.i.body, joint.j.body) for joint in lowered.model.joints if len(right_angles(joint.type)) == 3]
    pairs = [(numbers[i], numbers[j]) for i, j in ends if i in numbers and j in numbers]
    clusters: dict[int, list[str]] = {}
    for name, root in zip(names, connected(len(names), pairs), strict=True):
        clusters.setdefault(root, []).append(name)
    return [tuple(members) for members in clusters.values() if GROUND not in members]


def _columns(lowered: Lowered, bodies: tuple[str, ...]) -> Ints:
    """Numbers of the velocities of spatial bodies."""
    first = lowered.bodies.records.v[[lowered.bodies.names[body] for body in bodies]]
    return np.asarray(np.add.outer(first, np.arange(6)).ravel())


def _all_held(jacobian: Sparse, clusters: list[Ints]) -> bool:
    """Whether beyond any doubt no cluster can move by itself, all looked at together. clusters: their columns."""
    matrix = jacobian.dense()[:, np.concatenate(clusters)]
    cluster = np.repeat(np.arange(len(clusters)), [len(columns) for columns in clusters])
    return is_surely_regular(matrix.T @ matrix * (cluster[:, None] == cluster))


def _own_coordinates(lowered: Lowered, q: Floats, t: float) -> Sparse:
    """(gauges, nv) Jacobian of the coordinates for whose sake a joint is there; of a sleeve that is not its angle."""
    gauges = lowered.measuring_gauges
    all_angles = replace(gauges, arrays=gauges.arrays.changed(turn=gauges.arrays.counted))
    jacobian = unit_jacobian(all_angles, q, t)
    own = np.ones(len(gauges.kept), dtype=np.bool_)
    for joint in lowered.elements:
        if len(joint.gauges) > 1:
            own[joint.gauges["angle"]] = False
    return jacobian.part(np.flatnonzero(own[gauges.kept]), np.arange(jacobian.width))


def _turns(lowered: Lowered, q: Floats, body: str, motion: Floats) -> bool:
    """Whether a motion (6,) without units of a body is a rotation about a line, and whether that line is a good one."""
    number = lowered.bodies.names[body]
    slide = motion[:3]
    turn = orientation(lowered, q, number) @ lowered.bodies.axes[number] @ motion[3:]
    size = float(np.linalg.norm(turn))
    if abs(slide @ turn) > PITCH * size**2 or size == 0.0:
        return False
    return lowered.model.settings.analysis == Analysis.KINEMATIC or float(np.linalg.norm(slide)) < OFF_LINE * size


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

    chooses_rows: whether to choose the rows to keep where some are redundant; False where `with_whole_joints` does.
    """
    everything = lowered.measuring
    place, jacobian, dependence = q, *_jacobian_dependence(lowered, everything, q, t)
    rows, coordinates = jacobian.height, jacobian.width
    rank_at_start = dependence.rank
    if dependence.rank < rows:
        nearby = _nearby(lowered, everything, q, t)
        if nearby is not None:
            there = unit_jacobian(everything, nearby, t)
            if rank_of(there, *_owners(lowered, everything)) > dependence.rank:
                place, jacobian, dependence = nearby, *_jacobian_dependence(lowered, everything, nearby, t)
    keep = np.ones(rows, dtype=np.bool_)
    if chooses_rows and dependence.rank < rows:
        keep[everything.kept] = dependence.independent
    undetermined = np.zeros(len(lowered.elements), dtype=np.bool_)
    if dependence.rank < rows:
        undetermined[lowered.constraints.owner[everything.kept[taking_part(dependence.vectors)]]] = True
    named = [element for element, twice in zip(lowered.elements, undetermined, strict=True) if twice]
    return Structure(
        degrees_of_freedom=coordinates - dependence.rank,
        keep=keep,
        redundant=rows - dependence.rank,
        redundant_names=tuple(element.name for element in named),
        undetermined=undetermined,
        conflicting=tuple(element.name for element in named if element.what != "joint"),
        singular_start=rank_at_start < dependence.rank,
        place=place,
        ranks=dependence.ranks,
        idle=free_spins(lowered, jacobian, place, t, coordinates - dependence.rank).bodies,
        start=start,
    )


def with_whole_joints(lowered: Lowered, structure: Structure, t: float) -> Structure:
    """The same structure with rows chosen where it was counted, of whole joints where that can be."""
    everything = lowered.measuring
    jacobian = unit_jacobian(everything, structure.place, t)
    return _keeping(structure, everything, independent_rows(jacobian, *_owners(lowered, everything), structure.ranks))


def with_best_rows(lowered: Lowered, structure: Structure, q: Floats, t: float) -> Structure:
    """The same structure with the rows that are best at a configuration q (nq,), fewer where it is singular."""
    everything = lowered.measuring
    _, dependence = _jacobian_dependence(lowered, everything, q, t, keeps_joints=False)
    return _keeping(structure, everything, dependence.independent)


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


def _jacobian_dependence(
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
    way = direction * EXCURSION / np.max(np.abs(direction / lowered.bodies.velocity_size))
    for share in (1.0, 0.3, 0.1):
        moved = lowered.moved(q, share * way)
        if solve_positions(joints.arrays, joints.work, t, moved, 1e-8 * lowered.bodies.length, DOGLEG) == 0:
            return np.asarray(moved)
    return None
