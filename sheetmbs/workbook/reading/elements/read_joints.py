"""Points and joints from their sheets."""

from __future__ import annotations

from math import degrees, pi

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.joint_friction import FRICTION
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import JointType
from sheetmbs.model.model import Friction, Joint, Point
from sheetmbs.problems.listing import an
from sheetmbs.schema import input_columns
from sheetmbs.schema.meanings import value_meant
from sheetmbs.schema.units import ANGLE, LENGTH, Dimension
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.input_table import Record, named_records
from sheetmbs.workbook.reading.parse_cache import KnownParts
from sheetmbs.workbook.reading.placing import (
    LOCATIONS,
    Ends,
    PlacingScene,
    Pose,
    aligned_markers,
    centre_marker,
    components,
    distance,
    find_ends,
    markers_along,
)

NORMAL = np.array([0.0, 0.0, 1.0])
PLANAR_COORDINATES = {"x": LENGTH, "y": LENGTH, "phi": ANGLE}
SPATIAL_COORDINATES = {"x": LENGTH, "y": LENGTH, "z": LENGTH}
"""of a body, that can be held or driven"""
FRICTION_COLUMNS = ("friction", "friction_radius", "friction_velocity")
TYPES_WITH_FRICTION = ", ".join(FRICTION)
RIGHT_ANGLE = 0.5 * pi
MAX_TOOTH_ANGLE = RIGHT_ANGLE - 1e-6
"""rad: steeper teeth than any, whose tangent is still a number"""


def body_coordinates(context: Context) -> dict[str, Dimension]:
    """Coordinates of a body that can be held or driven, with their dimensions."""
    return dict(PLANAR_COORDINATES if context.settings.dimension == "2D" else SPATIAL_COORDINATES)


def read_points(context: Context, poses: KnownParts[Pose]) -> PlacingScene:
    """The initial configuration with all points."""
    scene = PlacingScene(poses, context.parts.known("point", {}), context.points)
    for name, point in context.elements(input_columns.POINTS, context.points, _placed_point, context, scene):
        scene.points[name] = point
    return scene


def _placed_point(record: Record, name: str, context: Context, scene: PlacingScene) -> Point | None:
    body = record.reference("body", context.bodies) if record.given("body") else GROUND
    record.settle("body")
    place = components(record, ("x", "y") if context.settings.dimension == "2D" else ("x", "y", "z"))
    frame, report = record.choice("frame"), record.flag("report")
    point = None
    if name and body is not None:
        origin = place if frame == "body" else scene.poses[body].to_body(place)
        point = Point(name, Marker(body, origin), report, record.cell_text("name"))
    record.finish()
    return point


def read_joints(context: Context, scene: PlacingScene) -> tuple[Joint, ...]:
    """Joints between markers, as their declarations in `sheetmbs.elements` ask."""
    joints: list[Joint] = []
    couplings: list[tuple[int, Record, str, JointType]] = []
    for record, name in named_records(context.table(input_columns.JOINTS), context.joints):
        joint_type = context.parts.of_record(record, _joint_type, context)
        if joint_type is None:
            continue
        if joint_type.coupling:  # what it couples may stand further down
            couplings.append((len(joints) + len(couplings), record, name, joint_type))
            continue
        joint = context.parts.of_record(record, _joint, name, joint_type, context, scene)
        if joint is not None:
            joints.append(joint)
    found = context.parts.known("coupled joint", {joint.name: joint for joint in joints})
    for place, record, name, joint_type in couplings:
        joint = context.parts.of_record(record, _coupling, name, joint_type, found, context)
        if joint is not None:
            joints.insert(place, joint)
    return tuple(joints)


def _joint_type(record: Record, context: Context) -> JointType | None:
    dimension = context.settings.dimension
    known = [each.name for each in JOINTS.values() if dimension in each.dimensions]
    joint_type = JOINTS.get(record.choice("type", known))
    if joint_type is not None and dimension not in joint_type.dimensions:
        problem = f"a {dimension} model has the joints {', '.join(known)}"
        record.refuse("joint-not-in-dimension", "type", problem, "use one of them")
        return None
    return joint_type


