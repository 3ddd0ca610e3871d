"""Our own columns: ``time`` or ``frame``, then ``<marker>.x .y .z``, or ``<plate>.fx`` and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.formats.named_subjects import subject_of
from sheetmbs.gait.formats.sampled_cells import (
    FRAME,
    POSITION,
    TIME,
    WRENCH,
    PlateColumns,
    numbers,
    plain_label,
    position_array,
    read_plates,
    stamps,
    text_at,
)
from sheetmbs.gait.trial.recorded import (
    Recorded,
    RecordedForces,
    RecordedMarkers,
    Stamps,
)
from sheetmbs.schema.column import Column
from sheetmbs.schema.gait_inputs import FORCE_PLATES, MARKERS
from sheetmbs.schema.meanings import column_meant
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.validate import split_header, split_parentheses
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.elements.read_series import data_rows, is_units_row
from sheetmbs.workbook.reading.fields import (
    UNITS_ROW,
    Field,
    Header,
    headers,
    is_empty,
    make_field,
    report_missing_columns,
    warn_of_missing_headers,
)
from sheetmbs.workbook.reading.table_headers import first_column, holds_units


@dataclass(frozen=True)
class OwnColumns:
    """Columns of one marker by axis. label: as it stands before the point, with the subject that it names."""

    label: str
    fields: dict[str, Field]


def recognises(cells: CellSheet) -> bool:
    """Whether a header of row 1 is time or frame, with a unit or without."""
    for column in cells.rows.get(1, {}):
        text = text_at(cells, 1, column)
        name, _unit = split_parentheses(text) or split_header(text)
        if fold(name) in ("time", "frame"):
            return True
    return False


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """The markers or plates of a sheet or file with our own columns; of a file both, where it has both."""
    found = headers(cells, report)
    warn_of_missing_headers(cells, found, report)
    first = first_column(cells, found)
    row = cells.rows.get(UNITS_ROW, {})
    has_units = is_units_row(row, first) or (
        is_empty(row.get(first)) and holds_units([row.get(header.place.column) for header in found])
    )
    time, frame, active, markers, plates = _columns(cells, found, report, has_units=has_units)
    if time is None and frame is None:
        report_missing_columns([TIME], cells, {}, report, "samples have a time, or a frame, in the first column")
        return Recorded()
    groups = [each.fields for each in markers] + [each.fields for each in plates]
    if has_units:
        _check_units(groups, report)
    ahead = [field for field in (time, frame) if field is not None]
    fields = [*ahead, *(field for group in groups for field in group.values())]
    columns = [field.header.place.column for field in fields]
    rows = data_rows(cells, columns, first, report, has_units=has_units, active=active)
    if not rows and not markers and not plates:
        return Recorded()  # a form that nobody has filled in
    stamped = stamps(cells, rows, time, frame, report)
    if stamped is None:
        return Recorded()
    return Recorded(
        _markers(cells, rows, markers, stamped, report) if markers else None,
        RecordedForces(stamped, read_plates(cells, rows, plates, report)) if plates else None,
    )


def _columns(
    cells: CellSheet, found: Sequence[Header], report: ProblemList, *, has_units: bool
) -> tuple[Field | None, Field | None, int, list[OwnColumns], list[PlateColumns]]:
    """Fields of time and frame, the column active (0 none), and those of markers and plates."""
    units_row = cells.rows.get(UNITS_ROW, {}) if has_units else {}
    known = _known(cells.name)
    single: dict[str, Field] = {}
    active = 0
    markers: dict[str, OwnColumns] = {}
    plates: dict[str, PlateColumns] = {}
    for header in found:
        name = fold(header.name)
        column = {"time": TIME, "frame": FRAME}.get(name)
        if column is not None and column.name not in single:
            single[column.name] = make_field(column, header, units_row, report)
        elif column is not None:
            _report_double(header, single[column.name].header, report)
        elif name == "active":
            active = header.place.column
        elif name != "notes":
            label, quantity = _parted(header, known, report)
            if quantity is None:
                continue
            field = make_field(quantity, header, units_row, report)
            plain, key = plain_label(label), fold(f"{subject_of(label)}:{plain_label(label)}")
            fields = (
                markers.setdefault(key, OwnColumns(label, {})).fields
                if quantity.name in POSITION
                else plates.setdefault(fold(plain), PlateColumns(plain, {})).fields
            )
            if quantity.name in fields:
                _report_double(header, fields[quantity.name].header, report)
            else:
                fields[quantity.name] = field
    return single.get("time"), single.get("frame"), active, list(markers.values()), list(plates.values())


def _check_units(groups: Sequence[Mapping[str, Field]], report: ProblemList) -> None:
    """Report directions of one vector that have different units: a blank cell among units means SI."""
    for group in groups:
        first: dict[str, Field] = {}
        for name, field in group.items():
            other = first.setdefault(name[:-1], field)
            if field.sound and other.sound and _size(field) != _size(other):
                found = f"{field.header.name} in {_told(field)}, and {other.header.name} in {_told(other)}"
                rule = "directions of one point, force or moment have one unit; a blank cell among units means SI"
                report.error("mixed-units", field.unit_place or field.header.place, found, rule, "correct the units")


def _size(field: Field) -> float:
    return field.unit.size if field.unit is not None else 1.0


def _told(field: Field) -> str:
    return field.unit.text if field.unit is not None else f"{field.column.dimensions[0].si}, as its unit is blank"


def _known(sheet: str) -> Mapping[str, Column]:
    """What may stand behind a point: on a sheet of markers or plates what is theirs, in a file all of it."""
    name = fold(sheet)
    if name.startswith(fold(MARKERS.name)):
        return POSITION
    return WRENCH if name.startswith(fold(FORCE_PLATES.name)) else {**POSITION, **WRENCH}


def _parted(header: Header, known: Mapping[str, Column], report: ProblemList) -> tuple[str, Column | None]:
    """Label, with its subject, and column of a header; without a column, which is reported, where it has none."""
    label, point, quantity = header.name.rpartition(".")
    column = known.get(fold(quantity)) if point else None
    if column is not None and plain_label(label):
        return label.strip(), column
    example = f"<marker>.{next(iter(known))}" if "x" in known else f"<plate>.{next(iter(known))}"
    if not point:
        mend = did_you_mean(header.name, ["time", "frame", "notes"], f"write {example}, or notes for remarks")
        problem = f"a column is headed {example}; this one is not read"
    else:
        sheet = FORCE_PLATES if "fx" in known else MARKERS
        meant = column_meant(quantity, sheet, "3D")
        nearest = meant.column.name if meant and meant.column.name in known else ""
        is_plain = fold(quantity) in POSITION and "px" in known
        nearest = nearest or (f"p{fold(quantity)}" if is_plain else "")
        problem = f"behind the point stands {', '.join(known)}; this column is not read"
        mend = f"did you mean {label}.{nearest}?" if nearest else "correct it; a column notes is for remarks"
    report.warning("unknown-column", header.place, f"the header {quoted(header.text)}", problem, mend)
    return label, None


def _report_double(header: Header, first: Header, report: ProblemList) -> None:
    problem = f"the same column stands at {first.place} already"
    found = f"the header {quoted(header.text)}"
    report.error("duplicate-header", header.place, found, problem, "take one of the two away")


def _markers(
    cells: CellSheet, rows: Sequence[int], groups: Sequence[OwnColumns], stamped: Stamps, report: ProblemList
) -> RecordedMarkers:
    columns = np.zeros((len(groups), 3), np.int64)
    positions = np.full((len(groups), 3, len(rows)), np.nan)
    fields = [(at, "xyz".index(name), field) for at, group in enumerate(groups) for name, field in group.fields.items()]
    values = numbers(cells, rows, [field for _at, _axis, field in fields], report)
    for (at, axis, field), value in zip(fields, values, strict=True):
        columns[at, axis] = field.header.place.column
        positions[at, axis] = value
    unit = fields[0][2].unit
    return RecordedMarkers(
        stamped,
        tuple(plain_label(group.label) for group in groups),
        tuple(next(iter(group.fields.values())).header.place for group in groups),
        columns,
        position_array(positions.reshape(-1, len(rows)), columns),
        unit.text if unit else "m",
        tuple(subject_of(group.label) for group in groups),
    )
