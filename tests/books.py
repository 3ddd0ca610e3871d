"""Workbooks for tests: made part by part, or a sound one with some of its parts changed."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

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
