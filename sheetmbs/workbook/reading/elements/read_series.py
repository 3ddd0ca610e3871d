"""Samples over time, and the sheet Guiding."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import Vector
from sheetmbs.model.model import Body, Driver, Joint, MeasuredTurn, Series
from sheetmbs.schema import input_columns
from sheetmbs.schema.column import Column, Sheet
from sheetmbs.schema.meanings import column_meant, value_meant
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.validate import BARE_NUMBER, OTHER_NUMBER, QUANTITY
from sheetmbs.workbook.cells.cell_rows import Row
from sheetmbs.workbook.cells.cells import Cell, CellSheet
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_joints import body_coordinates
from sheetmbs.workbook.reading.elements.read_loads import JOINT_COORDINATES, Driven, claim
from sheetmbs.workbook.reading.fields import (
    HEADER_ROW,
    MAX_VALUE,
    UNITS_ROW,
    Field,
    Header,
    Meaning,
    first_text,
    headers,
    is_blank,
    is_empty,
    look_at_percents,
    make_field,
    number,
    report_missing_columns,
    warn_of_missing_headers,
    written_unit,
)
from sheetmbs.workbook.reading.input_table import flag_of, is_comment
from sheetmbs.workbook.reading.samples.sample_warnings import SampleColumn, uniform_if_rounded, warn_of_motion_samples
from sheetmbs.workbook.reading.table_headers import first_column, holds_units, is_sheet_empty, is_stray

MIN_SERIES_ROWS = 2
MIN_ROWS_NOT_A_KNOT = 4

EULER = ("e0", "e1", "e2", "e3")
TURNS = ("rx", "ry", "rz")
NORM_TOLERANCE = 0.01
"""by which the length of measured Euler parameters may differ from 1"""
MAX_INITIAL_ROTATION = 150.0
"""deg from the initial orientation, beyond which nobody knows which way round the body is to turn"""
MAX_ROTATION_STEP = 90.0
"""deg between two samples, likewise"""


@dataclass(frozen=True)
class Channel:
    """A column of samples: of which element, and what. kind: of the registry, ``body`` or ``joint``."""

    kind: str
    element: str
    quantity: str
    field: Field


@dataclass(frozen=True)
class SeriesSamples:
    """A sheet of samples. times: (n,). values: one array (n,) per channel. rows: of the sheet, (n,)."""

    times: Vector
    rows: list[int]
    channels: tuple[Channel, ...]
    values: tuple[Vector, ...]


Resolve = Callable[[Header, str, str], "tuple[str, str, Column] | None"]


def is_units_row(row: Row, column: int) -> bool:
    """Whether row 2 of samples holds units: its first cell is text, and no number that is only typed as text."""
    text = first_text(row, column)
    return (
        bool(text)
        and not text.startswith("#")
        and not any(pattern.fullmatch(text) for pattern in (BARE_NUMBER, OTHER_NUMBER, QUANTITY))
    )


def data_rows(
    cells: CellSheet, columns: Sequence[int], first: int, report: ProblemList, *, has_units: bool, active: int
) -> list[int]:
    """Rows in which one of ``columns`` holds something, without comments and rows switched off."""
    numbers, others = cells.rows.numbers, cells.rows.others
    wanted = set(columns)
    found = set(numbers.rows_with(columns))
    found.update(
        row
        for row, content in others.items()
        if any(column in wanted and not is_empty(cell) for column, cell in content.items())
    )
    found -= {HEADER_ROW, UNITS_ROW} if has_units else {HEADER_ROW}
    found -= {row for row, content in others.items() if is_comment(content, first)}
    for row in sorted(found & others.keys()):
        content = others[row]
        if is_stray([content.get(column) for column in columns], Place(cells.name, row, columns[0]), report):
            found.remove(row)
    switched = {*numbers.rows_with([active]), *(row for row, content in others.items() if active in content)}
    for row in sorted(found & switched):
        if not _is_active(cells.rows.cell(row, active), Place(cells.name, row, active), report):
            found.remove(row)
    return sorted(found)


def _is_active(cell: Cell | None, place: Place, report: ProblemList) -> bool:
    """Whether a row counts, by its cell in the column active."""
    return cell is None or is_empty(cell) or flag_of(cell, place, report, default=True)


def read_samples(
    schema: Sheet, context: Context, resolve: Resolve, holes: Collection[str] = ()
) -> SeriesSamples | None:
    """The samples of a sheet; None where there is no such sheet or no times can be read from it.

    resolve: kind, element and column that a header (with its parts before and after the last point) stands for, or
    None where it has reported that there is none. holes: columns in which a cell may be blank; it is NaN then.
    """
    cells = context.sheets.get(schema.name)
    if cells is None or is_sheet_empty(cells):
        return None
    report = context.report
    found = headers(cells, report)
    warn_of_missing_headers(cells, found, report)
    first = first_column(cells, found)
    has_units = is_units_row(cells.rows.get(UNITS_ROW, {}), first) or is_below_blank(cells, found, first, report)
    units_row = cells.rows.get(UNITS_ROW, {}) if has_units else {}
    time, active, channels = None, 0, []
    for header in found:
        if fold(header.name) == "time":
            if time is None:
                time = make_field(schema.columns[0], header, units_row, report)
            else:
                _report_duplicate(header, time.header.place, context)
        elif fold(header.name) == "active":
            active = header.place.column
        elif fold(header.name) != "notes":
            channel = _channel(schema, header, units_row, context, resolve)
            if channel is not None:
                channels.append(channel)
    channels = _without_duplicates(channels, context)
    if time is None:
        report_missing_columns(schema.columns[:1], cells, meaning_of_time(found, schema, context), report)
        return None
    fields = [time, *(channel.field for channel in channels)]
    columns = [field.header.place.column for field in fields]
    rows = data_rows(cells, columns, first, report, has_units=has_units, active=active)
    values = _values(fields, cells, rows, context, holes, has_units=has_units)
    is_blank_form = not channels and not rows
    if is_blank_form or not _check_times(values[0], rows, time, context):
        return None
    return SeriesSamples(uniform_if_rounded(values[0], time, context.report), rows, tuple(channels), tuple(values[1:]))


def _channel(schema: Sheet, header: Header, units_row: Row, context: Context, resolve: Resolve) -> Channel | None:
    element, point, quantity = header.name.rpartition(".")
    if not point:
        mend = with_point(header.name, schema, context)
        found = f"the header {quoted(header.text)}"
        context.report.warning("unknown-column", header.place, found, "a column is headed <element>.<quantity>", mend)
        return None
    resolved = resolve(header, element, quantity)
    if resolved is None:
        return None
    kind, exact, column = resolved
    return Channel(kind, exact, column.name, make_field(column, header, units_row, context.report))


def _without_duplicates(channels: list[Channel], context: Context) -> list[Channel]:
    seen: dict[tuple[str, str, str], Channel] = {}
    for channel in channels:
        key = (channel.kind, channel.element, channel.quantity)
        if key in seen:
            _report_duplicate(channel.field.header, seen[key].field.header.place, context)
        else:
            seen[key] = channel
    return list(seen.values())


def _report_duplicate(header: Header, first: Place, context: Context) -> None:
    problem = f"the same column stands at {first} already"
    found = f"the header {quoted(header.text)}"
    context.report.error("duplicate-header", header.place, found, problem, "delete one of the two")


def _values(
    fields: Sequence[Field],
    cells: CellSheet,
    rows: Sequence[int],
    context: Context,
    holes: Collection[str],
    *,
    has_units: bool,
) -> Vector:
    """The numbers in SI, (fields, rows); NaN where there is none, which is reported where there may be no holes.

    Plain numbers, as nearly all are, are taken at once; every other cell is looked at.
    """
    columns = [field.header.place.column for field in fields]
    values = cells.rows.numbers.table(rows, columns)
    for position, field in enumerate(fields):
        if field.unit is not None:
            with np.errstate(over="ignore"):  # it is looked at next
                values[position] = field.unit.to_si(values[position])
    look_at_percents(cells, rows, fields, context.report)
    for index, position in np.argwhere(~(np.abs(values.T) <= MAX_VALUE)).tolist():
        place = Place(cells.name, rows[index], columns[position])
        cell = cells.rows.cell(place.row, place.column)
        if fields[position].column.name in holes and is_blank(cell):
            continue
        values[position, index] = _checked(cell, fields[position], place, context, has_units=has_units)
    return values


def _checked(cell: Cell | None, field: Field, place: Place, context: Context, *, has_units: bool) -> float:
    if cell is None or is_blank(cell):
        mend = "fill it in, or delete the row"
        if place.row == UNITS_ROW and not has_units:
            mend += "; a units row begins with a text in its first cell, such as s"
        problem = "samples have a value in every row"
        context.report.error("missing-value", place, f"{field.header.name} is blank", problem, mend)
        return np.nan
    return number(cell, field, None, place, context.report)


def _check_times(times: Vector, rows: Sequence[int], field: Field, context: Context) -> bool:
    """Report too few rows, times that do not increase and times that do not cover the analysis."""
    report, header = context.report, field.header
    fewest = MIN_ROWS_NOT_A_KNOT if context.settings.guiding_spline == "not-a-knot" else MIN_SERIES_ROWS
    if len(rows) < fewest:
        problem = f"a spline with the ends {context.settings.guiding_spline} needs at least {fewest} rows"
        report.error("too-few-rows", header.place, f"rows of samples: {len(rows)}", problem, "add rows")
        return False
    sheet, column = header.place.sheet, header.place.column
    increases = check_increasing(times, rows, sheet, column, "the time", field, context)
    if increases:
        first, last = (Place(sheet, row, column) for row in (rows[0], rows[-1]))
        context.check_cover(float(times[0]), float(times[-1]), first, last, f"the sheet {sheet}")
    return increases and not bool(np.isnan(times).any())


def check_increasing(
    values: Vector, rows: Sequence[int], sheet: str, column: int, what: str, field: Field, context: Context
) -> bool:
    """Report every value, in SI, that is not greater than the one before it; the message is in the unit of its column.

    rows, sheet, column: where they stand.
    """
    size, unit = (field.unit.size, f" {field.unit.text}") if field.unit else (1.0, "")
    wrong = [int(index) for index in np.flatnonzero(np.diff(values) <= 0) + 1]
    for index in wrong:
        found = f"{values[index] / size:.12g}{unit} after {values[index - 1] / size:.12g}{unit}"
        problem = f"{what} must increase from row to row"
        place = Place(sheet, rows[index], column)
        context.report.error("not-increasing", place, found, problem, "sort the rows, and take out doubled ones")
    return not wrong


def read_guiding(context: Context, bodies: Sequence[Body], joints: tuple[Joint, ...], driven: Driven) -> list[Driver]:
    """Guiding columns as drivers; what they drive is entered in ``driven``."""
    joint_types = {joint.name: JOINTS[joint.type] for joint in joints}

    def resolve(header: Header, element: str, quantity: str) -> tuple[str, str, Column] | None:
        column = input_columns.GUIDING.by_fold.get(fold(quantity))
        is_known = column is not None and context.settings.dimension in column.models
        body, joint = context.bodies.find(element), context.joints.find(element)
        turns = EULER if context.settings.dimension == "3D" else ()
        of_body = (*body_coordinates(context), *turns)
        own: tuple[str, ...] = of_body if body else ()
        if joint in joint_types:
            own = (*own, *joint_types[joint].coordinates)
        if is_known and column is not None and column.name in own:
            kind = "body" if body and column.name in of_body else "joint"
            return kind, (body if kind == "body" else joint) or "", column
        _report_header(header, element, quantity, own, context, is_element=bool(body or joint))
        return None

    samples = read_samples(input_columns.GUIDING, context, resolve)
    if samples is None:
        return []
    drivers = []
    turned: dict[str, dict[str, tuple[Field, Vector]]] = {}
    for channel, values in zip(samples.channels, samples.values, strict=True):
        if channel.quantity in EULER:
            turned.setdefault(channel.element, {})[channel.quantity] = channel.field, values
            continue
        place = channel.field.header.place
        warn_of_motion_samples(
            SampleColumn(channel.field, values, samples.rows), channel.field.column.dimensions[0], context.report
        )
        if claim(driven, (channel.kind, channel.element, channel.quantity), place, context):
            body, joint = (channel.element, None) if channel.kind == "body" else (None, channel.element)
            name = f"{channel.element}.{channel.quantity}"
            motion = Series(samples.times, values)
            drivers.append(
                Driver(
                    name,
                    body,
                    joint,
                    channel.quantity,
                    motion,
                    guiding=True,
                    cell=str(place),
                    unit=written_unit(channel.field),
                )
            )
    initial = {body.name: body.euler for body in bodies}
    for name, columns in turned.items():
        drivers += read_orientation(name, columns, samples.times, samples.rows, initial.get(name), driven, context)
    return drivers


def _report_header(
    header: Header, element: str, quantity: str, own: Sequence[str], context: Context, *, is_element: bool
) -> None:
    found = f"the header {quoted(header.text)}"
    if not is_element:
        context.bodies.report_unknown(element, header.place, found, also=context.joints)
        return
    allowed = ", ".join(own)
    problem = f"{element} has {allowed}" if own else f"{element} has no coordinate that could be guided"
    otherwise = "use one of these" if own else "guide another joint, or a body"
    mend = quantity_advice(element, quantity, input_columns.BODIES, own, context, otherwise)
    context.report.error("wrong-coordinate", header.place, found, problem, mend)


def is_below_blank(cells: CellSheet, found: list[Header], first: int, report: ProblemList) -> bool:
    """Whether row 2 holds units although its first cell is blank, which is a warning. first: the column of that cell."""
    row = cells.rows.get(UNITS_ROW, {})
    if not is_empty(row.get(first)) or not holds_units([row.get(header.place.column) for header in found]):
        return False
    place, problem = Place(cells.name, UNITS_ROW, first), "this row is read as the units row"
    mend = "write a text in its first cell, such as the unit of the time"
    report.warning("units-row", place, "units, and nothing in the first cell", problem, mend)
    return True


def meaning_of_time(found: list[Header], schema: Sheet, context: Context) -> dict[str, Meaning]:
    """The header that seems to stand for the times, as `report_missing_columns` takes it."""
    for header in found:
        meant = None if "." in header.name else column_meant(header.text, schema, context.settings.dimension)
        if meant is not None and meant.column is schema.columns[0]:
            return {meant.column.name: Meaning(header, meant.header())}
    return {}


def with_point(name: str, schema: Sheet, context: Context) -> str:
    """Advice on a header without a point, such as ``rod_x``, ``rod`` or ``x``."""
    quantities = [column.name for column in schema.columns[1:] if column.is_numeric]
    words = fold(name).split()
    for before in range(len(words) - 1, 0, -1):
        element = _element(" ".join(words[:before]), context)
        of_body = [each for each in quantities if each not in JOINT_COORDINATES]
        own = of_body if element and context.bodies.find(element) else quantities
        if element and (quantity := value_meant(" ".join(words[before:]), own)):
            return f"did you mean {element}.{quantity}?"
    element = _element(name, context)
    if element:
        return f"write {element}.{quantities[0]}, or what else of it is given"
    return did_you_mean(name, ["time", "notes", "active"], f"write <body>.{quantities[0]}, or notes for remarks")


def quantity_advice(
    element: str, quantity: str, words: Sheet, known: Sequence[str], context: Context, otherwise: str
) -> str:
    """Advice on the part of a header behind its point. words: a sheet with synonyms. known: what may stand there."""
    meant = column_meant(quantity, words, context.settings.dimension)
    name = meant.column.name if meant and meant.column.name in known else value_meant(quantity, known)
    return f"did you mean {element}.{name}?" if name else otherwise


def _element(name: str, context: Context) -> str | None:
    return context.bodies.find(name) or context.joints.find(name)


def read_orientation(
    body: str,
    columns: dict[str, tuple[Field, Vector]],
    times: Vector,
    rows: Sequence[int],
    initial: Vector | None,
    driven: Driven,
    context: Context,
) -> Iterator[Driver]:
    """The three drivers of a body whose Euler parameters are guided.

    columns: those that are there, with values (n,). times: (n,) s. rows: of the sheet. initial: (4,) as Bodies turns it.
    """
    missing = [name for name in EULER if name not in columns]
    first = next(iter(columns.values()))[0].header.place
    report = context.report
    if missing:
        wanted = ", ".join(f"{body}.{name}" for name in missing)
        problem = "the orientation of a body is guided by all four of e0, e1, e2, e3"
        report.error("missing-column", first, f"no {wanted}", problem, "add them, or delete the others")
        return
    parameters = np.column_stack([columns[name][1] for name in EULER])
    sizes = np.linalg.norm(parameters, axis=1)
    wrong = np.flatnonzero(~(np.abs(sizes - 1.0) <= NORM_TOLERANCE))
    if len(wrong):
        place = Place(first.sheet, rows[int(wrong[0])], columns["e0"][0].header.place.column)
        found = f"Euler parameters of {quoted(body)} with the length {sizes[wrong[0]]:.6g}, in {len(wrong)} rows"
        report.error("euler-norm", place, found, "their squares add up to 1", "correct them; e0 is the scalar")
        return
    parameters = parameters / sizes[:, None]
    steps = np.sum(parameters[1:] * parameters[:-1], axis=1)
    parameters[1:] *= np.cumprod(np.where(steps < 0.0, -1.0, 1.0))[:, None]  # e and -e are the same turn
    angles = 2.0 * np.degrees(np.arccos(np.minimum(np.abs(steps), 1.0)))
    if angles.size and angles.max() > MAX_ROTATION_STEP:
        worst = int(np.flatnonzero(angles > MAX_ROTATION_STEP)[0])
        place = Place(first.sheet, rows[worst + 1], columns["e0"][0].header.place.column)
        found = f"{quoted(body)} turns by {angles[worst]:.4g} deg from row {rows[worst]} to row {rows[worst + 1]}"
        problem = f"beyond {MAX_ROTATION_STEP:g} deg between samples the direction of rotation is ambiguous"
        report.error("coarse-orientation", place, found, problem, "correct the row, or sample more often")
        return
    if initial is not None and not _starts_near(body, parameters, initial, times, first, context):
        return
    for axis, name in enumerate(TURNS):
        if claim(driven, ("body", body, name), first, context):
            motion = MeasuredTurn(times, parameters, axis)
            yield Driver(f"{body}.{name}", body, None, name, motion, guiding=True, cell=str(first))


def _starts_near(body: str, parameters: Vector, initial: Vector, times: Vector, place: Place, context: Context) -> bool:
    """Report a body that lies turned round in Bodies against where guiding has it at the start."""
    at_start = parameters[int(np.argmin(np.abs(times - context.settings.t_start)))]
    apart = 2.0 * float(np.degrees(np.arccos(np.minimum(abs(at_start @ initial) / np.linalg.norm(initial), 1.0))))
    if apart <= MAX_INITIAL_ROTATION:
        return True
    found = f"{quoted(body)} begins {apart:.4g} deg away from its orientation on Bodies"
    mend = "write the first e0, e1, e2, e3 on Bodies too"
    context.report.error("far-orientation", place, found, "both must nearly agree at t_start", mend)
    return False
