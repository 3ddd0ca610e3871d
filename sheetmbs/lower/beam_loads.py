"""Where forces and moments can act on a beam: what decides which static shapes it needs beside its modes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.beam_space import BeamLoads, BeamSpace, beam_space
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.joints.coordinate import COORDINATE
from sheetmbs.elements.marker import Marker
from sheetmbs.engine.codes import RowKind
from sheetmbs.lower.lower_constraints import vanishes_in_plane
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
