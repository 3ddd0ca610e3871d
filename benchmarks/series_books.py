"""Workbooks with a long time series, its sheet written as different programs write it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import openpyxl
import xlsxwriter
from numpy.typing import NDArray
from openpyxl.utils import get_column_letter
from xlsxwriter.worksheet import Worksheet

from sheetmbs.schema.table import Table
from sheetmbs.workbook.package.styles import LOOKS
from sheetmbs.workbook.sheets.sheetxml import SheetSetting, blocks, table_sheet

Vector = NDArray[np.float64]

SHEET = "Guiding"
PART = "xl/worksheets/sheet3.xml"
PER_BODY = ("x", "y", "phi")
STEP = 1e-3
START = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    ' xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac">'
    "<sheetData>"
)
END = "</sheetData></worksheet>"


@dataclass(frozen=True)
class Template:
    """How a program writes a series. ``{r}`` is the row's number, ``{a}`` the column's letters, ``{v}`` the number.

    digits: of each number. last: a further cell in each row. blank_rows: below the series, with a format alone.
    """

    row: str
    cell: str
    digits: int = 17
    last: str = ""
    blank_rows: int = 0


EXCEL = Template('<row r="{r}" spans="1:200" x14ac:dyDescent="0.25">', '<c r="{a}{r}" s="1"><v>{v}</v></c>')
LIBREOFFICE = Template(
    '<row r="{r}" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">',
    '<c r="{a}{r}" s="0" t="n"><v>{v}</v></c>',
    digits=15,
)
FORMULAS = replace(EXCEL, cell='<c r="{a}{r}" s="1"><f>{a}$1*2+B{r}</f><v>{v}</v></c>')
REMARKS = replace(EXCEL, last='<c r="{a}{r}" t="inlineStr"><is><t>heel strike</t></is></c>')
BLANK_ROWS = replace(EXCEL, blank_rows=1_000_000)


def samples(rows: int, columns: int) -> Vector:
    """Times and guided coordinates, (rows, columns): numbers with all their digits."""
    values = np.random.default_rng(1).standard_normal((rows, columns))
    values[:, 0] = np.arange(rows) * STEP
    return values


def headers(columns: int) -> list[str]:
    """``time`` and a coordinate of a body for each further column."""
    return ["time", *(f"b{index // 3}.{PER_BODY[index % 3]}" for index in range(columns - 1))]


def _tables(rows: int, columns: int) -> dict[str, list[list[object]]]:
    bodies = dict.fromkeys(name.partition(".")[0] for name in headers(columns)[1:])
    settings: list[list[object]] = [["setting", "value"], ["dimension", "2D"], ["analysis", "inverse dynamic"]]
    settings += [["t_start", 0], ["t_end", (rows - 1) * STEP], ["t_step", STEP]]
    return {"Settings": settings, "Bodies": [["name", "mass", "inertia"], *([body, 1, 1] for body in bodies)]}


def by_xlsxwriter(path: Path, values: Vector) -> None:
    """The whole workbook by XlsxWriter."""
    with _frame(path, values) as page:
        for number, numbers in enumerate(values.tolist(), start=1):
            page.write_row(number, 0, numbers)


@contextmanager
def _frame(path: Path | io.BytesIO, values: Vector) -> Iterator[Worksheet]:
    """A workbook with all but the series, and its sheet with the headers alone."""
    with xlsxwriter.Workbook(path, {"constant_memory": True}) as book:
        for name, table in _tables(*values.shape).items():
            page = book.add_worksheet(name)
            for number, row in enumerate(table):
                page.write_row(number, 0, row)
        page = book.add_worksheet(SHEET)
        page.write_row(0, 0, headers(values.shape[1]))
        yield page


def by_openpyxl(path: Path, values: Vector) -> None:
    """The whole workbook by openpyxl."""
    book = openpyxl.Workbook(write_only=True)
    for name, table in _tables(*values.shape).items():
        page = book.create_sheet(name)
        for row in table:
            page.append(row)
    page = book.create_sheet(SHEET)
    page.append(headers(values.shape[1]))
    for numbers in values.tolist():
        page.append(numbers)
    book.save(path)


def by_sheetmbs(path: Path, values: Vector) -> None:
    """The series as one of our own result sheets."""
    columns = values.shape[1]
    table = Table(SHEET, tuple(headers(columns)), ("s", *[""] * (columns - 1)), values)
    (block,) = blocks(table)
    _with_sheet(path, values, table_sheet(block, {}, "", SheetSetting(dict.fromkeys(LOOKS, 0))))


def by_template(path: Path, values: Vector, template: Template) -> None:
    """The series as a program writes it whose rows and cells look like this."""
    _with_sheet(path, values, _sheet(values, template))


def _sheet(values: Vector, template: Template) -> Iterator[bytes]:
    letters = [get_column_letter(index) for index in range(1, values.shape[1] + 2)]
    names = zip(letters, headers(values.shape[1]), strict=False)
    head = "".join(f'<c r="{letter}1" t="inlineStr"><is><t>{name}</t></is></c>' for letter, name in names)
    yield f'{START}<row r="1">{head}</row>'.encode()
    number = f"%.{template.digits}g"
    cells = "".join(template.cell.replace("{a}", letter).replace("{v}", number) for letter in letters[:-1])
    row = f"{template.row}{cells}{template.last.replace('{a}', letters[-1])}</row>"
    for index, numbers in enumerate(values.tolist(), start=2):
        yield (row.replace("{r}", str(index)) % tuple(numbers)).encode()
    for index in range(len(values) + 2, len(values) + 2 + template.blank_rows):
        yield f'<row r="{index}" s="1" customFormat="1" ht="20" customHeight="1"/>'.encode()
    yield END.encode()


def _with_sheet(path: Path, values: Vector, pieces: Iterator[bytes]) -> None:
    frame = io.BytesIO()
    with _frame(frame, values):
        pass
    with zipfile.ZipFile(frame) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name in source.namelist():
            if name != PART:
                # XlsxWriter asks for all formulas to be computed again, which a zero that one gives would be taken for
                made.writestr(name, source.read(name).replace(b' fullCalcOnLoad="1"', b""))
        with made.open(PART, "w") as part:
            for piece in pieces:
                part.write(piece)
