"""The sheets Handling and Path: what the car on its tyres is to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isnan

from sheetmbs.schema import units as u
from sheetmbs.schema.handling_inputs import HANDLING, LATER_TYPES, PATH, HandlingType
from sheetmbs.schema.names import NOT_IN_SHEET_NAMES, fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.validate import ValueFault, has_unit, quantity
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.car_tyres import CarTyres
from sheetmbs.suspension.layout.handling_row import HOLD, GivenRange, HandlingRow, RoadCourse, default_rows
from sheetmbs.suspension.reading.read_courses import MIN_RADIUS, read_courses
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record

MAX_NAME_LENGTH = 16
"""of a row: the name of its sheet has 31 characters at most"""
RESERVED = ("metrics",)
"""folded names of rows whose sheet would be another one"""
SEPARATOR = ";"
MAX_SPEED, MAX_BETA, MAX_RACK, MAX_WHEEL, MAX_AY = 150.0, 0.8, 0.5, 20.0, 6.0
"""m/s, rad, m, rad and g beyond which no car is driven: the unit is wrong"""
LIMITS = {"beta": (MAX_BETA, "rad"), "rack": (MAX_RACK, "m"), "steering_wheel": (MAX_WHEEL, "rad"), "ay": (MAX_AY, "g")}
MAX_GRID = 401
"""values of one quantity of a diagram; the square of that is solved"""
NEEDS = {
    HandlingType.ENVELOPE: (),
    HandlingType.SKIDPAD: (),
    HandlingType.ACCELERATION: (),
    HandlingType.YAW_MOMENT: ("speed", "radius"),
    HandlingType.CIRCLE: ("speed", "radius", "rack", "steering_wheel"),
    HandlingType.LAP: ("path",),
}
"""of each type the columns of which one is filled, unless the program has a usual value"""


def read_handling_rows(
    sheets: Mapping[str, CellSheet], car: CarData, tyres: CarTyres, report: ProblemList
) -> tuple[HandlingRow, ...]:
    """What the car is to do: the rows of Handling, the usual ones where it has none or is missing; none without tyres."""
    table = InputTable(HANDLING, sheets.get(HANDLING.name), report, "3D")
    courses = read_courses(InputTable(PATH, sheets.get(PATH.name), report, "3D"), report)
    if table.cells is None or next(table.records(), None) is None:
        return default_rows() if tyres.fitted else ()
    rows = _rows(table, car, courses, report)
    if rows and not tyres.fitted and not report.has_errors:
        rule, fix = "the car has no tyres: its handling is not known", "add the sheet Tyres, or import a tyre"
        report.error("no-tyres", Place(table.cells.name), "rows of Handling", rule, fix)
    return rows


def _rows(
    table: InputTable, car: CarData, courses: Mapping[str, RoadCourse | None], report: ProblemList
) -> tuple[HandlingRow, ...]:
    """The rows that count."""
    found: dict[str, HandlingRow] = {}
    for record in table.records():
        if not record.is_active:
            continue
        name, kind = record.text("name"), record.choice("type")
        if not name or not kind:
            continue
        if fold(name) in found:
            report.error(
                "duplicate-name", record.place("name"), quoted(name), "a row has this name already", "rename one"
            )
            continue
        if not _is_good_name(record, name, report):
            continue
        if kind in LATER_TYPES:
            rule = "this version solves yaw moment, circle, g-g, skidpad, acceleration and lap"
            record.refuse("later-type", "type", rule, "set active = no, or take the row away")
            continue
        found[fold(name)] = _with_course(record, _row(record, name, kind, car), courses, report)
        record.finish()
    return tuple(found.values())


def _with_course(
    record: Record, row: HandlingRow, courses: Mapping[str, RoadCourse | None], report: ProblemList
) -> HandlingRow:
    """A row with the course that it names. courses: None of one that is wrong, which has been reported."""
    if row.type != HandlingType.LAP or not row.path:
        return row
    course = courses.get(fold(row.path))
    if course is None and fold(row.path) not in courses:
        fix = report.did_you_mean(row.path, list(courses), "give its points on the sheet Path")
        report.error("unknown-path", record.place("path"), quoted(row.path), "there is no such course on Path", fix)
    return replace(row, course=course)


def _is_good_name(record: Record, name: str, report: ProblemList) -> bool:
    wrong = set(name) & set(NOT_IN_SHEET_NAMES) or name.endswith("'")
    if len(name) > MAX_NAME_LENGTH or wrong or fold(name) in RESERVED:
        rule = f"it names a sheet: at most {MAX_NAME_LENGTH} characters, none of {NOT_IN_SHEET_NAMES}, and not Metrics"
        report.error("wrong-name", record.place("name"), quoted(name), rule, "give it another name")
        return False
    return True


def _row(record: Record, name: str, kind: str, car: CarData) -> HandlingRow:
    record.settle("design", *UNUSED)
    speeds = tuple(_speeds(record))
    radius = _radius(record, kind)
    ranges = {each: _range(record, each) for each in LIMITS}
    held = {each: value for each in ("rack", "steering_wheel") if (value := _held(record, each)) is not None}
    _check_steering(record, car, ranges, held)
    brake = record.number_or("brake", 0.0, u.FORCE)
    row = HandlingRow(
        name,
        kind,
        speeds,
        radius,
        ranges,
        held,
        _drive(record),
        0.0 if isnan(brake) else brake,
        record.text("path"),
        {column.name: record.cell_text(column.name) for column in record.table.schema.columns},
    )
    _warn_of_unused(record, kind)
    given = [each for each in NEEDS[kind] if record.given(each)]
    if kind == HandlingType.YAW_MOMENT and len(given) > 1:
        rule = "a diagram is at constant speed or at constant radius"
        record.refuse("two-values", "radius", rule, "clear it, or clear speed")
    if kind == HandlingType.CIRCLE and len(given) > 1:
        rule = "a circle has a constant radius, a constant speed or a constant steer: one of them"
        record.refuse("two-values", given[1], rule, f"clear it, or clear {given[0]}")
    if kind == HandlingType.LAP and not given:
        record.refuse("missing-value", "path", "a lap is driven on a course of the sheet Path", "write its name")
    return row


UNUSED = (
    *("rate", "start", "frequency", "road", "on", "duration", "t_step", "curve", "coherence"),
    *("preview_time", "preview_gain", "speed_gain", "speed_integral"),
)
"""columns of transient handling and of ride"""


def _names(*ranges: str) -> tuple[str, ...]:
    return tuple(f"{name}_{word}" for name in ranges for word in ("from", "to", "step"))


USED = {
    HandlingType.YAW_MOMENT: ("speed", "radius", *_names("beta", "rack", "steering_wheel"), "drive", "brake"),
    HandlingType.CIRCLE: ("speed", "radius", "rack", "steering_wheel", *_names("ay"), "drive", "brake"),
    HandlingType.ENVELOPE: ("speed", *_names("ay")),
    HandlingType.SKIDPAD: ("radius", *_names("ay"), "drive", "brake"),
    HandlingType.ACCELERATION: (),
    HandlingType.LAP: ("path",),
}
"""columns that count, of each type, beside those that every row has"""
OF_EVERY_ROW = ("name", "type", "design", "active", "notes")


def _warn_of_unused(record: Record, kind: str) -> None:
    """Warn of cells that a row of this type does not look at."""
    for column in record.table.schema.columns:
        if column.name in (*USED[kind], *OF_EVERY_ROW) or not record.given(column.name):
            continue
        rule, fix = f"a row of type {kind} does not use it", "clear the cell, or look at the type"
        found = f"{column.name}: {record.raw_text(column.name)}"
        record.report.warning("unused-value", record.place(column.name), found, rule, fix)


FAST = 40.0
"""m/s, from which on a number without a unit is rather one in km/h"""


def _warn_of_speed(record: Record, value: float) -> None:
    cell, field = record.cell("speed"), record.table.fields["speed"]
    is_bare = cell is not None and cell.kind is CellKind.NUMBER and field.unit is None
    if is_bare and value >= FAST:
        rule = f"a number without a unit counts in m/s, which makes this {3.6 * value:.0f} km/h"
        record.report.warning(
            "unlikely-unit", record.place("speed"), f"speed: {value:g}", rule, f"write {value:g} km/h, if that is meant"
        )


def _speeds(record: Record) -> Iterator[float]:
    """Speeds in m/s, one or several with semicolons between them and a unit behind the last."""
    cell = record.cell("speed")
    if cell is None or cell.kind is not CellKind.TEXT or SEPARATOR not in str(cell.value):
        value = record.number("speed", u.VELOCITY)
        if value is not None and _is_speed(record, value):
            _warn_of_speed(record, value)
            yield value
        return
    record.settle("speed")
    parts = [part.strip() for part in str(cell.value).split(SEPARATOR) if part.strip()]
    unit = parts[-1].lstrip("+-.0123456789eE ") if parts and has_unit(parts[-1]) else ""
    field = record.table.fields["speed"]
    for part in parts:
        try:
            if unit or has_unit(part):
                value = quantity(part if has_unit(part) else f"{part} {unit}", (u.VELOCITY,))
            else:
                value = float(part) if field.unit is None else field.unit.to_si(float(part))
        except (ValueFault, ValueError):
            record.refuse("not-a-number", "speed", "it is a speed, or several such as 40; 60; 80 km/h", "correct it")
            return
        if not _is_speed(record, value):
            return
        yield value


def _is_speed(record: Record, value: float) -> bool:
    if isnan(value):
        return False
    if not 0.0 < value <= MAX_SPEED:
        rule = f"a speed lies above 0 and up to {MAX_SPEED:g} m/s; without a unit it counts in m/s"
        record.refuse("out-of-range", "speed", rule, "correct it, or write its unit, such as km/h")
        return False
    return True


MAX_RADIUS = 5e3
"""m, beyond which a car hardly turns at any speed"""


def _radius(record: Record, kind: str) -> float | None:
    """Above 0, for both directions are driven; of a diagram, which has one, below 0 to the right."""
    value = record.number("radius", u.LENGTH)
    if value is None or isnan(value):
        return None
    if kind == HandlingType.YAW_MOMENT and value == 0.0:
        record.refuse(
            "out-of-range", "radius", "it is not 0", "correct it; above 0 turns to the left, below 0 to the right"
        )
        return None
    if kind != HandlingType.YAW_MOMENT and value <= 0.0:
        record.refuse("out-of-range", "radius", "it is greater than 0", "correct it; both directions are driven")
        return None
    if not MIN_RADIUS <= abs(value) <= MAX_RADIUS:
        rule = f"cars turn on radii from {MIN_RADIUS:g} m to {1e-3 * MAX_RADIUS:g} km"
        fix = "look at its unit: a number without one counts in m"
        record.report.warning("unlikely-unit", record.place("radius"), f"radius: {value:g} m", rule, fix)
    return value


def _range(record: Record, name: str) -> GivenRange:
    values = [record.number(f"{name}_{word}") for word in ("from", "to", "step")]
    first, last, step = (None if value is None or isnan(value) else value for value in values)
    most, unit = LIMITS[name]
    for word, value in (("from", first), ("to", last)):
        if value is not None and abs(value) > most:
            rule = f"it lies between -{most:g} and {most:g} {unit}; without a unit it counts in {unit}"
            record.refuse("out-of-range", f"{name}_{word}", rule, "correct it, or write its unit")
            return GivenRange(None, None, None)
    if first is not None and last is not None and first >= last:
        rule = f"a range goes up: {name}_to is above {name}_from"
        record.refuse("out-of-range", f"{name}_to", rule, "exchange them, or correct one")
    if step is not None and step <= 0.0:
        record.refuse("out-of-range", f"{name}_step", "a step is greater than 0", "correct it")
        step = None
    if None not in (first, last, step) and (last - first) / step > MAX_GRID:  # type: ignore[operator]
        rule = f"more than {MAX_GRID} values of one quantity are no diagram"
        record.refuse("too-many", f"{name}_step", rule, "take a larger step, or look at its unit")
    return GivenRange(first, last, step)


def _held(record: Record, name: str) -> float | None:
    value = record.number(name)
    return None if value is None or isnan(value) else value


def _check_steering(record: Record, car: CarData, ranges: dict[str, GivenRange], held: dict[str, float]) -> None:
    """Report columns of a rack or a steering wheel that the car has not."""
    steered = [axle for axle in car.axles if axle.is_steered]
    for name in ("rack", "steering_wheel"):
        given = [column for column in (name, f"{name}_from", f"{name}_to") if record.given(column)]
        if given and not steered:
            record.refuse("not-steered", given[0], "no axle of this car has a rack", "clear it, or set steering = rack")
        elif given and name == "steering_wheel" and all(axle.number("rack per turn") is None for axle in steered):
            rule = "an angle of the steering wheel needs the setting rack per turn"
            record.refuse("missing-setting", given[0], rule, "add it to the sheet Suspension, or give rack instead")
    both = [name for name in ("rack", "steering_wheel") if not ranges[name].is_blank or name in held]
    if len(both) > 1:
        column = "steering_wheel" if record.given("steering_wheel") else "steering_wheel_from"
        record.refuse("two-values", column, "rack says already how the car is steered", "clear one of both")


def _drive(record: Record) -> float | str | None:
    cell = record.cell("drive")
    if cell is None:
        record.settle("drive")
        return None
    if fold(record.raw_text("drive")) == HOLD:
        record.settle("drive")
        return HOLD
    value = record.number("drive", u.FORCE)
    return None if value is None or isnan(value) else value
