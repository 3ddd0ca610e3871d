"""What all formats share: labels, fields, numbers below headers, and when samples were taken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.gait.arrays import Integers, Mask, Vector
from sheetmbs.gait.formats.named_subjects import subject_of
from sheetmbs.gait.trial.recorded import Recorded, RecordedMarkers, Stamps
from sheetmbs.schema.column import Column
from sheetmbs.schema.gait_inputs import FORCE_PLATES, MARKERS
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.validate import ValueFault, unit_of
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet
from sheetmbs.workbook.reading.fields import MAX_VALUE, Field, Header, is_blank, is_empty, number

MISSING = ("nan", "null")
"""words that laboratories write where there is no value"""
MOST_DECIMALS = 6
"""of a printed time in s; one with more was not rounded to be read"""
EXACT = 1e-4
"""of the last digit, by which a number may miss it and still end there"""
TIME, FRAME = MARKERS.column("time"), MARKERS.column("frame")
POSITION = {axis: MARKERS.column(axis) for axis in "xyz"}
WRENCH = {column.name: column for column in FORCE_PLATES.columns[1:]}
MOST_LISTED = 6
NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
NO_ROWS = "a recording has at least two samples"


def plain_label(text: str) -> str:
    """A label of a laboratory as a name: without the subject before ``:``, and with ``_`` for the points in it."""
    return text.rpartition(":")[2].strip().replace(".", "_")


def text_at(cells: CellSheet, row: int, column: int) -> str:
    """What stands in a cell as text, ``""`` where nothing does."""
    cell = cells.rows.cell(row, column)
    if cell is None:
        return ""
    return f"{cell.value:.15g}" if cell.kind is CellKind.NUMBER else str(cell.value).strip()


def texts_of(cells: CellSheet, row: int) -> dict[int, str]:
    """What stands in a row as texts, by column, without blank cells."""
    found = {column: text_at(cells, row, column) for column in cells.rows.get(row, {})}
    return {column: text for column, text in found.items() if text}


def field_of(column: Column, place: Place, label: str, unit: str, report: ProblemList, unit_place: Place) -> Field:
    """The field of a column of a laboratory's own. unit: as its header tells it, which stands at ``unit_place``."""
    header = Header(place, label, label, None)
    try:
        return Field(column, header, unit_of(unit, column.dimensions), unit_place)
    except ValueFault as fault:
        report.error(fault.code, unit_place, f"the unit {quoted(unit)} of {label}", fault.problem, fault.mend)
        return Field(column, header, sound=False)


def is_missing(cell: Cell | None) -> bool:
    """Whether a cell says that there is no value."""
    if is_blank(cell):
        return True
    return cell is not None and cell.kind is CellKind.TEXT and str(cell.value).strip().casefold() in MISSING


def numbers(cells: CellSheet, rows: Sequence[int], fields: Sequence[Field], report: ProblemList) -> Vector:
    """The numbers below some headers in SI, (fields, rows); NaN where there is none.

    Plain numbers, as nearly all are, are taken at once; every other cell is looked at, and reported if it is no number.
    """
    columns = [field.header.place.column for field in fields]
    values = cells.rows.numbers.table(rows, columns)
    for position, field in enumerate(fields):
        if field.unit is not None:
            with np.errstate(over="ignore"):  # it is looked at next
                values[position] = field.unit.to_si(values[position])
    of_column: dict[int, list[int]] = {}
    for position, column in enumerate(columns):
        of_column.setdefault(column, []).append(position)
    index = {row: at for at, row in enumerate(rows)} if cells.rows.others else {}
    for row in sorted(index.keys() & cells.rows.others.keys()):
        for column, cell in cells.rows.others[row].items():
            for position in of_column.get(column, ()):
                if not is_missing(cell):
                    place = Place(cells.name, row, column)
                    values[position, index[row]] = number(cell, fields[position], None, place, report)
    for position, at in np.argwhere(np.abs(values) > MAX_VALUE).tolist():
        place = Place(cells.name, rows[at], columns[position])
        large = cells.rows.cell(place.row, place.column)
        if large is not None:
            values[position, at] = number(large, fields[position], None, place, report)
    return values


def filled_rows(cells: CellSheet, first: int, last: int, columns: Sequence[int]) -> list[int]:
    """The rows from ``first`` to ``last`` in which one of these columns holds something."""
    wanted = set(columns)
    found = {row for row in cells.rows.numbers.rows_with(columns) if first <= row <= last}
    found |= {
        row
        for row, content in cells.rows.others.items()
        if first <= row <= last and any(at in wanted and not is_empty(cell) for at, cell in content.items())
    }
    return sorted(found)


def position_array(values: Vector, columns: Integers) -> Vector:
    """Positions of markers (markers, n, 3) from (3 markers, n); x = y = z = 0 is what some systems write for missing."""
    positions = np.ascontiguousarray(values.reshape(len(columns), 3, -1).transpose(0, 2, 1))
    positions[columns[:, None, :].repeat(positions.shape[1], axis=1) == 0] = np.nan
    positions[np.all(positions == 0.0, axis=2)] = np.nan
    return positions


