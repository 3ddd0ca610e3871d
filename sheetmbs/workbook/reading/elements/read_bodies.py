"""Bodies from their sheet."""

from __future__ import annotations

from math import isfinite

import numpy as np

from sheetmbs.elements.marker import GROUND, Vector
from sheetmbs.elements.rotation import angles_of_matrix, euler_of_angles, matrix_of, principal_moments
from sheetmbs.model.model import Body, Display
from sheetmbs.problems.listing import an
from sheetmbs.schema import input_columns
from sheetmbs.schema.problem_list import Place
from sheetmbs.schema.settings import MASSLESS_ANALYSES
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.input_table import InputTable, Record, named_records
from sheetmbs.workbook.reading.mass_properties import (
    MassText,
    MassTexts,
    given_shape,
    mass_from,
    mass_of_shape,
    place_from,
)
from sheetmbs.workbook.reading.parse_cache import KnownParts
from sheetmbs.workbook.reading.placing import GROUND_POSE, Pose, Way, components, planar_pose

MOMENTS = ("ixx", "iyy", "izz")
PRODUCTS = ("ixy", "ixz", "iyz")
EULER = Way("e0 to e3", ("e0", "e1", "e2", "e3"))
ANGLES = Way("yaw, pitch and roll", ("yaw", "pitch", "roll"))
NORM_TOLERANCE = 1e-6
"""by which the norm of Euler parameters may differ from 1: they are typed to some digits"""
INERTIA_ROUNDING = 1e-9
"""relative, of an inertia tensor typed to some digits"""


def read_bodies(context: Context, texts: MassTexts) -> tuple[tuple[Body, ...], KnownParts[Pose], Display]:
    """Bodies, their poses and the ground's, and the units in which positions and angles are to be shown."""
    table = context.table(input_columns.BODIES)
    is_planar = context.settings.dimension == "2D"
    bodies: list[Body] = []
    poses = context.parts.known("pose", {GROUND: GROUND_POSE})
    mass_columns = _needed_mass_columns(table, context, texts)
    make = _planar_body if is_planar else _spatial_body
    for record, name in named_records(table, context.bodies):
        body, pose = context.parts.of_record(record, make, name, mass_columns, texts.of(name))
        if name:
            bodies.append(body)
            poses[name] = pose
    if table.cells is None and input_columns.BEAMS.name in context.sheets:
        context.bodies.is_complete = True  # the names of all bodies stand there
    return tuple(bodies), poses, _display(table)


def check_any(bodies: tuple[Body, ...], context: Context) -> None:
    """Report that there is no body at all."""
    sheet = context.sheets.get(input_columns.BODIES.name) or context.sheets.get(input_columns.BEAMS.name)
    if sheet is not None and not bodies and not context.report.has_errors:
        mend = "add a row per body; the ground needs none"
        context.report.error("no-bodies", Place(sheet.name), "no body", "a model has at least one body", mend)


def _needed_mass_columns(table: InputTable, context: Context, texts: MassTexts) -> tuple[str, ...]:
    """Columns that must be filled in; one that is missing altogether is reported here, once."""
    if context.settings.analysis in MASSLESS_ANALYSES or not table.fields or next(table.records(), None) is None:
        return ()
    columns = ("mass", "inertia") if context.settings.dimension == "2D" else ("mass", *MOMENTS)
    needed = []
    for column in columns:
        if column in table.fields or texts:
            needed.append(column)
        elif "shape" not in table.fields:
            table.headers.report_missing(column, f"{an(context.settings.analysis)} analysis needs it")
    return tuple(needed)


def _planar_body(record: Record, name: str, mass_columns: tuple[str, ...], text: MassText | None) -> tuple[Body, Pose]:
    mass, tensor = _mass_and_inertia(record, ("inertia",), mass_columns, text)
    if tensor is not None:
        tensor = np.diag([0.0, 0.0, tensor[2, 2]])
    phi = record.number_or("phi", 0.0)
    body = Body(
        name,
        record.cell_text("name"),
        mass,
        tensor,
        position=place_from(text, record, ("x", "y"), planar_pose(0.0, 0.0, phi).rotation),
        angles=np.array([0.0, 0.0, phi]),
        euler=euler_of_angles(phi, 0.0, 0.0),
        velocity=components(record, ("vx", "vy")),
        angular_velocity=np.array([0.0, 0.0, record.number_or("omega", 0.0)]),
        force=components(record, ("fx", "fy")),
        moment=np.array([0.0, 0.0, record.number_or("moment", 0.0)]),
    )
    record.finish()
    return body, planar_pose(float(body.position[0]), float(body.position[1]), float(body.angles[2]))


