"""The suspension sheets of a workbook as a car."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.schema.compliance_inputs import COMPLIANCE
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.suspension_inputs import (
    HARDPOINTS,
    MEMBERS,
    PACKAGING,
    STEERING,
    SUSPENSION,
    SUSPENSION_SPRINGS,
)
from sheetmbs.suspension.layout.addons import roles_of
from sheetmbs.suspension.layout.aliases import ALIASES, standard_name
from sheetmbs.suspension.layout.car import (
    BLADE_AXIS,
    BLADE_END,
    AxleData,
    CarData,
    Hardpoint,
    ResultUnits,
    SpringElement,
    Vector,
)
from sheetmbs.suspension.layout.type_table import CHASSIS, PointRole
from sheetmbs.suspension.layout.types import type_of
from sheetmbs.suspension.reading.read_compliance import with_elastic_parts
from sheetmbs.suspension.reading.read_hardpoints import GivenPoint, axles_given, of_sides, read_hardpoints
from sheetmbs.suspension.reading.read_members import read_members, read_packaging
from sheetmbs.suspension.reading.read_spring_elements import between_known_points, check_ends, read_spring_elements
from sheetmbs.suspension.reading.read_steering import read_steering
from sheetmbs.suspension.reading.read_suspension_settings import GivenSettings, read_suspension_settings
from sheetmbs.suspension.reading.vehicle_axes import NAMED, rack_axis, sheet_axes, to_iso
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.elements.read_curves import read_curves_before_model
from sheetmbs.workbook.reading.input_table import InputTable

DAMPER_ENDS = ("damper rocker", "damper outer")
"""the moving end of a damper on a rocker, and of one without"""
ON_CHASSIS = ("bar axis 2",)
CUSTOM = "custom"
NOT_ALWAYS = ("T-bar base", BLADE_END, *BLADE_AXIS, "damper outer", "spring rocker", "spring chassis")
"""standard points that an axle may have beyond those it must have"""
IDLE = {*ALIASES, *NOT_ALWAYS, *ON_CHASSIS}
"""points that a list may hold although this axle has nothing there: they carry nothing"""


def read_car(sheets: Mapping[str, CellSheet], report: ProblemList) -> CarData | None:
    """The car of a workbook; None where what is missing, and reported, leaves none.

    sheets: input sheets by the names that the format gives them.
    """
    settings, points, springs = (
        InputTable(sheet, sheets.get(sheet.name), report, "3D")
        for sheet in (SUSPENSION, HARDPOINTS, SUSPENSION_SPRINGS)
    )
    axles = axles_given(points)
    if not axles:
        rows = [record.choice("axle") for record in points.records()]  # each of them is reported
        if not rows:
            rule, mend = "a suspension is made of named points", "fill in the sheet Hardpoints: axle, point, x, y, z"
            report.error("no-hardpoints", Place("Hardpoints"), "no hardpoints", rule, mend)
        return None
    given = read_suspension_settings(settings, axles, report)
    matrix = _matrix(given, report)
    curves = read_curves_before_model(sheets, report)
    elements = read_spring_elements(springs, axles, curves, report)
    read = [_axle(points, axle, given, matrix, elements[axle], report) for axle in axles]
    found = tuple(axle for axle in read if axle is not None)
    if not found or report.has_errors:
        return None
    steering, members, packaging = (
        InputTable(sheet, sheets.get(sheet.name), report, "3D") for sheet in (STEERING, MEMBERS, PACKAGING)
    )
    compliance = InputTable(COMPLIANCE, sheets.get(COMPLIANCE.name), report, "3D")
    column = read_steering(steering, matrix, report, is_elastic=next(compliance.records(), None) is not None)
    found = tuple(replace(axle, column=column) if axle.is_steered else axle for axle in found)
    _check_is_steered(steering, found, report)
    side = str(given.values["car"]["input side"])
    sized = read_members(members, found, matrix, side, report)
    found = with_elastic_parts(compliance, found, given.values["car"], curves, (matrix, side), sized, report)
    return CarData(
        found,
        given.values["car"],
        given.cells["car"],
        _result_units(points, given),
        sized,
        read_packaging(packaging, found, report),
    )


def _check_is_steered(steering: InputTable, axles: tuple[AxleData, ...], report: ProblemList) -> None:
    """Warn of shafts that steer nothing, or whose rack travel is not known."""
    first = next(steering.records(), None)
    if first is None:
        return
    steered = [axle for axle in axles if axle.is_steered]
    if not steered:
        rule, mend = (
            "no axle of this car has a rack, so these shafts steer nothing",
            "set steering = rack, or delete the rows",
        )
        report.warning("unused-value", first.place("name"), "shafts on Steering", rule, mend)
    elif steered[0].number("rack per turn") is None:
        rule = "the rack travel per turn of the pinion is not given, so they move nothing"
        report.warning(
            "missing-setting", first.place("name"), "shafts on Steering", rule, "set rack per turn on Suspension"
        )


def _result_units(points: InputTable, given: GivenSettings) -> ResultUnits:
    """Those of the hardpoints and of the settings that have one."""
    usual = ResultUnits()
    length = points.fields["x"].unit if "x" in points.fields else None
    return ResultUnits(
        length=length.text if length else usual.length,
        angle=given.units.get("camber") or given.units.get("toe") or usual.angle,
        force=given.units.get("corner load", usual.force),
        stiffness=given.units.get("tyre rate", usual.stiffness),
    )


def _matrix(given: GivenSettings, report: ProblemList) -> Vector:
    car, cells = given.values["car"], given.places["car"]
    for name in (f"{axis} axis" for axis in "xyz"):
        if car["axes"] == CUSTOM and name not in cells:
            mend = f"add a row {name}: forward, rearward, left, right, outboard, inboard, up or down"
            report.error("missing-setting", cells["axes"], f"axes: {CUSTOM}", f"no {name} is given", mend)
        elif car["axes"] != CUSTOM and name in cells:
            mend = f"set axes = {CUSTOM}, or take the row away"
            report.warning("unused-value", cells[name], name, f"it counts where axes is {CUSTOM}", mend)
    try:
        return sheet_axes(car)
    except ValueError as error:
        report.error(
            "wrong-axes",
            cells.get("axes", Place("Suspension")),
            str(error),
            "x, y and z point in three different directions",
            "correct them",
        )
        return to_iso(NAMED["ISO 8855"], 1.0)


def _axle(
    table: InputTable,
    axle: str,
    given: GivenSettings,
    matrix: Vector,
    springs: tuple[SpringElement, ...],
    report: ProblemList,
) -> AxleData | None:
    settings = {**given.values[axle], "travel of": given.values["car"]["travel of"]}
    if settings["type"] is None:
        return None  # which is reported
    type_name = str(settings["type"])
    given_side = str(given.values["car"]["input side"])
    both = of_sides(read_hardpoints(table, axle, matrix, given_side, report), given_side)
    _name_dampers(both, settings)
    unplaced = {
        side: {name: _hardpoint(point, point.on) for name, point in points.items()} for side, points in both.items()
    }
    springs = between_known_points(springs, both["left"] | both["right"])
    along = rack_axis(given, axle, matrix, report)
    bare = AxleData(axle, type_of(type_name, unplaced["left"]), settings, unplaced, springs, given.cells[axle], along)
    roles = {role.name: role for role in roles_of(bare)}
    lonely = _check_sides(given_side, both, roles, axle, report)
    others = {name: point for name, point in (both["left"] | both["right"]).items() if name not in lonely}
    _check_points(table, axle, others, roles, type_name, report)
    placed = {
        side: {
            name: _hardpoint(point, roles[name].on, is_central=roles[name].is_central)
            if name in roles
            else _hardpoint(point, point.on or CHASSIS)
            for name, point in points.items()
            if name in roles or point.on or name in ON_CHASSIS
        }
        for side, points in both.items()
    }
    for name, point in placed[given_side].items():
        if point.is_central:
            placed["left"][name] = placed["right"][name] = point
    read = replace(bare, points=with_turned_tip(placed, both, given_side))
    check_spring_mounts(read, given, report)
    check_ends(read, report)
    return read


def with_turned_tip(
    placed: dict[str, dict[str, Hardpoint]], both: Mapping[str, Mapping[str, GivenPoint]], given_side: str
) -> dict[str, dict[str, Hardpoint]]:
    """Points of both sides, the right tip of a blade turned about its axis where no row of its own gives it."""
    other = "right" if given_side == "left" else "left"
    tip = both[other].get(BLADE_END)
    if tip is None or tip.side == other or any(name not in placed["left"] for name in (BLADE_END, *BLADE_AXIS)):
        return placed
    pivot, second = (placed["left"][name].position for name in BLADE_AXIS)
    along = (second - pivot) / max(float(np.linalg.norm(second - pivot)), 1e-30)
    arm = placed[given_side][BLADE_END].position - pivot
    turned = pivot + 2.0 * along * float(arm @ along) - arm
    placed[other][BLADE_END] = replace(placed[other][BLADE_END], position=turned)
    placed["right"][BLADE_END] = replace(placed["right"][BLADE_END], is_turned=True)
    return placed


def _name_dampers(both: dict[str, dict[str, GivenPoint]], settings: Mapping[str, float | str | None]) -> None:
    """Name the moving end of the damper by what carries it, where a list has another program's name for it."""
    has_rocker = settings.get("actuation") in ("push-rod", "pull-rod")
    here, other = DAMPER_ENDS if has_rocker else reversed(DAMPER_ENDS)
    for points in both.values():
        point = points.get(other)
        if point is not None and here not in points and fold(point.record.raw_text("point")) not in DAMPER_ENDS:
            points[here] = replace(points.pop(other), name=here)


