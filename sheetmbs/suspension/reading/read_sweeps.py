"""The sheets Sweeps and Poses: what is swept, row by row."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import isnan

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.problems.errors import Problem
from sheetmbs.schema import units as u
from sheetmbs.schema import validate
from sheetmbs.schema.compliance_inputs import LOAD_SWEEPS
from sheetmbs.schema.names import NOT_IN_SHEET_NAMES, fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.suspension_inputs import POSES, SWEEPS
from sheetmbs.schema.validate import ValueFault
from sheetmbs.suspension.kinematics.sweeps import ROLL, ROLL_STEP, TRAVEL, TRAVEL_STEP, Sweep, ranged
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.reading.read_load_sweeps import loaded_sweep
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record, text_of

ROLLS_ABOUT = ("ground", "antisymmetric", "load")
MAX_NAME_LENGTH = 16
"""of a sweep: the name of its sheet has 31 characters at most"""
QUANTITIES = ("travel", "roll", "rack", "pitch")
STEERING_WHEEL = "steering_wheel"
MAX_SWEPT = {
    **dict.fromkeys(("travel", "rack"), (0.5, "m")),
    **dict.fromkeys(("roll", "pitch"), (0.5, "rad")),
    STEERING_WHEEL: (20.0, "rad"),
}
"""ends of ranges beyond which no car is swept"""
POSED = {
    **dict.fromkeys(("travel_left", "travel_right", "damper_left", "damper_right"), "travel"),
    **{quantity: quantity for quantity in ("roll", "pitch", "rack", STEERING_WHEEL)},
}
"""columns of Poses, and what they are"""
MIN_SWEPT = {
    **dict.fromkeys(("travel", "rack"), (1e-3, 1e3, "mm")),
    **dict.fromkeys(("roll", "pitch", STEERING_WHEEL), (np.radians(0.1), 180.0 / np.pi, "deg")),
}
"""lengths of whole ranges, below which nothing moves; how many of a unit are 1 in SI, and the unit"""
MAX_PITCH_ABOUT = 20.0
"""m"""
ROUNDING = 1e-9
"""of the length of a range"""
MAX_POSES = 100_000
"""of one sweep; that many take some minutes"""
PITCH, PITCH_STEP = np.radians(1.0), np.radians(0.1)
STEPS = {
    "travel": (TRAVEL, TRAVEL_STEP),
    "roll": (ROLL, ROLL_STEP),
    "rack": (25e-3, 2.5e-3),
    "pitch": (PITCH, PITCH_STEP),
    STEERING_WHEEL: (np.radians(90.0), np.radians(10.0)),
}
SWEPT_BY = {"heave": "travel", "single wheel": "travel", "roll": "roll", "steer": "rack", "pitch": "pitch"}


def read_sweeps(table: InputTable, poses: InputTable, car: CarData, report: ProblemList) -> list[Sweep]:
    """The sweeps of a workbook that count; none where it has no such sheet, or none that counts."""
    found: dict[str, Sweep] = {}
    for record in table.records():
        if not record.is_active:
            continue
        name, kind = record.text("name"), record.choice("type")
        if not name or not kind:
            continue
        if len(name) > MAX_NAME_LENGTH:
            rule = f"the name of a sweep has {MAX_NAME_LENGTH} characters at most, for it names a sheet"
            report.error("name-too-long", record.place("name"), quoted(name), rule, "shorten it")
            continue
        if any(letter in NOT_IN_SHEET_NAMES for letter in name) or name.endswith("'"):
            rule = f"the name of a sweep names a sheet, which has none of {' '.join(NOT_IN_SHEET_NAMES)} and no ' at its end"
            report.error("wrong-name", record.place("name"), quoted(name), rule, "rename it")
            continue
        if fold(name) in found:
            report.error(
                "duplicate-name",
                record.place("name"),
                quoted(name),
                "a sweep of this name is given already",
                "rename one",
            )
            continue
        axles = _axles(record, car, report)
        if kind in LOAD_SWEEPS:
            sweep = loaded_sweep(record, name, kind, car, axles, report)
        elif kind == "poses":
            sweep = _posed(record, name, poses, car, axles, report)
        else:
            sweep = _ranged(record, name, kind, car, axles, report)
        if sweep is not None:
            found[fold(name)] = sweep
        record.finish()
    return list(found.values())


def _axles(record: Record, car: CarData, report: ProblemList) -> tuple[str, ...]:
    """The axles that a sweep moves."""
    chosen, known = record.choice("axle"), tuple(axle.name for axle in car.axles)
    if chosen in ("", "both"):
        return known
    if chosen not in known:
        rule = f"this workbook has hardpoints of the {known[0]} axle only"
        report.error("unknown-axle", record.place("axle"), f"axle: {chosen}", rule, "add them, or clear the cell")
    return (chosen,)


def _ranged(
    record: Record, name: str, kind: str, car: CarData, axles: tuple[str, ...], report: ProblemList
) -> Sweep | None:
    """A sweep over ranges. Every kind may hold the other quantities at a value."""
    held = {quantity: record.number_or(quantity, 0.0) for quantity in QUANTITIES}
    wheel = record.number(STEERING_WHEEL)
    if wheel is not None:
        held["rack"] = float(_rack_at(np.array([wheel]), record, STEERING_WHEEL, car, report)[0])
    by_wheel = _is_ranged(record, STEERING_WHEEL)
    if by_wheel and _is_ranged(record, "rack"):
        rule, mend = "rack_from and rack_to say already what the sweep goes over", "clear one of both"
        report.error("given-twice", record.place(f"{STEERING_WHEEL}_from"), f"a range of {STEERING_WHEEL}", rule, mend)
        record.settle("rack_from", "rack_to", "rack_step")
    wanted = [each for each in QUANTITIES if _is_ranged(record, each) or (by_wheel and each == "rack")]
    main = SWEPT_BY.get(kind)
    if main is not None and main not in wanted:
        wanted = [main, *wanted]
    if not wanted:
        rule = f"a sweep of type {kind} needs a range, such as travel_from and travel_to"
        report.error("missing-value", record.place("type"), f"no range of {quoted(name)}", rule, "fill in a range")
        return None
    _check_held(record, wanted, report)
    if kind == "steer" and not any(axle.is_steered for axle in car.axles if axle.name in axles):
        rule, mend = "none of its axles is steered", "set steering = rack on the sheet Suspension, or take the row away"
        report.error("unknown-value", record.place("type"), f"type: {kind}", rule, mend)
    ranges = [
        _wheel_range(record, car, report) if by_wheel and quantity == "rack" else _range(record, quantity, report)
        for quantity in wanted
    ]
    if any(values is None for values in ranges):
        return None
    values = _combined(
        [each for each in ranges if each is not None], grid=record.flag("grid"), record=record, report=report
    )
    if values is None:
        return None
    columns = {quantity: np.full(len(values), held[quantity]) for quantity in QUANTITIES}
    for quantity, column in zip(wanted, values.T, strict=True):
        columns[quantity] = column.copy()
    single = (record.choice("side") or "left") if kind == "single wheel" else ""
    record.settle("design")
    about, cell = _roll_about(record, report), record.cell_text("name")
    is_at_equilibrium = _is_at_equilibrium(record, kind, report)
    pitch_about = _pitch_about(record, columns["pitch"], car, report)
    return Sweep(
        name,
        kind,
        columns["travel"],
        columns["roll"],
        columns["rack"],
        columns["pitch"],
        swept=tuple(wanted),
        single=single,
        roll_about=about,
        axles=axles,
        cell=cell,
        pitch_about=pitch_about,
        is_at_equilibrium=is_at_equilibrium,
        is_travel_given=record.given("travel"),
    )


def _is_at_equilibrium(record: Record, kind: str, report: ProblemList) -> bool:
    """Whether wheels keep their loads while the rack is swept; what does not belong here is reported."""
    at = record.choice("at")
    if at in ("contact", "wheel centre"):
        rule = "it says where the force of a longitudinal force sweep acts; here at is travel or equilibrium"
        report.error("unknown-value", record.place("at"), f"at: {at}", rule, "clear the cell")
    if at == "equilibrium" and kind != "steer":
        rule = "at = equilibrium holds the wheel loads while steering; other sweeps say where the wheels are"
        report.error("unknown-value", record.place("at"), "at: equilibrium", rule, "clear the cell, or sweep steer")
    return at == "equilibrium"


def _check_held(record: Record, wanted: list[str], report: ProblemList) -> None:
    """Report what is held at a value that no car reaches, or held and swept at the same time."""
    for column in (*QUANTITIES, STEERING_WHEEL):
        quantity = "rack" if column == STEERING_WHEEL else column
        _warn_of_place(record, column, column, record.number_or(column, 0.0), report)
        if quantity in wanted and record.given(column):
            rule = f"the sweep goes over {quantity}, and {column} holds it at one value"
            report.error("given-twice", record.place(column), column, rule, "clear it, or sweep something else")


def _pitch_about(record: Record, pitch: Floats, car: CarData, report: ProblemList) -> float:
    """X of the line on the road about which the car pitches: as given, or under the centre of gravity, m."""
    given = record.number("pitch_about")
    if given is not None and abs(given) > MAX_PITCH_ABOUT:
        rule, mend = "the car pitches about a line under it", "look at its unit: a number without one counts in m"
        report.warning("implausible-value", record.place("pitch_about"), f"pitch_about: {given:g} m", rule, mend)
    if given is not None or not np.any(pitch):
        return given or 0.0
    under = car.gravity_x
    if under is None:
        rule = "the car pitches about the road under its centre of gravity, whose place is not given"
        mend = "fill in pitch_about, or set weight front and wheelbase on the sheet Suspension"
        report.error("missing-value", record.place("pitch_about"), "pitch_about is blank", rule, mend)
    return under or 0.0


def _is_ranged(record: Record, quantity: str) -> bool:
    """Whether an end of a range is given."""
    return record.given(f"{quantity}_from") or record.given(f"{quantity}_to")


def _rack_at(angles: Floats, record: Record, column: str, car: CarData, report: ProblemList) -> Floats:
    """(n,) rack travel at angles of the steering wheel, m. column: in which they stand."""
    steered = car.steered
    if steered is None or steered.number("rack per turn") is None:
        rule, mend = "an angle of the steering wheel needs the setting rack per turn", "add it to the sheet Suspension"
        report.error("missing-setting", record.place(column), "no rack per turn", rule, mend)
        return np.zeros_like(angles)
    return steered.rack_at(angles)


def _wheel_range(record: Record, car: CarData, report: ProblemList) -> Floats | None:
    """Places of the rack for a range of angles of the steering wheel."""
    column = next(each for each in (f"{STEERING_WHEEL}_from", f"{STEERING_WHEEL}_to") if record.given(each))
    angles = _range(record, STEERING_WHEEL, report)
    return None if angles is None else _rack_at(angles, record, column, car, report)


def _range(record: Record, quantity: str, report: ProblemList) -> Floats | None:
    most, usual = STEPS[quantity]
    first = record.number_or(f"{quantity}_from", -most)
    last = record.number_or(f"{quantity}_to", most)
    step = record.number_or(f"{quantity}_step", usual)
    if any(map(isnan, (first, last, step))):
        return None
    if step <= 0.0:
        rule = f"{quantity}_step is greater than 0"
        place = record.place(f"{quantity}_step")
        report.error("out-of-range", place, f"{quantity}_step: {step:g}", rule, "correct it")
        return None
    _warn_of_size(record, quantity, first, last, report)
    count = abs(last - first) / step + 1.0
    return (
        ranged(float(first), float(last), float(step)) if _are_few(count, f"{quantity}_step", record, report) else None
    )


def _warn_of_size(record: Record, quantity: str, first: float, last: float, report: ProblemList) -> None:
    """Warn of a range that no car goes through: then a unit is missing."""
    column, value = max((f"{quantity}_from", first), (f"{quantity}_to", last), key=lambda end: abs(end[1]))
    unit = MAX_SWEPT[quantity][1]
    _warn_of_place(record, column, quantity, value, report)
    least, times, word = MIN_SWEPT[quantity]
    step = f"{quantity}_step"
    if record.given(step) and record.number_or(step, 0.0) > abs(last - first) > 0.0:
        found = f"{step}: {record.number_or(step, 0.0):g} {unit}"
        mend = f"look at its unit: a number without one counts in {unit}, unless row 2 says which"
        report.warning("implausible-value", record.place(step), found, "it is longer than the whole range", mend)
    swept, told = abs(last - first), f"{quantity}_to" if record.given(f"{quantity}_to") else f"{quantity}_from"
    if swept < least * (1.0 - ROUNDING) and record.given(told):
        mend = f"look at its unit: a number without one counts in {unit}, unless row 2 says which"
        rule = f"from {first * times:.4g} to {last * times:.4g} {word} next to nothing moves"
        found = f"the range of {quantity}: {swept * times:.4g} {word} in all"
        report.warning("implausible-value", record.place(told), found, rule, mend)


def _warn_of_place(record: Record, column: str, quantity: str, value: float, report: ProblemList) -> bool:
    """Warn of a place that no car reaches. Returns whether it is one."""
    largest, unit = MAX_SWEPT[quantity]
    if not record.given(column) or not abs(value) > largest:
        return False
    mend = f"look at its unit: a number without one counts in {unit}"
    rule = f"no car is swept beyond {largest:g} {unit} of {quantity}"
    report.warning("implausible-value", record.place(column), f"{column}: {value:g} {unit}", rule, mend)
    return True


def _warn_of_poses(rows: list[Record], report: ProblemList) -> None:
    """Warn of the first place of each column that no car reaches."""
    for column, quantity in POSED.items():
        any(_warn_of_place(row, column, quantity, row.number_or(column, 0.0), report) for row in rows)


def _are_few(count: float, column: str, record: Record, report: ProblemList) -> bool:
    """Whether a sweep has no more poses than can be waited for; reported where it has."""
    if count <= MAX_POSES:
        return True
    rule = f"a sweep has at most {MAX_POSES:,} poses"
    report.error("too-many-rows", record.place(column), f"{count:,.0f} poses", rule, "choose larger steps")
    return False


def _combined(ranges: list[Floats], *, grid: bool, record: Record, report: ProblemList) -> Floats | None:
    """Rows of all ranges together, or of every combination, the first range fastest."""
    if grid:
        if not _are_few(float(np.prod([len(values) for values in ranges])), "grid", record, report):
            return None
        rows = [tuple(reversed(each)) for each in product(*reversed(ranges))]
        return np.array(rows, dtype=np.float64)
    counts = {len(values) for values in ranges}
    if len(counts) > 1:
        found = " and ".join(str(len(values)) for values in ranges) + " values"
        rule = "ranges that run together have equally many values"
        report.error(
            "wrong-count", record.place("type"), found, rule, "correct a step, or write yes in the column grid"
        )
        return None
    return np.column_stack(ranges)


def _roll_about(record: Record, report: ProblemList) -> str:
    text = record.text("roll_about") or "ground"
    folded = fold(text)
    if folded.startswith("axis height"):
        try:
            return f"axis height {validate.quantity(folded.removeprefix('axis height'), (u.LENGTH,))!r}"
        except ValueFault as fault:
            report.error(
                fault.code, record.place("roll_about"), quoted(text), fault.problem, "write axis height 100 mm"
            )
            return "ground"
    if folded not in ROLLS_ABOUT:
        rule = f"the body rolls about {', '.join(ROLLS_ABOUT)}, or axis height and a length"
        mend = report.did_you_mean(text, list(ROLLS_ABOUT), "write one of these")
        report.error("unknown-value", record.place("roll_about"), f"roll_about: {quoted(text)}", rule, mend)
        return "ground"
    return folded


def _posed(
    record: Record, name: str, poses: InputTable, car: CarData, axles: tuple[str, ...], report: ProblemList
) -> Sweep | None:
    """A sweep over rows of Poses."""
    rows = [row for row in poses.records() if fold(row.raw_text("sweep")) == fold(name)]
    if not rows:
        rule = "a sweep of type poses has its rows on the sheet Poses, with its name in the column sweep"
        report.error("no-poses", record.place("name"), f"no poses of {quoted(name)}", rule, "add rows to Poses")
        return None
    names = ("travel_left", "travel_right", "roll", "rack", "pitch")
    values = {each: np.array([row.number_or(each, 0.0) for row in rows]) for each in names}
    dampers = _dampers(rows, car, axles, report)
    time = _times(rows, report)
    for at, row in enumerate(rows):
        wheel = row.number(STEERING_WHEEL)
        if wheel is not None:
            values["rack"][at] = _rack_at(np.array([wheel]), row, STEERING_WHEEL, car, report)[0]
        row.settle("sweep", "notes")
        row.finish()
    _warn_of_poses(rows, report)
    record.settle("design")
    swept = (*(f"damper_{side}" for side in dampers), *names)
    given = tuple(each for each in swept if any(row.given(each) for row in rows)) or ("travel_left", "travel_right")
    return Sweep(
        name,
        "poses",
        values["travel_left"],
        values["roll"],
        values["rack"],
        values["pitch"],
        given,
        axles=axles,
        cell=record.cell_text("name"),
        right=values["travel_right"],
        pitch_about=_pitch_about(record, values["pitch"], car, report),
        dampers=dampers,
        time=time,
        is_travel_given=True,
    )


MIN_TIMED_POSES, MAX_LOGGED_STEP = 3, 10.0
"""poses from which a speed follows; s between two of a log"""


def _times(rows: list[Record], report: ProblemList) -> Floats | None:
    """(n,) when poses were logged, s; None where no row says so. Whatever is wrong with it is reported."""
    values = [row.number("time") for row in rows]
    if all(value is None for value in values):
        return None
    for row, before, value in zip(rows, [None, *values], values, strict=False):
        if value is None:
            rule = "where one row of a sweep has a time, all have it"
            report.error("missing-value", row.place("time"), "time is blank", rule, "fill it in")
        elif before is not None and not value > before:
            rule = f"times increase from row to row, and the one before is {before:g} s"
            report.error(
                "not-increasing", row.place("time"), f"time: {value:g} s", rule, "sort the rows, or correct it"
            )
        elif before is not None and value - before > MAX_LOGGED_STEP:
            rule = f"poses of a log follow each other within {MAX_LOGGED_STEP:g} s, or their speeds say nothing"
            mend = "look at its unit: a number without one counts in s"
            report.warning(
                "implausible-value", row.place("time"), f"{value - before:g} s since the pose before", rule, mend
            )
            break
    if len(rows) < MIN_TIMED_POSES:
        rule = f"speeds of dampers follow from {MIN_TIMED_POSES} poses or more"
        report.warning("implausible-value", rows[0].place("time"), f"{len(rows)} poses with times", rule, "add rows")
    if report.has_errors:
        return None
    return np.array([0.0 if value is None else value for value in values])


def _dampers(rows: list[Record], car: CarData, axles: tuple[str, ...], report: ProblemList) -> dict[str, Floats]:
    """Logged positions of dampers by side: how much shorter than at design, m. Whatever says so twice is reported."""
    found = {}
    for side in SIDES:
        column = f"damper_{side}"
        values = [row.number(column) for row in rows]
        if all(value is None for value in values):
            continue
        for row, value in zip(rows, values, strict=True):
            if value is None:
                rule = f"where one row of a sweep has {column}, all have it"
                report.error("missing-value", row.place(column), f"{column} is blank", rule, "fill it in")
            if row.given(f"travel_{side}"):
                rule = f"the {side} wheel is where its damper says"
                report.error("given-twice", row.place(f"travel_{side}"), f"travel_{side}", rule, "clear one of them")
        for axle in car.axles:
            if axle.name in axles and not (axle.has_point(axle.damper_point) and axle.has_point(axle.damper_fixed)):
                rule = f"the {axle.name} axle has no {axle.damper_point} and {axle.damper_fixed}"
                mend = "add these hardpoints, or name the other axle in the column axle of Sweeps"
                report.error("no-damper", rows[0].place(column), column, rule, mend)
        found[side] = np.array([0.0 if value is None else value for value in values])
    return found


def stray_poses(sheets: Mapping[str, CellSheet]) -> list[Problem]:
    """What is wrong with the names of sweeps on Poses. sheets: of the workbook, by the names of their schemas."""
    unheard, report = ProblemList(()), ProblemList(sheets)
    if POSES.name not in sheets:
        return []
    poses = InputTable(POSES, sheets[POSES.name], unheard, "3D")
    sweeps = InputTable(SWEEPS, sheets[SWEEPS.name], unheard, "3D").records() if SWEEPS.name in sheets else []
    posed = [row.raw_text("name") for row in sweeps if fold(row.raw_text("type")) == "poses"]
    known = {fold(name) for name in posed}
    for record in poses.records() if "sweep" in poses.fields else ():
        cell, place = record.cell("sweep"), record.place("sweep")
        if not record.is_active:
            continue
        if cell is None:
            mend = "write the name of its sweep, or clear the row"
            report.error("missing-value", place, "sweep is blank", "a pose belongs to a sweep", mend)
            continue
        text = text_of(cell, "sweep", place, report)
        if text and fold(text) not in known:
            rule = "there is no sweep of type poses with this name on the sheet Sweeps"
            mend = report.did_you_mean(text, posed, "add it there, or clear the row")
            report.error("unknown-sweep", place, f"sweep: {quoted(text)}", rule, mend)
    return report.problems()
