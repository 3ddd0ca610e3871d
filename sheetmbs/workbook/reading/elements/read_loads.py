"""Drivers, forces and charts from their sheets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.model.model import Body, Chart, Driver, Force, Joint, Motion, OfCurve, Quadratic, Spring
from sheetmbs.schema import input_columns
from sheetmbs.schema import units as u
from sheetmbs.schema.problem_list import Place
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_joints import body_coordinates, read_coordinate
from sheetmbs.workbook.reading.fields import written_unit
from sheetmbs.workbook.reading.input_table import InputTable, Record
from sheetmbs.workbook.reading.parse_cache import KnownParts
from sheetmbs.workbook.reading.placing import Ends, PlacingScene, Way, chosen_way, distance, point_on
from sheetmbs.workbook.reading.registry import Variables
from sheetmbs.workbook.reading.samples.sample_warnings import warn_of_motion_samples

JOINT_COORDINATES = {"angle": u.ANGLE, "displacement": u.LENGTH, "distance": u.LENGTH}
BODY_MOTION = {
    "2D": ("x", "y", "phi", "vx", "vy", "omega"),
    "3D": ("x", "y", "z", "yaw", "pitch", "roll", "vx", "vy", "vz", "wx", "wy", "wz"),
}
POINT_MOTION = {"2D": ("x", "y", "vx", "vy"), "3D": ("x", "y", "z", "vx", "vy", "vz")}
COMPONENTS = {"2D": ("fx", "fy", "moment"), "3D": ("fx", "fy", "fz", "mx", "my", "mz")}
QUADRATIC = Way("position, velocity, acceleration", ("position", "velocity", "acceleration"))
EXPRESSION = Way("expression", ("expression",))
CURVE = Way("curve", ("curve",))
MOTIONS = (QUADRATIC, EXPRESSION, CURVE)
OWNERS = tuple(Way(what, (what,)) for what in ("body", "joint", "point", "spring"))
RATES = {
    u.LENGTH: (u.LENGTH, u.VELOCITY, u.ACCELERATION),
    u.ANGLE: (u.ANGLE, u.ANGULAR_VELOCITY, u.ANGULAR_ACCELERATION),
}

Driven = dict[tuple[str, str, str], Place]
"""(``body`` or ``joint``, exact name, coordinate) -> where it is driven"""


def claim(driven: Driven, owner: tuple[str, str, str], place: Place, context: Context) -> bool:
    """Enter a coordinate as driven. Returns False, and reports, where it is so already."""
    if owner in driven:
        problem = f"{driven[owner]} prescribes this coordinate already"
        mend = "delete one of the two"
        context.report.error("driven-twice", place, f"{owner[1]}.{owner[2]}", problem, mend)
        return False
    driven[owner] = place
    return True


@dataclass(frozen=True)
class DrivenCoordinate:
    """A coordinate that a driver moves. what: the column that names it. initial: its value in the initial configuration, SI."""

    what: str
    name: str
    coordinate: str
    dimension: u.Dimension
    initial: float
    ends: tuple[Marker, Marker] | None = None


@dataclass(frozen=True)
class DriverOwners:
    """The elements that drivers may move, by name."""

    bodies: KnownParts[Body]
    joints: KnownParts[Joint]
    springs: KnownParts[Spring]
    scene: PlacingScene


def read_drivers(
    context: Context,
    bodies: tuple[Body, ...],
    joints: tuple[Joint, ...],
    springs: tuple[Spring, ...],
    scene: PlacingScene,
    driven: Driven,
) -> list[Driver]:
    """Drivers; what they drive is entered in ``driven``. One without any value holds its coordinate where it begins."""
    parts = context.parts
    owners = DriverOwners(
        parts.known("body", {each.name: each for each in bodies}),
        parts.known("joint", {each.name: each for each in joints}),
        parts.known("spring", {each.name: each for each in springs}),
        scene,
    )
    found = context.elements(input_columns.DRIVERS, context.drivers, _driver, context, owners, driven)
    return [driver for _, driver in found]


def _driver(record: Record, name: str, context: Context, owners: DriverOwners, driven: Driven) -> Driver | None:
    moved = _moved(record, context, owners)
    if moved is None:
        return None
    if any(record.given(column) for way in MOTIONS for column in way.columns):
        motion = _motion(record, moved.dimension, context)
        _warn_of_blank_position(record, motion, moved)
    else:
        motion = Quadratic(moved.initial, 0.0, 0.0)
    is_free = claim(driven, (moved.what, moved.name, moved.coordinate), record.place(moved.what), context)
    if motion is None or not is_free:
        return None
    record.finish()
    named: dict[str, str | None] = dict.fromkeys(owner.name for owner in OWNERS) | {moved.what: moved.name}
    return Driver(
        name,
        named["body"],
        named["joint"],
        moved.coordinate,
        motion,
        cell=record.cell_text("name"),
        unit=written_unit(record.table.fields.get("position")),
        point=named["point"],
        spring=named["spring"],
        ends=moved.ends,
    )


def _moved(record: Record, context: Context, owners: DriverOwners) -> DrivenCoordinate | None:
    """The coordinate that a row of Drivers moves; None where that is missing or wrong, which is reported."""
    way = chosen_way(record, OWNERS, "a body, point, spring or joint")
    if way is None:
        return None
    if way.name == "body":
        return _moved_body(record, context, owners)
    if way.name == "joint":
        return _moved_joint(record, context, owners)
    if way.name == "point":
        return _moved_point(record, context, owners.scene)
    return _moved_spring(record, context, owners)


def _moved_body(record: Record, context: Context, owners: DriverOwners) -> DrivenCoordinate | None:
    name = record.reference("body", context.bodies)
    coordinate = read_coordinate(record, tuple(body_coordinates(context)), "a body")
    body = owners.bodies.find(name)
    if name is None or not coordinate:
        return None
    initial = 0.0
    if body is not None:
        initial = float(body.angles[2] if coordinate == "phi" else body.position["xyz".index(coordinate)])
    return DrivenCoordinate("body", name, coordinate, body_coordinates(context)[coordinate], initial)


def _moved_joint(record: Record, context: Context, owners: DriverOwners) -> DrivenCoordinate | None:
    name = record.reference("joint", context.joints)
    joint = owners.joints.find(name)
    if name is None or joint is None:
        record.settle("coordinate")
        return None
    own = JOINTS[joint.type].coordinates
    if not own:
        problem = f"a joint of the type {joint.type} has no coordinate that could be driven"
        record.refuse("joint-without-coordinate", "joint", problem, "drive another joint, or a body")
        return None
    coordinate = read_coordinate(record, own, f"a joint of the type {joint.type}")
    if not coordinate:
        return None
    initial = _initial_of_joint(coordinate, joint, owners.scene)
    return DrivenCoordinate("joint", name, coordinate, JOINT_COORDINATES[coordinate], initial)


def _moved_point(record: Record, context: Context, scene: PlacingScene) -> DrivenCoordinate | None:
    name = record.reference("point", context.points)
    own = tuple(each for each, dimension in body_coordinates(context).items() if dimension == u.LENGTH)
    coordinate = read_coordinate(record, own, "a point")
    point = scene.points.find(name)
    if name is None or point is None or not coordinate:
        return None
    if point.marker.body == GROUND:
        record.refuse("driven-ground", "point", "this point is on the ground", "drive a point of a body")
        return None
    initial = float(scene.where(point)["xyz".index(coordinate)])
    return DrivenCoordinate("point", name, coordinate, u.LENGTH, initial, (Marker(GROUND), point.marker))


def _moved_spring(record: Record, context: Context, owners: DriverOwners) -> DrivenCoordinate | None:
    name = record.reference("spring", context.springs)
    spring = owners.springs.find(name)
    if name is None or spring is None:
        record.settle("coordinate")
        return None
    if FORCE_TYPES[spring.type].ends != "line":
        problem = f"a {spring.type} spring has no length that could be prescribed"
        record.refuse("spring-without-length", "spring", problem, "drive a joint, a body or a point")
        return None
    coordinate = read_coordinate(record, ("length",), "a spring")
    ends = Ends(spring.i.body, spring.j.body, spring.i.origin, spring.j.origin)
    if not coordinate:
        return None
    length = distance(ends, owners.scene)
    return DrivenCoordinate("spring", name, coordinate, u.LENGTH, length, (spring.i, spring.j))


def _motion(record: Record, dimension: u.Dimension, context: Context) -> Motion | None:
    way = chosen_way(record, MOTIONS, "a motion")
    if way is QUADRATIC:
        numbers = [
            record.number_or(column, 0.0, rate)
            for column, rate in zip(QUADRATIC.columns, RATES[dimension], strict=True)
        ]
        return Quadratic(*numbers)
    if way is EXPRESSION:
        return record.expression("expression", "position", dimension)
    if way is CURVE:
        name = context.curve(record, "curve", u.TIME, dimension, over_time=True)
        given = context.given_curves.find(name)
        if given is not None:
            warn_of_motion_samples(given.samples, dimension, context.report)
        return OfCurve(name) if name else None
    return None


def _initial_of_joint(coordinate: str, joint: Joint, scene: PlacingScene) -> float:
    """A coordinate of a joint in the initial configuration; a distance joint's is the length it is given."""
    if coordinate == "displacement":
        return 0.0
    if coordinate == "angle":
        return joint.values.get("initial_angle", 0.0)
    ends = Ends(joint.i.body, joint.j.body, joint.i.origin, joint.j.origin)
    return joint.values.get("length", distance(ends, scene))


