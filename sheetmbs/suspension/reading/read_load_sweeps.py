"""Sweeps in which a load on the wheels is stepped, as on a K&C rig: lateral force, longitudinal force, aligning torque."""

from __future__ import annotations

from math import isnan

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.suspension.kinematics.sweeps import SteppedLoad, Sweep, ranged
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.workbook.reading.input_table import Record

FORCE_RANGE, TORQUE_RANGE = (1000.0, 100.0), (100.0, 10.0)
"""N and N m: largest value and step of a load where the row says nothing"""
MAX_FORCE, MAX_TORQUE = 50e3, 5e3
"""N and N m on one wheel, beyond which no car is loaded"""
FACTORS = {"parallel": (1.0, 1.0), "opposed": (1.0, -1.0), "single": (1.0, 0.0)}
MAX_ROWS = 10_000


def loaded_sweep(
    record: Record, name: str, kind: str, car: CarData, axles: tuple[str, ...], report: ProblemList
) -> Sweep | None:
    """A sweep of a load at the pose of its row; None where something is wrong, which is reported."""
    values = _steps(record, kind, report)
    travel, rack = record.number_or("travel", 0.0), record.number_or("rack", 0.0)
    wheel = record.number("steering_wheel")
    if wheel is not None:
        steered = car.steered
        if steered is None or steered.number("rack per turn") is None:
            rule, mend = "an angle of the steering wheel needs the setting rack per turn", "add it to Suspension"
            report.error("missing-setting", record.place("steering_wheel"), "no rack per turn", rule, mend)
        else:
            rack = float(steered.rack_at(np.array([wheel]))[0])
    sense, hold = record.choice("sense") or "parallel", record.choice("hold") or "height"
    at = _place(record, kind, car, axles)
    factors = FACTORS[sense]
    if sense == "single" and record.choice("side") == "right":
        factors = (0.0, 1.0)
    elif sense != "single" and record.given("side"):
        rule = f"a load in the sense {sense} is on both wheels, and side has no effect"
        place = record.place("side")
        report.warning(
            "unused-value", place, f"side: {record.raw_text('side')}", rule, "write single, or clear the cell"
        )
    if not any(axle.elastic for axle in car.axles if not axles or axle.name in axles):
        rule = "no part of these axles gives way, so that the load moves nothing"
        fix = "add a sheet Compliance, or take the row away"
        report.warning("rigid-members", record.place("type"), f"type: {kind}", rule, fix)
    record.settle("design", "side", "grid")
    if values is None:
        return None
    none = np.zeros(len(values))
    quantity = kind.replace(" ", "_")
    load = SteppedLoad(quantity, values, factors, at_centre=at == "wheel centre", holds_loads=hold == "load")
    return Sweep(
        name,
        kind,
        none + travel,
        none,
        none + rack,
        none,
        swept=(quantity,),
        axles=axles,
        cell=record.cell_text("name"),
        load=load,
        is_travel_given=record.given("travel"),
    )


def _place(record: Record, kind: str, car: CarData, axles: tuple[str, ...]) -> str:
    """Where a longitudinal force acts: as given; braking of inboard brakes at the wheel centre."""
    at = record.choice("at") if record.given("at") else ""
    record.settle("at")
    if at in ("travel", "equilibrium"):
        record.refuse(
            "unknown-value",
            "at",
            f"the load of a sweep of type {kind} acts at contact or wheel centre",
            "name one of these",
        )
        return "contact"
    if at and kind != "longitudinal force":
        record.refuse("unused-value", "at", f"the load of a sweep of type {kind} acts at the contact", "clear the cell")
        return "contact"
    inboard = all(axle.word("brakes") == "inboard" for axle in car.axles if axle.name in axles)
    return "wheel centre" if inboard and kind == "longitudinal force" else at or "contact"


def _steps(record: Record, kind: str, report: ProblemList) -> Floats | None:
    """The values of the load, 0 among them; None where the range is none, which is reported."""
    turns = kind == "aligning torque"
    dimension, (most, usual) = (u.MOMENT, TORQUE_RANGE) if turns else (u.FORCE, FORCE_RANGE)
    first = record.number_or("force_from", -most, dimension)
    last = record.number_or("force_to", most, dimension)
    step = record.number_or("force_step", usual, dimension)
    if any(map(isnan, (first, last, step))):
        return None
    unit, limit = ("N m", MAX_TORQUE) if turns else ("N", MAX_FORCE)
    if step <= 0.0:
        record.refuse("out-of-range", "force_step", "force_step is greater than 0", "correct it")
        return None
    for column, value in (("force_from", first), ("force_to", last)):
        if abs(value) > limit and record.given(column):
            rule = f"no rig puts more than {limit:g} {unit} on a wheel"
            mend = "look at its unit: a number without one counts in " + unit
            report.warning("implausible-value", record.place(column), f"{column}: {value:g} {unit}", rule, mend)
    if abs(last - first) / step > MAX_ROWS:
        record.refuse(
            "too-many-rows", "force_step", f"a load sweep has at most {MAX_ROWS:,} rows", "choose larger steps"
        )
        return None
    values = ranged(first, last, step)
    return values if np.any(values == 0.0) else np.sort(np.append(values, 0.0))