def _joint(record: Record, name: str, joint_type: JointType, context: Context, scene: PlacingScene) -> Joint | None:
    bodies = joint_bodies(record, context, needs_j=bool(joint_type.point))
    if bodies is None:
        return None
    ends: Ends | None = Ends(*bodies, np.zeros(3), np.zeros(3))
    is_placed = any(record.given(column) for way in LOCATIONS for column in way.columns)
    if joint_type.point == "needed" or (joint_type.point and is_placed):
        ends = find_ends(record, *bodies, scene)
    if ends is None:
        return None
    if context.settings.dimension in joint_type.axis:
        markers = markers_along(record, ends, scene, joint_type.second_axis)
    elif joint_type.point:
        markers = aligned_markers(ends, NORMAL, scene)
    else:
        markers = centre_marker(bodies[0], scene), Marker(bodies[1])
    coordinate, values = _own_values(record, joint_type, context)
    if "angle" in joint_type.coordinates and record.given("initial_angle"):
        values["initial_angle"] = record.number_or("initial_angle", 0.0)
    friction = read_friction(record, joint_type)
    if joint_type.is_link and distance(ends, scene) == 0.0:
        problem = "the two points coincide, so the distance has no direction"
        record.refuse("zero-length", _end_column(record), problem, "give two points apart from each other")
    if markers is None:
        return None
    record.finish()
    return Joint(name, joint_type.name, *markers, values, coordinate, cell=record.cell_text("name"), friction=friction)


def _coupling(
    record: Record, name: str, joint_type: JointType, joints: KnownParts[Joint], context: Context
) -> Joint | None:
    """A joint that couples two others; its markers are theirs, on the body that is not ground."""
    coupling = joint_type.coupling
    coordinates = (coupling.first, coupling.second) if coupling else ()
    record.settle("body_i", "body_j")
    values = _needed_numbers(record, joint_type) | read_teeth(record)
    read_friction(record, joint_type)
    coupled: list[Joint] = []
    for column, coordinate in zip(("joint_1", "joint_2"), coordinates, strict=True):
        if not record.given(column):
            record.settle(column)
            record.missing(column, f"a {joint_type.name} couples two joints", "name a joint of this sheet")
            continue
        found = joints.find(record.reference(column, context.joints))
        if found is None:
            _refuse_uncoupled(record, column, context, joints)
        elif coordinate not in JOINTS[found.type].coordinates:
            own = " and ".join(JOINTS[found.type].coordinates) or "no coordinate of its own"
            problem = f"{column} of a {joint_type.name} needs a joint with {an(coordinate)}, {found.name} has {own}"
            mend = "swap the two" if _fits(joint_type, joints, record, context) else "name another joint"
            record.refuse("wrong-joint", column, problem, mend)
        else:
            coupled.append(found)
    if len(coupled) < 2 or not name:
        return None
    if coupled[0].name == coupled[1].name:
        record.refuse("same-joint", "joint_2", "a joint cannot be coupled to itself", "name two different joints")
        return None
    markers = [joint.i if joint.j.body == GROUND else joint.j for joint in coupled]
    record.finish()
    return Joint(
        name,
        joint_type.name,
        markers[0],
        markers[1],
        values,
        cell=record.cell_text("name"),
        couples=(coupled[0].name, coupled[1].name),
    )


def _fits(joint_type: JointType, joints: dict[str, Joint], record: Record, context: Context) -> bool:
    """Whether the two joints would fit in the other order."""
    coupling = joint_type.coupling
    names = [context.joints.find(record.raw_text(column)) for column in ("joint_2", "joint_1")]
    wanted = (coupling.first, coupling.second) if coupling else ()
    return all(
        name in joints and coordinate in JOINTS[joints[name].type].coordinates
        for name, coordinate in zip(names, wanted, strict=True)
        if name
    )


def _refuse_uncoupled(record: Record, column: str, context: Context, joints: dict[str, Joint]) -> None:
    name = context.joints.find(record.raw_text(column))
    if name and name not in joints and not context.report.has_errors:
        problem = f"{name} is no joint with a coordinate of its own"
        record.refuse("wrong-joint", column, problem, "name a revolute, translational or cylindrical joint")


def joint_bodies(record: Record, context: Context, *, needs_j: bool = True) -> tuple[str, str] | None:
    """The two bodies of a row; None where one is missing or they are the same, which is reported."""
    body_i = record.reference("body_i", context.bodies)
    if record.given("body_j"):
        body_j = record.reference("body_j", context.bodies)
    elif needs_j and "body_j" not in record.table.fields:
        record.table.headers.report_missing("body_j", "joints and springs have two bodies")
        return None
    elif needs_j:
        record.missing("body_j", "this row needs two bodies", "name the second body, or ground")
        return None
    else:
        body_j = GROUND
    if body_i is None or body_j is None:
        return None
    if not needs_j and body_j != GROUND:
        record.refuse("unwanted-body", "body_j", "this type has one body, body_i", "leave it blank, or write ground")
        return None
    if body_i == body_j:
        record.refuse("same-body", "body_j", f"both ends are on {body_i}", "name two different bodies")
        return None
    return body_i, body_j


