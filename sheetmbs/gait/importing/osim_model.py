"""Bodies, joints and markers of an OpenSim model, as it stands with all coordinates 0: x forward, y up, z to the right, SI."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from scipy.spatial.transform import Rotation

from sheetmbs.gait.arrays import Vector
from sheetmbs.importing.lines import refused
from sheetmbs.schema.problem_list import quoted

OLDEST = 40000
"""version of files that have frames and sockets"""
ROTATIONS = {"PinJoint": 1, "UniversalJoint": 2, "BallJoint": 3, "FreeJoint": 3, "WeldJoint": 0, "SliderJoint": 0}
"""joints of OpenSim -> by how many angles they turn; a CustomJoint tells by its axes"""


@dataclass
class OsimBody:
    """rotation: (3, 3), origin: (3,) of its axes as it stands. com: (3,) and inertia: (3, 3) about it, in its axes."""

    name: str
    mass: float
    com: Vector
    inertia: Vector
    rotation: Vector = field(default_factory=lambda: np.eye(3))
    origin: Vector = field(default_factory=lambda: np.zeros(3))
    markers: dict[str, Vector] = field(default_factory=dict)


@dataclass(frozen=True)
class OsimJoint:
    """parent: "" the ground. turns: by how many angles. centre: (3,) as it stands. is_locked: all its coordinates are."""

    name: str
    parent: str
    child: str
    turns: int
    centre: Vector


@dataclass(frozen=True)
class OsimModel:
    """Bodies by name in the order of their tree, and the joint above each. notes: of what was left out."""

    name: str
    bodies: dict[str, OsimBody]
    joints: dict[str, OsimJoint]
    notes: tuple[str, ...]


def read_osim(path: Path) -> OsimModel:
    """Read a file. Raises WorkbookError where it is no model of OpenSim 4."""
    try:
        root = ET.parse(path).getroot()  # noqa: S314 - expat itself refuses entities that grow without bounds
    except (OSError, ET.ParseError) as error:
        problem = f"it is no XML that can be read ({error})"
        raise refused("wrong-file", str(path), problem, "name a model that OpenSim has written") from error
    model = root.find("Model")
    if root.tag != "OpenSimDocument" or model is None:
        raise refused("wrong-file", str(path), "it holds no model of OpenSim", "name an .osim file")
    if int(root.get("Version") or 0) < OLDEST:
        found = f"{path}: version {root.get('Version')}"
        raise refused(
            "wrong-file", found, "files before OpenSim 4 are laid out otherwise", "open and save it in OpenSim 4"
        )
    bodies = {each.get("name") or "": _body(each) for each in model.iterfind("./BodySet/objects/Body")}
    if not bodies:
        raise refused("wrong-file", str(path), "the model has no bodies", "name a model with a BodySet")
    joints = _placed(model, bodies)
    notes = [*_of_markers(model, bodies), *_loose(bodies, joints)]
    ordered = {name: bodies[name] for name in joints}
    return OsimModel(model.get("name") or path.stem, ordered, joints, tuple(notes))


def _numbers(element: ET.Element, tag: str, count: int) -> Vector:
    """The numbers under a tag, 0 where there is none. Raises WorkbookError."""
    text = element.findtext(tag) or " ".join("0" * count)
    try:
        found = np.array([float(each) for each in text.split()])
    except ValueError:
        found = np.zeros(0)
    if len(found) < count or not np.isfinite(found).all():
        name = element.get("name") or element.tag
        raise refused("wrong-file", f"{tag} of {name}: {quoted(text)}", f"it has {count} numbers", "correct the model")
    return found[:count]


def _body(element: ET.Element) -> OsimBody:
    xx, yy, zz, xy, xz, yz = _numbers(element, "inertia", 6)
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    mass, com = float(_numbers(element, "mass", 1)[0]), _numbers(element, "mass_center", 3)
    return OsimBody(element.get("name") or "", mass, com, inertia)


def _placed(model: ET.Element, bodies: dict[str, OsimBody]) -> dict[str, OsimJoint]:
    """The joint above each body that hangs on the ground, in the order of the tree; bodies are put where they stand."""
    left = list(model.iterfind("./JointSet/objects/*"))
    joints: dict[str, OsimJoint] = {}
    while left:
        rest = []
        for element in left:
            parent, upper = _frame(element, "socket_parent_frame")
            child, lower = _frame(element, "socket_child_frame")
            if child not in bodies or (parent and parent not in joints):
                rest.append(element)
                continue
            above = bodies[parent] if parent else OsimBody("", 0.0, np.zeros(3), np.zeros((3, 3)))
            turned, moved = _transform(element)
            rotation = above.rotation @ upper[0]
            centre = above.origin + above.rotation @ upper[1]
            body = bodies[child]
            body.rotation = rotation @ turned @ lower[0].T
            place = centre + rotation @ moved
            body.origin = place - body.rotation @ lower[1]
            joints[child] = OsimJoint(element.get("name") or "", parent, child, _turns(element), place)
        if len(rest) == len(left):
            break
        left = rest
    return joints


def _frame(joint: ET.Element, socket: str) -> tuple[str, tuple[Vector, Vector]]:
    """The body of a joint's frame, "" the ground, and the rotation and place of that frame in it."""
    name = (joint.findtext(socket) or "").rpartition("/")[2]
    for frame in joint.iterfind("./frames/PhysicalOffsetFrame"):
        if frame.get("name") == name:
            body = (frame.findtext("socket_parent") or "").rpartition("/")[2]
            turned = Rotation.from_euler("XYZ", _numbers(frame, "orientation", 3)).as_matrix()
            return "" if body == "ground" else body, (turned, _numbers(frame, "translation", 3))
    return "" if name == "ground" else name, (np.eye(3), np.zeros(3))


