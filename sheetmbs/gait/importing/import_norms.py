"""A norm out of a file onto the sheet Normative of a workbook: one of `sheetmbs norms`, or a table in one of some layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import CellKind
from sheetmbs.schema.gait_inputs import NORMATIVE
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.workbook.cells.cells import CellSheet, open_book
from sheetmbs.workbook.sheets.newsheet import NewSheet, list_sheet
from sheetmbs.workbook.writing.add_inputs import Filling, add_inputs

Cell = str | float | None
ANGLE_UNITS = {"angle": "deg", "moment": "N*m/kg", "power": "W/kg"}
"""units of what a file without units holds"""
PLANES: Mapping[tuple[str, str], str] = {
    ("pelvis", "sagittal"): "tilt",
    ("pelvis", "frontal"): "obliquity",
    ("pelvis", "transverse"): "rotation",
    ("foot", "transverse"): "progression",
    **{
        (joint, plane): quantity
        for joint in ("hip", "knee", "ankle")
        for plane, quantity in (("sagittal", "angle"), ("frontal", "adduction"), ("transverse", "rotation"))
    },
}
"""joint and plane -> the quantity of our columns"""
PLANE_WORDS = {
    "sagittal": ("sagittal", "flexion", "flex ext", "x", "tilt", "dorsiflexion"),
    "frontal": ("frontal", "coronal", "adduction", "abd add", "y", "obliquity"),
    "transverse": ("transverse", "transversal", "horizontal", "rotation", "int ext", "z", "progression"),
}
JOINT_WORDS = {
    "pelvis": ("pelvis", "pelvic"),
    "hip": ("hip",),
    "knee": ("knee",),
    "ankle": ("ankle",),
    "foot": ("foot", "foot progression"),
}


@dataclass(frozen=True)
class NormLayout:
    """A layout of tables with a row for each percent of each curve. heads: what each column is called, folded."""

    name: str
    percent: tuple[str, ...]
    joint: tuple[str, ...]
    plane: tuple[str, ...]
    mean: tuple[str, ...]
    sd: tuple[str, ...]

    def columns(self, heads: Sequence[str]) -> dict[str, int] | None:
        """Where its columns stand among folded heads; None where one is not there."""
        found = {
            word: next((heads.index(name) for name in getattr(self, word) if name in heads), None)
            for word in ("percent", "joint", "plane", "mean", "sd")
        }
        return None if None in found.values() else {word: int(place or 0) for word, place in found.items()}


LAYOUTS = (
    NormLayout("percent, joint, plane, mean, sd", ("percent",), ("joint",), ("plane",), ("mean",), ("sd",)),
    NormLayout(
        "gait cycle, joint, plane, average, standard deviation",
        ("% gait cycle", "gait cycle", "% cycle", "cycle", "% gc", "percent gait cycle", "percentgaitcycle"),
        ("joint", "segment", "joint angle", "angle"),
        ("plane", "axis", "component", "motion"),
        ("mean", "average", "avg"),
        ("sd", "std", "stdev", "standard deviation"),
    ),
)
"""layouts of tables that are read; a new one is a row here"""


def import_norms(file: Path, book: Path) -> list[str]:
    """Put a norm onto sheets Normative of a workbook; nothing else in it changes.

    Returns lines about what was found. Raises WorkbookError where the file is no norm, and where the workbook has one
    already.
    """
    if not book.exists():
        raise _refused("file-missing", f"there is no workbook {book}", "a norm goes into a workbook", "name it")
    found = dict(_sheets_of(file))
    if not found:
        problem = "it is one of sheetmbs norms, or a table with percent, joint, plane, mean, sd"
        raise _refused("no-norm", f"{file.name} holds no norm", problem, "give its columns these heads")
    there = open_book(book).sheets
    new: list[NewSheet] = []
    fillings: dict[str, Filling] = {}
    lines = []
    for name, rows in found.items():
        tab = next((each for each in there if fold(each) == fold(name)), None)
        if tab is not None and _is_filled(there[tab]):
            raise _refused(
                "sheet-there", f"{tab} holds a norm already", "it would be lost", f"take {tab} away first", tab
            )
        if tab is None:
            width = max(map(len, rows))
            padded = [[*row, *[None] * (width - len(row))] for row in rows]
            heads, units = ([str(each or "") for each in row] for row in padded[:2])
            new.append(list_sheet(name, heads, units, padded[2:]))
        else:
            fillings[tab] = {
                (number, column): value
                for number, row in enumerate(rows, start=1)
                for column, value in enumerate(row, start=1)
                if value is not None
            }
        curves = sum(str(each).endswith(".mean") for each in rows[0])
        lines.append(f"{name}: {curves} curves")
    add_inputs(book, new, fillings, lambda _path: None)
    return lines


def _is_filled(sheet: CellSheet) -> bool:
    """Whether a sheet holds any number."""
    return bool(len(sheet.rows.numbers.rows_with([1])))


def _sheets_of(file: Path) -> Iterator[tuple[str, list[list[Cell]]]]:
    """The sheets Normative that a file gives, by name, each as rows of headers, units, numbers and texts."""
    if file.suffix.casefold() in (".xlsx", ".xlsm"):
        sheets = open_book(file).sheets
        for name, sheet in sheets.items():
            if fold(name).startswith(fold(NORMATIVE.name)):
                yield name, _rows(sheet)
        if not any(fold(name).startswith(fold(NORMATIVE.name)) for name in sheets):
            for sheet in sheets.values():
                yield from _of_table(_rows(sheet), file)
    else:
        from sheetmbs.gait.formats.text_cells import text_cells

        report = ProblemList((file.name,))
        try:
            text = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise _refused(
                "file-unreadable", f"{file.name} cannot be read", "it is no text", "save it as CSV"
            ) from error
        yield from _of_table(_rows(text_cells(text, file.name, report)), file)


def _rows(sheet: CellSheet) -> list[list[Cell]]:
    """All rows as values, without those that are blank."""
    rows: list[list[Cell]] = []
    for number in sorted(sheet.rows):
        cells = sheet.rows[number]
        if cells:
            row: list[Cell] = [None] * max(cells)
            for column, cell in cells.items():
                is_known = cell.kind in (CellKind.NUMBER, CellKind.TEXT)
                row[column - 1] = cell.value if is_known else None
            rows.append(row)
    return rows


def _of_table(rows: Sequence[Sequence[Cell]], file: Path) -> Iterator[tuple[str, list[list[Cell]]]]:
    """The sheet Normative of a table with a row for each percent of each curve; nothing where it has no such heads."""
    for number, row in enumerate(rows[:20]):
        heads = [_plain(each) for each in row]
        known = ((layout, layout.columns(heads)) for layout in LAYOUTS)
        found = next(((layout, columns) for layout, columns in known if columns is not None), None)
        if found is not None:
            yield NORMATIVE.name, _pivoted(rows[number + 1 :], found[1], heads, file)
            return


def _number(cell: Cell) -> float | None:
    """A number, also of a text with a decimal comma: rows with words in them are not read as numbers."""
    if not isinstance(cell, str):
        return cell
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _plain(cell: Cell) -> str:
    return "" if cell is None else " ".join(str(cell).casefold().replace("_", " ").split())


def _pivoted(
    rows: Sequence[Sequence[Cell]], columns: Mapping[str, int], heads: Sequence[str], file: Path
) -> list[list[Cell]]:
    """A column of means and one of deviations for each curve: of angles, unless a column quantity says moment or power."""
    curves: dict[tuple[str, str], dict[float, tuple[float, float]]] = {}
    at_quantity = heads.index("quantity") if "quantity" in heads else None
    for row in rows:
        cells = [*row, *[None] * (len(heads) - len(row))]
        percent, mean, sd = (_number(cells[columns[word]]) for word in ("percent", "mean", "sd"))
        if percent is None or mean is None or sd is None:
            continue
        kind = "angle" if at_quantity is None else _plain(cells[at_quantity]) or "angle"
        curve = _curve(_plain(cells[columns["joint"]]), _plain(cells[columns["plane"]]), kind)
        if curve is None:
            said = f"{cells[columns['joint']]}, {cells[columns['plane']]}"
            mend = f"joints are {', '.join(JOINT_WORDS)}, planes {', '.join(PLANE_WORDS)}"
            raise _refused("unknown-band", f"{file.name}: {said}", "it is no curve of a norm", mend)
        curves.setdefault((curve, ANGLE_UNITS[kind]), {})[percent] = (mean, sd)
    at = sorted({percent for curve in curves.values() for percent in curve})
    grid = np.array(at)
    if len(grid) and grid.max() <= 1.0:
        grid = 100.0 * grid
    columns_of: list[np.ndarray] = [grid]
    named: list[Cell] = ["percent"]
    units: list[Cell] = ["%"]
    for (curve, unit), values in curves.items():
        own = sorted(values)
        for part, word in enumerate(("mean", "sd")):
            columns_of.append(np.interp(at, own, [values[each][part] for each in own]))
            named.append(f"{curve}.{word}")
            units.append(unit)
    return [named, units, *np.column_stack(columns_of).tolist(), ["source", file.name]]


def _curve(joint: str, plane: str, kind: str) -> str | None:
    """``knee.angle`` of joint, plane and what is measured; None where there is no such curve."""
    own = next((name for name, words in JOINT_WORDS.items() if joint in words), None)
    plane_ = next((name for name, words in PLANE_WORDS.items() if plane in words), None)
    if own is None or plane_ is None or kind not in ANGLE_UNITS:
        return None
    quantity = PLANES.get((own, plane_))
    if quantity is None or (kind != "angle" and own not in ("hip", "knee", "ankle")):
        return None
    if kind == "power":
        return f"{own}.power" if plane_ == "sagittal" else None
    if kind == "moment":
        return f"{own}.moment" if quantity == "angle" else f"{own}.moment_{quantity}"
    return f"{own}.{quantity}"


def _refused(code: str, found: str, problem: str, mend: str, cell: str = "") -> WorkbookError:
    return WorkbookError([Problem(code, "error", cell, found, problem, mend)])
