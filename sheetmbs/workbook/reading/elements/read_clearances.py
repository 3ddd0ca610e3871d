"""Revolute joints with clearance from their sheet."""

from __future__ import annotations

from math import isnan

from sheetmbs.elements.clearance_laws import LAWS, Law, unfit
from sheetmbs.elements.marker import Marker
from sheetmbs.model.model import Clearance
from sheetmbs.schema import input_columns
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_joints import joint_bodies
from sheetmbs.workbook.reading.input_table import Record
from sheetmbs.workbook.reading.placing import PlacingScene, find_ends, markers_along

MAX_POISSON = 0.5


def read_clearances(context: Context, scene: PlacingScene) -> tuple[Clearance, ...]:
    """Joints with clearance. In the plane their markers have the axes of the bodies."""
    sheet, names = input_columns.CLEARANCES, context.clearances
    return tuple(each for _, each in context.elements(sheet, names, _placed_clearance, context, scene))


def _placed_clearance(record: Record, name: str, context: Context, scene: PlacingScene) -> Clearance | None:
    law = LAWS.get(record.choice("law"))
    radii, bodies = _radii(record), joint_bodies(record, context)
    if bodies is None:
        return None
    ends = find_ends(record, *bodies, scene)
    markers = None
    if ends is not None and context.settings.dimension == "3D":
        markers = markers_along(record, ends, scene)
    elif ends is not None:
        markers = Marker(ends.body_i, ends.origin_i), Marker(ends.body_j, ends.origin_j)
    if law is None:  # which says what else is needed
        return None
    clearance = _clearance(record, name, law, markers, radii)
    record.finish()
    if clearance is not None:
        _check_settings(record, clearance, context)
    return clearance


def _radii(record: Record) -> tuple[float, float]:
    radius_i, radius_j = _positive(record, "radius_i"), _positive(record, "radius_j")
    if radius_i <= radius_j:
        problem = f"the bearing must be wider than the journal, whose radius is {radius_j:g} m"
        record.refuse(
            "no-clearance", "radius_i", problem, "swap or correct the radii; a joint without clearance is revolute"
        )
    return radius_i, radius_j


def _clearance(
    record: Record, name: str, law: Law, markers: tuple[Marker, Marker] | None, radii: tuple[float, float]
) -> Clearance | None:
    young = (_positive(record, "young_i", law), _positive(record, "young_j", law))
    poisson = (_poisson(record, "i", law), _poisson(record, "j", law))
    friction = _mean(record, "friction", None, 0.0)
    restitution = _mean(record, "restitution", 1.0, None if law.is_damped else 1.0) if law.name != "hertz" else 1.0
    viscosity = _positive(record, "viscosity", law) if law.is_oiled else 0.0
    length = _positive(record, "length", law) if law.is_oiled else 0.0
    numbers = (*radii, *young, *poisson, friction, restitution, viscosity, length)
    if markers is None or any(isnan(number) for number in numbers):
        return None
    return Clearance(
        name, law.name, *markers, *radii, young, poisson, friction, restitution, viscosity, length,
        record.cell_text("name"),
    )  # fmt: skip


def _positive(record: Record, column: str, law: Law | None = None) -> float:
    """A number greater than 0, NaN where it is not, which is reported. law: that needs it, for the message."""
    value = record.number(column)
    if value is None:
        if law is not None:
            record.missing(column, f"the law {law.name} needs it", "fill it in")
        return float("nan")
    if value <= 0.0:
        record.refuse("not-positive", column, f"{column} must be greater than 0", "correct the value")
    return value


def _poisson(record: Record, side: str, law: Law) -> float:
    column = f"poisson_{side}"
    value = record.number(column)
    if value is None:
        record.missing(column, f"the law {law.name} needs it", "fill it in; 0.3 for most metals")
        return float("nan")
    if not (-1.0 < value <= MAX_POISSON or isnan(value)):
        record.refuse("out-of-range", column, f"{column} must lie between -1 and 0.5", "correct the value")
    return value


def _mean(record: Record, what: str, most: float | None, blank: float | None) -> float:
    """The mean of both bodies' coefficients, ``blank`` where neither is given; NaN where one is needed, which is reported."""
    columns = f"{what}_i", f"{what}_j"
    values = [record.number(column) for column in columns]
    if values == [None, None] and blank is not None:
        return blank
    for column, value in zip(columns, values, strict=True):
        if value is None:
            problem = "the coefficients of both bodies are needed: their mean counts"
            record.missing(column, problem, "fill it in; give both the same where you know one only")
        elif value < 0.0 or (most is not None and value > most):
            rule = f"{column} must not be negative" if most is None else f"{column} must lie between 0 and {most:g}"
            record.refuse("out-of-range", column, rule, "correct the value")
    known = [float("nan") if value is None else value for value in values]
    return 0.5 * (known[0] + known[1])


def _check_settings(record: Record, clearance: Clearance, context: Context) -> None:
    settings = context.settings
    found = unfit(settings.analysis, settings.integrator, with_memory=clearance.has_memory)
    if found:
        setting, rule, mend = found
        what = f"{clearance.name}, with {setting} = {getattr(settings, setting)}"
        context.report.error("not-with-clearance", record.place("name"), what, rule, mend)
