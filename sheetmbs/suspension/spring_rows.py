"""Rows of the sheet Springs, and of Curves, for the rows of Suspension springs, and the workbook's own rows in their place.

An own row that has the name of a generated one counts in sweeps and load cases too. Stiffness, free length, a damper's gas
force and ``active`` = no can be meant there. What else would change what a spring is belongs on Suspension springs, where it
counts everywhere: it is refused at its cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.elements.forces.rotational_force import ROTATIONAL
from sheetmbs.elements.forces.translational_force import TRANSLATIONAL
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Curve
from sheetmbs.schema import input_columns
from sheetmbs.schema import units as u
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.schema.validate import NO
from sheetmbs.suspension.elastic.element_kind import CurveLaw, ElementLength, Law
from sheetmbs.suspension.elastic.kinds.blade_bar import BLADE_LINK, LINK_END
from sheetmbs.suspension.elastic.kinds.corner_spring import element_ends
from sheetmbs.suspension.elastic.kinds.t_bar import LATERAL, SWING, stem_of
from sheetmbs.suspension.elastic.kinds.third_spring import CROSSING, across_ends
from sheetmbs.suspension.elastic.kinds.torsion_bar import hinge_direction, twisted_hinge
from sheetmbs.suspension.elastic.kinds.u_bar import bar_direction, tube_stiffness
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, HeldLaw, lengths
from sheetmbs.suspension.elastic.spring_law import SpringLaw
from sheetmbs.suspension.generated.generate import GeneratedCurve, GeneratedRow, Value, point_name
from sheetmbs.suspension.generated.merged_sheets import MergedBook, with_curves, with_generated
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import BLADE_END, HELPER_K, AxleData, CarData, SpringElement, Vector
from sheetmbs.suspension.layout.type_table import BAR, CHASSIS, T_BASE, T_HEAD
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record

STOPS = (SpringKind.BUMP_STOP, SpringKind.DROOP_STOP)
STOP_CURVE_EXTENSION = 1.0
"""m, by which the curve of a stop goes on to either side"""
STOP_STEP = 1e-9
"""m, within which a stop whose curve begins with a force gets it"""
STRAIGHT_PIECES = 2000
"""straight pieces in place of a spline with a helper in series"""
MAX_SAMPLE_SHARE = 0.7
"""distance of the last of the doubling samples over that of the first one given"""


@dataclass(frozen=True, eq=False)
class SpringRow:
    """A row of Springs, and the curve that it names, if any."""

    row: GeneratedRow
    curve: GeneratedCurve | None = None


def with_springs(merged: MergedBook, poses: Mapping[str, SweptAxle], laws: Mapping[str, AxleLaws]) -> MergedBook:
    """A workbook with generated rows and those of its springs, whose lengths without load have been solved.

    poses: axles at their design poses alone.
    """
    springs = [each for name, pose in poses.items() for each in spring_rows(pose, laws[name])]
    found = with_generated(merged.book, [each.row for each in springs])
    found = replace(found, origin={**merged.origin, **found.origin}, replaced=(*merged.replaced, *found.replaced))
    return with_curves(found, (each.curve for each in springs if each.curve is not None))


def spring_rows(design: SweptAxle, held: AxleLaws) -> Iterator[SpringRow]:
    """Rows of Springs of an axle, but for springs whose force is not known. design: the axle at its design pose alone."""
    for row in design.axle.springs:
        for part in lengths(row, design):
            law = held[row.name + part.suffix, part.side]
            tension = float(law.law(part.length.value - law.design)[0][0])
            own = design.axle.spring_row(row, part.suffix, part.side)
            if own is not None and np.isfinite(tension):
                yield from _row(design.axle, own, part, law, tension)


def spring_name(owner: str, name: str, suffix: str = "") -> str:
    """What an element is called on Springs, after its corner or axle, which its own name may begin with already."""
    begins = fold(name).startswith(f"{fold(owner)} ")
    return f"{name}{suffix}" if begins else f"{owner} {name}{suffix}"


def _row(axle: AxleData, row: SpringElement, part: ElementLength, law: HeldLaw, tension: float) -> Iterator[SpringRow]:
    cell = str(row.places["name"])
    name = _row_name(axle, row, part.side, part.suffix)
    if part.suffix == SWING and not row.number("k_swing"):
        return
    if row.kind in (SpringKind.U_BAR, SpringKind.T_BAR, SpringKind.TORSION_BAR):
        k = (row.number("k_swing") or 0.0) if part.suffix == SWING else tube_stiffness(row)
        moment = part.sense * tension
        held: dict[str, Value] = {"k": k, "angle0": -moment / k} if k else {"k": 0.0, "force": moment}
        values = {**_hinge(axle, row, part.side, part.suffix), **held}
        yield SpringRow(GeneratedRow("Springs", name, values, cell))
        return
    curve = _curve(axle, row, cell, law.law)
    values = {**_ends(axle, row, part.side), **_law(row, float(part.length.value[0]), law, tension)}
    if curve is not None:
        values["curve_c" if "curve_c" in row.curves else "curve_k"] = curve.name
        if isinstance(law.law, SpringLaw) and axle.overrides.get((row.name, part.side)) is not None:
            curve = replace(curve, name=f"{name} tension")
            values["curve_k"] = curve.name
    stands_for = ("k",) if "curve_k" in values else ()
    yield SpringRow(GeneratedRow("Springs", name, values, cell, stands_for=stands_for), curve)


def _row_name(axle: AxleData, row: SpringElement, side: str, suffix: str) -> str:
    """Name of the generated row of an element; of a blade that of its drop link."""
    owner = axle.corner(side) if side else axle.name
    return f"{owner} {BLADE_LINK}" if row.kind == SpringKind.BLADE_BAR else spring_name(owner, row.name, suffix)


def _ends(axle: AxleData, row: SpringElement, side: str) -> dict[str, Value]:
    """The two points between which an element acts."""
    if row.kind in CROSSING:
        left, right = across_ends(row)
        ends = (right, left)
    elif row.kind == SpringKind.BLADE_BAR:
        ends = ((side, BLADE_END), (side, LINK_END))
    else:
        moving, fixed = element_ends(row, axle)
        ends = ((side, fixed), (side, moving))
    bodies = (axle.body_name(axle.points[of][point].on, of) for of, point in ends)
    points = (point_name(axle, of, point) for of, point in ends)
    return {
        "type": TRANSLATIONAL.name,
        **dict(zip(("body_i", "body_j"), bodies, strict=True)),
        **dict(zip(("point_i", "point_j"), points, strict=True)),
    }


def _law(row: SpringElement, length: float, law: HeldLaw, tension: float) -> dict[str, Value]:
    """How its force follows from its length. length, tension: at the design pose."""
    if row.kind in STOPS:
        return {"length0": float(law.design[0])}
    if isinstance(law.law, SpringLaw) and spring_curve(law.law) is not None:
        return {"length0": float(law.design[0] + law.law.free[0])}
    if row.kind == SpringKind.BLADE_BAR:
        return {"k": row.number("k") or 0.0, "length0": float(law.design[0])}
    if row.kind in DAMPERS:
        return {"force": tension} if "curve_c" in row.curves else {"c": row.number("c") or 0.0, "force": tension}
    k = row.number("k")
    return {"k": k, "length0": length - tension / k} if k else {"k": 0.0, "force": tension}


def spring_ends(axle: AxleData, row: SpringElement, side: str, suffix: str) -> dict[str, Value]:
    """What a generated row says of where its spring acts. suffix: behind the name of the row, where it has several."""
    is_turned = row.kind in (SpringKind.U_BAR, SpringKind.T_BAR, SpringKind.TORSION_BAR)
    return _hinge(axle, row, side, suffix) if is_turned else _ends(axle, row, side)


def _hinge(axle: AxleData, row: SpringElement, side: str, suffix: str) -> dict[str, Value]:
    """The two bodies between which a bar is twisted, and the line about which."""
    if row.kind == SpringKind.U_BAR:
        bodies, point = (axle.body_name(BAR, "right"), axle.body_name(BAR, "left")), ("left", "bar axis")
        along = bar_direction(axle, "left")
    elif row.kind == SpringKind.T_BAR:
        base, head = axle.body_name(T_BASE, "left"), axle.body_name(T_HEAD, "left")
        bodies, along = ((CHASSIS, base), LATERAL) if suffix == SWING else ((base, head), stem_of(axle)[0])
        point = ("left", "T-bar base")
    else:
        hinge = twisted_hinge(axle)
        if hinge is None:
            raise ValueError(f"the {axle.name} axle has no hinge for a torsion bar")
        bodies, point = (CHASSIS, axle.body_name(hinge.body_j, side)), (side, hinge.points[0])
        along = hinge_direction(hinge, axle, side)
    return {
        "type": ROTATIONAL.name,
        "body_i": bodies[0],
        "body_j": bodies[1],
        "point": point_name(axle, *point),
    } | _axis(along)


def _axis(along: Vector) -> dict[str, Value]:
    return dict(zip(("axis_x", "axis_y", "axis_z"), map(float, along), strict=True))


def _curve(axle: AxleData, row: SpringElement, cell: str, law: Law) -> GeneratedCurve | None:
    """Tension over extension, or over its velocity; None where numbers say all."""
    name = f"{spring_name(axle.name, row.name)} tension"
    if isinstance(law, SpringLaw):
        found = spring_curve(law)
        return None if found is None else GeneratedCurve(name, *found[:2], "m", "N", found[2], cell).mirrored
    if row.kind in STOPS:
        given = row.curves.get("curve_k")
        is_cubic = given is not None and given.interpolation == "cubic"
        x, force = _cubic_stop(given) if given is not None and is_cubic else _straight_stop(row)
        x = x + (row.number("gap") or 0.0)
        stop = GeneratedCurve(name, x, force, "m", "N", "cubic" if is_cubic else "linear", cell)
        return stop.mirrored if row.kind == SpringKind.BUMP_STOP else stop
    given = row.curves.get("curve_c")
    return (
        None
        if given is None
        else GeneratedCurve(name, given.x, given.y, "m/s", "N", given.interpolation, cell).mirrored
    )


def spring_curve(law: SpringLaw) -> tuple[Floats, Floats, str] | None:
    """Compression of a spring from its free length, its force there, and the interpolation; None where a stiffness says all."""
    row, given = law.row, law.row.curves.get("curve_k")
    if given is None and (not row.number("k") or (row.is_captive and law.block_force is None)):
        return None
    if given is not None and given.interpolation == "cubic":
        return _cubic_spring(law, given)
    if given is None:
        x, force = np.array([-STOP_CURVE_EXTENSION, 0.0, STOP_CURVE_EXTENSION]), np.zeros(0)
        force = (row.number("k") or 0.0) * x
    elif row.is_captive and law.block_force is None:
        return given.x, given.y, given.interpolation
    else:
        x = np.concatenate([[given.x[0] - STOP_CURVE_EXTENSION], given.x, [given.x[-1] + STOP_CURVE_EXTENSION]])
        force = CurveLaw(given)(x)[0]
    for level in (law.block_force, None if row.is_captive else 0.0):
        x, force = _with_crossings(x, force, level)
    if not row.is_captive:
        force = np.maximum(force, 0.0)
    return x + _helper_way(law, force), force, "linear"


def _with_crossings(x: Floats, force: Floats, level: float | None) -> tuple[Floats, Floats]:
    """Corners of a law with those more at which it passes a force."""
    if level is None:
        return x, force
    over = force - level
    at = np.flatnonzero(over[:-1] * over[1:] < 0.0)
    crossed = x[at] - over[at] * (x[at + 1] - x[at]) / (over[at + 1] - over[at])
    return np.insert(x, at + 1, crossed), np.insert(force, at + 1, level)


def _helper_way(law: SpringLaw, force: Floats) -> Floats:
    """By how much the helper is compressed at a force, m; 0 without one."""
    block = law.block_force
    return np.zeros_like(force) if block is None else np.minimum(force, block) / (law.row.number(HELPER_K) or 1.0)


def _cubic_spring(law: SpringLaw, given: Curve) -> tuple[Floats, Floats, str]:
    """The same of a natural spline, with ever closer samples where it begins to push; with a helper by many straight pieces."""
    curve = CurveLaw(given)
    if law.block_force is not None:
        x = np.linspace(given.x[0], given.x[-1], STRAIGHT_PIECES + 1)
        force = curve(x)[0] if law.row.is_captive else np.maximum(curve(x)[0], 0.0)
        return x + _helper_way(law, force), force, "linear"
    if law.row.is_captive or float(curve(given.x[:1] - STOP_CURVE_EXTENSION)[0][0]) >= 0.0:
        return given.x, given.y, "cubic"
    start = curve.where(0.0)
    x, force = _cubic_stop(replace(given, x=given.x - start))
    return x + start, force, "cubic"


def _straight_stop(row: SpringElement) -> tuple[Floats, Floats]:
    """Force of a stop over how far it is pressed in."""
    given = row.curves.get("curve_k")
    if given is None:
        engaged = np.array([0.0, STOP_CURVE_EXTENSION])
        force = (row.number("k") or 0.0) * engaged
    else:
        last = max(float(given.x[-1]), STOP_STEP)
        inner = given.x[(given.x > 0.0) & (given.x < last)]
        engaged = np.concatenate([[0.0], inner, [last, last + STOP_CURVE_EXTENSION]])
        force = CurveLaw(given)(engaged)[0]
    free = np.array([-STOP_CURVE_EXTENSION]) if force[0] == 0.0 else np.array([-STOP_CURVE_EXTENSION, -STOP_STEP])
    return np.concatenate([free, engaged]), np.concatenate([np.zeros(len(free)), force])


def _cubic_stop(given: Curve) -> tuple[Floats, Floats]:
    """The same of a natural spline: its own samples, and around the place where it begins ever closer ones.

    A spline is smooth there and the force of a stop is not; between samples that double their distance what it strays dies out
    within some nanometres, and beyond it is the spline that is given.
    """
    own = given.x[given.x > STOP_STEP]
    own = own if len(own) else np.array([STOP_STEP])
    near = STOP_STEP * 2.0 ** np.arange(max(int(np.log2(MAX_SAMPLE_SHARE * own[0] / STOP_STEP)) + 1, 0))
    engaged = np.concatenate([[0.0], near, own])
    x = np.concatenate([[-STOP_CURVE_EXTENSION], -near[::-1] if len(near) else [-STOP_STEP], engaged])
    return x, np.concatenate([np.zeros(len(x) - len(engaged)), CurveLaw(given)(engaged)[0]])


BARS = (SpringKind.U_BAR, SpringKind.T_BAR, SpringKind.TORSION_BAR)
DAMPERS = (SpringKind.DAMPER, SpringKind.THIRD_DAMPER, SpringKind.ROLL_DAMPER)
OVERRIDDEN_COLUMNS: Mapping[str, Mapping[str, tuple[str, u.Dimension]]] = {
    SpringKind.SPRING: {"k": ("k", u.STIFFNESS), "length0": ("free_length", u.LENGTH)},
    SpringKind.THIRD_SPRING: {"k": ("k", u.STIFFNESS), "length0": ("free_length", u.LENGTH)},
    SpringKind.ROLL_SPRING: {"k": ("k", u.STIFFNESS), "length0": ("free_length", u.LENGTH)},
    SpringKind.BLADE_BAR: {"k": ("k", u.STIFFNESS)},
    **{kind: {"force": ("preload", u.FORCE)} for kind in DAMPERS},
    **{kind: {"k": ("k", u.ROTATIONAL_STIFFNESS)} for kind in BARS},
}
"""columns of Springs that stand for columns of Suspension springs, by kind"""
AT_REST = ("name", "active", "notes", "c", "curve_c", "power_limit")
"""columns that change no pose at rest"""

OWN_ROWS = replace(
    input_columns.SPRINGS,
    columns=tuple(replace(column, required=column.name == "name") for column in input_columns.SPRINGS.columns),
)
"""the sheet Springs where generated rows fill in what is blank"""

Overrides = dict[tuple[str, str], SpringElement | None]
"""rows of springs as the workbook's own sheet Springs has them, by name and side; None where it takes one away"""


