"""What a file tells of its subject, in the blank cells of Subject and Anthropometry; what stands there is held against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import degrees

from sheetmbs.gait.importing.sheet_rows import PageRows
from sheetmbs.gait.trial.recorded import Measure
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.cell import address
from sheetmbs.schema.gait_anthropometry import ANTHROPOMETRY, ANTHROPOMETRY_SETTINGS
from sheetmbs.schema.gait_inputs import SIDES, SUBJECT, SUBJECT_SETTINGS
from sheetmbs.schema.names import fold
from sheetmbs.schema.units import ANGLE, Dimension, Unit
from sheetmbs.schema.validate import ValueFault, is_blank_unit, unit_of
from sheetmbs.workbook.cells.cells import Book, CellKind
from sheetmbs.workbook.sheets.newsheet import NewSheet, list_sheet

DIMENSIONS = {rule.name: rule.dimension for rule in (*SUBJECT_SETTINGS, *ANTHROPOMETRY_SETTINGS) if rule.dimension}
OF_SUBJECT = tuple(rule.name for rule in SUBJECT_SETTINGS)
MAX_DIFFERENCE = {"mass": 0.05, "height": 0.03}
"""part by which what is typed may differ from what a file tells"""
MAX_WIDTH_DIFFERENCE = 0.010
"""m by which a length may"""
MM = 1e-3
DIGITS = 6


@dataclass
class SubjectCells:
    """What comes of the measures of a file. told: what was filled in. fillings: by sheet. sheet: a new Anthropometry."""

    told: list[str] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    fillings: dict[str, dict[tuple[int, int], str | float]] = field(default_factory=dict)
    sheet: NewSheet | None = None


def subject_cells(
    book: Book, measures: Sequence[Measure], cleared: dict[str, frozenset[tuple[int, int]]]
) -> SubjectCells:
    """Cells to be filled in with what a file tells. cleared: cells by sheet that become blank with this import."""
    done = SubjectCells()
    body = [each for each in measures if each.setting in OF_SUBJECT]
    others = [each for each in measures if each.setting not in OF_SUBJECT]
    page = book.find_sheet(SUBJECT.name)
    if page is not None and body:
        rows = PageRows(page, cleared.get(page.name, frozenset()))
        for each in body:
            _fill(rows, each, ("value",), done)
        if rows.filling:
            done.fillings[page.name] = rows.filling
    sheet = book.find_sheet(ANTHROPOMETRY.name)
    if sheet is not None and sheet.rows:
        rows = PageRows(sheet, cleared.get(sheet.name, frozenset()))
        for each in others:
            _fill(rows, each, (each.side, "value") if each.side else ("value",), done)
        if rows.filling:
            done.fillings[sheet.name] = rows.filling
    elif others:
        done.sheet = _new_sheet(others, done)
    return done


def _fill(rows: PageRows, measure: Measure, columns: Sequence[str], done: SubjectCells) -> None:
    """Fill in a measure in the first of these columns, if all of them are blank; else compare."""
    row = rows.row_of(measure.setting, "setting")
    if row is None:
        row = rows.add()
        rows.write(row, "setting", measure.setting)
    unit = _unit(rows.text(row, "unit"), DIMENSIONS[measure.setting])
    given = next((column for column in columns if rows.cell(row, column) is not None), None)
    if given is not None:
        _compare(rows, row, given, measure, unit, done)
        return
    if unit is None:
        shown, size = usual_unit(measure.setting)
        rows.write(row, "unit", shown)
    else:
        size = unit.size
    rows.write(row, columns[0], float(f"{measure.value / size:.{DIGITS}g}"))
    done.told.append(shown_measure(measure))


def _unit(text: str, dimension: Dimension) -> Unit | None:
    if is_blank_unit(text):
        return None
    try:
        return unit_of(text, (dimension,))
    except ValueFault:
        return None


def usual_unit(setting: str) -> tuple[str, float]:
    """The unit in which people write it, and how much of SI that is."""
    if setting == "mass":
        return "kg", 1.0
    if DIMENSIONS[setting] is ANGLE:
        return "deg", 1.0 / degrees(1.0)
    return "mm", MM


def shown_measure(measure: Measure) -> str:
    """``right knee width 102 mm``."""
    unit, size = usual_unit(measure.setting)
    return " ".join([*filter(None, [measure.side]), measure.setting, f"{measure.value / size:.{DIGITS}g}", unit])


def _compare(rows: PageRows, row: int, column: str, measure: Measure, unit: Unit | None, done: SubjectCells) -> None:
    """A warning where the sheet says otherwise, which counts."""
    cell = rows.cell(row, column)
    if cell is None or cell.kind is not CellKind.NUMBER or not isinstance(cell.value, float | int):
        return
    here = float(cell.value) * (unit.size if unit else 1.0)
    difference = abs(here - measure.value)
    part = MAX_DIFFERENCE.get(measure.setting)
    most = MAX_WIDTH_DIFFERENCE if part is None else part * measure.value
    if DIMENSIONS[measure.setting] is ANGLE or difference <= most:
        return
    size = usual_unit(measure.setting)[1]
    name = usual_unit(measure.setting)[0]
    place = address(rows.cells.name, row, rows.columns[fold(column)])
    done.warnings.append(
        Problem(
            "other-measure",
            "warning",
            place,
            f"{measure.setting}: {here / size:.{DIGITS}g} {name}",
            f"the file says {measure.label} = {measure.value / size:.{DIGITS}g} {name}; the sheet counts",
            "correct whichever is wrong",
        )
    )


def _new_sheet(measures: Sequence[Measure], done: SubjectCells) -> NewSheet:
    """A sheet Anthropometry with what files tell."""
    headers = [column.name for column in ANTHROPOMETRY.columns]
    rows: dict[str, dict[str, str | float | None]] = {}
    for each in measures:
        unit, size = usual_unit(each.setting)
        row = rows.setdefault(each.setting, {"setting": each.setting, "unit": unit, "notes": "from the file"})
        row[each.side if each.side in SIDES else "value"] = float(f"{each.value / size:.{DIGITS}g}")
        done.told.append(shown_measure(each))
    order = [rule.name for rule in ANTHROPOMETRY_SETTINGS if rule.name in rows]
    content = [[rows[name].get(header) for header in headers] for name in order]
    return list_sheet(ANTHROPOMETRY.name, headers, [""] * len(headers), content)
