"""The sheet Curves: pairs of columns, each with its own unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import nan

import numpy as np

from sheetmbs.elements.analyses import Analysis
from sheetmbs.model.model import Curve, Settings
from sheetmbs.schema import input_columns
from sheetmbs.schema.meanings import curve_meant
from sheetmbs.schema.names import fold, name_fault, nearest
from sheetmbs.schema.problem_list import Place, ProblemList, quoted, shown
from sheetmbs.schema.units import Unit, parse_unit
from sheetmbs.schema.validate import QUANTITY, ValueFault, choice, has_unit, split_header
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.cases import Cases
from sheetmbs.workbook.reading.context import Context, GivenCurve
from sheetmbs.workbook.reading.elements.read_series import (
    MIN_ROWS_NOT_A_KNOT,
    MIN_SERIES_ROWS,
    check_increasing,
    is_units_row,
)
from sheetmbs.workbook.reading.fields import (
    HEADER_ROW,
    LAST_OF_HEADERS,
    UNITS_ROW,
    Field,
    Header,
    first_text,
    headers,
    is_empty,
    make_field,
    number,
    report_lower_headers,
    warn_of_missing_headers,
)
from sheetmbs.workbook.reading.input_table import is_comment
from sheetmbs.workbook.reading.parse_cache import KnownParts, ParsedParts
from sheetmbs.workbook.reading.registry import Registry
from sheetmbs.workbook.reading.samples.sample_warnings import SampleColumn
from sheetmbs.workbook.reading.table_headers import first_column, is_sheet_empty


@dataclass
class _Columns:
    """The columns of one curve: ``x``, ``y`` and ``interpolation``."""

    name: str
    fields: dict[str, Field] = field(default_factory=dict)

    @property
    def place(self) -> Place | None:
        """The place of its first header, None if none can be read."""
        return next((column.header.place for column in self.fields.values()), None)


def read_curves(context: Context) -> tuple[Curve, ...]:
    """Curves in SI; what reading their users needs to know is entered in the context."""
    given = context.of_sheet(input_columns.CURVES, lambda: tuple(_given_curves(context)))
    context.given_curves.update({each.curve.name: each for each in given})
    return tuple(each.curve for each in given)


def _given_curves(context: Context) -> Iterator[GivenCurve]:
    cells = context.sheets.get(input_columns.CURVES.name)
    if cells is None or is_sheet_empty(cells):
        return
    found = headers(cells, context.report)
    warn_of_missing_headers(cells, found, context.report)
    lower = _lower_headers(cells, found)
    if lower:
        context.curves.is_complete = False
        report_lower_headers(", ".join(lower[1]), cells, lower[0], context.report)
        return
    first = first_column(cells, found)
    has_units = is_units_row(cells.rows.get(UNITS_ROW, {}), first) or _begins_with_unit(cells, found)
    rows = [
        row
        for row, content in cells.rows.items()
        if row != HEADER_ROW and not (row == UNITS_ROW and has_units) and not is_comment(content, first)
    ]
    for columns in _curve_columns(cells, found, context, has_units=has_units):
        given = _read_curve(columns, cells, rows, context)
        if given is not None:
            yield given


def _lower_headers(cells: CellSheet, found: list[Header]) -> tuple[int, list[str]] | None:
    """The row further down in which the headers stand, and these, where row 1 has none."""
    if any(_is_curve_header(header.name) for header in found):
        return None
    for row in range(UNITS_ROW, LAST_OF_HEADERS + 1):
        texts = [str(cell.value) for cell in cells.rows.get(row, {}).values() if cell.kind is CellKind.TEXT]
        names = [name for text in texts if _is_curve_header(name := split_header(text)[0])]
        if names:
            return row, names
    return None


def _is_curve_header(name: str) -> bool:
    before, point, part = name.rpartition(".")
    return bool(before and point) and fold(part) in input_columns.CURVES.by_fold


def _begins_with_unit(cells: CellSheet, found: list[Header]) -> bool:
    """Whether the first filled cell of row 2 is a unit although the sheet's very first one is blank."""
    row = cells.rows.get(UNITS_ROW, {})
    columns = [header.place.column for header in found if not fold(header.name).endswith("interpolation")]
    filled = next((column for column in columns if not is_empty(row.get(column))), None)
    return filled is not None and not first_text(row, filled).startswith("#") and is_units_row(row, filled)