def stamps(
    cells: CellSheet,
    rows: Sequence[int],
    time: Field | None,
    frame: Field | None,
    report: ProblemList,
    rate: float | None = None,
) -> Stamps | None:
    """When samples were taken, from a column of times or of frames, or both; None where they cannot be read.

    Each must be there; whether they are uniform is not judged here. rate: in Hz as a header tells it.
    """
    told_by = time or frame
    header = told_by.header.place if told_by else Place(cells.name, 1, 1)
    if len(rows) < 2:
        report.error(
            "too-few-rows", header, f"rows of samples: {len(rows)}", NO_ROWS, "paste or export it again, whole"
        )
        return None
    times, frames = np.full(len(rows), np.nan), np.arange(1, len(rows) + 1)
    before = report.has_errors
    if time is not None:
        times = _in_every_row(cells, rows, time, "the time", report)
    if frame is not None:
        found = _in_every_row(cells, rows, frame, "the frame", report)
        for at in np.flatnonzero(found != np.rint(found)).tolist():
            if np.isfinite(found[at]):
                place = Place(cells.name, rows[at], frame.header.place.column)
                report.error("not-whole", place, f"{found[at]:.12g}", "frames have whole numbers", "correct it")
        frames = np.nan_to_num(found).astype(np.int64)
    if report.has_errors and not before:
        return None
    unit = time.unit.size if time is not None and time.unit is not None else 1.0
    return Stamps(times, printed_step(times / unit) * unit, frames, rate, np.array(rows, np.int64), header)


def _in_every_row(cells: CellSheet, rows: Sequence[int], field: Field, what: str, report: ProblemList) -> Vector:
    """The numbers of a column that must stand in every row, in SI; what is missing is reported."""
    values: Vector = numbers(cells, rows, [field], report)[0]
    column = field.header.place.column
    for at in np.flatnonzero(np.isnan(values)).tolist():
        place = Place(cells.name, rows[at], column)
        if is_missing(cells.rows.cell(place.row, column)):
            mend = "fill it in, or take the row away"
            report.error("missing-value", place, f"{what[4:]} is blank", f"{what} stands in every row", mend)
    return values


def printed_step(times: Vector) -> float:
    """The last digit with which times are printed, 0 where they were not rounded or there are none."""
    finite = times[np.isfinite(times)]
    for decimals in range(MOST_DECIMALS + 1) if len(finite) else ():
        scaled = finite * 10.0**decimals
        if np.abs(scaled - np.rint(scaled)).max() < EXACT:
            return 10.0**-decimals
    return 0.0


@dataclass(frozen=True)
class Track:
    """A marker of a file. label: as it stands at ``place``. column: of its x; y and z stand in the next two."""

    label: str
    place: Place
    column: int


def read_tracks(
    cells: CellSheet,
    rows: Sequence[int],
    tracks: Sequence[Track],
    unit: Field,
    stamped: Stamps,
    report: ProblemList,
    notes: list[str],
) -> RecordedMarkers | None:
    """Markers; None where there is none. Of equal labels the first counts, and one without any value is left out.

    unit: a field of lengths that tells the unit of all.
    """
    known = _without_doubles(tracks, notes)
    if not known:
        return None
    columns = np.array([each.column for each in known], np.int64)[:, None] + np.arange(3)
    fields = [
        replace(unit, column=POSITION[axis], header=Header(Place(cells.name, each.place.row, at), axis, axis, None))
        for each, of_track in zip(known, columns.tolist(), strict=True)
        for axis, at in zip("xyz", of_track, strict=True)
    ]
    positions = position_array(numbers(cells, rows, fields, report), columns)
    seen: Mask = np.array([bool(np.isfinite(each).any()) for each in positions], np.bool_)
    if not seen.all():
        empty = [each.label for each, is_seen in zip(known, seen, strict=True) if not is_seen]
        notes.append(f"without a value in any frame, and left out: {listed(empty)}")
    if not seen.any():
        return None
    kept = [each for each, is_seen in zip(known, seen, strict=True) if is_seen]
    return RecordedMarkers(
        stamped,
        tuple(plain_label(each.label) for each in kept),
        tuple(each.place for each in kept),
        columns[seen],
        positions[seen],
        unit.unit.text if unit.unit else "m",
        tuple(subject_of(each.label) for each in kept),
    )


def _without_doubles(tracks: Sequence[Track], notes: list[str]) -> list[Track]:
    """The first of equal labels of a subject, without those that name no marker. What is left out is said."""
    first: dict[tuple[str, str], Track] = {}
    named = [each for each in tracks if plain_label(each.label)]
    if len(named) < len(tracks):
        nameless = listed([f"{quoted(each.label)} at {each.place}" for each in tracks if not plain_label(each.label)])
        notes.append(f"without the name of a marker, and left out: {nameless}")
    keys = [(fold(subject_of(each.label)), fold(plain_label(each.label))) for each in named]
    twice = [each for key, each in zip(keys, named, strict=True) if first.setdefault(key, each) is not each]
    if twice:
        told = listed([f"{each.label} at {each.place}" for each in twice])
        notes.append(f"of equal labels the first counts; left out: {told}")
    return list(first.values())


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, not all of very many."""
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more


def number_in(text: str) -> float | None:
    """The number that a text of a header begins with, with a point or a comma; None where it begins with none."""
    match = NUMBER.match(text.strip())
    return float(match[0].replace(",", ".")) if match else None


def are_headed(cells: CellSheet, names: int, rows: Sequence[int], report: ProblemList) -> bool:
    """Whether a text stands over every column of numbers; the first that has none is reported.

    names: row of headers. rows: of samples.
    """
    used = cells.rows.numbers
    columns = set(used.columns[np.isin(used.rows, rows)].tolist()) - texts_of(cells, names).keys()
    if not columns:
        return True
    place = Place(cells.name, names, min(columns))
    rule = "a name stands over each column of numbers, so names and numbers may not belong together"
    refuse_layout(place, f"no name of column {place.column}", rule, report)
    return False


def refuse_layout(place: Place, found: str, rule: str, report: ProblemList) -> Recorded:
    """Report what a file of a known program lacks. Returns that nothing could be read."""
    report.error("wrong-layout", place, found, rule, "export it again, and paste it whole, its first line in row 1")
    return Recorded()
