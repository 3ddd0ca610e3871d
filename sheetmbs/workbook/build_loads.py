"""Drivers, forces, springs and charts from their sheets."""

from __future__ import annotations

from math import isnan

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import Marker
from sheetmbs.model import Body, Chart, Driver, Force, Joint, Motion, OfCurve, Quadratic, Spring
from sheetmbs.schema import sheets
from sheetmbs.schema import units as u
from sheetmbs.workbook.build_bodies import COORDINATES, joint_bodies, read_coordinate
from sheetmbs.workbook.context import Context
from sheetmbs.workbook.placing import LOCATIONS, Ends, Scene, Way, chosen_way, distance, find_ends, point_on
from sheetmbs.workbook.records import Record, named_records
from sheetmbs.workbook.report import Place
from sheetmbs.workbook.variables import Variables

JOINT_COORDINATES = {"angle": u.ANGLE, "displacement": u.LENGTH, "distance": u.LENGTH}
BODY_MOTION = ("x", "y", "phi", "vx", "vy", "omega")
POINT_MOTION = ("x", "y", "vx", "vy")
QUADRATIC = Way("position, velocity, acceleration", ("position", "velocity", "acceleration"))
EXPRESSION = Way("expression", ("expression",))
CURVE = Way("curve", ("curve",))
OWNERS = (Way("body", ("body",)), Way("joint", ("joint",)))
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
        mend = "take one of the two away"
        context.report.error("driven-twice", place, f"{owner[1]}.{owner[2]}", problem, mend)
        return False
    driven[owner] = place
    return True


def read_drivers(context: Context, bodies: tuple[Body, ...], joints: tuple[Joint, ...], driven: Driven) -> list[Driver]:
    """Drivers; what they drive is entered in ``driven``."""
    drivers = []
    for record, name in named_records(context.table(sheets.DRIVERS), context.drivers):
        owner = _driven_coordinate(record, context, joints)
        if owner is None:
            continue
        is_of_body, element, coordinate = owner[0] == "body", owner[1], owner[2]
        dimension = COORDINATES[coordinate] if is_of_body else JOINT_COORDINATES[coordinate]
        motion = _motion(record, dimension, context)
        is_free = claim(driven, owner, record.place(owner[0]), context)
        if motion is not None and is_free:
            if is_of_body:
                _warn_of_blank_position(
                    record, motion, coordinate, next((b for b in bodies if b.name == element), None)
                )
            cell = record.cell_text("name")
            body, joint = (element, None) if is_of_body else (None, element)
            drivers.append(Driver(name, body, joint, coordinate, motion, cell=cell))
            record.finish()
    return drivers


def _driven_coordinate(record: Record, context: Context, joints: tuple[Joint, ...]) -> tuple[str, str, str] | None:
    way = chosen_way(record, OWNERS, "a body or joint")
    if way is None:
        return None
    if way.name == "body":
        name = record.reference("body", context.bodies)
        coordinate = read_coordinate(record, tuple(COORDINATES), "a body")
        return ("body", name, coordinate) if name and coordinate else None
    name = record.reference("joint", context.joints)
    joint = next((each for each in joints if each.name == name), None)
    if name is None or joint is None:
        record.settle("coordinate")
        return None
    own = JOINTS[joint.type].coordinate
    if not own:
        problem = f"a joint of the type {joint.type} has no coordinate that could be driven"
        record.refuse("joint-without-coordinate", "joint", problem, "drive another joint, or a body")
        return None
    coordinate = read_coordinate(record, (own,), f"a joint of the type {joint.type}")
    return ("joint", name, coordinate) if coordinate else None


def _motion(record: Record, dimension: u.Dimension, context: Context) -> Motion | None:
    way = chosen_way(record, (QUADRATIC, EXPRESSION, CURVE), "a motion")
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
        return OfCurve(name) if name else None
    return None


def _warn_of_blank_position(record: Record, motion: Motion, coordinate: str, body: Body | None) -> None:
    if body is None or not isinstance(motion, Quadratic) or record.given("position"):
        return
    start = {"x": body.position[0], "y": body.position[1], "phi": body.angles[2]}[coordinate]
    if start != 0:
        problem = f"a blank position is 0, while {body.name} starts at {coordinate} = {start:g} (SI)"
        record.report.warning("blank-position", record.place("position"), "position is blank", problem, "fill it in")


