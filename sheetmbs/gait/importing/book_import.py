"""Recorded trials into a workbook: sheets of samples, rows of lists, cells of Subject, and rows of a template that match."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sheetmbs.gait.formats.lab_files import read_recording
from sheetmbs.gait.formats.sampled_cells import listed
from sheetmbs.gait.importing.event_rows import EventRows
from sheetmbs.gait.importing.fitted_sheets import RecordedLabels, fitted_sheets, labels_of_trials
from sheetmbs.gait.importing.new_gait_book import ShownTrial, shown_trial
from sheetmbs.gait.importing.subject_cells import subject_cells
from sheetmbs.gait.importing.trial_files import TimedTrial, found_lines
from sheetmbs.gait.importing.trial_sheets import (
    PLATE_COLUMNS,
    ListRows,
    columns_table,
    forces_table,
    list_filling,
    markers_table,
    plate_rows,
)
from sheetmbs.gait.marker_sets.all_sets import MarkerSet, by_plain_form, set_of
from sheetmbs.gait.signals.uniform_time import UniformTime, uniform_time
from sheetmbs.gait.trial.marker_synonyms import guessed_names
from sheetmbs.gait.trial.recorded import Measure
from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.gait_anthropometry import ANTHROPOMETRY, NEEDED
from sheetmbs.schema.gait_inputs import FORCE_PLATES, JOINT_CENTRES, MARKER_NAMES, MARKERS, PLATES
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.table import Table
from sheetmbs.schema.units import LENGTH
from sheetmbs.workbook.cells.cells import Book, CellSheet, open_book
from sheetmbs.workbook.reading.table_headers import is_sheet_empty
from sheetmbs.workbook.sheets.newsheet import NewSheet, list_sheet, samples_sheet
from sheetmbs.workbook.writing.add_inputs import Filling, add_inputs, imported_sheets

LONGEST_SHEET = 31
"""characters of a sheet's name"""
STATIC = "static"
"""the name of the standing trial"""
LAB_RESULTS, ANALOG = "Lab results", "Analog"
"""how names of sheets begin that hold what else a file tells"""
MOST_COLUMNS, MOST_ROWS = 16_384, 1_048_574
SAME = 1e-9
"""m, N or N m by which what was written may differ from what was read: changing units rounds"""


@dataclass
class ImportedTrial:
    """What came of an import. found: lines about the trial. warnings: of the files. filled: sheets with new contents."""

    trial: str
    found: list[tuple[str, str]] = field(default_factory=list)
    warnings: tuple[Problem, ...] = ()
    filled: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ImportOptions:
    """How a trial is imported.

    template: of a new workbook. subject: whose markers, where files hold those of several. replace: sheets that an earlier
    import has written are replaced. model_outputs, analog: what else of a C3D comes onto sheets.
    """

    template: str | None = None
    subject: str | None = None
    replace: bool = False
    model_outputs: bool = False
    analog: bool = False


@dataclass(frozen=True)
class NamedTrial:
    """A recorded trial and its name. stem: of its files, where they come from a folder."""

    name: str
    timed: TimedTrial
    stem: str = ""


@dataclass
class BookChanges:
    """Sheets that come, and cells of others that are filled in."""

    new: list[NewSheet] = field(default_factory=list)
    fillings: dict[str, dict[tuple[int, int], str | float]] = field(default_factory=dict)

    def fill(self, sheet: str, cells: Filling) -> None:
        """Fill in cells, over what was to come there before."""
        self.fillings.setdefault(sheet, {}).update(cells)

    @property
    def names(self) -> list[str]:
        """The names of all sheets that change."""
        return [*(sheet.name for sheet in self.new), *self.fillings]


