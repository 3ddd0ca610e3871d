"""The input sheets and their columns. What stands here is read, checked, documented and offered in templates."""

from __future__ import annotations

from dataclasses import replace

from sheetmbs.elements import ELEMENTS
from sheetmbs.elements.beam_shapes import ENDS
from sheetmbs.elements.clearance_laws import LAWS
from sheetmbs.elements.force_type import ForceCurve, ForceNumber
from sheetmbs.elements.forces import FORCE_ELEMENTS, FORCE_TYPES
from sheetmbs.elements.joint_friction import CREEP_OF_HINGES, CREEP_OF_SLIDES, FRICTION
from sheetmbs.schema import units as u
from sheetmbs.schema.column import (
    ACTIVE,
    CHOICE,
    FLAG,
    FORMULA,
    NAME,
    NOTES,
    NUMBER,
    PLANAR,
    REFERENCE,
    SPATIAL,
    TEXT,
    Column,
    ColumnKind,
    Dimensionality,
    Sheet,
    SheetLayout,
)
from sheetmbs.schema.names import fold
from sheetmbs.schema.settings import SETTINGS_SHEET

BODY_SHEETS = ("Bodies", "Beams")
SHAPES = ("rod", "box", "cylinder", "tube", "sphere")
COMMON = (ACTIVE, NOTES)


def quantity(name: str) -> u.Dimension:
    """The dimension that a declaration means."""
    found: u.Dimension = getattr(u, name.upper())
    return found


def force_columns() -> tuple[Column, ...]:
    """The columns of all force elements; one of several elements stands once, with the dimensions of all."""
    columns: dict[str, Column] = {}
    for element in FORCE_ELEMENTS:
        for given in element.columns:
            column = _number(element.name, given) if isinstance(given, ForceNumber) else _curve(given)
            known = columns.setdefault(given.name, column)
            dimensions = tuple(dict.fromkeys((*known.dimensions, *column.dimensions)))
            doc = known.doc if column.doc in known.doc else f"{known.doc}; {element.name}: {column.doc}"
            columns[given.name] = replace(known, dimensions=dimensions, doc=doc)
    return tuple(columns.values())


def _number(element: str, given: ForceNumber) -> Column:
    default = f"required of {element}" if given.required else given.blank
    dimensions = (quantity(given.quantity),)
    return Column(given.name, NUMBER, given.doc, dimensions, default=default, models=given.models)


def _curve(given: ForceCurve) -> Column:
    return Column(given.name, REFERENCE, given.doc, sheets=("Curves",), models=given.models)


def _numbers(
    names: str,
    dimension: u.Dimension,
    doc: str,
    *,
    default: str = "",
    models: tuple[Dimensionality, ...] = ("2D", "3D"),
    kind: ColumnKind = NUMBER,
) -> tuple[Column, ...]:
    """One column per word of ``names``; ``{}`` in ``doc`` stands for the word."""
    return tuple(
        Column(name, kind, doc.format(name), (dimension,), default=default, models=models) for name in names.split()
    )


def _ends(*, required_j: bool) -> tuple[Column, ...]:
    return (
        Column("body_i", REFERENCE, "first body", required=True, sheets=BODY_SHEETS, ground=True),
        Column("body_j", REFERENCE, "second body", required=required_j, sheets=BODY_SHEETS, ground=True),
    )


LOCATION = (
    Column("point", REFERENCE, "point on both bodies in the initial configuration", sheets=("Points",)),
    Column("point_i", REFERENCE, "point on body i", sheets=("Points",)),
    Column("point_j", REFERENCE, "point on body j", sheets=("Points",)),
    *_numbers("xi_i eta_i", u.LENGTH, "body coordinate of the point on body i"),
    *_numbers("zeta_i", u.LENGTH, "body coordinate of the point on body i", models=SPATIAL),
    *_numbers("xi_j eta_j", u.LENGTH, "body coordinate of the point on body j"),
    *_numbers("zeta_j", u.LENGTH, "body coordinate of the point on body j", models=SPATIAL),
)

