"""Bodies, points and joints from their sheets."""

from __future__ import annotations

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import JointType
from sheetmbs.model import Body, Display, Joint, Point
from sheetmbs.schema import sheets
from sheetmbs.schema.settings import MASSLESS_ANALYSES
from sheetmbs.schema.units import ANGLE, LENGTH
from sheetmbs.workbook.context import Context
from sheetmbs.workbook.placing import (
    Ends,
    Pose,
    Scene,
    aligned_markers,
    centre_marker,
    distance,
    find_ends,
    markers_along,
    planar_pose,
)
from sheetmbs.workbook.records import Record, Table, named_records
from sheetmbs.workbook.report import Place

NORMAL = np.array([0.0, 0.0, 1.0])
COORDINATES = {"x": LENGTH, "y": LENGTH, "phi": ANGLE}
"""of a planar body"""


def read_bodies(context: Context) -> tuple[tuple[Body, ...], dict[str, Pose], Display]:
    """Bodies, their poses and the ground's, and the units in which positions and angles are to be shown."""
    table = context.table(sheets.BODIES)
    bodies: list[Body] = []
    poses = {GROUND: planar_pose(0.0, 0.0, 0.0)}
    mass_columns = _needed_mass_columns(table, context)
    for record, name in named_records(table, context.bodies):
        body, pose = _body(record, name, mass_columns)
        if name:
            bodies.append(body)
            poses[name] = pose
        record.finish()
    if table.cells is not None and not bodies and not context.report.has_errors:
        mend = "add a row per body; the ground needs none"
        context.report.error("no-bodies", Place(table.cells.name), "no body", "a model has at least one body", mend)
    return tuple(bodies), poses, _display(table)


def _needed_mass_columns(table: Table, context: Context) -> tuple[str, ...]:
    """Columns that must be filled in; one that is missing altogether is reported here, once."""
    if context.settings.analysis in MASSLESS_ANALYSES or not table.fields:
        return ()
    needed = []
    for column in ("mass", "inertia"):
        if column in table.fields:
            needed.append(column)
        elif table.cells is not None:
            place, problem = Place(table.cells.name, 1, 1), f"a {context.settings.analysis} analysis needs it"
            context.report.error(
                "missing-column", place, f"no column {column}", problem, f"add a column headed {column}"
            )
    return tuple(needed)


def _body(record: Record, name: str, mass_columns: tuple[str, ...]) -> tuple[Body, Pose]:
    mass, inertia = (_not_negative(record, column, needed=column in mass_columns) for column in ("mass", "inertia"))
    x, y, phi = (record.number_or(column, 0.0) for column in ("x", "y", "phi"))
    tensor = None
    if inertia is not None:
        tensor = np.zeros((3, 3))
        tensor[2, 2] = inertia
    body = Body(
        name,
        record.cell_text("name"),
        mass,
        tensor,
        position=np.array([x, y, 0.0]),
        angles=np.array([0.0, 0.0, phi]),
        euler=np.array([np.cos(phi / 2), 0.0, 0.0, np.sin(phi / 2)]),
        velocity=np.array([record.number_or("vx", 0.0), record.number_or("vy", 0.0), 0.0]),
        angular_velocity=np.array([0.0, 0.0, record.number_or("omega", 0.0)]),
        force=np.array([record.number_or("fx", 0.0), record.number_or("fy", 0.0), 0.0]),
        moment=np.array([0.0, 0.0, record.number_or("moment", 0.0)]),
    )
    return body, planar_pose(x, y, phi)


def _not_negative(record: Record, column: str, *, needed: bool) -> float | None:
    value = record.number(column)
    if value is None and needed:
        record.missing(column, "it may be blank in a kinematic analysis only", "fill it in")
    if value is not None and value < 0:
        record.refuse("negative", column, f"{column} must not be negative", "correct the value")
    return value


def _display(table: Table) -> Display:
    """Positions and angles are shown in the units given for x and phi."""
    standard = Display()
    shown = []
    for column, default in (("x", standard.length), ("phi", standard.angle)):
        field = table.fields.get(column)
        shown.append((field.unit.text, field.unit.size) if field and field.unit else default)
    return Display(*shown)