def into_book(trials: Sequence[NamedTrial], path: Path, wanted: ImportOptions) -> list[ImportedTrial]:
    """Put trials onto sheets of a workbook, all at once. The first result names what concerns all of them.

    Raises WorkbookError where a sheet is in the way or the workbook cannot be written; it is then as it was.
    """
    book = open_book(path)
    ours = imported_sheets(path)
    results = [ImportedTrial(each.name, list(found_lines(each.timed)), each.timed.warnings) for each in trials]
    tables = [_tables(each.timed, each.name) for each in trials]
    extras = [
        table
        for each, result in zip(trials, results, strict=True)
        for table in _extra_tables(each.timed, each.name, wanted, result)
    ]
    all_tables = [*(table for each in tables for table in each), *extras]
    shown = shown_trial(book)
    emptied = {each.name for each in shown.emptied}
    _check_free(all_tables, book, ours, emptied, replace=wanted.replace)
    changes = BookChanges([samples_sheet(table) for table in all_tables])
    taken = {fold(table.name) for table in all_tables}
    gone = [each for each in shown.emptied if fold(each.name) not in taken]
    changes.new += gone
    for sheet, cells in shown.cleared.items():
        changes.fill(sheet, cells)
    _fill_lists(book, trials, ours, changes, results[0], replace=wanted.replace)
    _fill_subject(book, trials, shown, changes, results[0])
    _fill_events(book, trials, changes, results, replace=wanted.replace)
    for each, result in zip(trials, results, strict=True):
        result.found += [("note", note) for note in each.timed.recorded.notes]
    hidden = {*(each.name for each in gone), *shown.cleared} - set(results[0].filled)
    written = dict.fromkeys(name for name in changes.names if name not in hidden)
    results[-1].found.append(("written", ", ".join(written)))

    def check(file: Path) -> None:
        for each, sheets in zip(trials, tables, strict=True):
            _check(file, sheets, each.timed)

    add_inputs(path, changes.new, changes.fillings, check)
    return results


def _fill_lists(
    book: Book,
    trials: Sequence[NamedTrial],
    ours: frozenset[str],
    changes: BookChanges,
    result: ImportedTrial,
    *,
    replace: bool,
) -> None:
    """Rows of Plates and of Marker names."""
    recorded = [each.timed.recorded for each in trials]
    unit = next((each.markers.unit for each in recorded if each.markers), "m")
    labels = list(dict.fromkeys(label for each in recorded if each.markers for label in each.markers.labels))
    found = set_of(labels)
    names = found.names(by_plain_form(labels)) if found else guessed_names(labels)
    names = {model: label for model, label in names.items() if fold(model) != fold(label)}
    geometry = list({lies.name: lies for each in reversed(recorded) for lies in each.geometry}.values())
    unplaced = list(dict.fromkeys(name for each in recorded for name in each.unplaced))
    label_rows: ListRows = {model: {"model": model, "label": label} for model, label in names.items()}
    placed = plate_rows(sorted(geometry, key=lambda lies: lies.name), unplaced, unit)
    for schema, rows in ((PLATES, placed), (MARKER_NAMES, label_rows)):
        cells = book.find_sheet(schema.name)
        if rows and cells is None:
            changes.new.append(_list_sheet(schema, rows, unit))
        elif rows and cells is not None:
            is_ours = cells.name in ours
            filling = list_filling(schema, cells, rows, unit, replace=replace and is_ours)
            if (is_ours or filling.is_blank) and filling.cells:
                changes.fill(cells.name, filling.cells)
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
    if found:
        result.found.append(("marker set", found.title))
    _fit_sheets(book, trials, names, found, ours, changes, result)
    if names:
        result.found.append(("names", ", ".join(f"{model} = {label}" for model, label in names.items())))
    for name in unplaced:
        result.found.append(
            ("to do", f"write the corners of {name} on the sheet {PLATES.name}: the file does not tell them")
        )