AXIS = (
    *_numbers("axis_x axis_y", u.RATIO, "global component of the direction, initial configuration"),
    *_numbers("axis_z", u.RATIO, "global component of the direction, initial configuration", models=SPATIAL),
    Column("axis_point", REFERENCE, "the direction points from the joint's point to this one", sheets=("Points",)),
    *_numbers("axis_i_xi axis_i_eta", u.RATIO, "component of the direction in axes of body i"),
    *_numbers("axis_i_zeta", u.RATIO, "component of the direction in axes of body i", models=SPATIAL),
    *_numbers("axis_j_xi axis_j_eta", u.RATIO, "component of the direction in axes of body j"),
    *_numbers("axis_j_zeta", u.RATIO, "component of the direction in axes of body j", models=SPATIAL),
    *_numbers("xi2_i eta2_i", u.LENGTH, "second point of body i on the axis of a slide", models=PLANAR),
    Column("axis2_point", REFERENCE, "second direction: towards this point", sheets=("Points",), models=SPATIAL),
    *_numbers("axis2_x axis2_y axis2_z", u.RATIO, "second direction, on body j, global", models=SPATIAL),
    *_numbers("axis2_j_xi axis2_j_eta axis2_j_zeta", u.RATIO, "second direction, axes of body j", models=SPATIAL),
)

SPRING_AXIS = tuple(
    replace(column, models=SPATIAL) for column in AXIS if not column.name.startswith(("axis2", "xi2", "eta2"))
)

BODIES = Sheet(
    "Bodies",
    "rigid bodies, their mass properties and the initial configuration",
    (
        Column("name", NAME, "name of the body", required=True),
        *_numbers("mass", u.MASS, "mass; blank where a shape or a CAD text gives it, and in a kinematic analysis"),
        Column("inertia", NUMBER, "moment of inertia about the centre of mass", (u.INERTIA,), models=PLANAR),
        *_numbers("ixx iyy izz ixy ixz iyz", u.INERTIA, "tensor element about the centre of mass", models=SPATIAL),
        Column("shape", CHOICE, "gives mass and inertia where those are blank", choices=tuple(SHAPES)),
        *_numbers("length", u.LENGTH, "of a rod, box, cylinder or tube, along xi"),
        *_numbers("width height", u.LENGTH, "{} of a box, along eta and zeta"),
        *_numbers("radius inner_radius", u.LENGTH, "{} of a cylinder, tube or sphere"),
        *_numbers("density", u.DENSITY, "of a shape, instead of its mass"),
        *_numbers("x y", u.LENGTH, "initial {} of the centre of mass", default="0, or from a CAD text"),
        *_numbers("z", u.LENGTH, "initial {} of the centre of mass", default="0, or from a CAD text", models=SPATIAL),
        *_numbers(
            "cad_x cad_y", u.LENGTH, "initial place of the CAD origin, where a CAD text gives the centre", default="0"
        ),
        *_numbers("cad_z", u.LENGTH, "likewise", default="0", models=SPATIAL),
        *_numbers("phi", u.ANGLE, "initial angle, positive counter-clockwise", default="0", models=PLANAR),
        *_numbers("e0 e1 e2 e3", u.RATIO, "Euler parameter", models=SPATIAL),
        *_numbers("yaw pitch roll", u.ANGLE, "{}: about z, then y', then x''", default="0", models=SPATIAL),
        *_numbers("vx vy", u.VELOCITY, "initial velocity of the centre of mass", default="0"),
        *_numbers("vz", u.VELOCITY, "initial velocity of the centre of mass", default="0", models=SPATIAL),
        *_numbers("omega", u.ANGULAR_VELOCITY, "initial angular velocity", default="0", models=PLANAR),
        *_numbers("wx wy wz", u.ANGULAR_VELOCITY, "angular velocity, body axes", default="0", models=SPATIAL),
        *_numbers("fx fy", u.FORCE, "constant global force at the centre of mass", default="0"),
        *_numbers("fz", u.FORCE, "constant global force at the centre of mass", default="0", models=SPATIAL),
        *_numbers("moment", u.MOMENT, "constant moment", default="0", models=PLANAR),
        *_numbers("mx my mz", u.MOMENT, "constant global moment", default="0", models=SPATIAL),
        *COMMON,
    ),
    required=True,
)

