"""What joints, loads and supports decide about a beam: its static shapes, and whether it keeps to the linear theory.

Where forces and moments can act on a beam decides which static shapes it needs beside its modes.

A beam without EA keeps the length of its line. If joints hold both its ends in place, it could not bend at all then: a row that
is redundant while the beam is straight would keep it straight. By the linear theory it bends, for its points move across a line
only. So a beam keeps to that theory where a state of self-stress, multipliers of redundant rows, puts an axial force on it.
With EA its axial force is known, and it stretches and stiffens as it should.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.beam_shapes import BeamLoads, BeamSpace, beam_space
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.joints.coordinate import COORDINATE
from sheetmbs.elements.marker import Marker
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.records import Floats
from sheetmbs.lower.lower_constraints import vanishes_in_plane
from sheetmbs.lower.system import Lowered
from sheetmbs.model.model import Beam, Driver, Joint, Model

ENDS = (1.0, 0.0)
SAME_PLACE = 1e-3
"""Share of the length within which two places have one static shape: what a load at one of them does to the deflection there is
then wrong by at most about this share of itself, and shapes that differ only within it would vibrate a million times as fast as
the beam."""
NO_ARM = 1e-9
"""Share of the length up to which a force acts on the axis of the beam."""
FORCES_ALONE = (RowKind.COINCIDENT, RowKind.DISTANCE)
"""Rows that act on a body with a force at its point; all others may act with a moment about it too."""
MOMENTS_ALONE = (RowKind.PERPENDICULAR, RowKind.ANGLE, RowKind.TURN)
"""Rows that act with a moment only."""


@dataclass(frozen=True)
class _Load:
    """What one element can do to one marker."""

    marker: Marker
    force: bool
    moment: bool


def beam_spaces(model: Model) -> dict[str, BeamSpace]:
    """The shapes of each beam, by its name: its modes and the static shapes of all that can act on it."""
    loads = _loads_of(model)
    return {
        body.name: beam_space(body.ends, body.modes, body.axial_stiffness is not None, loads[body.name])
        for body in model.bodies
        if isinstance(body, Beam)
    }


def _loads_of(model: Model) -> dict[str, BeamLoads]:
    """The places at which something can act on each beam, by its name; the ends come first."""
    beams = {body.name: body for body in model.bodies if isinstance(body, Beam)}
    forces: dict[str, list[float]] = {name: [] for name in beams}
    moments: dict[str, list[float]] = {name: [] for name in beams}
    for load in _loads(model, beams) if beams else ():
        beam = beams.get(load.marker.body)
        if beam is None or load.marker.floating:
            continue
        x, y = float(load.marker.origin[0]), float(load.marker.origin[1])
        share = float(np.clip(x / beam.length, 0.0, 1.0))
        has_arm = max(abs(x - share * beam.length), abs(y)) > NO_ARM * beam.length
        if load.force:
            forces[beam.name].append(share)
        if load.moment or (load.force and has_arm):
            moments[beam.name].append(share)
    return {name: BeamLoads(_places(forces[name]), _places(moments[name])) for name in beams}


def _places(shares: Iterable[float]) -> tuple[float, ...]:
    """Different places, the ends first, then along the beam."""
    found: list[float] = []
    for share in sorted(shares):
        near = next((end for end in ENDS if abs(share - end) <= SAME_PLACE), share)
        if not any(abs(near - other) <= SAME_PLACE for other in found):
            found.append(near)
    return tuple(sorted(found, key=lambda share: (share not in ENDS, -share if share in ENDS else share)))


def _loads(model: Model, beams: dict[str, Beam]) -> Iterator[_Load]:
    joints = {joint.name: joint for joint in model.joints}
    for joint in model.joints:
        yield from _of_joint(joint)
    for driver in model.drivers:
        yield from _of_driver(driver, joints)
    for spring in model.springs:
        declared = FORCE_TYPES[spring.type]
        yield from _on(spring.i, spring.j, force=bool(declared.loads("force")), moment=bool(declared.loads("moment")))
    for force in model.forces:
        yield _Load(force.marker, force=force.force[:2] != (0.0, 0.0), moment=force.moment[2] != 0.0)
    for series in (series for series in model.force_series if series.body in beams):
        middle = Marker(series.body, np.array([0.5 * beams[series.body].length, 0.0, 0.0]))
        yield _Load(middle, force=True, moment=bool(np.any(series.moment[:, 2])))
    for clearance in model.clearances:
        yield from _on(clearance.i, clearance.j, force=True, moment=True)


def _on(*markers: Marker, force: bool, moment: bool) -> Iterator[_Load]:
    yield from (_Load(marker, force, moment) for marker in markers)


def _of_driver(driver: Driver, joints: dict[str, Joint]) -> Iterator[_Load]:
    """What a driver of a joint, a spring or a point does; one of a body holds the frame of a beam, not a section."""
    if driver.joint is not None:
        joint = joints[driver.joint]
        yield from _on(joint.i, joint.j, force=not driver.is_angle, moment=driver.is_angle)
    elif driver.ends is not None:
        yield from _on(*driver.ends, force=True, moment=False)


def _of_joint(joint: Joint) -> Iterator[_Load]:
    """What the rows of a joint do to its markers; a coupling also acts through the bearings of its joints."""
    if joint.type == COORDINATE.name:  # it holds the frame of a beam, not a section
        return
    kinds = {row.kind for row in JOINTS[joint.type].rows if not vanishes_in_plane(row, joint.i, joint.j)}
    couples = joint.couples is not None
    force = couples or bool(kinds - set(MOMENTS_ALONE))
    moment = couples or bool(kinds - set(FORCES_ALONE)) or joint.friction is not None
    yield from _on(joint.i, joint.j, force=force, moment=moment)


RANK_TOLERANCE = 1e-6
"""Of a singular value of rows of unit length: what is less counts as 0, as where structure is found."""
EXCURSION = 0.05
"""Of the characteristic length, or rad: how far off a configuration lies that tells a singular start from redundancy."""
BENT = 1e-3
"""Of the characteristic length: by how much the shapes of the beams are moved to see what shortening does to the rows."""
CARRIED = 1e-4
"""Of the largest change of a row: a state of self-stress that changes less carries no axial force."""
LENGTHENED, MOTIONS = 0.01, 4
"""Share of what shortening does to the rows that the linear theory may do to them, and in how many random motions."""


def without_shortening(lowered: Lowered) -> Lowered:
    """The same model, beams by the linear theory where a state of self-stress of the constraints puts an axial force on them.

    Their points move across the lines of their frames, as those of all beams do. Where that lengthens what the joints hold, as
    it does between two pins if the frame is the tangent at one of them, they move across the lines through the ends.
    """
    names = [name for name, beam in lowered.bodies.beams.items() if beam.beam.axial_stiffness is None]
    if not names or not len(lowered.constraints.rows):
        return lowered
    q, forces = _self_stress(lowered)
    if not len(forces):
        return lowered
    held = _held(lowered, names, q, forces)
    if not held:
        return lowered
    linear = lowered.with_linear_beams(held, along_chord=False)
    if _lengthening(linear, q, forces) > LENGTHENED * _lengthening(lowered, q, forces):
        return lowered.with_linear_beams(held, along_chord=True)
    return linear


def _held(lowered: Lowered, names: list[str], q: Floats, forces: Floats) -> tuple[str, ...]:
    """Names of the beams on which multipliers (states, rows) that balance put an axial force."""
    numbers = [lowered.bodies.records[lowered.bodies.names[name]] for name in names]
    bent, rng = q.copy(), np.random.default_rng(1)
    for record in numbers:
        bent[record.q + 3 : record.q + record.nq] = BENT * lowered.bodies.length * rng.normal(size=record.nq - 3)
    linear = lowered.with_linear_beams(names, along_chord=True)
    change = _jacobian(lowered, bent)[0] - _jacobian(linear, bent)[0]
    carried, least = np.abs(forces @ change), CARRIED * float(np.max(np.abs(change)))
    return tuple(
        name
        for name, record in zip(names, numbers, strict=True)
        if np.max(carried[:, record.v + 3 : record.v + record.nv]) > least
    )


def _lengthening(lowered: Lowered, q: Floats, forces: Floats) -> float:
    """How much rows that balance are violated to second order by motions that rows allow to first order."""
    system = lowered.measuring
    jacobian, lengths = _jacobian(lowered, q)
    _, sizes, right = np.linalg.svd(jacobian / lengths[:, None], full_matrices=True)
    allowed = right[int(np.sum(sizes > RANK_TOLERANCE)) :]
    found = [0.0]
    for motion in np.random.default_rng(3).normal(size=(MOTIONS, len(allowed))) @ allowed:
        step = BENT * lowered.bodies.length * motion * system.arrays.scale
        ahead, behind = (_jacobian(lowered, lowered.moved(q, sign * step))[0] for sign in (1.0, -1.0))
        found.append(float(np.max(np.abs(forces @ (ahead - behind) @ motion))))
    return max(found)


def _self_stress(lowered: Lowered) -> tuple[Floats, Floats]:
    """A configuration (nq,) with straight beams, and the multipliers (states, rows) that balance there and nearby."""
    rigid, t = lowered.unbent(), lowered.model.settings.t_start
    system = rigid.measuring
    q = rigid.bodies.q.copy()
    solve_positions(system.arrays, system.work, t, q, rigid.model.settings.tolerance, DOGLEG)
    forces = _balancing(lowered, q)
    if not len(forces):
        return q, forces
    jacobian, lengths = _jacobian(rigid, q)
    _, sizes, right = np.linalg.svd(jacobian / lengths[:, None], full_matrices=True)
    motions = right[int(np.sum(sizes > RANK_TOLERANCE)) :]
    step = np.random.default_rng(2).normal(size=len(motions)) @ motions * system.arrays.scale
    for name in rigid.bodies.beams:  # which stay straight
        record = rigid.bodies.records[rigid.bodies.names[name]]
        step[record.v + 3 : record.v + record.nv] = 0.0
    longest = float(np.max(np.abs(step / rigid.bodies.velocity_size), initial=0.0))
    if longest > 0.0:
        near = rigid.moved(q, step * (EXCURSION / longest))
        if solve_positions(system.arrays, system.work, t, near, 1e-8 * rigid.bodies.length, DOGLEG) == 0:
            there = _balancing(lowered, near)
            if len(there) < len(forces):
                return near, there
    return q, forces


def _balancing(lowered: Lowered, q: Floats) -> Floats:
    """(states, rows) multipliers that leave all bodies in balance at a configuration (nq,); none where rows have no value."""
    jacobian, lengths = _jacobian(lowered, q)
    if not np.all(np.isfinite(jacobian)):
        return np.zeros((0, len(lengths)))
    left, sizes, _ = np.linalg.svd(jacobian / lengths[:, None], full_matrices=True)
    return np.asarray(left.T[int(np.sum(sizes > RANK_TOLERANCE)) :] / lengths)


def _jacobian(lowered: Lowered, q: Floats) -> tuple[Floats, Floats]:
    """(rows, nv) rows at a configuration (nq,), and the length (rows,) of each."""
    system = lowered.measuring
    solve_positions(system.arrays, system.work, lowered.model.settings.t_start, q.copy(), np.inf, DOGLEG)
    found = system.jacobian()
    return found.dense(), found.row_lengths()