def _hardpoint(point: GivenPoint, on: str, *, is_central: bool = False) -> Hardpoint:
    is_shared = is_central or point.side == "centre"
    on_cell = point.record.cell_text("on") if point.on and on == point.on else ""
    return Hardpoint(point.name, point.position, on, point.cell, is_shared, point.max_angle, point.is_reported, on_cell)


def _check_sides(
    given_side: str,
    both: Mapping[str, Mapping[str, GivenPoint]],
    roles: Mapping[str, PointRole],
    axle: str,
    report: ProblemList,
) -> set[str]:
    """Report standard points that stand on the side of mirror images alone; return their names."""
    lonely = set()
    for name, point in {**both["left"], **both["right"]}.items():
        if name in both[given_side] or (name not in roles and point.on):
            continue
        lonely.add(name)
        rule = f"a row for the {point.side} replaces the mirror image of a point of the {given_side}, and there is none"
        mend = f"clear the side, or add a row {axle}, {name} for the {given_side}"
        if name not in roles:
            mend += "; what the axle has once has the side centre, wherever it lies"
        found = f"{name} of the {axle} axle on the {point.side} alone"
        report.error("missing-point", point.record.place("side"), found, rule, mend)
    return lonely


def _check_points(
    table: InputTable,
    axle: str,
    points: Mapping[str, GivenPoint],
    roles: Mapping[str, PointRole],
    type_name: str,
    report: ProblemList,
) -> None:
    """Report points that are missing, and those that nobody needs and that have no body."""
    sheet = table.cells.name if table.cells else table.schema.name
    rows = {standard_name(each.raw_text("point"))[0] for each in table.records() if fold(each.raw_text("axle")) == axle}
    missing = [role for role in roles.values() if role.name not in points and role.name not in rows]
    unknown = [point for name, point in points.items() if name not in roles and not point.on and name not in IDLE]
    for point in unknown:
        names = [role.name for role in missing] or list(roles)
        mend = report.did_you_mean(
            point.name, names, "give the body that carries it in the column on, or take the row away"
        )
        rule = f"a {type_name} of the {axle} axle has no such point"
        report.error("unknown-point", point.record.place("point"), quoted(point.name), rule, mend)
        missing = [role for role in missing if mend != f"did you mean {role.name}?"]
    for role in missing:
        report.error(
            "missing-point",
            Place(sheet),
            f"no point {role.name} of the {axle} axle",
            f"a {type_name} needs it: {role.role}",
            f"add a row {axle}, {role.name} with its coordinates",
        )


BEARERS = ("rod on", "damper on")


def check_spring_mounts(axle: AxleData, given: GivenSettings, report: ProblemList) -> None:
    """Report bodies that this type of suspension has not, as bearers of rod or damper."""
    for name in BEARERS:
        place, value = given.places[axle.name].get(name), axle.word(name)
        if place is not None and value not in axle.type.carriers:
            rule = f"a {axle.type.name} has {', '.join(axle.type.carriers)}"
            report.error(
                "unknown-value", place, f"{name}: {quoted(value)}", rule, "name one of these, or clear the cell"
            )
