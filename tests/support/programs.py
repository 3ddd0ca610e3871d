"""The same cells as workbooks by other programs: each written part by part as that program lays a package out.

What each does was seen in files that it had written: names and order of parts, namespaces, targets, how texts, formulas
and empty cells stand there, and how the archive is packed. The cells mean the same in all of them.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import openpyxl

from sheetmbs.schema.cell import column_letters
from sheetmbs.workbook.cells.cells import CellKind, open_book
from tests.support.books import MAIN, RELATIONSHIPS, relationships

Value = str | float | bool
Sheets = dict[str, dict[int, dict[int, Value]]]

SHEET_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
BARE = '<?xml version="1.0" encoding="UTF-8"?>'
DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
DEFAULTS = {"rels": "application/vnd.openxmlformats-package.relationships+xml", "xml": "application/xml"}
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"


def contents(path: Path, *names: str) -> Sheets:
    """The cells of a workbook, of these sheets or of all, without formulas that have no value."""
    book = open_book(path)
    found: Sheets = {}
    for name in names or book.sheets:
        for row, cells in book.sheets[name].rows.items():
            known = {column: cell.value for column, cell in cells.items() if cell.kind is not CellKind.UNCACHED}
            if known:
                found.setdefault(name, {})[row] = known
    return found


def types(overrides: dict[str, str], defaults: dict[str, str] | None = None) -> str:
    listed = "".join(
        f'<Default Extension="{key}" ContentType="{kind}"/>' for key, kind in (defaults or DEFAULTS).items()
    )
    listed += "".join(f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in overrides.items())
    return f'{DECLARED}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{listed}</Types>'


class Strings:
    """A table of shared strings. item: how a text stands in it."""

    def __init__(self, item: Callable[[str], str] = lambda text: f"<t>{escape(text)}</t>") -> None:
        self._item = item
        self._places: dict[str, int] = {}

    def __getitem__(self, text: str) -> int:
        return self._places.setdefault(text, len(self._places))

    def part(self, head: str = DECLARED) -> str:
        items = "".join(f"<si>{self._item(text)}</si>" for text in self._places)
        return f'{head}<sst xmlns="{MAIN}" uniqueCount="{len(self._places)}">{items}</sst>'


def rows(sheet: dict[int, dict[int, Value]], cell: Callable[[str, Value, int], str], row: str = '<row r="{}">') -> str:
    """Rows of a sheet. cell: from address, value and row to the XML of a cell."""
    return "".join(
        row.format(number)
        + "".join(cell(f"{column_letters(column)}{number}", value, number) for column, value in cells.items())
        + "</row>"
        for number, cells in sheet.items()
    )


def number(value: float) -> str:
    return repr(value).removesuffix(".0")


# Excel


def _excel_text(text: str) -> str:
    """Every third text with formats inside, every fifth with a phonetic guide."""
    if len(text) % 3 == 0 and len(text) > 1:
        head, tail = escape(text[:1]), escape(text[1:])
        font = '<rPr><b/><sz val="11"/><rFont val="Calibri"/><family val="2"/></rPr>'
        return f'<r><t xml:space="preserve">{head}</t></r><r>{font}<t xml:space="preserve">{tail}</t></r>'
    if len(text) % 5 == 0:
        return f'<t>{escape(text)}</t><rPh sb="0" eb="1"><t>カナ</t></rPh><phoneticPr fontId="1" type="noConversion"/>'
    return f"<t>{escape(text)}</t>"


def by_excel(path: Path, sheets: Sheets, *, epoch_1904: bool = False) -> None:
    """A recent Excel: compatibility namespaces, rich and phonetic texts, formulas of every kind, extensions."""
    ignorable = (
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac xr" '
        'xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" '
        'xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision"'
    )
    strings, chain, parts = Strings(_excel_text), [], {}

    def cell(sheet: int, last: int) -> Callable[[str, Value, int], str]:
        def write(place: str, value: Value, row: int) -> str:
            if isinstance(value, bool) or value == "yes":
                return f'<c r="{place}" s="1" t="b"><v>{int(value in (True, "yes"))}</v></c>'
            if isinstance(value, str):
                return f'<c r="{place}" s="1" t="s"><v>{strings[value]}</v></c>'
            letter, formula, kind = place.rstrip("0123456789"), "", ""
            if row >= 3 and letter in "BCD":
                chain.append(f'<c r="{place}" i="{sheet}"/>')
            if row >= 3 and letter == "B":
                shared = f' ref="B{row}:B{last}"' if row == 3 else ""
                formula = f'<f t="shared"{shared} si="0">{"Z3+1" if shared else ""}</f>'
            elif row >= 3 and letter == "C":
                formula = f'<f t="array" ref="{place}">SUM(Z{row}:Z{row + 1}*2)</f>'
            elif row == 3 and letter == "D":
                formula, kind = f'<f t="array" ref="D3:D{last}">_xlfn.SEQUENCE({last - 2})</f>', ' cm="1"'
            return f'<c r="{place}" s="2"{kind}>{formula}<v>{number(value)}</v></c>'

        return write

    listed, arrows = [], []
    for place, (name, sheet) in enumerate(sheets.items(), start=1):
        last = max(sheet)
        body = rows(sheet, cell(place, last), '<row r="{}" spans="1:12" x14ac:dyDescent="0.25">')
        parts[f"xl/worksheets/sheet{place}.xml"] = (
            f'{DECLARED}\r\n<worksheet xmlns="{MAIN}" xmlns:r="{RELATIONSHIPS}" {ignorable} '
            f'xr:uid="{{00000000-0001-0000-0000-00000000000{place % 10}}}"><sheetPr codeName="Sheet{place}"/>'
            f'<dimension ref="A1:L{last}"/><sheetViews><sheetView tabSelected="{int(place == 1)}" workbookViewId="0"/>'
            f'</sheetViews><sheetFormatPr defaultRowHeight="15" x14ac:dyDescent="0.25"/>'
            f"<sheetData>{body}</sheetData>"
            '<conditionalFormatting sqref="B3:B9"><cfRule type="dataBar" priority="1"><dataBar><cfvo type="min"/>'
            '<cfvo type="max"/><color rgb="FF638EC6"/></dataBar><extLst><ext '
            'uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}" '
            'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main">'
            "<x14:id>{11111111-2222-3333-4444-555555555555}</x14:id></ext></extLst></cfRule></conditionalFormatting>"
            '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>'
        )
        listed.append(f'<sheet name={quoteattr(name)} sheetId="{place + 3}" r:id="rId{place}"/>')
        arrows.append((f"rId{place}", "worksheet", f"worksheets/sheet{place}.xml"))
    count = len(sheets)
    others = ("theme/theme1.xml", "styles.xml", "sharedStrings.xml", "calcChain.xml", "metadata.xml")
    kinds = ("theme", "styles", "sharedStrings", "calcChain", "sheetMetadata")
    arrows += [(f"rId{count + n}", kind, target) for n, (kind, target) in enumerate(zip(kinds, others, strict=True), 1)]
    parts["xl/workbook.xml"] = (
        f'{DECLARED}\r\n<workbook xmlns="{MAIN}" xmlns:r="{RELATIONSHIPS}" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x15 xr xr6" '
        'xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main" '
        'xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" '
        'xmlns:xr6="http://schemas.microsoft.com/office/spreadsheetml/2016/revision6">'
        '<fileVersion appName="xl" lastEdited="7" lowestEdited="7" rupBuild="26730"/>'
        f'<workbookPr date1904="{int(epoch_1904)}" defaultThemeVersion="166925"/>'
        '<mc:AlternateContent><mc:Choice Requires="x15"><x15ac:absPath url="C:\\cars\\" '
        'xmlns:x15ac="http://schemas.microsoft.com/office/spreadsheetml/2010/11/ac"/></mc:Choice></mc:AlternateContent>'
        '<xr:revisionPtr revIDLastSave="0" documentId="13_ncr:1_{0}" xr6:coauthVersionLast="47" '
        'xr6:coauthVersionMax="47" xr10:uidLastSave="{0}" '
        'xmlns:xr10="http://schemas.microsoft.com/office/spreadsheetml/2016/revision10"/>'
        '<bookViews><workbookView xWindow="-120" yWindow="-120" windowWidth="29040" windowHeight="15720"/></bookViews>'
        f'<sheets>{"".join(listed)}</sheets><calcPr calcId="191029"/>'
        '<extLst><ext uri="{140A7094-0E35-4892-8432-C4D2E57EDEB5}"><x15:workbookPr chartTrackingRefBase="1"/></ext>'
        '<ext uri="{B58B0392-4F1F-4190-BB64-5DF3571DCE5F}" '
        'xmlns:xcalcf="http://schemas.microsoft.com/office/spreadsheetml/2018/calcfeatures"><xcalcf:calcFeatures>'
        '<xcalcf:feature name="microsoft.com:RD"/></xcalcf:calcFeatures></ext></extLst></workbook>'
    )
    parts["xl/_rels/workbook.xml.rels"] = relationships(*arrows)
    parts["xl/theme/theme1.xml"] = _theme()
    parts["xl/styles.xml"] = _styles("General", "0.00")
    parts["xl/sharedStrings.xml"] = strings.part()
    parts["xl/calcChain.xml"] = f'{DECLARED}<calcChain xmlns="{MAIN}">{"".join(chain)}</calcChain>'
    parts["xl/metadata.xml"] = (
        f'{DECLARED}<metadata xmlns="{MAIN}" xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray">'
        '<metadataTypes count="1"><metadataType name="XLDAPR" minSupportedVersion="120000" copy="1" pasteAll="1" '
        'pasteValues="1" merge="1" splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" '
        'coerce="1" cellMeta="1"/></metadataTypes><futureMetadata name="XLDAPR" count="1"><bk><extLst>'
        '<ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}"><xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/>'
        '</ext></extLst></bk></futureMetadata><cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>'
    )
    parts["docProps/core.xml"] = _core()
    parts["docProps/app.xml"] = _app("Microsoft Excel", list(sheets))
    top = (
        ("officeDocument", "xl/workbook.xml"),
        (CORE, "docProps/core.xml"),
        ("extended-properties", "docProps/app.xml"),
    )
    parts["_rels/.rels"] = relationships(*((f"rId{n}", kind, target) for n, (kind, target) in enumerate(top, 1)))
    content = {"[Content_Types].xml": types(_usual_types(parts))} | parts
    pack(path, content)


def by_excel_on_a_mac(path: Path, sheets: Sheets) -> None:
    """As `by_excel`, with days counted from 1904."""
    by_excel(path, sheets, epoch_1904=True)


# Google Sheets


def by_google_sheets(path: Path, sheets: Sheets) -> None:
    """An export of Google Sheets: no properties, metadata without an ending, whole numbers as 1.0, many empty rows."""
    namespaces = (
        f'xmlns="{MAIN}" xmlns:r="{RELATIONSHIPS}" xmlns:mx="http://schemas.microsoft.com/office/mac/excel/2008/main" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:mv="urn:schemas-microsoft-com:mac:vml" '
        'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" '
        'xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" '
        'xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"'
    )
    strings, parts, listed, arrows = Strings(), {}, [], []

    def cell(place: str, value: Value, row: int) -> str:
        if isinstance(value, bool) or value in ("yes", "no"):
            return f'<c r="{place}" s="1" t="b"><v>{int(value in (True, "yes"))}</v></c>'
        if isinstance(value, str):
            return f'<c r="{place}" s="1" t="s"><v>{strings[value]}</v></c>'
        formula = f'<f t="shared" ref="{place}:{place}" si="{row}">Z{row}+1</f>' if row % 2 else ""
        return f'<c r="{place}" s="1">{formula}<v>{float(value)!r}</v></c>'

    for place, (name, sheet) in enumerate(sheets.items(), start=1):
        empty = "".join(f'<row r="{row}" ht="15.75" customHeight="1"/>' for row in range(max(sheet) + 1, 1001))
        parts[f"xl/worksheets/sheet{place}.xml"] = (
            f'{DECLARED}<worksheet {namespaces}><sheetPr><outlinePr summaryBelow="0" summaryRight="0"/></sheetPr>'
            '<sheetViews><sheetView workbookViewId="0"/></sheetViews>'
            '<sheetFormatPr customHeight="1" defaultColWidth="12.63" defaultRowHeight="15.0"/>'
            f'<sheetData>{rows(sheet, cell)}{empty}</sheetData><drawing r:id="rId1"/></worksheet>'
        )
        parts[f"xl/worksheets/_rels/sheet{place}.xml.rels"] = relationships(
            ("rId1", "drawing", f"../drawings/drawing{place}.xml")
        )
        parts[f"xl/drawings/drawing{place}.xml"] = (
            f'{DECLARED}<xdr:wsDr xmlns:xdr="{DRAWING}/spreadsheetDrawing" xmlns:a="{DRAWING}/main"/>'
        )
        listed.append(f'<sheet state="visible" name={quoteattr(name)} sheetId="{place}" r:id="rId{place + 3}"/>')
        arrows.append((f"rId{place + 3}", "worksheet", f"worksheets/sheet{place}.xml"))
    metadata = f"rId{len(sheets) + 4}"
    parts["xl/theme/theme1.xml"] = _theme()
    parts["xl/sharedStrings.xml"] = strings.part()
    parts["xl/styles.xml"] = _styles()
    parts["xl/workbook.xml"] = (
        f"{DECLARED}<workbook {namespaces}><workbookPr/><sheets>{''.join(listed)}</sheets><definedNames/><calcPr/>"
        '<extLst><ext uri="GoogleSheetsCustomDataVersion2"><go:sheetsCustomData '
        f'xmlns:go="http://customooxmlschemas.google.com/" r:id="{metadata}" roundtripDataChecksum="AbC="/></ext></extLst>'
        "</workbook>"
    )
    of_google = "http://customschemas.google.com/relationships/workbookmetadata"
    parts["xl/_rels/workbook.xml.rels"] = relationships(
        ("rId1", "theme", "theme/theme1.xml"),
        ("rId2", "styles", "styles.xml"),
        ("rId3", "sharedStrings", "sharedStrings.xml"),
        *arrows,
        (metadata, of_google, "metadata"),
    )
    parts["_rels/.rels"] = relationships(("rId1", "officeDocument", "xl/workbook.xml"))
    parts["xl/metadata"] = "of Google's own"
    overrides = _usual_types(parts) | {"xl/metadata": "application/binary"}
    parts["[Content_Types].xml"] = types(overrides)
    pack(path, parts, sizes_after_the_data=True)


# Numbers


def by_numbers(path: Path, sheets: Sheets) -> None:
    """An export of Numbers: a first sheet without a number in its part's name, a summary, every cell of a table there."""
    strings, parts, listed, arrows = Strings(), {}, [], []

    def cell(place: str, value: Value | None, _row: int) -> str:
        if value is None:
            return f'<c r="{place}" s="2"/>'
        if isinstance(value, bool):
            return f'<c r="{place}" t="b" s="2"><v>{int(value)}</v></c>'
        if isinstance(value, str):
            return f'<c r="{place}" t="s" s="1"><v>{strings[value]}</v></c>'
        return f'<c r="{place}" s="2"><v>{number(value)}</v></c>'

    summary: dict[int, dict[int, Value]] = {
        3: {2: "This document was exported from Numbers. Each table was converted to an Excel worksheet."},
        7: {2: "Numbers Sheet Name", 3: "Numbers Table Name", 4: "Excel Worksheet Name"},
        **{8 + n: {2: name, 3: "Table 1", 4: name} for n, name in enumerate(sheets)},
    }
    for place, (name, sheet) in enumerate({"Export Summary": summary, **sheets}.items(), start=1):
        width = max(max(cells) for cells in sheet.values())
        filled = {
            row: {column: sheet.get(row, {}).get(column) for column in range(1, width + 1)}
            for row in range(1, max(sheet) + 3)
        }
        body = rows(filled, cell, '<row r="{}" ht="20.25" customHeight="1">')
        part = f"worksheets/sheet{'' if place == 1 else place}.xml"
        parts[f"xl/{part}"] = (
            f'{BARE}\n<worksheet xmlns:r="{RELATIONSHIPS}" xmlns="{MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
            '<sheetViews><sheetView workbookViewId="0" showGridLines="0" defaultGridColor="1"/></sheetViews>'
            '<sheetFormatPr defaultColWidth="16.3333" defaultRowHeight="19.9" customHeight="1" outlineLevelRow="0" '
            f'outlineLevelCol="0"/><cols><col min="1" max="{width}" width="16.3516" style="1" customWidth="1"/></cols>'
            f"<sheetData>{body}</sheetData>"
            '<pageMargins left="1" right="1" top="1" bottom="1" header="0.25" footer="0.25"/>'
            '<pageSetup firstPageNumber="1" fitToHeight="1" fitToWidth="1" scale="100" useFirstPageNumber="0" '
            'orientation="portrait" pageOrder="downThenOver"/>'
            '<headerFooter><oddFooter>&amp;C&amp;"Helvetica Neue,Regular"&amp;12&amp;K000000&amp;P</oddFooter></headerFooter>'
            "</worksheet>"
        )
        listed.append(f'<sheet name={quoteattr(name)} sheetId="{place}" r:id="rId{place + 3}"/>')
        arrows.append((f"rId{place + 3}", "worksheet", part))
    parts["xl/workbook.xml"] = (
        f'{BARE}\n<workbook xmlns:r="{RELATIONSHIPS}" xmlns="{MAIN}"><bookViews><workbookView xWindow="0" yWindow="40" '
        f'windowWidth="15960" windowHeight="18080"/></bookViews><sheets>{"".join(listed)}</sheets></workbook>'
    )
    parts["xl/_rels/workbook.xml.rels"] = relationships(
        ("rId1", "sharedStrings", "sharedStrings.xml"),
        ("rId2", "styles", "styles.xml"),
        ("rId3", "theme", "theme/theme1.xml"),
        *arrows,
    )
    parts["xl/sharedStrings.xml"] = strings.part(BARE)
    parts["xl/styles.xml"] = _styles("@", "General")
    parts["xl/theme/theme1.xml"] = _theme()
    parts["docProps/core.xml"] = _core()
    parts["docProps/app.xml"] = _app("Numbers", [])
    top = (
        ("officeDocument", "xl/workbook.xml"),
        (CORE, "docProps/core.xml"),
        ("extended-properties", "docProps/app.xml"),
    )
    parts["_rels/.rels"] = relationships(*((f"rId{n}", kind, target) for n, (kind, target) in enumerate(top, 1)))
    images = {"jpeg": "image/jpg", "png": "image/png", "pdf": "application/pdf"}
    pack(path, {"[Content_Types].xml": types(_usual_types(parts), DEFAULTS | images)} | parts, zipfile.ZIP_STORED)