def _warn_of_blank_position(record: Record, motion: Motion | None, moved: DrivenCoordinate) -> None:
    if isinstance(motion, Quadratic) and moved.initial != 0 and not record.given("position"):
        problem = f"a blank position is 0, while {moved.name} starts at {moved.coordinate} = {moved.initial:g} (SI)"
        record.report.warning("blank-position", record.place("position"), "position is blank", problem, "fill it in")


def read_forces(context: Context, scene: PlacingScene) -> tuple[Force, ...]:
    """Forces at markers with body axes."""
    dimension = context.settings.dimension
    variables = Variables({context.bodies: BODY_MOTION[dimension], context.points: POINT_MOTION[dimension]})
    found = context.elements(input_columns.FORCES, context.forces, _force, context, scene, variables)
    return tuple(force for _, force in found)


def _force(record: Record, name: str, context: Context, scene: PlacingScene, variables: Variables) -> Force | None:
    columns = COMPONENTS[context.settings.dimension]
    body = record.reference("body", context.bodies)
    origin = _point_of_force(record, body, context, scene)
    given = {
        column: record.formula(column, u.FORCE if column.startswith("f") else u.MOMENT, variables) for column in columns
    }
    frame = record.choice("frame")
    curve = context.curve(record, "curve", u.TIME, u.RATIO, over_time=True)
    if all(component is None for component in given.values()):
        problem = f"without {', '.join(columns[:-1])} and {columns[-1]} nothing acts"
        record.report.warning("no-force", record.place("name"), "a force without components", problem, "fill one in")
    record.finish()
    if body is None or origin is None:
        return None
    known = {column: component for column, component in given.items() if component is not None}
    return Force(
        name,
        Marker(body, origin),
        (known.get("fx", 0.0), known.get("fy", 0.0), known.get("fz", 0.0)),
        (known.get("mx", 0.0), known.get("my", 0.0), known.get("mz", known.get("moment", 0.0))),
        in_body_axes=frame == "body",
        curve=curve,
        cell=record.cell_text("name"),
    )


