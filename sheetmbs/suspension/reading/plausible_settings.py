"""Settings, springs and masses that can hardly be meant: in another unit, or contradicted by others."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, radians

import numpy as np

from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.problem_list import Place, ProblemList, place_of
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.kinds import KINDS
from sheetmbs.suspension.elastic.kinds.corner_spring import drawn_distance
from sheetmbs.suspension.layout.car import SIDES, SOLVE_HEIGHT, AxleData, CarData, SpringElement
from sheetmbs.suspension.layout.heavy_members import Member, members_of
from sheetmbs.suspension.layout.mass_data import corner_load, wheel_body

FRONT_SHARES = 0.2, 0.8
"""of the weight on the front axle"""
MAX_ANGLES = {"camber": radians(15.0), "toe": radians(10.0)}
TYRE_RATES = 1e4, 5e6
"""N/m"""
PITCHES = 3e-4, 0.02
LENGTHS = {"rack per turn": (0.01, 0.4), "rim diameter": (0.08, 1.0), "thread pitch": PITCHES, "perch pitch": PITCHES}
"""m, of sizes: least and most"""
SIZES = ("tyre radius", "tyre rate", "rack per turn", "rim diameter", "thread pitch", "perch pitch")
"""settings of an axle that are divided by, or measure nothing where they are 0"""
MIN_CG_HEIGHT = 1.0 / 3.0
"""height of the centre of gravity over a tyre radius, where it is not on the road"""
BRAKE_SHARES = 0.2, 0.95
"""of the brake force at the front"""
MIN_DRIVE = 0.05
"""of the drive force at the rear, if it drives at all"""
ROLL_RADII = 0.1, 1.0
"""radius of gyration in roll over the track"""
MASSES_PER_WHEELBASE = 2.0, 1000.0
"""kg/m"""
MAX_UNSPRUNG, MIN_UNSPRUNG = 1.0 / 3.0, 1.0 / 200.0
"""of the mass of a car, in all its wheels"""
MIN_LOAD = 4e3
"""N/m^2, of a wheel over the square of its radius: less is a load in kg"""
TYRE_RADII = 0.05, 1.2
"""m"""
WHEELBASES = 0.2, 20.0
"""m"""
MAX_LOAD_DIFFERENCE = 0.2
"""of its load, by which that of a wheel may differ from what mass and weight front say"""


def warn_of_settings(car: CarData, report: ProblemList) -> None:
    """Add a warning at its cell for every value that can hardly be meant, and an error for those that nothing can have."""
    for cell, found, rule, mend in (*_of_car(car), *(each for axle in car.axles for each in _of_axle(car, axle))):
        report.warning(CODE, place_of(cell), found, rule, mend)
    _check_sizes(car, report)
    if len(car.axles) > 1 and car.number("wheelbase") is None:
        rule = "a car of two axles needs it for anti effects, load transfer and load cases, which are left empty"
        report.warning("missing-setting", Place("Suspension"), "no wheelbase", rule, "add a row wheelbase")
    for axle in car.axles:
        warn_of_springs(car, axle, report)


def _of_car(car: CarData) -> Iterator[tuple[str, str, str, str]]:
    """Cell, what was found, rule and mend."""
    share = car.number("weight front")
    if share is not None and not FRONT_SHARES[0] <= share <= FRONT_SHARES[1]:
        found = f"weight front: {share * 100.0:.4g} %"
        rule = "between a fifth and four fifths of the weight stand on the front axle"
        yield car.cells["weight front"], found, rule, "correct the number or its unit"
    height = car.number("cg height")
    radius = min(axle.number("tyre radius") or 0.0 for axle in car.axles)
    track = max(float((axle.design_contact("left") - axle.design_contact("right"))[1]) for axle in car.axles)
    if height and not MIN_CG_HEIGHT * radius <= height <= abs(track):
        found = f"cg height: {height * 1e3:.4g} mm"
        rule = (
            f"it is above the road, between a third of the tyre radius, {MIN_CG_HEIGHT * radius * 1e3:.4g} mm, and the track, "
            f"{abs(track) * 1e3:.4g} mm, or 0"
        )
        yield car.cells["cg height"], found, rule, "look at its unit: a number without one counts in m"
    brakes = car.number("brake front")
    if brakes is not None and not BRAKE_SHARES[0] <= brakes <= BRAKE_SHARES[1]:
        found, (low, high) = f"brake front: {brakes * 100.0:.4g} %", BRAKE_SHARES
        rule = f"between {low * 100.0:.0f} and {high * 100.0:.0f} % of the brake force act at the front"
        yield car.cells["brake front"], found, rule, "correct the number or its unit: 0.6 is 60 %"
    drive = car.number("drive rear")
    if drive is not None and 0.0 < drive < MIN_DRIVE:
        rule = f"wheels that drive have more than {MIN_DRIVE * 100.0:.0f} % of the force"
        yield car.cells["drive rear"], f"drive rear: {drive * 100.0:.4g} %", rule, "correct its unit: 1 is 100 %"
    mass, inertia = car.number("mass"), car.number("roll inertia")
    if (
        mass
        and inertia
        and track
        and not ROLL_RADII[0] <= (radius := (inertia / mass) ** 0.5 / abs(track)) <= ROLL_RADII[1]
    ):
        found = f"roll inertia: {inertia:.4g} kg m^2"
        low, high = ROLL_RADII
        rule = f"its radius of gyration is {radius:.3g} tracks, and that of a car between {low:g} and {high:g}"
        yield car.cells["roll inertia"], found, rule, "look at its unit: a number without one counts in kg m^2"
    yield from _of_masses(car)


def _of_masses(car: CarData) -> Iterator[tuple[str, str, str, str]]:
    """The same of what weighs, and of the wheelbase."""
    mass, wheelbase = car.number("mass"), car.number("wheelbase")
    if wheelbase and not WHEELBASES[0] <= wheelbase <= WHEELBASES[1]:
        found, (low, high) = f"wheelbase: {wheelbase:.4g} m", WHEELBASES
        mend = "look at its unit: a number without one counts in m"
        yield car.cells["wheelbase"], found, f"it is between {low:g} and {high:g} m", mend
    elif mass and wheelbase and not MASSES_PER_WHEELBASE[0] <= mass / wheelbase <= MASSES_PER_WHEELBASE[1]:
        found, (low, high) = f"mass: {mass:.5g} kg", MASSES_PER_WHEELBASE
        rule = f"a car weighs between {low:g} and {high:g} kg per m of wheelbase, of which it has {wheelbase:.4g}"
        guess = "N" if mass / wheelbase > high else "t"
        yield car.cells["mass"], found, rule, f"look at its unit: is it {guess}? A number without a unit counts in kg"
    each = {axle.name: axle.number("unsprung mass") or 0.0 for axle in car.axles}
    wheels = sum(4.0 / len(each) * own for own in each.values())
    if not mass or not wheels or MIN_UNSPRUNG * mass <= wheels <= MAX_UNSPRUNG * mass:
        return
    axle = max(car.axles, key=lambda axle: each[axle.name])
    found = f"unsprung mass: {each[axle.name]:.4g} kg"
    rule = (
        f"it is that of one corner, and four of them, {wheels:.4g} kg, are at most a third of the car's {mass:.5g} kg"
    )
    mend = "look at its unit: is it N? A number without a unit counts in kg"
    if wheels < MIN_UNSPRUNG * mass:
        rule = f"it is that of one corner, and four of them, {wheels:.4g} kg, are next to nothing of the car's {mass:.5g} kg"
        mend = "look at its unit: is it t? A number without a unit counts in kg"
    yield axle.cells["unsprung mass"], found, rule, mend


def _of_axle(car: CarData, axle: AxleData) -> Iterator[tuple[str, str, str, str]]:
    """The same of an axle."""
    for name, most in MAX_ANGLES.items():
        angle = axle.number(name) or 0.0
        if abs(angle) > most:
            found, rule = f"{name}: {degrees(angle):.4g} deg", f"its size is {degrees(most):.0f} deg at most"
            yield axle.cells[name], found, rule, "look at its unit: a number without one counts in rad"
    for name, (least, most) in LENGTHS.items():
        length = axle.number(name) or 0.0
        if length and not least <= abs(length) <= most:
            found, rule = f"{name}: {length * 1e3:.4g} mm", f"its size is between {least * 1e3:g} and {most * 1e3:g} mm"
            yield axle.cells[name], found, rule, "look at its unit: a number without one counts in m"
    radius = axle.number("tyre radius")
    if radius and not TYRE_RADII[0] <= radius <= TYRE_RADII[1]:
        found, (low, high) = f"tyre radius: {radius * 1e3:.4g} mm", TYRE_RADII
        rule = f"it is between {low * 1e3:g} and {high * 1e3:g} mm"
        yield axle.cells["tyre radius"], found, rule, "look at its unit: a number without one counts in m"
    rate = axle.number("tyre rate")
    if rate and not TYRE_RATES[0] <= rate <= TYRE_RATES[1]:
        found, (low, high) = f"tyre rate: {rate * 1e-3:.4g} N/mm", TYRE_RATES
        rule = f"it is between {low * 1e-3:g} and {high * 1e-3:g} N/mm"
        yield axle.cells["tyre rate"], found, rule, "look at its unit: a number without one counts in N/m"
    given, mass, share = axle.number("corner load"), car.number("mass"), car.number("weight front")
    if given and radius and mass is None and given < MIN_LOAD * radius**2:
        found = f"corner load: {given:.5g} N"
        rule = f"that is very little on a wheel of {radius * 1e3:.4g} mm radius"
        yield axle.cells["corner load"], found, rule, "is it kg? A number without a unit counts in N"
    if given is not None and mass is not None and share is not None:
        follows = 0.5 * mass * car.gravity * (share if axle.name == "front" else 1.0 - share)
        if abs(given - follows) > MAX_LOAD_DIFFERENCE * follows:
            found = f"corner load: {given:.5g} N"
            rule = f"mass and weight front say {follows:.5g} N"
            yield axle.cells["corner load"], found, rule, "correct one of them, or leave corner load blank"


def _check_sizes(car: CarData, report: ProblemList) -> None:
    """Errors of sizes that are nothing, and of wheels that weigh more than their car."""
    owners: list[tuple[CarData | AxleData, tuple[str, ...]]] = [(car, ("mass", "wheelbase"))]
    owners += [(axle, SIZES) for axle in car.axles]
    for each, names in owners:
        for name in names:
            if each.number(name) == 0.0:
                rule, mend = f"{name} is not 0", "correct the value or its unit, or clear the cell"
                report.error("out-of-range", place_of(each.cells[name]), f"{name}: 0", rule, mend)
    mass = car.number("mass")
    wheels = 2.0 * sum(axle.number("unsprung mass") or 0.0 for axle in car.axles)
    if mass and wheels >= mass:
        rule = f"the wheels alone, by unsprung mass of one corner each, weigh {wheels:.4g} kg"
        mend = "correct mass or unsprung mass, and their units"
        report.error("out-of-range", place_of(car.cells["mass"]), f"mass: {mass:.4g} kg", rule, mend)


FORCE_COLUMNS = ("free_length", "preload")


def check_standing_springs(car: CarData, report: ProblemList) -> None:
    """Report springs whose force nothing tells, where the height is asked for that follows from it."""
    if car.settings.get("ride height") != SOLVE_HEIGHT:
        return
    for axle in car.axles:
        for row in axle.springs:
            is_told = any(row.number(name) is not None for name in FORCE_COLUMNS)
            if not KINDS[row.kind].is_solved or axle.has_point(f"{row.name} inner") or is_told:
                continue
            found = f"the {axle.named(row.name)} has neither free_length nor preload"
            rule = f"with ride height = {SOLVE_HEIGHT} the car stands where its springs as given carry it"
            mend = "fill in one of them, or set ride height = solve preload on the sheet Suspension"
            report.error("no-force", row.places["name"], found, rule, mend)


CODE = "implausible-value"
SPRING_DEFLECTIONS = 1e-4, 0.6
"""m, by which the load of a wheel shortens a spring on its own"""
FREE_LENGTHS = 0.4, 2.5
"""of a spring, and of a damper at its ends, over its length at design"""
MIN_PRELOAD = 0.25
"""of a spring that holds a wheel alone, over the load of the wheel: motion ratios are far below 4"""
BARS = {"d": (0.0, 0.15, 1e3, "mm", "m"), "length": (0.0, 5.0, 1e3, "mm", "m"), "G": (1e9, 2e11, 1e-9, "GPa", "Pa")}
"""by column of a bar: least and most in SI, size and name of the unit in which it is shown, and the unit in SI"""
ENDS = ("free_length", "gap", "min_length", "max_length")
STOPS = (SpringKind.BUMP_STOP, SpringKind.DROOP_STOP)
CARRYING = (SpringKind.SPRING, SpringKind.TORSION_BAR)
RESISTING = ("k", "c", "k_swing")


def warn_of_springs(car: CarData, axle: AxleData, report: ProblemList) -> None:
    """Add a warning at its cell for every number of Suspension springs that can hardly be meant."""
    load = corner_load(car, axle)
    for row in axle.springs:
        preload = row.number("preload")
        if row.kind == SpringKind.SPRING and preload is not None and preload < 0.0:
            rule, found = "a spring that carries is compressed, which is positive", f"preload is {preload:.4g} N"
            report.warning(CODE, row.places["preload"], f"{row.name}: {found}", rule, "look at its sign")
        elif load and preload and _carries_alone(car, axle, row) and preload < MIN_PRELOAD * load:
            rule, found = f"it alone carries the load of a wheel, {load:.4g} N", f"preload is {preload:.4g} N"
            mend = "is it kg? A number without a unit counts in N; blank is found from the load"
            report.warning(CODE, row.places["preload"], f"{row.name}: {found}", rule, mend)
        for column in RESISTING:
            value = row.number(column)
            if value is not None and value < 0.0:
                rule = f"a negative {column} drives what it is to hold back"
                report.warning(CODE, row.places[column], f"{row.name}: {column} is negative", rule, "look at its sign")
        for column, found, rule, unit in (*_stiffness(axle, row, load), *_lengths(axle, row), *_bar(row)):
            mend = f"look at its unit: a number without one counts in {unit}, unless row 2 says which"
            report.warning(CODE, row.places[column], f"{row.name}: {column} is {found}", rule, mend)


def _carries_alone(car: CarData, axle: AxleData, row: SpringElement) -> bool:
    """Whether the design pose is to be at rest, and nothing but this spring and stops hold it there."""
    idle = (SpringKind.U_BAR, SpringKind.T_BAR, SpringKind.BLADE_BAR, *STOPS)
    others = [each for each in axle.springs if each is not row and each.kind not in idle]
    at_rest = car.settings.get("ride height") != SOLVE_HEIGHT
    return (
        at_rest
        and row.kind == SpringKind.SPRING
        and not any(each.number("k") or each.number("preload") for each in others)
    )


def _stiffness(axle: AxleData, row: SpringElement, load: float | None) -> Iterator[tuple[str, str, str, str]]:
    """Column, what was found, rule and unit in SI. Beside another spring one may be as soft as one likes."""
    k = row.number("k")
    others = [each for each in axle.springs if each is not row and each.kind in (*CARRYING, SpringKind.THIRD_SPRING)]
    if not load or k is None or k < 0.0 or (row.kind in CARRYING and others):
        return
    if k == 0.0:
        if row.kind in CARRYING:
            yield "k", "0", f"it carries the load of a wheel, {load:.4g} N", "N/m"
        return
    low, high = SPRING_DEFLECTIONS
    is_soft_stop = row.kind in STOPS and load / k > high
    if is_soft_stop or (row.kind == SpringKind.SPRING and not low <= load / k <= high):
        rule = f"the load of a wheel, {load:.4g} N, shortens it by {load / k * 1e3:.3g} mm"
        yield "k", f"{k * 1e-3:.4g} N/mm", rule, "N/m"


def _lengths(axle: AxleData, row: SpringElement) -> Iterator[tuple[str, str, str, str]]:
    """The same of a free length, a gap and the ends of a damper beside the length at design."""
    given = {name: value for name in ENDS if (value := row.number(name)) is not None}
    if row.kind not in (SpringKind.SPRING, SpringKind.DAMPER, *STOPS) or not given:
        return
    length = float(drawn_distance(row, axle, "left"))
    rule = f"its length at design is {length * 1e3:.4g} mm"
    low, high = FREE_LENGTHS
    for name, value in given.items():
        least, most = (0.0, length) if name == "gap" else (0.0 if name == "min_length" else low * length, high * length)
        if not least <= value <= most:
            yield name, f"{value * 1e3:.4g} mm", rule, "m"


def _bar(row: SpringElement) -> Iterator[tuple[str, str, str, str]]:
    """The same of what the stiffness of a bar follows from."""
    for column, (low, high, size, unit, si) in BARS.items():
        value = row.number(column)
        if value is not None and not low < value <= high:
            rule = f"that of a bar is between {low * size:g} and {high * size:g} {unit}"
            yield column, f"{value * size:.4g} {unit}", rule, si


MAX_ROD_OFFSET = 0.02
"""share of its length by which the centre of mass of a rod may lie beside its line"""


def mass_warnings(car: CarData, model: Model) -> Iterator[Problem]:
    """Warnings of masses. model: with the bodies of heavy members."""
    members = {fold(member.body): member for axle in car.axles for member in members_of(axle)}
    held = {marker.body for joint in model.joints for marker in (joint.i, joint.j)}
    wheels = {fold(wheel_body(axle, side)) for axle in car.axles for side in SIDES}
    for body in model.bodies:
        name = fold(body.name)
        if name in members:
            yield from _beside_its_line(members[name], body.cell, body.position)
        elif body.mass and body.name not in held and name not in wheels:
            found = f"the body {body.name}"
            rule = "no joint holds it, so that it weighs on nothing in sweeps and load cases"
            mend = did_you_mean(
                body.name,
                [member.body for member in members.values()] + sorted(held),
                "name a body that the car has, or add its joints",
            )
            yield Problem("loose-body", "warning", body.cell, found, rule, mend)


def _beside_its_line(member: Member, cell: str, place: np.ndarray) -> Iterator[Problem]:
    inner, outer = member.places
    apart, length = member.beside(place), float(np.linalg.norm(outer - inner))
    if apart > MAX_ROD_OFFSET * length:
        found = f"the centre of mass of {member.body}, {1e3 * apart:.1f} mm beside the line between its ends"
        rule = "in load cases its weight counts at the nearest place on that line"
        yield Problem("beside-its-rod", "warning", cell, found, rule, "look at x, y and z, or leave them blank")