# libraries


def by_openpyxl(path: Path, sheets: Sheets) -> None:
    """openpyxl: absolute targets, shared strings."""
    _with_openpyxl(openpyxl.Workbook(), path, sheets)


def by_openpyxl_streaming(path: Path, sheets: Sheets) -> None:
    """openpyxl in write-only mode: texts in line."""
    _with_openpyxl(openpyxl.Workbook(write_only=True), path, sheets)


def _with_openpyxl(book: openpyxl.Workbook, path: Path, sheets: Sheets) -> None:
    for page in book.worksheets:
        book.remove(page)
    for name, sheet in sheets.items():
        page = book.create_sheet(name)
        for row in range(1, max(sheet) + 1):
            cells = sheet.get(row, {})
            page.append([cells.get(column) for column in range(1, max(cells, default=0) + 1)])
    book.save(path)


def by_sheetjs(path: Path, sheets: Sheets) -> None:
    """SheetJS: nothing packed, texts as those of formulas, a list of parts in the middle."""

    def cell(place: str, value: Value, _row: int) -> str:
        if isinstance(value, bool):
            return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
        if isinstance(value, str):
            return f'<c r="{place}" t="str"><v>{escape(value)}</v></c>'
        return f'<c r="{place}"><v>{number(value)}</v></c>'

    parts = {"docProps/core.xml": _core(), "docProps/app.xml": _app("SheetJS", list(sheets))}
    arrows, listed = [], []
    for place, (name, sheet) in enumerate(sheets.items(), start=1):
        parts[f"xl/worksheets/sheet{place}.xml"] = (
            f'{DECLARED}\n<worksheet xmlns="{MAIN}" xmlns:r="{RELATIONSHIPS}"><dimension ref="A1"/><sheetViews>'
            f'<sheetView workbookViewId="0"/></sheetViews><sheetData>{rows(sheet, cell)}</sheetData>'
            '<ignoredErrors><ignoredError numberStoredAsText="1" sqref="A1:D18"/></ignoredErrors></worksheet>'
        )
        listed.append(f'<sheet name={quoteattr(name)} sheetId="{place}" r:id="rId{place}"/>')
        arrows.append((f"rId{place}", "worksheet", f"worksheets/sheet{place}.xml"))
    parts["xl/workbook.xml"] = (
        f'{DECLARED}\n<workbook xmlns="{MAIN}" xmlns:r="{RELATIONSHIPS}"><workbookPr codeName="ThisWorkbook"/>'
        f"<sheets>{''.join(listed)}</sheets></workbook>"
    )
    parts["xl/theme/theme1.xml"] = _theme()
    parts["xl/styles.xml"] = _styles()
    parts["[Content_Types].xml"] = types(_usual_types(parts))
    parts["_rels/.rels"] = relationships(
        ("rId2", CORE, "docProps/core.xml"),
        ("rId3", "extended-properties", "docProps/app.xml"),
        ("rId1", "officeDocument", "xl/workbook.xml"),
    )
    count = len(sheets)
    parts["xl/_rels/workbook.xml.rels"] = relationships(
        *arrows, (f"rId{count + 1}", "theme", "theme/theme1.xml"), (f"rId{count + 2}", "styles", "styles.xml")
    )
    pack(path, parts, zipfile.ZIP_STORED)