def _curve_columns(cells: CellSheet, found: list[Header], context: Context, *, has_units: bool) -> list[_Columns]:
    """The columns by curve. A curve with one of its two columns is reported and left out."""
    report = context.report
    units_row = cells.rows.get(UNITS_ROW, {}) if has_units else {}
    curves: dict[str, _Columns] = {}
    unknown: list[Header] = []
    for header in found:
        name, point, part = header.name.rpartition(".")
        column = input_columns.CURVES.by_fold.get(fold(part))
        if not point or column is None:
            if fold(header.name) not in ("notes", "active"):
                unknown.append(header)
            continue
        name = name.strip()
        fault = name_fault(name) or (None if name else ("missing-name", "a curve has a name", "write <curve>.x"))
        if fault:
            report.error(fault[0], header.place, quoted(header.text), fault[1], fault[2])
            continue
        columns = curves.setdefault(fold(name), _Columns(name))
        if column.name in columns.fields:
            problem = f"the same column stands at {columns.fields[column.name].header.place} already"
            report.error("duplicate-header", header.place, quoted(header.text), problem, "delete one of the two")
        else:
            columns.fields[column.name] = make_field(column, header, units_row, report)
    meant = _meanings(unknown, curves)
    _warn_of_unknown([header for header in unknown if header not in meant.values()], curves, report)
    halves = {columns.name: columns for columns in curves.values() if not {"x", "y"} <= columns.fields.keys()}
    complete = []
    for key, columns in curves.items():
        of_curve = {part: header for (curve, part), header in meant.items() if curve == key}
        place = columns.place or next(header.place for header in of_curve.values())
        context.curves.add(columns.name, place)
        if columns.name not in halves:
            complete.append(columns)
            continue
        other = nearest(columns.name, [name for name in halves if name != columns.name])
        if not of_curve and other and columns.fields.keys() | halves[other].fields.keys() >= {"x", "y"}:
            there = next(iter(halves[other].fields.values())).header
            if place > there.place:
                continue
            of_curve = {part: there for part in ("x", "y") if part not in columns.fields}
        _report_missing(columns, of_curve, place, report)
    return complete


def _meanings(unknown: list[Header], curves: dict[str, _Columns]) -> dict[tuple[str, str], Header]:
    """Unknown headers that seem to stand for a column of a curve, by its folded name and ``x`` or ``y``.

    The curve must have its other column, or another unknown header must stand for that; it is then entered in ``curves``.
    """
    meant: dict[tuple[str, str], Header] = {}
    names: dict[str, str] = {}
    for header in unknown:
        likely = curve_meant(header.name)
        if likely:
            meant.setdefault((fold(likely[0]), likely[1]), header)
            names.setdefault(fold(likely[0]), likely[0])
    have = {(key, part) for key, columns in curves.items() for part in columns.fields}
    whole = {key for key in names if all((key, part) in have or (key, part) in meant for part in ("x", "y"))}
    for key in whole:
        curves.setdefault(key, _Columns(names[key]))
    return {each: header for each, header in meant.items() if each[0] in whole and each not in have}


def _warn_of_unknown(unknown: list[Header], curves: dict[str, _Columns], report: ProblemList) -> None:
    for header in unknown:
        name, point, part = header.name.rpartition(".")
        near = nearest(part, list(input_columns.CURVES.by_fold)) if point and fold(name) in curves else None
        mend = f"did you mean {name}.{near}?" if near else "write <curve>.x or <curve>.y, or notes for remarks"
        problem = "a curve has <curve>.x, <curve>.y and <curve>.interpolation"
        report.warning("unknown-column", header.place, f"the header {quoted(header.text)}", problem, mend)


def _report_missing(columns: _Columns, meant: Mapping[str, Header], place: Place, report: ProblemList) -> None:
    """Report the columns that a curve lacks. meant: headers that seem to stand for them. place: of the curve."""
    for part in ("x", "y"):
        if part not in columns.fields:
            name = f"{columns.name}.{part}"
            header = meant.get(part)
            mend = f"add a column headed {name}"
            if header:
                mend = f"is it {quoted(header.text)} at {header.place}? then rename that"
            report.error("missing-column", place, f"no column {name}", "a curve has two columns", mend)