def with_overrides(car: CarData, sheets: Mapping[str, CellSheet], report: ProblemList) -> CarData:
    """A car whose springs are what the workbook's own rows of Springs make of them."""
    table = InputTable(OWN_ROWS, sheets.get(OWN_ROWS.name), report, "3D")
    records = {fold(record.raw_text("name")): record for record in table.records()}
    return replace(car, axles=tuple(replace(axle, overrides=_of_axle(axle, records, report)) for axle in car.axles))


def _of_axle(axle: AxleData, records: Mapping[str, Record], report: ProblemList) -> Overrides:
    found: Overrides = {}
    for row in axle.springs:
        for side, suffix in _parts(row):
            record = records.get(fold(_row_name(axle, row, side, suffix)))
            if record is None:
                continue
            is_gone = fold(record.raw_text("active")) in NO
            found[row.name + suffix, side] = None if is_gone else _overridden(axle, row, side, suffix, record, report)
    return found


def _parts(row: SpringElement) -> Iterator[tuple[str, str]]:
    """Side and suffix of everything that is generated of a row."""
    if row.kind == SpringKind.HELPER_SPRING:
        return
    is_of_axle = row.kind in (SpringKind.U_BAR, SpringKind.T_BAR, *CROSSING)
    for side in ("",) if is_of_axle else row.sides:
        yield side, ""
    if row.kind == SpringKind.T_BAR:
        yield "", SWING


