"""Settings of a car on tyres that contradict each other, have no effect, or can hardly be meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.handling_inputs import HandlingType
from sheetmbs.schema.problem_list import ProblemList, place_of
from sheetmbs.suspension.layout.car import AxleData, CarData
from sheetmbs.suspension.layout.car_tyres import CarTyres
from sheetmbs.suspension.layout.handling_row import HandlingRow
from sheetmbs.suspension.layout.mass_data import total_mass
from sheetmbs.suspension.reading.plausible_settings import CODE as IMPLAUSIBLE
from sheetmbs.tyres.plausible import FRICTION

MAX_WING_AREA, MAX_DRAG_AREA = 12.0, 6.0
"""m^2: -Cz A of an axle and Cx A of a car"""
MIN_POWER = 2e3
"""W, of the drive: less is a number in kW"""
INERTIAS = {"yaw inertia": (1.6, 1.0, 0.0), "roll inertia": (0.0, 1.0, 2.0), "pitch inertia": (1.6, 0.0, 2.0)}
"""shares of the wheelbase, the track and the height of the centre of gravity of a box that has about this inertia"""
MOST_OFF = 4.0
"""times which an inertia is hardly larger or smaller than that of the box"""
SLIP, LATERAL_ONLY = 0.05, (HandlingType.YAW_MOMENT,)
"""a slip ratio at which every tyre that drives has a force; types of rows that need none"""
BRAKING = (HandlingType.ENVELOPE, HandlingType.LAP)
"""types of rows in which the car brakes"""
BELT_FRICTION = 2.0
"""largest side force over load, above which a tyre has hardly been measured on a road"""
MAX_ANGLE, ANGLES = 0.35, 71
"""rad, slip angles among which the largest side force is looked for, and how many"""


def check_handling_settings(car: CarData, tyres: CarTyres, rows: Sequence[HandlingRow], report: ProblemList) -> None:
    """Report settings and tyres that the handling of a car reads, each at its cell."""
    _check_tyres(tyres, rows, report)
    _note_belts(tyres, report)
    _check_brakes(car, rows, report)
    for axle in car.axles:
        _check_differential(axle, car, report)
        _check_wings(axle, report)
    for cell, found, rule, mend in _implausible(car):
        report.warning(IMPLAUSIBLE, place_of(cell), found, rule, mend)


def _check_tyres(tyres: CarTyres, rows: Sequence[HandlingRow], report: ProblemList) -> None:
    """Warn of tyres without a force along, where a row drives or brakes."""
    needing = next((row for row in rows if row.type not in LATERAL_ONLY or row.drive is not None or row.brake), None)
    for fitted in tyres.fitted:
        tyre = fitted.tyre
        force = tyre.evaluate(tyre.states(np.full(1, SLIP), 0.0, 0.0, fitted.static_load or tyre.load)).force("fx")
        if needing is None or not fitted.axles or force[0] != 0.0:
            continue
        rule = f"it has no force along, so that it neither drives nor brakes, which the row {needing.name} needs"
        fix = "give slip stiffness" if tyre.model == "linear" else "give its force over the slip ratio"
        report.warning("no-longitudinal-force", fitted.place, f"the tyre {tyre.name}", rule, fix)


def _note_belts(tyres: CarTyres, report: ProblemList) -> None:
    """Say once of each tyre that its friction is one of belts rather than of roads."""
    for fitted in tyres.fitted:
        load = fitted.static_load or fitted.tyre.load
        angles = np.linspace(-MAX_ANGLE, MAX_ANGLE, ANGLES)
        force = fitted.tyre.evaluate(fitted.tyre.states(np.zeros(ANGLES), angles, 0.0, load)).force("fy")
        friction = float(np.max(np.abs(force))) / load
        if BELT_FRICTION < friction <= FRICTION[1]:
            found = f"{fitted.tyre.name}: side force up to {friction:.3g} times the load, at {load:.4g} N"
            rule = "that is friction on the belt of a test rig rather than on a road"
            fix = "scale_mu_x and scale_mu_y of 0.6 to 0.7 are usual for such tyres"
            report.add(fitted.place, Problem("belt-friction", "note", str(fitted.place), found, rule, fix))


def _check_brakes(car: CarData, rows: Sequence[HandlingRow], report: ProblemList) -> None:
    """Warn where rows brake and nothing says how the brakes share the force."""
    braking = next((row for row in rows if row.type in BRAKING or row.brake), None)
    if braking is None or braking.is_default or car.number("brake front") is not None:
        return
    place = place_of(braking.cells["type"])
    rule = "how brakes share their force is not set, so the front wheels alone brake"
    fix = "set brake front on the sheet Suspension, such as 65 %"
    report.warning("missing-setting", place, f"the row {braking.name}", rule, fix)


def _check_differential(axle: AxleData, car: CarData, report: ProblemList) -> None:
    kind, bias = axle.word("differential"), axle.number("differential bias")
    if "differential" in axle.cells and kind == "limited" and bias is None:
        rule = "a limited differential needs the largest ratio of its torques"
        place = place_of(axle.cells["differential"])
        report.error("missing-setting", place, "differential: limited", rule, "add a row differential bias, such as 3")
    if "differential bias" in axle.cells and kind != "limited":
        rule = "the ratio of torques counts for a limited differential alone"
        place, fix = place_of(axle.cells["differential bias"]), "set differential = limited, or clear the cell"
        report.warning("unused-value", place, f"differential bias: {bias:g}", rule, fix)
    if "differential" in axle.cells and kind != "open" and not _drive_share(axle, car):
        rule = f"nothing drives the {axle.name} axle: drive rear is {100.0 * _drive_rear(car):g} %"
        place, fix = place_of(axle.cells["differential"]), "clear the cell, or correct drive rear"
        report.warning("unused-value", place, f"differential: {kind}", rule, fix)


def _drive_rear(car: CarData) -> float:
    share = car.number("drive rear")
    return 1.0 if share is None else share


def _drive_share(axle: AxleData, car: CarData) -> float:
    """Of the driving torque, on an axle."""
    rear = _drive_rear(car)
    return rear if axle.name == "rear" else 1.0 - rear


def _check_wings(axle: AxleData, report: ProblemList) -> None:
    if "downforce area" in axle.cells and "lift area" in axle.cells:
        rule, fix = "downforce area is the same the other way round: + down", "clear one of both"
        place = place_of(axle.cells["lift area"])
        report.error("two-values", place, f"lift area: {axle.number('lift area'):g} m^2", rule, fix)


def _implausible(car: CarData) -> Iterator[tuple[str, str, str, str]]:
    """Cell, what was found, rule and mend."""
    for axle in car.axles:
        area = axle.number("downforce area") or 0.0
        if area < 0.0:
            rule, fix = "downforce area is + down; below 0 the axle is lifted", "turn its sign, unless it is lift"
            yield axle.cells["downforce area"], f"downforce area: {area:g} m^2", rule, fix
        for name in ("downforce area", "lift area"):
            area = axle.number(name) or 0.0
            if abs(area) > MAX_WING_AREA:
                rule = f"-Cz A of an axle is hardly above {MAX_WING_AREA:g} m^2"
                yield axle.cells[name], f"{name}: {area:g} m^2", rule, "look at its unit: is it a force at some speed?"
    drag = car.number("drag area") or 0.0
    if drag > MAX_DRAG_AREA:
        rule = f"Cx A of a car is hardly above {MAX_DRAG_AREA:g} m^2"
        yield car.cells["drag area"], f"drag area: {drag:g} m^2", rule, "look at its unit: is it a force at some speed?"
    power = car.number("drive power")
    if power is not None and 0.0 < power < MIN_POWER:
        rule = "a number without a unit counts in W"
        yield car.cells["drive power"], f"drive power: {power:g} W", rule, f"write {power:g} kW, if that is meant"
    yield from _of_inertias(car)


def _of_inertias(car: CarData) -> Iterator[tuple[str, str, str, str]]:
    mass, wheelbase, height = total_mass(car), car.number("wheelbase"), car.number("cg height")
    if mass is None or not wheelbase or height is None:
        return
    tracks = [float((axle.design_contact("left") - axle.design_contact("right"))[1]) for axle in car.axles]
    track = abs(sum(tracks)) / len(tracks)
    for name, (along, across, up) in INERTIAS.items():
        value = car.number(name)
        box = mass * ((along * wheelbase) ** 2 + (across * track) ** 2 + (up * height) ** 2) / 12.0
        if value is not None and box > 0.0 and not 1.0 / MOST_OFF <= value / box <= MOST_OFF:
            rule = f"it is of the whole car about its centre of gravity, and a box of its size has {box:.4g} kg*m^2"
            yield car.cells[name], f"{name}: {value:.4g} kg*m^2", rule, "look at its unit"