def read_points(context: Context, poses: dict[str, Pose]) -> Scene:
    """The initial configuration with all points."""
    table = context.table(sheets.POINTS)
    scene = Scene(poses, {}, context.points)
    for record, name in named_records(table, context.points):
        body = record.reference("body", context.bodies) if record.given("body") else GROUND
        record.settle("body")
        place = np.array([record.number_or("x", 0.0), record.number_or("y", 0.0), 0.0])
        frame, report = record.choice("frame"), record.flag("report")
        if name and body is not None:
            origin = place if frame == "body" else poses[body].to_body(place)
            scene.points[name] = Point(name, Marker(body, origin), report, record.cell_text("name"))
        record.finish()
    return scene


def read_joints(context: Context, scene: Scene) -> tuple[Joint, ...]:
    """Joints between markers, as their declarations in `sheetmbs.elements` ask."""
    joints = []
    for record, name in named_records(context.table(sheets.JOINTS), context.joints):
        joint_type = _joint_type(record, context)
        if joint_type is None:
            continue
        joint = _joint(record, name, joint_type, context, scene)
        if joint is not None:
            record.finish()
            joints.append(joint)
    return tuple(joints)


def _joint_type(record: Record, context: Context) -> JointType | None:
    joint_type = JOINTS.get(record.choice("type"))
    dimension = context.settings.dimension
    if joint_type is not None and dimension not in joint_type.dimensions:
        known = ", ".join(each.name for each in JOINTS.values() if dimension in each.dimensions)
        record.refuse(
            "joint-not-in-dimension", "type", f"a {dimension} model has the joints {known}", "use one of them"
        )
        return None
    return joint_type


def _joint(record: Record, name: str, joint_type: JointType, context: Context, scene: Scene) -> Joint | None:
    bodies = joint_bodies(record, context, needs_j=joint_type.point)
    if bodies is None:
        return None
    if joint_type.point:
        ends = find_ends(record, *bodies, scene)
        if ends is None:
            return None
    else:
        ends = Ends(*bodies, np.zeros(3), np.zeros(3))
    if context.settings.dimension in joint_type.axis:
        markers = markers_along(record, ends, scene)
    elif joint_type.point:
        markers = aligned_markers(ends, NORMAL, scene)
    else:
        markers = centre_marker(bodies[0], scene), Marker(bodies[1])
    coordinate, values = _own_values(record, joint_type)
    if joint_type.coordinate == "distance" and distance(ends, scene) == 0.0:
        problem = "the two points coincide, so the distance has no direction"
        record.refuse("zero-length", _end_column(record), problem, "give two points apart from each other")
    if markers is None:
        return None
    return Joint(name, joint_type.name, *markers, values, coordinate, record.cell_text("name"))


def joint_bodies(record: Record, context: Context, *, needs_j: bool = True) -> tuple[str, str] | None:
    """The two bodies of a row; None where one is missing or they are the same, which is reported."""
    body_i = record.reference("body_i", context.bodies)
    if record.given("body_j") or "body_j" not in record.table.fields:
        body_j = record.reference("body_j", context.bodies)
    elif needs_j:
        record.missing("body_j", "this row needs two bodies", "name the second body, or ground")
        return None
    else:
        body_j = GROUND
    if "body_j" not in record.table.fields and not needs_j:
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


def _own_values(record: Record, joint_type: JointType) -> tuple[str, dict[str, float]]:
    """The numbers of its own that a joint's recipe names, as far as they are given, and its coordinate if it has one."""
    coordinate, values = "", {}
    for name in dict.fromkeys(row.value for row in joint_type.rows if row.value):
        dimensions = record.table.schema.column(name).dimensions
        dimension = None
        if len(dimensions) > 1:
            coordinate = read_coordinate(record, tuple(COORDINATES), "a body")
            if not coordinate:
                record.settle(name)
                continue
            dimension = COORDINATES[coordinate]
        value = record.number(name, dimension)
        if value is None:
            continue
        values[name] = value
        if name == "length" and value <= 0:
            record.refuse("not-positive", name, "a length must be greater than 0", "correct it, or clear it")
    return coordinate, values


def read_coordinate(record: Record, allowed: tuple[str, ...], whose: str) -> str:
    """The word in the column coordinate, ``""`` where it is missing or not one of ``allowed``, which is reported."""
    if not record.given("coordinate"):
        record.settle("coordinate")
        record.missing("coordinate", "this row needs a coordinate", f"write {' or '.join(allowed)}")
        return ""
    word = record.choice("coordinate")
    if word and word not in allowed:
        record.refuse("wrong-coordinate", "coordinate", f"{whose} has {', '.join(allowed)}", "use one of these")
        return ""
    return word


def _end_column(record: Record) -> str:
    return next((column for column in ("point_j", "point", "xi_j", "eta_j") if record.given(column)), "name")
