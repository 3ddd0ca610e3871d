"""Files of one trial into a workbook: its sheets Markers and Force plates, and rows of Plates and Marker names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sheetmbs.gait.formats.lab_files import read_recording
from sheetmbs.gait.importing.new_gait_book import make_gait_book, shown_trial
from sheetmbs.gait.importing.trial_files import TimedTrial, found_lines, read_trial
from sheetmbs.gait.importing.trial_sheets import (
    PLATE_COLUMNS,
    ListRows,
    forces_table,
    list_filling,
    markers_table,
    plate_rows,
)
from sheetmbs.gait.trial.marker_synonyms import model_names
from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.gait_inputs import FORCE_PLATES, MARKER_NAMES, MARKERS, PLATES
from sheetmbs.schema.names import NOT_IN_SHEET_NAMES, fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.table import Table
from sheetmbs.schema.units import LENGTH
from sheetmbs.workbook.cells.cells import Book, CellSheet, open_book
from sheetmbs.workbook.reading.table_headers import is_sheet_empty
from sheetmbs.workbook.sheets.newsheet import NewSheet, list_sheet, samples_sheet
from sheetmbs.workbook.writing.add_inputs import Filling, add_inputs, imported_sheets

LONGEST_SHEET = 31
MOST_COLUMNS, MOST_ROWS = 16_384, 1_048_574
NOT_IN_NAMES = re.compile(rf"[{re.escape(NOT_IN_SHEET_NAMES)}\x00-\x1f]")
SAME = 1e-9
"""m, N or N m by which what was written may differ from what was read: changing units rounds"""


@dataclass
class ImportedTrial:
    """What came of an import. found: lines about the trial. warnings: of the files."""

    trial: str
    found: list[tuple[str, str]] = field(default_factory=list)
    warnings: tuple[Problem, ...] = ()


def import_trial(
    files: Sequence[Path],
    book: Path,
    trial: str | None = None,
    template: str | None = None,
    subject: str | None = None,
    *,
    replace: bool = False,
) -> ImportedTrial:
    """Put the files of one trial onto sheets of a workbook, which is made where there is none.

    trial: its name; None: after the first file. template: of a new workbook. subject: whose markers, where files hold those
    of several. replace: sheets that an earlier import has written are written anew. Raises WorkbookError with every slip; the
    workbook is then as it was.
    """
    name = _trial_name(files, trial)
    timed = read_trial(files, subject)
    is_new = not book.exists()
    if template is not None and not is_new:
        mend = "leave out --template, or name a workbook that is not there"
        raise refused("file-exists", f"{book} is there", "a template is for a new workbook", mend)
    if is_new:
        make_gait_book(book, template)
    try:
        return _into_book(timed, book, name, replace=replace)
    except BaseException:
        if is_new:
            book.unlink(missing_ok=True)
        raise


def _trial_name(files: Sequence[Path], trial: str | None) -> str:
    """The name of a trial, which its two sheets end in. Raises WorkbookError where they cannot."""
    most = LONGEST_SHEET - len(FORCE_PLATES.name) - 1
    if trial is None:
        stem = re.sub(r"_f_\d+$", "", files[0].stem)
        return NOT_IN_NAMES.sub("_", stem).strip(" '")[:most].strip(" '") or "trial"
    wanted = trial.strip()
    if not wanted or len(wanted) > most or NOT_IN_NAMES.search(wanted) or wanted.endswith("'"):
        rule = f"a trial's name has 1 to {most} characters and none of [ ] : * ? / \\"
        raise refused("trial-name", quoted(trial), rule, "give it a shorter or plainer name")
    return wanted


def _into_book(timed: TimedTrial, path: Path, trial: str, *, replace: bool) -> ImportedTrial:
    book = open_book(path)
    ours = imported_sheets(path)
    result = ImportedTrial(trial, list(found_lines(timed)), timed.warnings)
    tables = _tables(timed, trial)
    shown = shown_trial(book)
    _check_free(tables, book, ours, {each.name for each in shown.emptied}, replace=replace)
    new = [samples_sheet(table) for table in tables]
    fillings: dict[str, Filling] = {}
    taken = {fold(table.name) for table in tables}
    new += [each for each in shown.emptied if fold(each.name) not in taken]
    fillings |= shown.cleared
    unit = timed.recorded.markers.unit if timed.recorded.markers else "m"
    names = model_names(timed.recorded.markers.labels) if timed.recorded.markers else {}
    label_rows: ListRows = {model: {"model": model, "label": label} for model, label in names.items()}
    placed = plate_rows(timed.recorded.geometry, timed.recorded.unplaced, unit)
    for schema, rows in ((PLATES, placed), (MARKER_NAMES, label_rows)):
        cells = next((book.sheets[sheet] for sheet in book.sheets if fold(sheet) == fold(schema.name)), None)
        if rows and cells is None:
            new.append(_list_sheet(schema, rows, unit))
        elif rows and cells is not None:
            is_ours = cells.name in ours
            filling = list_filling(schema, cells, rows, unit, replace=replace and is_ours)
            if (is_ours or filling.is_blank) and filling.cells:
                fillings[cells.name] = filling.cells
            elif not is_ours and filling.added:
                told = (
                    f"the sheet {cells.name} is yours and stays as it is; it has no row for {', '.join(filling.added)}"
                )
                result.found.append(("to do", told))
            if filling.otherwise and schema is PLATES:
                told = (
                    f"{cells.name} says otherwise than these files where {', '.join(filling.otherwise)} lie, or which way "
                    "their forces act, and stays as it is: give plates that were moved another name, or correct the rows"
                )
                result.found.append(("to do", told))
    if names:
        result.found.append(("names", ", ".join(f"{model} = {label}" for model, label in names.items())))
    for name in timed.recorded.unplaced:
        result.found.append(
            ("to do", f"write the corners of {name} on the sheet {PLATES.name}: the file does not tell them")
        )
    result.found += [("note", note) for note in timed.recorded.notes]
    if shown.cleared:
        result.found.append(("to do", "write the mass of the subject on the sheet Subject"))
    written = [*(sheet.name for sheet in new if sheet not in shown.emptied), *fillings]
    result.found.append(("written", ", ".join(name for name in written if name not in shown.cleared)))
    add_inputs(path, new, fillings, lambda written: _check(written, tables, timed))
    return result


def _tables(timed: TimedTrial, trial: str) -> list[Table]:
    """The sheets of a trial. Raises WorkbookError where one is too large for a sheet."""
    markers, forces = timed.recorded.markers, timed.recorded.forces
    tables = []
    if markers is not None:
        tables.append(markers_table(f"{MARKERS.name} {trial}", markers, timed.marker_time))
    if forces is not None:
        unit = markers.unit if markers is not None else "m"
        tables.append(forces_table(f"{FORCE_PLATES.name} {trial}", forces, timed.force_time, unit))
    for table in tables:
        rows, columns = table.values.shape
        if rows > MOST_ROWS or columns > MOST_COLUMNS:
            rule, mend = "a sheet holds no more", "export a shorter piece of it"
            raise refused("too-large", f"{rows:,} rows and {columns:,} columns of {table.name}", rule, mend)
    return tables


def _check_free(
    tables: Sequence[Table], book: Book, ours: frozenset[str], emptied: Collection[str], *, replace: bool
) -> None:
    """Raise WorkbookError where a sheet is there that may not be written. emptied: those whose samples go."""
    there = {fold(name): name for name in book.sheets}
    for table in tables:
        name = there.get(fold(table.name))
        if name is None or name in emptied or (name in ours and replace) or _has_no_samples(book.sheets[name]):
            continue
        is_ours = name in ours
        rule = "what an import has written is replaced with --replace only" if is_ours else "no import has written it"
        mend = "add --replace, or another name with --trial" if is_ours else "give the trial another name with --trial"
        raise refused("sheet-exists", f"the sheet {name} is there", rule, mend, name)


def _has_no_samples(cells: CellSheet) -> bool:
    """Whether a sheet has headers at most, as where the walk of a template was taken out."""
    return is_sheet_empty(cells) or (len(cells.rows) == 1 and not len(cells.rows.numbers.values))


def _list_sheet(schema: Sheet, rows: ListRows, unit: str) -> NewSheet:
    used = {column for row in rows.values() for column in row}
    headers = [name for name in (*PLATE_COLUMNS, "model", "label") if name in used]
    units = [unit if LENGTH in schema.column(name).dimensions else "" for name in headers]
    return list_sheet(schema.name, headers, units, [[row.get(name) for name in headers] for row in rows.values()])


def _check(written: Path, tables: Sequence[Table], timed: TimedTrial) -> None:
    """Read the sheets back from a workbook: they hold what the files held. Raises WorkbookError."""
    book = open_book(written)
    markers, forces = timed.recorded.markers, timed.recorded.forces
    for table in tables:
        report = ProblemList((table.name,))
        found = read_recording(_sheet(book.sheets, table.name), report)
        is_same = not report.has_errors
        if markers is not None and table is tables[0]:
            is_same &= found.markers is not None and _equal(found.markers.positions, markers.positions)
            is_same &= found.markers is not None and found.markers.labels == markers.labels
        elif forces is not None:
            is_same &= found.forces is not None and len(found.forces.plates) == len(forces.plates)
            for here, there in zip(found.forces.plates if found.forces else (), forces.plates, strict=False):
                is_same &= _equal(here.force, there.force) and _equal(here.moment, there.moment)
                is_same &= _equal(here.pressure, there.pressure)
        if not is_same:
            rule = "what stands in the new file is not what was read; the workbook is as it was"
            raise refused("not-written", f"{table.name} could not be written", rule, "report it as the README says")


def _sheet(sheets: Mapping[str, CellSheet], name: str) -> CellSheet:
    return next(sheets[each] for each in sheets if fold(each) == fold(name))


def _equal(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.allclose(one, other, rtol=SAME, atol=SAME, equal_nan=True))