def by_a_report_generator(path: Path, sheets: Sheets) -> None:
    """A program that writes no more than it must: prefixes, parts under names of its own, no styles, no addresses."""

    def cell(value: Value | None) -> str:
        if value is None:
            return "<x:c/>"
        if isinstance(value, str):
            return f'<x:c t="inlineStr"><x:is><x:t xml:space="preserve">{escape(value)}</x:t></x:is></x:c>'
        if isinstance(value, bool):
            return f'<x:c t="b"><x:v>{int(value)}</x:v></x:c>'
        return f"<x:c><x:v>{number(value)}</x:v></x:c>"

    parts, arrows, listed = {}, [], []
    for place, (name, sheet) in enumerate(sheets.items(), start=1):
        lines = (
            "".join(cell(sheet.get(row, {}).get(column)) for column in range(1, max(sheet.get(row, {}), default=0) + 1))
            for row in range(1, max(sheet) + 1)
        )
        body = "".join(f"<x:row>{line}</x:row>" for line in lines)
        parts[f"pages/{place:08x}.xml"] = (
            f'{BARE}<x:worksheet xmlns:x="{MAIN}"><x:sheetData>{body}</x:sheetData></x:worksheet>'
        )
        listed.append(f'<x:sheet name={quoteattr(name)} sheetId="{place}" rel:id="R{place:04x}"/>')
        arrows.append((f"R{place:04x}", "worksheet", f"/pages/{place:08x}.xml"))
    parts["book.xml"] = (
        f'{BARE}<x:workbook xmlns:x="{MAIN}" xmlns:rel="{RELATIONSHIPS}"><x:sheets>{"".join(listed)}</x:sheets>'
        "</x:workbook>"
    )
    parts["_rels/book.xml.rels"] = relationships(*arrows)
    parts["_rels/.rels"] = relationships(("R1", "officeDocument", "/book.xml"))
    overrides = {part: f"{SHEET_TYPES}.worksheet+xml" for part in parts if part.startswith("pages/")}
    defaults = DEFAULTS | {"xml": f"{SHEET_TYPES}.sheet.main+xml"}
    parts["[Content_Types].xml"] = types(overrides, defaults)
    pack(path, parts, sizes_after_the_data=True, zip64=True)