POINTS = Sheet(
    "Points",
    "named points on bodies and on the ground",
    (
        Column("name", NAME, "name of the point", required=True),
        Column("body", REFERENCE, "body that carries it", default="ground", sheets=BODY_SHEETS, ground=True),
        Column("x", NUMBER, "x, or xi in the frame body", (u.LENGTH,), required=True),
        Column("y", NUMBER, "y, or eta in the frame body", (u.LENGTH,), required=True),
        Column("z", NUMBER, "z, or zeta in the frame body", (u.LENGTH,), default="0", models=SPATIAL),
        Column(
            "frame",
            CHOICE,
            "global: its place in the initial configuration; body: body coordinates",
            default="global",
            choices=("global", "body"),
        ),
        Column("report", FLAG, "yes: its motion is written on mbs Points", default="no"),
        *COMMON,
    ),
)

FRICTION_RADII = ", ".join(f"{kind.friction_radius} ({name})" for name, kind in FRICTION.items())
FRICTION_VELOCITY = f"{CREEP_OF_HINGES:g} rad/s times the radius; where it slides along an axis {CREEP_OF_SLIDES:g} m/s"

FRICTION_COLUMNS = (
    Column("friction", NUMBER, f"coefficient of friction ({', '.join(FRICTION)})", (u.RATIO,), default="0"),
    Column("friction_radius", NUMBER, FRICTION_RADII, (u.LENGTH,)),
    Column(
        "friction_velocity",
        NUMBER,
        "sliding velocity within which friction grows",
        (u.VELOCITY,),
        default=FRICTION_VELOCITY,
    ),
)

JOINTS = Sheet(
    "Joints",
    "joints between two bodies, or a body and the ground",
    (
        Column("name", NAME, "name of the joint", required=True),
        Column("type", CHOICE, "type of the joint", required=True, choices=tuple(each.name for each in ELEMENTS)),
        *_ends(required_j=False),
        *LOCATION,
        *AXIS,
        *_numbers("length", u.LENGTH, "distance to keep", default="the initial one"),
        Column("coordinate", CHOICE, "coordinate of body i that is held fixed", choices=("x", "y", "z", "phi")),
        Column("value", NUMBER, "value at which it is held", (u.LENGTH, u.ANGLE), default="the initial one"),
        *_numbers("initial_angle", u.ANGLE, "angle of the joint in the initial configuration", default="0"),
        *_numbers("pitch", u.LENGTH, "advance of a screw per turn", models=SPATIAL),
        Column(
            "joint_1", REFERENCE, "first of two coupled joints, of a rack and pinion the pinion", sheets=("Joints",)
        ),
        Column("joint_2", REFERENCE, "second of two coupled joints, of a rack and pinion the rack", sheets=("Joints",)),
        *_numbers("ratio", u.RATIO, "angle of joint_2 over that of joint_1, negative for outer teeth"),
        *_numbers(
            "pressure_angle", u.ANGLE, "of the teeth of a gear or rack, in their normal section", default="20 deg"
        ),
        *_numbers(
            "helix_angle",
            u.ANGLE,
            "of the teeth of a gear or rack, + where those of the wheel of joint_1 are right-handed",
            default="0",
            models=SPATIAL,
        ),
        *_numbers(
            "radius", u.LENGTH, "of a wheel on a road; of a pinion: displacement of joint_2 over the angle of joint_1"
        ),
        *FRICTION_COLUMNS,
        *COMMON,
    ),
)

DRIVERS = Sheet(
    "Drivers",
    "prescribed motion of a coordinate of a body, joint, point or spring",
    (
        Column("name", NAME, "name of the driver", required=True),
        Column("body", REFERENCE, "body to move; or name a joint, a point or a spring", sheets=BODY_SHEETS),
        Column("joint", REFERENCE, "joint that is moved", sheets=("Joints",)),
        Column("point", REFERENCE, "point whose x, y or z is moved", sheets=("Points",)),
        Column("spring", REFERENCE, "spring whose length is prescribed", sheets=("Springs",)),
        Column(
            "coordinate",
            CHOICE,
            "coordinate that moves",
            required=True,
            choices=("x", "y", "z", "phi", "angle", "displacement", "distance", "length"),
        ),
        Column("position", NUMBER, "p of p + v t + a t^2/2, t from t_start", (u.LENGTH, u.ANGLE), default="0"),
        Column("velocity", NUMBER, "v, as above", (u.VELOCITY, u.ANGULAR_VELOCITY), default="0"),
        Column("acceleration", NUMBER, "a, as above", (u.ACCELERATION, u.ANGULAR_ACCELERATION), default="0"),
        Column("expression", FORMULA, "expression of t, in the unit of position"),
        Column("curve", REFERENCE, "curve over time, read as a cubic spline", sheets=("Curves",)),
        *COMMON,
    ),
)

