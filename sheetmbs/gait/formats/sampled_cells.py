"""What formats of recordings share: labels, fields, numbers below headers, times of samples, and columns of plates."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.gait.arrays import Integers, Mask, Vector
from sheetmbs.gait.formats.named_subjects import subject_of
from sheetmbs.gait.trial.recorded import Recorded, RecordedMarkers, RecordedPlate, Stamps
from sheetmbs.schema.column import Column
from sheetmbs.schema.gait_inputs import FORCE_PLATES, MARKERS
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.validate import ValueFault, unit_of
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet
from sheetmbs.workbook.reading.fields import MAX_VALUE, Field, Header, is_blank, is_empty, look_at_percents, number

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
FIRST_COORDINATE = 3
"""column of the first coordinate, behind frame and time or sub frame"""
AXIS = re.compile(r"([xyz])\d*")
FORCES, MOMENTS, PRESSURE, FREE_MOMENT = ("fx", "fy", "fz"), ("mx", "my", "mz"), ("px", "py", "pz"), "tz"
MIN_LOAD = 50.0
"""N: somebody stands there"""


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
    look_at_percents(cells, rows, fields, report)
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


@dataclass(frozen=True)
class LabelRows:
    """Rows of a recording. names: of labels. axes: of X, Y, Z or X1, Y1, Z1. data: of samples."""

    names: int
    axes: int
    data: range


def labelled_tracks(
    cells: CellSheet, labels: Mapping[int, str], rows: LabelRows, report: ProblemList, notes: list[str]
) -> list[Track]:
    """The labels of a row with the columns of their coordinates; none where rows do not fit, which is reported.

    labels: by column. Samples have no blank column between markers. So where there are X, Y and Z for each label, labels go
    in order, whatever separators were doubled above them; else each label stands over its X.
    """
    found = {column: AXIS.fullmatch(fold(text)) for column, text in sorted(texts_of(cells, rows.axes).items())}
    letters = {column: match[1] for column, match in found.items() if match and column >= FIRST_COORDINATE}
    places = {column: Place(cells.name, rows.names, column) for column in labels}
    if not labels:
        refuse_layout(
            Place(cells.name, rows.names, FIRST_COORDINATE), "no label", "names of markers stand over their X", report
        )
        return []
    if "".join(letters.values()) == "xyz" * len(labels):
        tracks = [
            Track(text, places[at], FIRST_COORDINATE + 3 * number) for number, (at, text) in enumerate(labels.items())
        ]
    elif _are_over_x(cells, rows, labels, letters, report):
        tracks = [Track(text, places[at], at) for at, text in labels.items()]
    else:
        return []
    _note_unlabelled(cells, tracks, rows.data, notes)
    return tracks


def _are_over_x(
    cells: CellSheet, rows: LabelRows, labels: Mapping[int, str], letters: Mapping[int, str], report: ProblemList
) -> bool:
    """Whether X, Y, Z follow each other without a blank, and every label stands over an X or beyond them; else reported."""
    for at, (column, letter) in enumerate(letters.items()):
        if column != FIRST_COORDINATE + at or letter != "xyz"[at % 3]:
            place = Place(cells.name, rows.axes, column)
            rule = f"X, Y and Z of all markers follow each other from column {FIRST_COORDINATE} on"
            refuse_layout(place, f"{text_at(cells, rows.axes, column)} in column {column}", rule, report)
            return False
    for column, text in labels.items():
        if letters.get(column, "x") != "x":
            rule = f"a label stands over the X of its marker, and this one over {text_at(cells, rows.axes, column)}"
            refuse_layout(Place(cells.name, rows.names, column), quoted(text), rule, report)
            return False
    return True


def _note_unlabelled(cells: CellSheet, tracks: Sequence[Track], data: range, notes: list[str]) -> None:
    """Say which columns of numbers no label names."""
    named = {1, 2} | {each.column + at for each in tracks for at in range(3)}
    numbers = cells.rows.numbers
    inside = (numbers.rows >= data.start) & (numbers.rows < data.stop)
    others = sorted(set(numbers.columns[inside].tolist()) - named)
    if others:
        notes.append(f"numbers without a label are left out: columns {listed([str(each) for each in others])}")


@dataclass(frozen=True)
class PlateColumns:
    """The columns of one plate by quantity, named as on the sheet Force plates."""

    name: str
    fields: dict[str, Field]

    @property
    def columns(self) -> list[int]:
        """Numbers of the columns of a plate."""
        return [field.header.place.column for field in self.fields.values()]

    @property
    def place(self) -> Place:
        """The first of their headers."""
        return next(iter(self.fields.values())).header.place

    def add(self, quantity: str, place: Place, header: str, unit: str, report: ProblemList) -> None:
        """Note a column, the first of equal ones."""
        self.fields.setdefault(quantity, field_of(WRENCH[quantity], place, header, unit, report, place))


def read_plates(
    cells: CellSheet, rows: Sequence[int], plates: Sequence[PlateColumns], report: ProblemList
) -> tuple[RecordedPlate, ...]:
    """What plates measured, in SI. Forces and moments that are blank are 0; a blank centre of pressure is missing."""
    found = []
    for plate in plates:
        _check_whole(plate, report)
        values = dict(zip(plate.fields, numbers(cells, rows, list(plate.fields.values()), report), strict=True))
        _tell_blank(plate, values, rows, report)
        found.append(_recorded(plate, values, len(rows)))
    return tuple(found)


def _check_whole(plate: PlateColumns, report: ProblemList) -> None:
    """Report a plate without forces, and one whose forces act nowhere."""
    names = plate.fields.keys()
    found = f"{plate.name} has {', '.join(names)}"
    if not names & set(FORCES):
        mend = f"add {plate.name}.fx and so on, or take the column away"
        report.error("plate-without-force", plate.place, found, "a plate has columns of forces", mend)
    elif not names & {*MOMENTS, *PRESSURE}:
        rule = "where a force acts follows from moments about the plate's origin, or from a centre of pressure"
        mend = f"add {plate.name}.mx, .my, .mz, or {plate.name}.px"
        report.error("plate-without-moment", plate.place, found, rule, mend)


def _tell_blank(plate: PlateColumns, values: Mapping[str, Vector], rows: Sequence[int], report: ProblemList) -> None:
    """A warning for the first blank cell of forces and moments beside which the plate is loaded; blanks count as 0."""
    names = [name for name in (*FORCES, *MOMENTS) if name in values]
    series = np.stack([values[name] for name in names]) if names else np.zeros((0, len(rows)))
    forces = [name for name in names if name in FORCES]
    if not forces:
        return
    blank = np.isnan(series)
    force = np.linalg.norm(np.nan_to_num([values[name] for name in forces]), axis=0)
    within = (np.append(0.0, force[:-1]) > MIN_LOAD) & (np.append(force[1:], 0.0) > MIN_LOAD)
    doubtful = blank & np.where(blank.all(axis=0), within, force > MIN_LOAD)
    for name, cells in zip(names, doubtful, strict=True):
        if cells.any():
            header = plate.fields[name].header.place
            first = int(np.argmax(cells))
            found = f"{plate.name}.{name} is blank in {cells.sum():,} rows in which the plate is loaded"
            problem = "blank is 0, which no force becomes for a moment"
            mend = "fill these cells, or export again"
            report.warning("blank-force", header._replace(row=rows[first]), found, problem, mend)
            return


def _missing(names: Collection[str]) -> tuple[str, ...]:
    """Columns that a force in space lacks."""
    wanted = (*FORCES, *MOMENTS) if any(each in names for each in MOMENTS) else (*FORCES, FREE_MOMENT)
    return tuple(each for each in wanted if each not in names)


def _recorded(plate: PlateColumns, values: Mapping[str, Vector], count: int) -> RecordedPlate:
    """values: by quantity, (count,) each."""

    def stacked(names: Sequence[str], absent: float) -> Vector | None:
        if not any(each in values for each in names):
            return None
        return np.stack([values.get(each, np.full(count, absent)) for each in names], axis=1)

    force, moment = stacked(FORCES, 0.0), stacked(MOMENTS, 0.0)
    return RecordedPlate(
        plate.name,
        np.zeros((count, 3)) if force is None else np.nan_to_num(force),
        None if moment is None else np.nan_to_num(moment),
        stacked(PRESSURE, np.nan),
        np.nan_to_num(values[FREE_MOMENT]) if FREE_MOMENT in values else None,
        plate.place,
        _missing(values.keys()),
    )