PROGRAMS = {
    "excel": by_excel,
    "excel-mac": by_excel_on_a_mac,
    "google-sheets": by_google_sheets,
    "numbers": by_numbers,
    "openpyxl": by_openpyxl,
    "openpyxl-streaming": by_openpyxl_streaming,
    "sheetjs": by_sheetjs,
    "report-generator": by_a_report_generator,
}


# parts that are the same everywhere


def _usual_types(parts: dict[str, str]) -> dict[str, str]:
    kinds = {
        "xl/workbook": f"{SHEET_TYPES}.sheet.main+xml",
        "xl/worksheets/sheet": f"{SHEET_TYPES}.worksheet+xml",
        "xl/styles": f"{SHEET_TYPES}.styles+xml",
        "xl/sharedStrings": f"{SHEET_TYPES}.sharedStrings+xml",
        "xl/calcChain": f"{SHEET_TYPES}.calcChain+xml",
        "xl/metadata.": f"{SHEET_TYPES}.sheetMetadata+xml",
        "xl/theme/": "application/vnd.openxmlformats-officedocument.theme+xml",
        "xl/drawings/drawing": "application/vnd.openxmlformats-officedocument.drawing+xml",
        "docProps/core": "application/vnd.openxmlformats-package.core-properties+xml",
        "docProps/app": "application/vnd.openxmlformats-officedocument.extended-properties+xml",
    }
    return {part: kind for part in parts for start, kind in kinds.items() if part.startswith(start)}