def _own_values(record: Record, joint_type: JointType, context: Context) -> tuple[str, dict[str, float]]:
    """The numbers of its own that a joint's recipe names, as far as they are given, and its coordinate if it has one."""
    coordinate, values = "", _needed_numbers(record, joint_type)
    for name in dict.fromkeys(row.value for row in joint_type.rows if row.value):
        dimensions = record.table.schema.column(name).dimensions
        dimension = None
        if len(dimensions) > 1:
            known = body_coordinates(context)
            coordinate = read_coordinate(record, tuple(known), "a body")
            if not coordinate:
                record.settle(name)
                continue
            dimension = known[coordinate]
        value = record.number(name, dimension)
        if value is None:
            continue
        values[name] = value
        if name == "length" and value <= 0:
            record.refuse("not-positive", name, "a length must be greater than 0", "correct it, or clear it")
    return coordinate, values


def _needed_numbers(record: Record, joint_type: JointType) -> dict[str, float]:
    """Numbers without which a type is nothing; a blank or zero one is reported."""
    values = {}
    for name in joint_type.numbers:
        value = record.number(name)
        if value is None:
            record.missing(name, f"a {joint_type.name} needs its {name}", "fill it in")
            values[name] = np.nan
            continue
        values[name] = value
        if value == 0.0:
            record.refuse("zero-value", name, f"the {name} of a {joint_type.name} must not be 0", "correct the value")
    return values


def read_coordinate(record: Record, allowed: tuple[str, ...], whose: str) -> str:
    """The word in the column coordinate, ``""`` where it is missing or not one of ``allowed``, which is reported."""
    if not record.given("coordinate"):
        record.settle("coordinate")
        record.missing("coordinate", "this row needs a coordinate", f"write {' or '.join(allowed)}")
        return ""
    word = record.choice("coordinate", allowed)
    if word and word not in allowed:
        meant = value_meant(word, allowed)
        mend = f"write {allowed[0]}" if len(allowed) == 1 else f"did you mean {meant}?" if meant else "use one of these"
        if not meant and "x" in allowed and word in ("phi", "angle"):
            mend = "to turn a body, drive or guide the angle of its joint"
        record.refuse("wrong-coordinate", "coordinate", f"{whose} has {', '.join(allowed)}", mend)
        return ""
    return word


def _end_column(record: Record) -> str:
    return next((column for column in ("point_j", "point", "xi_j", "eta_j") if record.given(column)), "name")


def read_friction(record: Record, joint_type: JointType) -> Friction | None:
    """Friction of a joint; None where it has none, or where what is said of it is wrong, which is reported."""
    kind = FRICTION.get(joint_type.name)
    coefficient = record.number("friction")
    if not coefficient:
        return None  # columns that belong to it and are filled in are found unused
    radius, velocity = record.number("friction_radius"), record.number("friction_velocity")
    if kind is None:
        problem = f"a joint of type {joint_type.name} has no friction, only {TYPES_WITH_FRICTION} have"
        record.refuse("no-friction", "friction", problem, "clear the cell, or model the resistance by a damper")
        return None
    if coefficient < 0.0:
        problem = "a coefficient of friction must not be negative"
        record.refuse("negative-friction", "friction", problem, "correct it; most are between 0.001 and 1")
    if radius is None and kind.needs_radius:
        problem = f"friction of a {joint_type.name} joint acts at {kind.friction_radius}"
        record.missing("friction_radius", problem, "fill it in")
    for name, value in (("friction_radius", radius), ("friction_velocity", velocity)):
        if value is not None and value <= 0.0:
            record.refuse("not-positive", name, f"{name} must be greater than 0", "correct it, or clear it")
    return Friction(coefficient, radius, velocity)


def read_teeth(record: Record) -> dict[str, float]:
    """The angles that are given, rad; one that no tooth has is reported."""
    values = {}
    for name, lowest in (("pressure_angle", 0.0), ("helix_angle", -MAX_TOOTH_ANGLE)):
        if name not in record.table.fields or record.table.dimension not in record.table.fields[name].column.models:
            continue
        angle = record.number(name)
        if angle is None:
            continue
        values[name] = angle
        if not lowest <= angle <= MAX_TOOTH_ANGLE:
            span = "from 0 to less than 90 deg" if lowest == 0.0 else "more than -90 deg and less than 90 deg"
            is_in_degrees = abs(angle) < degrees(RIGHT_ANGLE) and abs(angle) > RIGHT_ANGLE
            mend = f"write {angle:g} deg if degrees are meant" if is_in_degrees else "correct it, or clear it"
            record.refuse("wrong-angle", name, f"{name} of a tooth must be {span}", mend)
    return values