def _point_of_force(record: Record, body: str | None, context: Context, scene: PlacingScene) -> np.ndarray | None:
    name = record.reference("point", context.points)
    if not record.given("point"):
        return scene.poses[body].centre if body else None
    point = scene.points.find(name)
    if point is None or body is None:
        return None
    return point_on(record, "point", point, body, scene)


def read_charts(context: Context) -> tuple[Chart, ...]:
    """Charts; whether their columns exist is known only with the results."""
    return context.of_sheet(input_columns.CHARTS, lambda: chart_rows(context.table(input_columns.CHARTS)))


def chart_rows(table: InputTable) -> tuple[Chart, ...]:
    """The rows of the sheet Charts."""
    charts = []
    for record in list(table.records()):
        if not record.is_active:
            continue
        title, x = record.text("title"), record.text("x")
        y = tuple(part.strip() for part in record.text("y").split(";") if part.strip())
        kind = record.choice("type")
        if record.given("y") and not y:
            record.refuse("missing-value", "y", "a chart shows at least one result column", "name one, such as crank.x")
        at, x_cell, y_cell = (record.cell_text(column) for column in ("title", "x", "y"))
        charts.append(Chart(title, x, y, "xy" if kind == "xy" else "line", at, x_cell=x_cell, y_cell=y_cell))
        record.finish()
    return tuple(charts)