def _fit_sheets(
    book: Book,
    trials: Sequence[NamedTrial],
    names: Mapping[str, str],
    found: MarkerSet | None,
    ours: frozenset[str],
    changes: BookChanges,
    result: ImportedTrial,
) -> None:
    """Rows of a template to match the markers, with the first trial, and where only an import has changed them since."""
    others = labels_of_trials(book, {each.name for each in changes.new})
    is_ours = any(fold(name) == fold(JOINT_CENTRES.name) for name in ours)
    has_walk = any(fold(trial) != STATIC for trial in others)
    here = {each.name: each.timed.recorded.markers.labels for each in trials if each.timed.recorded.markers}
    if not here or not (changes.fillings or is_ours or not has_walk):
        return
    walks = [labels for trial, labels in here.items() if fold(trial) != STATIC]
    known = others | here
    static = next((labels for trial, labels in known.items() if fold(trial) == STATIC), ())
    recorded = RecordedLabels(walks or list(here.values()), not walks, static, tuple(known.values()))
    fitted = fitted_sheets(book, recorded, names, found)
    for sheet, cells in fitted.fillings.items():
        changes.fill(sheet, cells)
    if fitted.told:
        result.found.append(("fitted", "; ".join(fitted.told)))
    if fitted.sparse and found is not None:
        told = (
            f"{found.title} has no three markers on {', '.join(fitted.sparse)}, which segments in space need: make the "
            "workbook with --template gait-cgm where there are wands on thigh and shank, else with gait-2d"
        )
        result.found.append(("to do", told))


def _fill_subject(
    book: Book, trials: Sequence[NamedTrial], shown: ShownTrial, changes: BookChanges, result: ImportedTrial
) -> None:
    """What the files tell of the subject, in blank cells of Subject and Anthropometry."""
    cleared = {sheet: frozenset(cells) for sheet, cells in shown.cleared.items()}
    first: dict[tuple[str, str], Measure] = {}
    for each in trials:
        for measure in each.timed.recorded.measures:
            first.setdefault((measure.setting, measure.side), measure)
    done = subject_cells(book, list(first.values()), cleared)
    for sheet, cells in done.fillings.items():
        changes.fill(sheet, cells)
        result.filled.append(sheet)
    if done.sheet is not None:
        changes.new.append(done.sheet)
    if done.told:
        result.found.append(("subject", ", ".join(done.told)))
    result.warnings = (*result.warnings, *done.warnings)
    if shown.cleared and ("mass", "") not in first:
        result.found.append(("to do", "write the mass of the subject on the sheet Subject"))
    lacking = [name for name in NEEDED if not any(setting == name for setting, _side in first)]
    if fold(ANTHROPOMETRY.name) in map(fold, cleared) and lacking:
        result.found.append(("to do", f"write {', '.join(lacking)} of both legs on the sheet {ANTHROPOMETRY.name}"))


def _fill_events(
    book: Book,
    trials: Sequence[NamedTrial],
    changes: BookChanges,
    results: Sequence[ImportedTrial],
    *,
    replace: bool,
) -> None:
    """Events that the files tell, on the sheet Events."""
    rows = EventRows(book)
    for each, result in zip(trials, results, strict=True):
        told = rows.add(each.timed, each.name, replace=replace)
        result.found += [("events", told)] if told else []
    if rows.sheet is not None:
        changes.new.append(rows.sheet)
    if rows.filling:
        changes.fill(rows.name, rows.filling)


def _extra_tables(timed: TimedTrial, trial: str, wanted: ImportOptions, result: ImportedTrial) -> list[Table]:
    """Results of the file's own model, and analog channels of no plate, where they are asked for; else they are named."""
    outputs, channels = timed.recorded.outputs, timed.recorded.channels
    tables = []
    if outputs is not None and wanted.model_outputs:
        tables.append(columns_table(f"{LAB_RESULTS} {trial}", outputs, timed.marker_time))
    elif outputs is not None:
        result.found.append(("left out", "results of its program's model: --model-outputs puts them onto a sheet"))
    if channels is not None and wanted.analog:
        stamps = channels.stamps
        time = timed.force_time or uniform_time(stamps.times, stamps.frames, rate=stamps.rate, printed=stamps.printed)
        tables.append(columns_table(f"{ANALOG} {trial}", channels, time if isinstance(time, UniformTime) else None))
    elif channels is not None:
        names = listed([each.header for each in channels.columns])
        told = f"analog channels that are no plate: {names} (--analog puts them onto a sheet)"
        result.found.append(("left out", told))
    for table in tables:
        _check_size(table)
    return tables


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
        _check_size(table)
    return tables


def _check_size(table: Table) -> None:
    rows, columns = table.values.shape
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        rule, mend = "a sheet holds no more", "export a shorter piece of it"
        raise refused("too-large", f"{rows:,} rows and {columns:,} columns of {table.name}", rule, mend)


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