def _overridden(
    axle: AxleData, row: SpringElement, side: str, suffix: str, record: Record, report: ProblemList
) -> SpringElement:
    """A row of Suspension springs with what the record puts in place of it."""
    meant = {} if suffix or "curve_k" in row.curves else OVERRIDDEN_COLUMNS.get(row.kind, {})
    ends = spring_ends(axle, row, side, suffix)
    values = dict(row.values)
    for column in record.table.fields:
        if not record.given(column) or column in AT_REST or _says_the_same(record, column, ends):
            continue
        if column not in meant:
            rule = "here it would change the free car alone, and no rate of sweeps and load cases"
            place = f"the row {row.name} of Suspension springs ({row.places['name']})"
            mend = f"clear the cell, and say it in {place}"
            found = f"{column} of the generated {record.raw_text('name')}"
            report.error("not-overridden", record.place(column), found, rule, mend)
            continue
        own, dimension = meant[column]
        number = record.number(column, dimension)
        values[own] = -number if own == "preload" and number is not None else number
        if own == "k":
            values |= dict.fromkeys(("d", "di", "length", "G"))
        if own == "free_length":
            values["preload"] = None
    return replace(row, values=values)


def _says_the_same(record: Record, column: str, ends: Mapping[str, Value]) -> bool:
    """Whether a cell has what is generated anyway, as in a row that was copied."""
    text, known = record.raw_text(column), ends.get(column)
    if isinstance(known, str):
        return fold(text) == fold(known)
    try:
        return known is not None and abs(float(text) - known) < 1e-6
    except ValueError:
        return False
