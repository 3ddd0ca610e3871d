"""The sheet Load cases: poses, accelerations and wheel forces, each at its cell."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

import numpy as np

from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.suspension_inputs import WRENCH
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.layout.mass_data import axle_weight, missing_for_loads
from sheetmbs.suspension.reading.plausible_settings import CODE as IMPLAUSIBLE
from sheetmbs.suspension.reading.trimmed_load_cases import check_speed
from sheetmbs.workbook.reading.input_table import InputTable, Record

MAX_IN_G = 7.0
MAX_FACTOR = 20.0
MIN_LOAD_SHARE = 0.2
"""of the weight of a car, in vertical loads that a case gives"""


def read_load_cases(table: InputTable, car: CarData, report: ProblemList) -> tuple[LoadCase, ...]:
    """The load cases of a workbook that count; none where it has no such sheet, or none that counts."""
    found: dict[str, LoadCase] = {}
    for record in table.records():
        if not record.is_active:
            continue
        name = record.text("name")
        if not name:
            continue
        if fold(name) in found:
            rule = "a load case of this name is given already"
            report.error("duplicate-name", record.place("name"), quoted(name), rule, "rename one")
            continue
        found[fold(name)] = case = _case(record, name, car, report)
        check_speed(record, case)
        _check_settings(record, case, car)
        _warn_of_loads(record, case, car, report)
        record.finish()
    return tuple(found.values())


def _case(record: Record, name: str, car: CarData, report: ProblemList) -> LoadCase:
    pose = _open_choice(record, "pose")
    record.settle("design")
    factor = record.number_or("factor", 1.0)
    if factor > MAX_FACTOR:
        rule = f"forces are multiplied by it, hardly by more than {MAX_FACTOR:g}"
        report.warning(IMPLAUSIBLE, record.place("factor"), f"factor: {factor:g}", rule, "150 % is 1.5")
    if factor <= 0.0:
        record.refuse("out-of-range", "factor", "all forces are multiplied by it: it is greater than 0", "correct it")
    return LoadCase(
        name,
        record.cell_text("name"),
        pose,
        _in_g(record, "ax", 0.0, report),
        _in_g(record, "ay", 0.0, report),
        _in_g(record, "az", 1.0, report),
        rack=_rack(record, car),
        travel=dict(_travels(record, car)) if pose == "given" else {},
        forces=dict(_forces(record, car)),
        downforce={axle: _downforce(record, axle, report) for axle in _downforces(record, car)},
        lateral_split=record.choice("lateral_split_wheels") or "fz",
        longitudinal_split=record.choice("longitudinal_split") or "equal",
        method=_open_choice(record, "method"),
        force_by=_open_choice(record, "force_by"),
        factor=factor,
        rack_cell=record.cell_text("rack" if record.given("rack") else "steering_wheel"),
        speed=_sound(record, "speed", 0.0),
    )


def _sound(record: Record, column: str, usual: float) -> float:
    """A number, or what a blank cell means; that too where it is wrong, which has been reported."""
    value = record.number_or(column, usual)
    return usual if isnan(value) else value


def _open_choice(record: Record, column: str) -> str:
    """A word that a blank cell leaves open."""
    if not record.given(column):
        record.settle(column)
        return ""
    return record.choice(column)


def _downforces(record: Record, car: CarData) -> Iterator[str]:
    """The axles that there are; a downforce on another one is refused."""
    known = [axle.name for axle in car.axles]
    for axle in ("front", "rear"):
        if axle in known:
            yield axle
        elif _sound(record, f"downforce_{axle}", 0.0):
            record.refuse(
                "unknown-axle", f"downforce_{axle}", f"there are no hardpoints of the {axle} axle", "clear it"
            )


def _in_g(record: Record, column: str, usual: float, report: ProblemList) -> float:
    """An acceleration in g."""
    value = _sound(record, column, usual)
    if abs(value) > MAX_IN_G:
        mend = "look at its unit: it counts in g, not in m/s^2"
        rule = f"no car reaches {MAX_IN_G:g} g"
        report.warning(IMPLAUSIBLE, record.place(column), f"{column}: {value:.4g} g", rule, mend)
    if column == "az" and value < 0.0:
        rule, mend = "az stands for gravity, which presses the car on the road: 1 is gravity alone", "turn its sign"
        report.warning(IMPLAUSIBLE, record.place(column), f"az: {value:.4g} g", rule, mend)
    return value


def _warn_of_loads(record: Record, case: LoadCase, car: CarData, report: ProblemList) -> None:
    """Warn of vertical loads of all wheels that are together next to nothing of the weight of the car."""
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    given = [case.force(corner, "fz") for corner in corners]
    weights = [axle_weight(car, axle) for axle in car.axles]
    loads, known = ([each for each in some if each is not None] for some in (given, weights))
    if len(loads) < len(corners) or len(known) < len(weights) or not case.az > 0.0:
        return
    whole = case.az * sum(known)
    if 0.0 < sum(loads) < MIN_LOAD_SHARE * whole:
        column = f"{corners[0]}.fz"
        found = f"fz of all wheels together: {sum(loads):.5g} N"
        rule = f"the car weighs {whole:.5g} N in this case"
        report.warning(IMPLAUSIBLE, record.place(column), found, rule, "is it kg? A number without a unit counts in N")


def _downforce(record: Record, axle: str, report: ProblemList) -> float:
    """Downforce on an axle, N; one that lifts the car gets a warning."""
    column = f"downforce_{axle}"
    value = _sound(record, column, 0.0)
    if value < 0.0:
        rule, mend = "downforce is positive; below 0 it lifts the car", "turn its sign, unless it is lift"
        report.warning(IMPLAUSIBLE, record.place(column), f"{column}: {value:.5g} N", rule, mend)
    return value


def _rack(record: Record, car: CarData) -> float:
    """Rack travel, as given or of an angle of the steering wheel."""
    rack, wheel = record.number("rack"), record.number("steering_wheel")
    steered = [axle for axle in car.axles if axle.is_steered]
    column = "rack" if rack else "steering_wheel"
    if (rack or wheel) and not steered:
        record.refuse("not-steered", column, "no axle of this car has a rack", "clear the cell, or set steering = rack")
        return 0.0
    if rack is not None and wheel is not None:
        record.refuse("two-values", "steering_wheel", "rack says already where the rack stands", "clear one of both")
    if rack is not None or wheel is None:
        return 0.0 if rack is None or isnan(rack) else rack
    if not steered or steered[0].number("rack per turn") is None:
        rule = "an angle of the steering wheel needs the setting rack per turn"
        record.refuse("missing-setting", "steering_wheel", rule, "add it to the sheet Suspension, or give rack instead")
        return 0.0
    return 0.0 if isnan(wheel) else float(steered[0].rack_at(np.array([wheel]))[0])


def _travels(record: Record, car: CarData) -> Iterator[tuple[str, float]]:
    """Travel of each wheel: its own, that of its side, or that of all."""
    of_all = _sound(record, "travel", 0.0)
    of_side = {side: _sound(record, f"travel_{side}", of_all) for side in SIDES}
    for axle in car.axles:
        for side in SIDES:
            corner = axle.corner(side)
            yield corner, _sound(record, f"{corner}.travel", of_side[side])


def _forces(record: Record, car: CarData) -> Iterator[tuple[tuple[str, str], float]]:
    """What the row gives of the forces on the tyres."""
    known = {axle.corner(side) for axle in car.axles for side in SIDES}
    for corner in ("FL", "FR", "RL", "RR"):
        for component in WRENCH:
            column = f"{corner}.{component}"
            value = record.number(column)
            if value is None or isnan(value):
                continue
            if corner not in known:
                record.refuse("unknown-wheel", column, f"there are no hardpoints of {corner}", "clear the cell")
            elif component == "fz" and value < 0.0:
                record.refuse(
                    "out-of-range", column, "the road pushes a tyre up and never pulls: 0 or more", "correct it"
                )
            else:
                yield (corner, component), value


def _check_settings(record: Record, case: LoadCase, car: CarData) -> None:
    """Report settings that the wheel loads of a case need and that nothing tells."""
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    is_whole = len(car.axles) > 1
    asked = {"fx": case.ax, "fy": case.ay, "fz": case.az}
    open_ones = [name for name, of in asked.items() if is_whole or of]  # an axle alone has no force of no acceleration
    if all(case.force(corner, name) is not None for corner in corners for name in open_ones):
        return
    column = next((axis for axis in ("ax", "ay", "az") if record.given(axis)), "name")
    missing = missing_for_loads(car, along=case.ax != 0.0)
    if missing:
        rule = f"wheel loads follow from {' and '.join(missing)}, which the sheet Suspension does not set"
        weight = "" if is_whole or case.ax else "of an axle alone corner load is enough; "
        record.refuse("missing-setting", column, rule, f"{weight}set it there, or give fx, fy and fz of every wheel")
    by = case.maker_of_force()
    given = [case.force(corner, "fx") is not None for corner in corners]
    if case.ax and by == "brakes" and len(car.axles) > 1 and car.number("brake front") is None and not all(given):
        rule = "how the brakes share the force follows from the setting brake front"
        record.refuse("missing-setting", "ax", rule, "set it on the sheet Suspension, or give fx of every wheel")
