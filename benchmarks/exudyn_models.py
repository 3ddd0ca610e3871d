"""A model in exudyn: bodies and joints, or trees of joint coordinates whose loops joints close.

Both without functions in Python. A hinge that says nothing new in a loop (A04) has one row left out, for the solver of
exudyn takes no dependent rows.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.mechanism import Link, Pose, axes_of, forest, poses
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.model.model import Joint, Model

sys.exudynFast = True  # type: ignore[attr-defined] - its variant without range checks and with AVX2

with contextlib.redirect_stdout(io.StringIO()):
    import exudyn
    from exudyn import itemInterface as items  # noqa: N813 - a shorter name for what stands in every line
    from exudyn.rigidBodyUtilities import RigidBodyInertia

exudyn.config.printToConsole = False

Vector = NDArray[np.float64]
Take = Callable[[Marker, Vector], int]
"""gives the number of exudyn's marker at a marker of ours, with these global axes (3, 3)"""

HINGE, LOOSE_HINGE, SLIDE = (1, 1, 1, 1, 1, 0), (1, 1, 1, 0, 1, 0), (1, 1, 0, 1, 1, 1)
"""which translations and rotations in the joint's axes are held; the second leaves one rotation out"""


@dataclass(frozen=True)
class System:
    """A model assembled. container: keeps it alive. position: of the measured point, after a solution."""

    container: object
    mbs: exudyn.MainSystem
    position: Callable[[], Vector]


def bodies_and_joints(model: Model, place: Marker, *, redundant: str = "") -> System:
    """Every body with coordinates of its own: planar, or in space with the angles x, y', z''.

    redundant: the joint with a dependent row.
    """
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    numbers = {GROUND: mbs.AddObject(items.ObjectGround())}
    flat = model.settings.dimension == "2D"
    for body, pose in zip(model.bodies, list(poses(model).values())[1:], strict=True):
        if flat and body.inertia is not None and body.inertia[2, 2] == 0.0:
            node = mbs.AddNode(
                items.NodePoint2D(
                    referenceCoordinates=list(pose.position[:2]), initialVelocities=list(pose.velocity[:2])
                )
            )
            numbers[body.name] = mbs.AddObject(items.MassPoint2D(mass=body.mass, nodeNumber=node))
        elif flat:
            node = mbs.AddNode(
                items.NodeRigidBody2D(
                    referenceCoordinates=[*pose.position[:2], body.angles[2]],
                    initialVelocities=[*pose.velocity[:2], pose.spin[2]],
                )
            )
            numbers[body.name] = mbs.AddObject(
                items.ObjectRigidBody2D(nodeNumber=node, mass=body.mass, inertia=body.inertia[2, 2])
            )
        else:
            numbers[body.name] = mbs.CreateRigidBody(
                inertia=RigidBodyInertia(mass=body.mass, inertiaTensor=body.inertia),
                referencePosition=list(pose.position),
                referenceRotationMatrix=pose.turn,
                initialVelocity=list(pose.velocity),
                initialAngularVelocity=list(pose.spin),
                nodeType=exudyn.NodeType.RotationRxyz,
            )
        weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=numbers[body.name]))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=list(model.settings.gravity)))
    at = poses(model)

    def take(marker: Marker, axes: Vector) -> int:
        number = numbers[marker.body]
        if flat:
            return mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=number, localPosition=list(marker.origin)))
        local = _frame(at[marker.body].turn.T @ axes, marker.origin)
        return mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=number, localHT=local))

    for joint in model.joints:
        _join(model, mbs, joint, take, loose=joint.name == redundant)
    _springs(model, mbs, take)
    for force in model.forces:
        load = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=numbers[force.marker.body]))
        mbs.AddLoad(items.Torque(markerNumber=load, loadVector=list(force.moment)))
    mbs.Assemble()
    measured, local = numbers[place.body], list(place.origin)
    return System(
        container, mbs,
        lambda: np.array(mbs.GetObjectOutputBody(measured, exudyn.OutputVariableType.Position, localPosition=local)),
    )  # fmt: skip


