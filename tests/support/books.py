"""Workbooks for tests: made part by part, or a sound one with some of its parts changed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from itertools import count
from pathlib import Path
from xml.sax.saxutils import escape

import openpyxl
from openpyxl.cell.cell import ERROR_CODES

from sheetmbs.schema.cell import column_letters

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def relationships(*arrows: tuple[str, str, str]) -> str:
    """A relationships part. arrows: (id, type or its last word, target)."""
    body = "".join(
        f'<Relationship Id="{key}" Type="{kind if "/" in kind else f"{RELATIONSHIPS}/{kind}"}" Target="{target}"/>'
        for key, kind, target in arrows
    )
    xmlns = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'{_DECLARATION}<Relationships xmlns="{xmlns}">{body}</Relationships>'


def content_types(workbook: str = f"{_OFFICE}.sheet.main+xml", *, name: str = "/xl/workbook.xml") -> str:
    return (
        f'{_DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/><Override PartName="{name}" ContentType="{workbook}"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_OFFICE}.worksheet+xml"/></Types>'
    )


def workbook(sheets: str = '<sheet name="Data" sheetId="1" r:id="rId1"/>', *, before: str = "", after: str = "") -> str:
    return (
        f'{_DECLARATION}<workbook xmlns="{MAIN}" xmlns:r="{RELATIONSHIPS}">{before}<sheets>{sheets}</sheets>{after}'
        "</workbook>"
    )


def sheet(rows: str, *, after: str = "") -> str:
    return f'{_DECLARATION}<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData>{after}</worksheet>'


def rows_of(values: Iterable[Sequence[object]]) -> str:
    """Rows of numbers, texts, formulas (with =), error values, yes or no (as bool) and nothing (None)."""
    letters: list[str] = []
    written = []
    for number, row in enumerate(values, start=1):
        letters += map(column_letters, range(len(letters) + 1, len(row) + 1))
        cells = "".join([_cell(f"{letter}{number}", value) for letter, value in zip(letters, row, strict=False)])
        written.append(f'<row r="{number}">{cells}</row>')
    return "".join(written)


def _cell(at: str, value: object) -> str:
    if isinstance(value, bool):
        return f'<c r="{at}" t="b"><v>{value:d}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{at}" t="n"><v>{value}</v></c>'
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is to be written by openpyxl")
    if value in ERROR_CODES:
        return f'<c r="{at}" t="e"><v>{value}</v></c>'
    text = escape(value)
    if text.startswith("="):
        return f'<c r="{at}"><f>{text[1:]}</f></c>'
    return f'<c r="{at}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def shared_strings(*items: str) -> str:
    return f'{_DECLARATION}<sst xmlns="{MAIN}">{"".join(f"<si>{item}</si>" for item in items)}</sst>'


def styles(*formats: int | str) -> str:
    """Cell style n shows format n: a built-in number, or a code of its own."""
    own = {code: 164 + place for place, code in enumerate(formats) if isinstance(code, str)}
    codes = "".join(
        f'<numFmt numFmtId="{own[code]}" formatCode="{escape(code, {chr(34): "&quot;"})}"/>' for code in own
    )
    cells = "".join(f'<xf numFmtId="{own.get(code, code)}"/>' for code in formats)
    return f'{_DECLARATION}<styleSheet xmlns="{MAIN}"><numFmts>{codes}</numFmts><cellXfs>{cells}</cellXfs></styleSheet>'


def parts(rows: str = '<row r="1"><c r="A1"><v>1</v></c></row>', *, after: str = "") -> dict[str, str]:
    """Parts of a sound workbook with one sheet named Data, styles and shared strings."""
    return {
        "[Content_Types].xml": content_types(),
        "_rels/.rels": relationships(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": workbook(),
        "xl/_rels/workbook.xml.rels": relationships(
            ("rId1", "worksheet", "worksheets/sheet1.xml"),
            ("rId2", "styles", "styles.xml"),
            ("rId3", "sharedStrings", "sharedStrings.xml"),
        ),
        "xl/styles.xml": styles(0),
        "xl/sharedStrings.xml": shared_strings(),
        "xl/worksheets/sheet1.xml": sheet(rows, after=after),
    }


def save(path: Path, contents: Mapping[str, str | bytes]) -> Path:
    """Write the parts as a workbook."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def save_rows(path: Path, sheets: Mapping[str, Iterable[Sequence[object]]]) -> Path:
    """Write sheets of values as a workbook of openpyxl's, whose own way of writing long sheets takes ten times as long."""
    book, held = openpyxl.Workbook(write_only=True), BytesIO()
    for name in sheets:
        book.create_sheet(name)
    book.save(held)
    rows = {f"xl/worksheets/sheet{number}.xml": values for number, values in zip(count(1), sheets.values())}
    with zipfile.ZipFile(held) as empty, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in empty.namelist():
            content = empty.read(name)
            if name in rows:
                before, after = content.split(b"<sheetData></sheetData>")
                content = b"".join((before, b"<sheetData>", rows_of(rows[name]).encode(), b"</sheetData>", after))
            archive.writestr(name, content)
    return path
