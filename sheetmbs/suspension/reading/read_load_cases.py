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
from sheetmbs.suspension.layout.mass_data import missing_for_loads
from sheetmbs.workbook.reading.input_table import InputTable, Record


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
        found[fold(name)] = case = _case(record, name, car)
        _check_settings(record, case, car)
        record.finish()
    return tuple(found.values())


def _case(record: Record, name: str, car: CarData) -> LoadCase:
    pose = _open_choice(record, "pose")
    record.settle("design")
    factor = record.number_or("factor", 1.0)
    if factor <= 0.0:
        record.refuse("out-of-range", "factor", "all forces are multiplied by it: it is greater than 0", "correct it")
    return LoadCase(
        name,
        record.cell_text("name"),
        pose,
        _sound(record, "ax", 0.0),
        _sound(record, "ay", 0.0),
        _sound(record, "az", 1.0),
        rack=_rack(record, car),
        travel=dict(_travels(record, car)) if pose == "given" else {},
        forces=dict(_forces(record, car)),
        downforce={axle: _sound(record, f"downforce_{axle}", 0.0) for axle in _downforces(record, car)},
        lateral_split=record.choice("lateral_split_wheels") or "fz",
        longitudinal_split=record.choice("longitudinal_split") or "equal",
        method=_open_choice(record, "method"),
        force_by=_open_choice(record, "force_by"),
        factor=factor,
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