def trees(model: Model, place: Marker, *, redundant: str = "") -> System:
    """Joint coordinates: one kinematic tree for each body that is joined to the ground.

    redundant: the joint with a dependent row, which must be one that closes a loop.
    """
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    links, closing = forest(model)
    at = poses(model)
    where: dict[str, tuple[int, int, Link]] = {}
    for root in (link for link in links if link.parent == GROUND):
        chain = _grown(links, root)
        tree = _tree(model, mbs, chain, at)
        where |= {link.body: (tree, place_in, link) for place_in, link in enumerate(chain)}

    def take(marker: Marker, axes: Vector) -> int:
        if marker.body == GROUND:
            return mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=ground, localHT=_frame(axes, marker.origin)))
        tree, number, link = where[marker.body]
        local = _frame(link.axes.T @ axes, link.axes.T @ (at[marker.body].point(marker) - link.origin))
        return mbs.AddMarker(items.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=number, localHT=local))

    for joint in closing:
        _join(model, mbs, joint, take, loose=joint.name == redundant, rigid=True)
    _springs(model, mbs, take)
    measured = take(place, np.eye(3))
    mbs.Assemble()
    return System(container, mbs, lambda: np.array(mbs.GetMarkerOutput(measured, exudyn.OutputVariableType.Position)))


def _grown(links: list[Link], root: Link) -> list[Link]:
    chain = [root]
    for link in links:
        if link.parent in [each.body for each in chain]:
            chain.append(link)
    return chain


def _tree(model: Model, mbs: exudyn.MainSystem, chain: list[Link], at: dict[str, Pose]) -> int:
    count = len(chain)
    order = [link.body for link in chain]
    bodies = {body.name: body for body in model.bodies}
    turns, offsets, centres, inertias = (
        *(exudyn.Matrix3DList(), exudyn.Vector3DList(), exudyn.Vector3DList()),
        exudyn.Matrix3DList(),
    )
    for link in chain:
        parent = chain[order.index(link.parent)] if link.parent in order else None
        axes, origin = (np.eye(3), np.zeros(3)) if parent is None else (parent.axes, parent.origin)
        own = link.axes.T @ at[link.body].turn
        turns.Append(axes.T @ link.axes)
        offsets.Append(list(axes.T @ (link.origin - origin)))
        centres.Append(list(link.axes.T @ (at[link.body].position - link.origin)))
        inertias.Append(own @ bodies[link.body].inertia @ own.T)
    node = mbs.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0] * count,
            initialCoordinates=[0.0] * count,
            initialCoordinates_t=[link.rate for link in chain],
            numberOfODE2Coordinates=count,
        )
    )
    moments = {force.marker.body: np.array(force.moment, dtype=float) for force in model.forces}
    kinds = exudyn.JointType
    return mbs.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[kinds.PrismaticZ if link.slides else kinds.RevoluteZ for link in chain],
            linkParents=[order.index(link.parent) if link.parent in order else -1 for link in chain],
            jointTransformations=turns,
            jointOffsets=offsets,
            linkInertiasCOM=inertias,
            linkCOMs=centres,
            linkMasses=[bodies[name].mass for name in order],
            gravity=list(model.settings.gravity),
            # a moment on a body that is hinged to the ground is that of its joint: no other stands in A01 to A05
            jointForceVector=[float(link.axes[:, 2] @ moments.get(link.body, np.zeros(3))) for link in chain],
        )
    )


def _join(
    model: Model, mbs: exudyn.MainSystem, joint: Joint, take: Take, *, loose: bool = False, rigid: bool = False
) -> None:
    """One joint. loose: without its dependent row. rigid: of bodies that exudyn holds in space though they move in a plane."""
    axes = axes_of(model, poses(model), joint.i)
    ends = [take(joint.i, axes), take(joint.j, axes)]
    if joint.type == "distance":
        mbs.AddObject(items.DistanceConstraint(markerNumbers=ends, distance=joint.values["length"]))
    elif model.settings.dimension == "2D" and rigid:
        mbs.AddObject(items.SphericalJoint(markerNumbers=ends, constrainedAxes=[1, 1, 0]))
    elif model.settings.dimension == "2D":
        mbs.AddObject(items.RevoluteJoint2D(markerNumbers=ends))
    else:
        held = SLIDE if joint.type == "translational" else LOOSE_HINGE if loose else HINGE
        mbs.AddObject(items.GenericJoint(markerNumbers=ends, constrainedAxes=list(held)))


def _springs(model: Model, mbs: exudyn.MainSystem, take: Take) -> None:
    for spring in model.springs:
        mbs.AddObject(
            items.SpringDamper(
                markerNumbers=[take(spring.i, np.eye(3)), take(spring.j, np.eye(3))],
                stiffness=spring.values["k"],
                damping=spring.values.get("c", 0.0),
                referenceLength=spring.values["length0"],
            )
        )


def _frame(turn: Vector, origin: Vector) -> Vector:
    """The homogeneous transformation (4, 4) of a frame."""
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = turn, origin
    return made
