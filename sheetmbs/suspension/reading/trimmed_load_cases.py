"""Rows of Load cases with method = tyres: what they need, and what they find themselves so that no cell may give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheetmbs.schema.problem_list import ProblemList, place_of
from sheetmbs.schema.suspension_inputs import BY_TYRES, CORNER_NAMES, WRENCH
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.car_tyres import CarTyres
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.workbook.reading.input_table import Record

MAX_SPEED = 150.0
"""m/s, beyond which no car is driven: the unit is wrong"""
FOUND = {
    "pose": "the pose of a car in trim on its tyres is found",
    "rack": "the rack of a car in trim on its tyres is found",
    "steering_wheel": "the rack of a car in trim on its tyres is found",
    **{f"{corner}.{name}": "forces of tyres follow from their slip" for corner in CORNER_NAMES for name in WRENCH},
    **dict.fromkeys(
        ("travel", "travel_left", "travel_right", *(f"{corner}.travel" for corner in CORNER_NAMES)),
        "travels of a car in trim on its tyres are found",
    ),
    **dict.fromkeys(("lateral_split_wheels", "longitudinal_split"), "tyres share their forces by slip and load"),
    "az": "a car in trim stands under gravity alone, and downforce presses it down",
}
"""columns that a row with method = tyres leaves blank, and why"""


def check_speed(record: Record, case: LoadCase) -> None:
    """Report a speed that is missing or that has no effect, and cells of what such a row finds."""
    if not case.is_on_tyres:
        if record.given("speed"):
            rule = f"a speed counts with method = {BY_TYRES} alone"
            record.refuse("unused-value", "speed", rule, f"clear it, or set method = {BY_TYRES}")
        return
    for column, rule in FOUND.items():
        if record.given(column):
            record.settle(column)
            record.refuse("found-by-trim", column, f"with method = {BY_TYRES} {rule}", "clear the cell")
    if not record.given("speed"):
        rule = f"with method = {BY_TYRES} slip follows from the speed of the car"
        record.refuse("missing-value", "speed", rule, "write it, such as 80 km/h")
    elif not 0.0 < case.speed <= MAX_SPEED:
        rule = f"a speed lies above 0 and up to {MAX_SPEED:g} m/s; without a unit it counts in m/s"
        record.refuse("out-of-range", "speed", rule, "correct it, or give its unit, such as 80 km/h")


def check_tyred_cases(cases: Sequence[LoadCase], car: CarData, tyres: CarTyres, report: ProblemList) -> None:
    """Report cases of cars that have no tyres, or lack what such cases need."""
    lacking = [] if report.has_errors else list(_lacking(car, tyres))
    for case in cases:
        if case.is_on_tyres and lacking:
            rule = f"method = {BY_TYRES} needs {' and '.join(lacking)}"
            fix = "add what is missing, or clear method"
            report.error("missing-tyres", place_of(case.cell), f"load case {case.name}", rule, fix)


def _lacking(car: CarData, tyres: CarTyres) -> Iterator[str]:
    if not tyres.fitted:
        yield "the sheet Tyres"
    if len(car.axles) < 2:
        yield "the hardpoints of both axles"
    elif not all(axle.is_sprung for axle in car.axles):
        yield "springs on both axles"