def _spatial_body(record: Record, name: str, mass_columns: tuple[str, ...], text: MassText | None) -> tuple[Body, Pose]:
    mass, tensor = _mass_and_inertia(record, (*MOMENTS, *PRODUCTS), mass_columns, text)
    euler, angles = record.of_columns((*EULER.columns, *ANGLES.columns), "orientation", lambda: _orientation(record))
    rotation = matrix_of(euler)
    body = Body(
        name,
        record.cell_text("name"),
        mass,
        tensor,
        position=place_from(text, record, ("x", "y", "z"), rotation),
        angles=angles,
        euler=euler,
        velocity=components(record, ("vx", "vy", "vz")),
        angular_velocity=components(record, ("wx", "wy", "wz")),
        force=components(record, ("fx", "fy", "fz")),
        moment=components(record, ("mx", "my", "mz")),
    )
    record.finish()
    return body, Pose(body.position, rotation)


def _mass_and_inertia(
    record: Record, columns: tuple[str, ...], needed: tuple[str, ...], text: MassText | None
) -> tuple[float | None, Vector | None]:
    """Mass and tensor from a CAD text, a shape or the row's own numbers. columns: those of the inertia."""
    has_mass, has_inertia = mass_from(text, record, columns) if text else (False, False)
    if text is None and given_shape(record, columns[: len(MOMENTS)]):
        return mass_of_shape(record)
    mass = text.body.mass if text and has_mass else _not_negative(record, "mass", needed="mass" in needed)
    if text and has_inertia:
        return mass, text.body.tensor
    if columns != ("inertia",):
        return mass, record.of_columns((*MOMENTS, *PRODUCTS), ("tensor", needed), lambda: _tensor(record, needed))
    inertia = _not_negative(record, "inertia", needed="inertia" in needed)
    return mass, None if inertia is None else np.diag([0.0, 0.0, inertia])


def _tensor(record: Record, mass_columns: tuple[str, ...]) -> Vector | None:
    """Inertia tensor; None where blank or wrong, which is reported."""
    some = any(record.given(column) for column in (*MOMENTS, *PRODUCTS))
    moments = [_not_negative(record, column, needed=some or column in mass_columns) for column in MOMENTS]
    xy, xz, yz = (record.number_or(column, 0.0) for column in PRODUCTS)
    if not some or None in moments:
        return None
    xx, yy, zz = (float(moment) for moment in moments if moment is not None)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    elements = xx, yy, zz, xy, xz, yz
    if not all(map(isfinite, elements)):
        return None
    principal = principal_moments(tensor).tolist()
    slack = INERTIA_ROUNDING * max(map(abs, elements))
    if principal[0] < -slack or principal[0] + principal[1] < principal[2] - slack:
        values = ", ".join(f"{value:.6g}" for value in principal)
        problem = (
            f"no real body has this tensor: its principal moments would be {values} kg m^2, and none may be negative or "
            "greater than the sum of the other two"
        )
        mend = "check the units and the signs: products are tensor elements, minus the integrals of xy, xz and yz"
        record.refuse("impossible-inertia", "ixx", problem, mend)
        return None
    return tensor


def _orientation(record: Record) -> tuple[Vector, Vector]:
    """Euler parameters (4,) and yaw, pitch, roll (3,) from either."""
    by_euler = [column for column in EULER.columns if record.given(column)]
    by_angles = [column for column in ANGLES.columns if record.given(column)]
    if not by_euler:
        angles = components(record, ANGLES.columns)
        record.settle(*EULER.columns)
        return euler_of_angles(*angles), angles
    euler = np.array([record.number_or(column, 0.0) for column in EULER.columns])
    record.settle(*ANGLES.columns)
    norm = float(np.linalg.norm(euler))
    standard = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
    if by_angles:
        problem = f"{by_euler[0]} gives the orientation already; use one way only"
        record.refuse("two-ways-orientation", by_angles[0], problem, f"fill in either {EULER.name}, or {ANGLES.name}")
        return standard
    if not np.isfinite(norm):
        return standard
    if abs(norm - 1.0) > NORM_TOLERANCE:
        problem = f"the squares of e0, e1, e2 and e3 must add up to 1, here the root of their sum is {norm:.9g}"
        record.refuse("euler-norm", by_euler[0], problem, "correct them, or use yaw, pitch and roll")
        return standard
    euler = euler / norm
    return euler, angles_of_matrix(matrix_of(euler))


def _not_negative(record: Record, column: str, *, needed: bool) -> float | None:
    value = record.number(column)
    if value is None and needed:
        mend = "fill it in, or begin the row with # if it is no body"
        record.missing(column, "it may be blank in a kinematic analysis only", mend)
    if value is not None and value < 0:
        record.refuse("negative", column, f"{column} must not be negative", "correct the value")
    return value


def _display(table: InputTable) -> Display:
    """Positions and angles are shown in the units given for x and for phi or yaw."""
    standard = Display()
    shown = []
    for column, default in (("x", standard.length), ("phi" if table.dimension == "2D" else "yaw", standard.angle)):
        field = table.fields.get(column)
        shown.append((field.unit.text, field.unit.size) if field and field.unit else default)
    return Display(*shown)