def _axes(joint: ET.Element) -> list[ET.Element]:
    """The six axes of a CustomJoint, three of turning first."""
    return list(joint.iterfind("./SpatialTransform/TransformAxis"))


def _transform(joint: ET.Element) -> tuple[Vector, Vector]:
    """Rotation (3, 3) and translation (3,) of a joint whose coordinates are 0."""
    turned, moved = np.eye(3), np.zeros(3)
    for number, axis in enumerate(_axes(joint)):
        along, value = _numbers(axis, "axis", 3), _at_zero(axis)
        if number < 3:
            turned = turned @ Rotation.from_rotvec(value * along).as_matrix()
        else:
            moved = moved + value * along
    return turned, moved


def _at_zero(axis: ET.Element) -> float:
    """What the function of an axis gives where its coordinates are 0."""
    found, scale = axis, 1.0
    while True:
        product = found.find("./MultiplierFunction")
        if product is None:
            break
        scale *= float(_numbers(product, "scale", 1)[0])
        inner = product.find("function")
        if inner is None:
            return 0.0
        found = inner
    constant, linear, spline = (found.find(f"./{name}") for name in ("Constant", "LinearFunction", "SimmSpline"))
    if constant is not None:
        return scale * float(_numbers(constant, "value", 1)[0])
    if linear is not None:
        return scale * float(_numbers(linear, "coefficients", 2)[1])
    if spline is not None:
        x, y = ([float(each) for each in (spline.findtext(tag) or "0").split()] for tag in ("x", "y"))
        return scale * float(np.interp(0.0, x, y))
    return 0.0


def _turns(joint: ET.Element) -> int:
    """By how many angles a joint turns, without those that are locked."""
    coordinates = list(joint.iterfind("./coordinates/Coordinate"))
    locked = {each.get("name") for each in coordinates if (each.findtext("locked") or "").strip() == "true"}
    if joint.tag != "CustomJoint":
        return 0 if coordinates and len(locked) == len(coordinates) else ROTATIONS.get(joint.tag, 0)
    turning = {name for axis in _axes(joint)[:3] for name in (axis.findtext("coordinates") or "").split()}
    return len(turning - locked)


def _of_markers(model: ET.Element, bodies: dict[str, OsimBody]) -> Iterator[str]:
    """Put markers on their bodies; a note for each that is on none."""
    for marker in model.iterfind("./MarkerSet/objects/Marker"):
        name = marker.get("name") or ""
        body = (marker.findtext("socket_parent_frame") or "").rpartition("/")[2]
        if body in bodies:
            bodies[body].markers[name] = _numbers(marker, "location", 3)
        else:
            yield f"the marker {name} is on no body, and left out"


def _loose(bodies: dict[str, OsimBody], joints: dict[str, OsimJoint]) -> Iterator[str]:
    for name in bodies:
        if name not in joints:
            yield f"the body {name} hangs on nothing, and is left out"