def _styles(*formats: str) -> str:
    """Cell style 0 and one for each format, as every program writes them that writes any."""
    codes = "".join(f'<numFmt numFmtId="{164 + n}" formatCode={quoteattr(code)}/>' for n, code in enumerate(formats))
    given = f'<numFmts count="{len(formats)}">{codes}</numFmts>' if formats else ""
    own = "".join(
        f'<xf numFmtId="{164 + n}" fontId="0" fillId="0" borderId="0" xfId="0"/>' for n in range(len(formats))
    )
    plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    own = own or plain
    return (
        f'{DECLARED}<styleSheet xmlns="{MAIN}">{given}<fonts count="1"><font><sz val="10"/><name val="Arial"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="lightGray"/></fill>'
        '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" '
        f'borderId="0"/></cellStyleXfs><cellXfs>{plain}{own}</cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs count="0"/></styleSheet>'
    )


def _core() -> str:
    return f'{DECLARED}<cp:coreProperties xmlns:cp="{CORE.replace("relationships/", "")}"/>'


def _app(program: str, titles: list[str]) -> str:
    listed = ""
    if titles:
        names = "".join(f"<vt:lpstr>{escape(title)}</vt:lpstr>" for title in titles)
        listed = (
            '<HeadingPairs><vt:vector size="2" baseType="variant"><vt:variant><vt:lpstr>Worksheets</vt:lpstr></vt:variant>'
            f"<vt:variant><vt:i4>{len(titles)}</vt:i4></vt:variant></vt:vector></HeadingPairs>"
            f'<TitlesOfParts><vt:vector size="{len(titles)}" baseType="lpstr">{names}</vt:vector></TitlesOfParts>'
        )
    office = "http://schemas.openxmlformats.org/officeDocument/2006"
    return (
        f'{DECLARED}<Properties xmlns="{office}/extended-properties" xmlns:vt="{office}/docPropsVTypes">'
        f"<Application>{program}</Application>{listed}</Properties>"
    )


