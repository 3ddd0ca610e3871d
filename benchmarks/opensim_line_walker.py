"""The exact walker on a line in OpenSim: seven bodies in space on joints of three rotations, with the clusters as markers."""

from __future__ import annotations

import numpy as np
import opensim

from benchmarks import line_recording as recording
from sheetmbs.gait.kinematics.clustered_segments import LONGITUDINAL_GYRATION
from tests.gait import gait_line_walker as line
from tests.support import gait_walker as walker

ROTATIONS = ("flexion", "adduction", "rotation")
AXES = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
"""z of the proximal body, the floating axis, y of the distal one"""


def line_walker_model() -> opensim.Model:
    """The model: a trunk free in space, and two legs of ball joints whose coordinates are those of Grood and Suntay."""
    model = opensim.Model()
    model.setName("line_walker")
    model.setGravity(opensim.Vec3(0.0, -walker.GRAVITY, 0.0))
    standing = line.standing()
    poses = recording.poses(standing)
    upright = np.array([0.0, walker.TRUNK_LENGTH, 0.0])
    trunk = _body("trunk", "hat", upright, walker.TRUNK_LENGTH)
    model.addBody(trunk)
    root = opensim.FreeJoint("root", model.getGround(), trunk)
    model.addJoint(root)
    _mark(model, "trunk", trunk)
    for side in line.ACROSS:
        above, pose_above = trunk, poses["trunk"]
        for joint, part in recording.JOINTS.items():
            name, pose = f"{side} {part}", poses[f"{side} {part}"]
            end = pose.axes[0].T @ (standing[f"{side} {recording.PARTS[part][1]}"] - pose.origin)[0]
            body = _body(name, part, end, float(np.linalg.norm(end)))
            model.addBody(body)
            place = pose_above.axes[0].T @ (pose.origin - pose_above.origin)[0]
            zero = opensim.Vec3(0.0)
            model.addJoint(
                opensim.CustomJoint(
                    f"{side}_{joint}", above, _vector(place), zero, body, zero, zero, _turning(f"{side}_{joint}")
                )
            )
            _mark(model, name, body)
            above, pose_above = body, pose
    model.finalizeConnections()
    return model


def _turning(joint: str) -> opensim.SpatialTransform:
    """Three rotations one after the other."""
    transform = opensim.SpatialTransform()
    for number, (name, axis) in enumerate(zip(ROTATIONS, AXES, strict=True)):
        one = transform.updTransformAxis(number)
        names = opensim.ArrayStr()
        names.append(f"{joint}_{name}")
        one.setCoordinateNames(names)
        one.setAxis(_vector(np.array(axis)))
        one.set_function(opensim.LinearFunction(1.0, 0.0))
    return transform


def _body(name: str, table: str, end: np.ndarray, length: float) -> opensim.Body:
    """A segment from its upper end, of the trunk from the hips, to ``end`` in its axes; less inertia about that line."""
    fraction, com, gyration = walker.TABLE[table]
    along = end / np.linalg.norm(end)
    across = walker.MASS * fraction * (gyration * length) ** 2
    inertia = across * (np.eye(3) - (1.0 - LONGITUDINAL_GYRATION[table] ** 2) * np.outer(along, along))
    moments = opensim.Inertia(inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[0, 2], inertia[1, 2])
    return opensim.Body(name.replace(" ", "_"), walker.MASS * fraction, _vector(com * end), moments)


def _mark(model: opensim.Model, name: str, body: opensim.Body) -> None:
    for number, place in enumerate(recording.cluster(name), start=1):
        model.addMarker(opensim.Marker(f"{name} {number}".replace(" ", "_"), body, _vector(place)))


def _vector(place: np.ndarray) -> opensim.Vec3:
    return opensim.Vec3(*map(float, place))
