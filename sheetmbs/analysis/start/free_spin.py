"""Free spins, also called idle rotations: in space, a rod between two ball joints turns freely about the line through them.

Such a rotation moves nothing else, so a kinematic analysis need not have it driven: it keeps its rate. Bodies that do not turn
against each other, as the two halves of a strut that slide in each other, are idle together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.start.poses import orientation, right_angles
from sheetmbs.analysis.start.ranks import (
    FEW,
    RANK_TOLERANCE,
    is_surely_independent,
    is_surely_regular,
    split,
    unit_jacobian,
)
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.codes import BodyKind
from sheetmbs.lower import Lowered
from sheetmbs.lower.sparse import Sparse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PITCH = 1e-3  # of the characteristic length per rad: how little a body slides along the line about which it just turns
OFF_LINE = 1e-2  # of the characteristic length: how far from that line a centre of mass may lie


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
    above = {name: name for name, number in lowered.bodies.names.items() if kinds[number] == BodyKind.SPATIAL}
    above[GROUND] = GROUND

    def root(name: str) -> str:
        while above[name] != name:
            above[name] = name = above[above[name]]
        return name

    for joint in lowered.model.joints:
        if len(right_angles(joint.type)) == 3 and joint.i.body in above and joint.j.body in above:
            above[root(joint.j.body)] = root(joint.i.body)
    clusters: dict[str, list[str]] = {}
    for name in above:
        clusters.setdefault(root(name), []).append(name)
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