def _theme() -> str:
    def colour(name: str, value: str) -> str:
        return f'<a:{name}><a:srgbClr val="{value}"/></a:{name}>'

    names = ("dk1", "lt1", "dk2", "lt2", *(f"accent{n}" for n in range(1, 7)), "hlink", "folHlink")
    colours = "".join(colour(name, "FFFFFF" if name == "lt1" else "404040") for name in names)
    font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>' * 3
    line = '<a:ln><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>' * 3
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    return (
        f'{DECLARED}<a:theme xmlns:a="{DRAWING}/main" name="Office"><a:themeElements><a:clrScheme name="Office">{colours}'
        f'</a:clrScheme><a:fontScheme name="Office"><a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont>'
        f'</a:fontScheme><a:fmtScheme name="Office"><a:fillStyleLst>{fill}</a:fillStyleLst><a:lnStyleLst>{line}'
        f"</a:lnStyleLst><a:effectStyleLst>{effect}</a:effectStyleLst><a:bgFillStyleLst>{fill}</a:bgFillStyleLst>"
        "</a:fmtScheme></a:themeElements></a:theme>"
    )


# the archive


class _Pipe(BytesIO):
    """A file that cannot be gone back in: what is packed says its sizes after the data."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise OSError

    def tell(self) -> int:
        raise OSError


def pack(
    path: Path,
    parts: Mapping[str, str | bytes],
    method: int = zipfile.ZIP_DEFLATED,
    *,
    sizes_after_the_data: bool = False,
    zip64: bool = False,
) -> None:
    """Write parts as a package."""
    file = _Pipe() if sizes_after_the_data else BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            with archive.open(entry, "w", force_zip64=zip64) as part:
                part.write(content if isinstance(content, bytes) else content.encode())
    content = file.getvalue()
    path.write_bytes(_with_zip64_end(content) if zip64 else content)


def _with_zip64_end(content: bytes) -> bytes:
    """The archive with the records that one of more than 4 GB ends with, which some programs always write."""
    at = content.rindex(b"PK\x05\x06")
    entries, size, start = struct.unpack("<HII", content[at + 10 : at + 20])
    end = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, size, start)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, at, 1)
    last = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return content[:at] + end + locator + last