TIME_COLUMN = Column("time", NUMBER, "time, strictly increasing", (u.TIME,), required=True)

GUIDING = Sheet(
    "Guiding",
    "measured motion: a column per guided coordinate",
    (
        TIME_COLUMN,
        *_numbers("x y", u.LENGTH, "{} of the body"),
        *_numbers("z", u.LENGTH, "{} of the body", models=SPATIAL),
        *_numbers("phi", u.ANGLE, "angle of the body", models=PLANAR),
        *_numbers("e0 e1 e2 e3", u.RATIO, "Euler parameter of the body", models=SPATIAL),
        *_numbers("angle", u.ANGLE, "angle of the joint"),
        *_numbers("displacement distance", u.LENGTH, "{} of the joint"),
        *COMMON,
    ),
    layout=SheetLayout.SERIES,
)

FORCES = Sheet(
    "Forces",
    "forces and moments on bodies",
    (
        Column("name", NAME, "name of the force", required=True),
        Column("body", REFERENCE, "body on which it acts", required=True, sheets=BODY_SHEETS),
        Column("point", REFERENCE, "where it acts", default="the centre of mass", sheets=("Points",)),
        *_numbers("fx fy", u.FORCE, "component, a number or an expression", default="0", kind=FORMULA),
        *_numbers("fz", u.FORCE, "component", default="0", models=SPATIAL, kind=FORMULA),
        *_numbers("moment", u.MOMENT, "moment about z", default="0", models=PLANAR, kind=FORMULA),
        *_numbers("mx my mz", u.MOMENT, "component", default="0", models=SPATIAL, kind=FORMULA),
        Column("frame", CHOICE, "axes of the components", default="global", choices=("global", "body")),
        Column("curve", REFERENCE, "curve over time that scales it", sheets=("Curves",)),
        *COMMON,
    ),
)

FORCE_SERIES = Sheet(
    "ForceSeries",
    "measured forces: columns per body",
    (
        TIME_COLUMN,
        *_numbers("fx fy", u.FORCE, "global component"),
        *_numbers("fz", u.FORCE, "global component", models=SPATIAL),
        *_numbers("moment", u.MOMENT, "moment about z", models=PLANAR),
        *_numbers("mx my mz", u.MOMENT, "global component", models=SPATIAL),
        *_numbers("px py", u.LENGTH, "global coordinate of the point of application"),
        *_numbers("pz", u.LENGTH, "global coordinate of the point of application", models=SPATIAL),
        *_numbers("xi eta", u.LENGTH, "body coordinate of the point of application"),
        *_numbers("zeta", u.LENGTH, "body coordinate of the point of application", models=SPATIAL),
        *COMMON,
    ),
    layout=SheetLayout.SERIES,
)

SPRINGS = Sheet(
    "Springs",
    "springs, dampers, actuators, bushings and gas springs between two bodies",
    (
        Column("name", NAME, "name of the spring", required=True),
        Column(
            "type",
            CHOICE,
            "type of the element",
            default="translational",
            choices=tuple(FORCE_TYPES),
        ),
        *_ends(required_j=True),
        *LOCATION,
        *SPRING_AXIS,
        *force_columns(),
        *COMMON,
    ),
)

CURVES = Sheet(
    "Curves",
    "pairs of columns <curve>.x and <curve>.y, each with its own unit",
    (
        Column("x", NUMBER, "x, strictly increasing", u.EVERY_DIMENSION, required=True),
        Column("y", NUMBER, "y", u.EVERY_DIMENSION, required=True),
        Column(
            "interpolation",
            CHOICE,
            "interpolation, in the first cell of the column",
            default="linear",
            choices=("linear", "cubic"),
        ),
    ),
    layout=SheetLayout.PAIRS,
)