def read_forces(context: Context, scene: Scene) -> tuple[Force, ...]:
    """Forces at markers with body axes."""
    variables = Variables({context.bodies: BODY_MOTION, context.points: POINT_MOTION})
    forces = []
    for record, name in named_records(context.table(sheets.FORCES), context.forces):
        body = record.reference("body", context.bodies)
        origin = _point_of_force(record, body, context, scene)
        fx, fy = (record.formula(column, u.FORCE, variables) for column in ("fx", "fy"))
        moment = record.formula("moment", u.MOMENT, variables)
        frame = record.choice("frame")
        curve = context.curve(record, "curve", u.TIME, u.RATIO, over_time=True)
        if fx is None and fy is None and moment is None:
            problem = "without fx, fy and moment nothing acts"
            record.report.warning(
                "no-force", record.place("name"), "a force without components", problem, "fill one in"
            )
        record.finish()
        if body is None or origin is None:
            continue
        components = tuple(0.0 if each is None else each for each in (fx, fy, moment))
        forces.append(
            Force(
                name,
                Marker(body, origin),
                (components[0], components[1], 0.0),
                (0.0, 0.0, components[2]),
                in_body_axes=frame == "body",
                curve=curve,
                cell=record.cell_text("name"),
            )
        )
    return tuple(forces)


def _point_of_force(record: Record, body: str | None, context: Context, scene: Scene) -> np.ndarray | None:
    name = record.reference("point", context.points)
    if not record.given("point"):
        return np.zeros(3)
    point = scene.points.get(name) if name else None
    if point is None or body is None:
        return None
    return point_on(record, "point", point, body, scene)


def read_springs(context: Context, scene: Scene) -> tuple[Spring, ...]:
    """Springs. Their markers have the axes of the bodies: the angle of a rotational one is phi_j - phi_i."""
    springs = []
    for record, name in named_records(context.table(sheets.SPRINGS), context.springs):
        kind = record.choice("type")
        if kind == "bushing":
            problem = "this version reads translational and rotational springs"
            record.refuse("not-yet", "type", problem, "use one or more of those")
            continue
        bodies = joint_bodies(record, context)
        if not kind or bodies is None:
            continue
        ends = _spring_ends(record, kind, bodies, scene)
        spring = _spring(record, name, kind, ends, context)
        if spring is not None:
            springs.append(spring)
            record.finish()
    return tuple(springs)


def _spring_ends(record: Record, kind: str, bodies: tuple[str, str], scene: Scene) -> Ends | None:
    is_placed = any(record.given(column) for way in LOCATIONS for column in way.columns)
    if kind == "rotational" and not is_placed:
        return Ends(*bodies, np.zeros(3), np.zeros(3))
    ends = find_ends(record, *bodies, scene)
    if ends is not None and kind == "translational" and distance(ends, scene) == 0.0:
        column = next(column for way in LOCATIONS for column in way.columns if record.given(column))
        problem = "both ends of the spring are at the same place, so it has no direction"
        record.refuse("zero-length", column, problem, "give two points apart from each other")
    return ends


def _spring(record: Record, name: str, kind: str, ends: Ends | None, context: Context) -> Spring | None:
    is_line = kind == "translational"
    stiffness = u.STIFFNESS if is_line else u.ROTATIONAL_STIFFNESS
    damping = u.DAMPING if is_line else u.ROTATIONAL_DAMPING
    load = u.FORCE if is_line else u.MOMENT
    deflection, _rate = (u.LENGTH, u.VELOCITY) if is_line else (u.ANGLE, u.ANGULAR_VELOCITY)
    k, c = record.number_or("k", 0.0, stiffness), record.number_or("c", 0.0, damping)
    force = record.number_or("force", 0.0, load)
    natural = record.number("length0" if is_line else "angle0")
    if is_line and natural is not None and natural < 0:
        record.refuse("negative", "length0", "a natural length must not be negative", "correct the value")
    curve_k = context.curve(record, "curve_k", deflection, load, over_time=False)
    curve_c = context.curve(record, "curve_c", _rate, load, over_time=False)
    for number, curve in (("k", "curve_k"), ("c", "curve_c")):
        if record.given(number) and record.given(curve):
            problem = f"{curve} replaces {number}"
            record.report.warning("unused-value", record.place(number), f"{number} and {curve}", problem, "clear one")
    if not any(record.given(column) for column in ("k", "c", "force", "curve_k", "curve_c")):
        problem = "without k, c, force and curves it does nothing"
        record.report.warning("no-force", record.place("name"), "a spring without numbers", problem, "fill one in")
    if ends is None or isnan(k):
        return None
    i, j = Marker(ends.body_i, ends.origin_i), Marker(ends.body_j, ends.origin_j)
    return Spring(name, kind, i, j, k, c, force, natural, curve_k, curve_c, record.cell_text("name"))


def read_charts(context: Context) -> tuple[Chart, ...]:
    """Charts; whether their columns exist is known only with the results."""
    charts = []
    for record in list(context.table(sheets.CHARTS).records()):
        if not record.is_active:
            continue
        title, x = record.text("title"), record.text("x") or "time"
        y = tuple(part.strip() for part in record.text("y").split(";") if part.strip())
        kind = record.choice("type")
        if record.given("y") and not y:
            record.refuse("missing-value", "y", "a chart shows at least one result column", "name one, such as crank.x")
        charts.append(Chart(title, x, y, "xy" if kind == "xy" else "line", record.cell_text("title")))
        record.finish()
    return tuple(charts)