def _read_curve(columns: _Columns, cells: CellSheet, rows: list[int], context: Context) -> GivenCurve | None:
    x_field, y_field = columns.fields["x"], columns.fields["y"]
    pair = [each.header.place.column for each in (x_field, y_field)]
    filled = [row for row in rows if any(not is_empty(cells.rows[row].get(column)) for column in pair)]
    interpolation = _interpolation(columns, cells, rows, context)
    needs_four = interpolation == "cubic" and context.settings.guiding_spline == "not-a-knot"
    fewest = MIN_ROWS_NOT_A_KNOT if needs_four else MIN_SERIES_ROWS
    if len(filled) < fewest:
        found = f"rows of the curve {columns.name}: {len(filled)}"
        problem = f"it needs at least {fewest}"
        context.report.error("too-few-rows", x_field.header.place, found, problem, "add rows")
        return None
    x, x_units = _values(x_field, cells, filled, context)
    y, y_units = _values(y_field, cells, filled, context)
    column = x_field.header.place.column
    check_increasing(x, filled, cells.name, column, f"x of the curve {columns.name}", x_field, context)
    first, last = (Place(cells.name, row, column) for row in (filled[0], filled[-1]))
    curve = Curve(columns.name, x, y, "cubic" if interpolation == "cubic" else "linear", str(first))
    return GivenCurve(curve, x_units, y_units, first, last, SampleColumn(y_field, y, filled))


def _values(
    field_: Field, cells: CellSheet, rows: list[int], context: Context
) -> tuple[np.ndarray, tuple[tuple[Place, Unit], ...]]:
    """Values in SI, and every unit written for them, in the column or in a cell, with its place."""
    units = [(field_.unit_place, field_.unit)] if field_.unit and field_.unit_place else []
    values = np.empty(len(rows))
    for index, row in enumerate(rows):
        place = Place(cells.name, row, field_.header.place.column)
        cell = cells.rows[row].get(place.column)
        if cell is None or (is_empty(cell) and not cell.merged):
            mend = "fill it in, or delete the row"
            found = f"{field_.header.name} is blank"
            context.report.error("missing-value", place, found, "a curve has both values in every row", mend)
            values[index] = nan
            continue
        values[index] = number(cell, field_, None, place, context.report)
        if cell.kind is CellKind.TEXT and has_unit(str(cell.value)):
            match = QUANTITY.fullmatch(str(cell.value).strip())
            if match:
                units.append((place, parse_unit(match[2])))
    return values, tuple(units)


def _interpolation(columns: _Columns, cells: CellSheet, rows: list[int], context: Context) -> str:
    if "interpolation" not in columns.fields:
        return "linear"
    header = columns.fields["interpolation"].header
    # the word may also stand beside the units
    for row in sorted({UNITS_ROW, *rows}):
        cell = cells.rows.get(row, {}).get(header.place.column)
        if cell is None or is_empty(cell):
            continue
        place = Place(cells.name, row, header.place.column)
        try:
            if cell.kind is not CellKind.TEXT:
                raise ValueFault("unknown-value", "it may be linear or cubic", "write linear or cubic")  # noqa: TRY301
            return choice(str(cell.value), ("linear", "cubic"))
        except ValueFault as fault:
            context.report.error(fault.code, place, shown(cell), fault.problem, fault.mend)
            return "linear"
    return "linear"


def read_curves_before_model(sheets: Mapping[str, CellSheet], report: ProblemList) -> Context:
    """The context that rows which name curves need. sheets: input sheets by the names that the format gives them."""
    known = {
        name: Registry(name.rstrip("s"), name.capitalize(), report)
        for name in ("bodies", "points", "joints", "drivers", "forces", "springs", "clearances", "curves")
    }
    parts = ParsedParts()
    settings = Settings(dimension="3D", analysis=Analysis.EQUILIBRIUM)
    given: KnownParts[GivenCurve] = parts.known("curve", {})
    context = Context(sheets, report, settings, Cases(), parts=parts, given_curves=given, tables={}, **known)
    read_curves(context)
    return context