CHARTS = Sheet(
    "Charts",
    "charts to draw instead of the default set",
    (
        Column("title", TEXT, "title of the chart", required=True),
        Column(
            "x",
            TEXT,
            "result column along the horizontal axis",
            default="time; in a kinematic analysis what the one driver moves",
        ),
        Column("y", TEXT, "one or more result columns, separated by ;", required=True),
        Column("type", CHOICE, "over time, or one column over another", default="line", choices=("line", "xy")),
        *COMMON,
    ),
)

CLEARANCES = Sheet(
    "Clearances",
    "revolute joints with clearance: a journal in a bearing",
    (
        Column("name", NAME, "name of the joint", required=True),
        Column("body_i", REFERENCE, "body with the bearing", required=True, sheets=BODY_SHEETS, ground=True),
        Column("body_j", REFERENCE, "body with the journal", required=True, sheets=BODY_SHEETS, ground=True),
        *LOCATION,
        *SPRING_AXIS,
        Column("radius_i", NUMBER, "radius of the bearing", (u.LENGTH,), required=True),
        Column("radius_j", NUMBER, "radius of the journal", (u.LENGTH,), required=True),
        Column("law", CHOICE, "law of the contact force", required=True, choices=tuple(LAWS)),
        *_numbers(
            "friction_i friction_j", u.RATIO, "coefficient of friction; the mean of both bodies counts", default="0"
        ),
        *_numbers("restitution_i restitution_j", u.RATIO, "coefficient of restitution; the mean of both bodies counts"),
        *_numbers("young_i young_j", u.PRESSURE, "Young's modulus of either body"),
        *_numbers("poisson_i poisson_j", u.RATIO, "Poisson's ratio of either body"),
        *_numbers("viscosity", u.VISCOSITY, "dynamic viscosity of the film, for pinkus-sternlicht"),
        *_numbers("length", u.LENGTH, "length of the bearing, for pinkus-sternlicht"),
        *COMMON,
    ),
)
BEAMS = Sheet(
    "Beams",
    "flexible bodies: uniform beams that bend as they move",
    (
        Column("name", NAME, "name of the beam, which is a body", required=True),
        Column("length", NUMBER, "undeformed length, along xi from end i", (u.LENGTH,), required=True),
        Column("EI", NUMBER, "bending stiffness", (u.BENDING_STIFFNESS,), required=True),
        Column("mass_per_length", NUMBER, "mass per length", (u.MASS_PER_LENGTH,), required=True),
        Column("EA", NUMBER, "axial stiffness", (u.FORCE,), default="it keeps its length"),
        *_numbers("modes", u.RATIO, "number of bending shapes, and with EA of axial shapes", default="2"),
        Column("ends", CHOICE, "how its ends are held, which sets its frame and shapes", default=ENDS[0], choices=ENDS),
        *_numbers("damping", u.RATIO, "damping ratio of each mode of the free beam", default="0"),
        *_numbers("x y", u.LENGTH, "initial {} of end i", default="0"),
        *_numbers("phi", u.ANGLE, "initial angle, positive counter-clockwise", default="0"),
        *_numbers("vx vy", u.VELOCITY, "initial velocity of end i", default="0"),
        *_numbers("omega", u.ANGULAR_VELOCITY, "initial angular velocity", default="0"),
        *COMMON,
    ),
    models=PLANAR,
)
MASS_PROPERTIES = Sheet(
    "Mass properties", "mass, centre and inertia as SolidWorks or Fusion report them", (), layout=SheetLayout.TEXTS
)

SHEETS: tuple[Sheet, ...] = (
    SETTINGS_SHEET,
    BODIES,
    POINTS,
    JOINTS,
    DRIVERS,
    GUIDING,
    FORCES,
    FORCE_SERIES,
    SPRINGS,
    CURVES,
    CLEARANCES,
    BEAMS,
    CHARTS,
    MASS_PROPERTIES,
)

SHEETS_BY_FOLD: dict[str, Sheet] = {fold(sheet.name): sheet for sheet in SHEETS}
