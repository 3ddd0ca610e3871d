"""Workbooks as people live with them: real ones where they are at hand, and others made to hold what those lack.

What no library writes is added to their packages part by part, as Excel stores it. Each also holds a small model.
"""

from __future__ import annotations

import posixpath
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import openpyxl
import openpyxl.chart
import openpyxl.comments
import openpyxl.workbook.defined_name
import xlsxwriter
from lxml import etree

from sheetmbs.workbook.package.package import CONTENT_TYPES, MAIN, OFFICE_RELATIONSHIPS, PACKAGE_RELATIONSHIPS, Package
from tests.support import books
from tests.support.programs import pack
from tests.support.sample_results import read_parts, write_parts
from tests.support.shared import shared

WILD = sorted(shared("wild").glob("*.xls?"))

MODEL = {
    "Settings": (("setting", "value"), ("t_end", 0.1), ("t_step", 0.01)),
    "Bodies": (("name", "mass [kg]", "inertia", "x [mm]"), ("rod", 2.0, 0.5, 250.0)),
    "Points": (("name", "x", "y"), ("O", 0.0, 0.0)),
    "Joints": (("name", "type", "body_i", "body_j", "point"), ("pin", "revolute", "ground", "rod", "O")),
}
"""A pendulum"""


class Edit:
    """Changes to the parts of a workbook; `save` packs them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.parts = read_parts(path)
        package = Package(path)
        self.workbook = package.workbook
        self.sheets = {sheet.name: sheet.part for sheet in package.sheets}

    def add(self, part: str, content: str | bytes, content_type: str = "") -> None:
        """A new part."""
        self.parts[part] = content.encode() if isinstance(content, str) else content
        if content_type:
            added = f'<Override xmlns="{CONTENT_TYPES}" PartName="/{part}" ContentType="{content_type}"/>'
            self._append("[Content_Types].xml", added)

    def default(self, ending: str, content_type: str) -> None:
        """The type of parts with an ending."""
        declared = f'Extension="{ending}"'.encode()
        if declared not in self.parts["[Content_Types].xml"]:
            added = f'<Default xmlns="{CONTENT_TYPES}" Extension="{ending}" ContentType="{content_type}"/>'
            root = etree.fromstring(self.parts["[Content_Types].xml"])
            root.insert(0, etree.fromstring(added))
            self.parts["[Content_Types].xml"] = serialised(root)

    def relate(self, source: str, kind: str, target: str, *, external: bool = False) -> str:
        """A relationship from a part to another one, or to what is outside. Returns its id."""
        folder, base = posixpath.split(source)
        part = posixpath.join(folder, "_rels", f"{base}.rels")
        if part not in self.parts:
            self.parts[part] = f'<Relationships xmlns="{PACKAGE_RELATIONSHIPS}"/>'.encode()
        key = f"of{len(etree.fromstring(self.parts[part])) + 1}"
        uri = kind if "/" in kind else f"{OFFICE_RELATIONSHIPS}/{kind}"
        where = f'Target="{target}" TargetMode="External"' if external else f'Target="/{target}"'
        self._append(part, f'<Relationship xmlns="{PACKAGE_RELATIONSHIPS}" Id="{key}" Type="{uri}" {where}/>')
        return key

    def insert(self, part: str, before: str, xml: str) -> None:
        """XML in front of the first element of one of these names (of the main namespace), or else at the end."""
        root = etree.fromstring(self.parts[part])
        spaces = f'xmlns="{MAIN}" xmlns:r="{OFFICE_RELATIONSHIPS}"'
        added = list(etree.fromstring(f"<added {spaces}>{xml}</added>"))
        found = [child for child in root if child.tag in {f"{{{MAIN}}}{name}" for name in before.split()}]
        place = root.index(found[0]) if found else len(root)
        for element in reversed(added):
            root.insert(place, element)
        self.parts[part] = serialised(root)

    def save(self) -> None:
        write_parts(self._path, self.parts)

    def _append(self, part: str, xml: str) -> None:
        root = etree.fromstring(self.parts[part])
        root.append(etree.fromstring(xml))
        self.parts[part] = serialised(root)


def serialised(root: etree._Element) -> bytes:
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def add_model(path: Path) -> None:
    """Put the sheets of a small model behind those of a workbook, and change nothing else in it."""
    edit = Edit(path)
    ids = [int(sheet.get("sheetId")) for sheet in etree.fromstring(edit.parts[edit.workbook]).iter(f"{{{MAIN}}}sheet")]
    for number, (name, lines) in enumerate(MODEL.items(), start=1):
        cells = (
            "".join(
                f"<c><v>{value}</v></c>"
                if isinstance(value, float)
                else f'<c t="inlineStr"><is><t>{value}</t></is></c>'
                for value in line
            )
            for line in lines
        )
        part = posixpath.join(posixpath.dirname(edit.workbook), f"worksheets/model{number}.xml")
        edit.add(part, books.sheet("".join(f"<row>{line}</row>" for line in cells)), f"{SPREADSHEET}.worksheet+xml")
        key = edit.relate(edit.workbook, "worksheet", part)
        root = etree.fromstring(edit.parts[edit.workbook])
        listed = etree.SubElement(root.find(f"{{{MAIN}}}sheets"), f"{{{MAIN}}}sheet", name=name)
        listed.set("sheetId", str(max(ids) + number))
        listed.set(f"{{{OFFICE_RELATIONSHIPS}}}id", key)
        edit.parts[edit.workbook] = serialised(root)
    edit.save()


SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
EXCEL_2010 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
EXCEL_2013 = "http://schemas.microsoft.com/office/spreadsheetml/2010/11/main"
COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"
DRAWINGS = "http://schemas.openxmlformats.org/drawingml/2006"


def picture() -> BytesIO:
    """A PNG of 2 x 2 grey pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\x00\x40\x80\x00\x80\x40")
    return BytesIO(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def feature_book(path: Path) -> None:
    """Nearly everything that XlsxWriter can put into a workbook."""
    book = xlsxwriter.Workbook(path)
    if path.suffix == ".xlsm":
        book.add_vba_project(BytesIO(b"a macro project is not looked into"), is_stream=True)
    model, data, notes = (book.add_worksheet(name) for name in ("Model", "My data", "Notes & 'quotes' too"))
    model.write_row("A1", ["name", "mass"])
    model.write_row("A2", ["crank", 1.5])
    model.write_formula("C2", "=B2*2", None, 3.0)
    model.write_formula("C3", '=A2&"!"', None, "crank!")
    model.data_validation("D2", {"validate": "list", "source": "='My data'!$A$1:$A$3"})
    model.conditional_format("B2:B9", {"type": "data_bar", "data_bar_2010": True})
    model.conditional_format(
        "B2:B9", {"type": "cell", "criteria": ">", "value": 1, "format": book.add_format({"bold": 1})}
    )
    model.insert_image("F2", "dot.png", {"image_data": picture()})
    model.insert_textbox("F8", "A text box")
    model.write_comment("A2", "A comment")
    model.write_url("A5", "https://example.org/", string="a link")
    model.write_url("A6", "internal:'My data'!A1", string="an inner link")
    if path.suffix == ".xlsm":
        model.insert_button("F14", {"caption": "Run"})
    data.write_column("A1", [3, 1, 2])
    data.add_sparkline("C1", {"range": "'My data'!A1:A3"})
    chart = book.add_chart({"type": "line"})
    chart.add_series({"values": "='My data'!$A$1:$A$3"})
    data.insert_chart("E2", chart)
    data.add_table("A10:B12", {"columns": [{"header": "one"}, {"header": "two"}]})
    data.freeze_panes(1, 0)
    notes.print_area("A1:C9")
    notes.autofilter("A1:B3")
    notes.protect("secret")
    notes.set_header("&L&G", {"image_left": "dot.png", "image_data_left": picture()})
    book.define_name("whole", "='My data'!$A$1:$A$3")
    book.define_name("'My data'!local", "='My data'!$A$2")
    sheet = book.add_chartsheet("A chart sheet")
    other = book.add_chart({"type": "scatter"})
    other.add_series({"categories": "='My data'!$A$1:$A$3", "values": "='My data'!$A$1:$A$3"})
    sheet.set_chart(other)
    data.activate()
    book.set_custom_property("checked by", "the user")
    book.close()


def openpyxl_book(path: Path) -> None:
    """A workbook as openpyxl writes it: relationships with absolute targets, no list of sheets in its properties."""
    book = openpyxl.Workbook()
    model = book.active
    model.title = "Model"
    model.append(["name", "mass"])
    model.append(["crank", 1.5])
    model["A2"].comment = openpyxl.comments.Comment("A comment", "A user")
    other = book.create_sheet("Other")
    other.append([1, 2])
    other.print_area = "A1:B2"
    chart = openpyxl.chart.BarChart()
    chart.add_data(openpyxl.chart.Reference(other, min_col=1, min_row=1, max_col=2))
    other.add_chart(chart, "D2")
    other.defined_names["local"] = openpyxl.workbook.defined_name.DefinedName("local", attr_text="Other!$A$1")
    book.active = 1
    book.save(path)


def stream(path: Path) -> None:
    """Pack it as programs do that write to a pipe: sizes stand after the data."""
    pack(path, read_parts(path), sizes_after_the_data=True)
    with zipfile.ZipFile(path) as archive:
        assert all(entry.flag_bits & 8 for entry in archive.infolist())


def plain_book(path: Path) -> None:
    """A page of numbers and one that is empty."""
    with xlsxwriter.Workbook(path) as book:
        page, _other = book.add_worksheet("My data"), book.add_worksheet("Another page")
        page.write_row("A1", ["what", "weight", "length"])
        for row, name in enumerate(("chassis", "arm", "wheel"), start=1):
            page.write_row(row, 0, [name, 10 / row, 0.5 * row])


def anchored(what: str, row: int) -> str:
    """A drawing with something at a row."""
    return (
        f'<xdr:wsDr xmlns:xdr="{DRAWINGS}/spreadsheetDrawing" xmlns:a="{DRAWINGS}/main" xmlns:r="{OFFICE_RELATIONSHIPS}">'
        f"<xdr:twoCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{row}</xdr:row><xdr:rowOff>0"
        f"</xdr:rowOff></xdr:from><xdr:to><xdr:col>7</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{row + 6}</xdr:row>"
        f"<xdr:rowOff>0</xdr:rowOff></xdr:to>{what}<xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>"
    )


def slicer_book(path: Path) -> None:
    """A table with a slicer, which Excel 2013 and later keep in extensions of the workbook, the sheet and a drawing."""
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("My data")
        page.add_table(
            "A1:B4", {"data": [["arm", 1], ["rod", 2], ["arm", 3]], "columns": [{"header": "what"}, {"header": "n"}]}
        )
        page.insert_textbox("E12", "of the user")
    edit = Edit(path)
    page, drawing = edit.sheets["My data"], "xl/drawings/drawing1.xml"
    cache = (
        f'<slicerCacheDefinition xmlns="{EXCEL_2010}" name="Slicer_what" sourceName="what"><extLst xmlns="{MAIN}">'
        f'<ext uri="{{2F2917AC-EB37-4324-AD4E-5DD8C200BD13}}" xmlns:x15="{EXCEL_2013}">'
        '<x15:tableSlicerCache tableId="1" column="1"/></ext></extLst></slicerCacheDefinition>'
    )
    edit.add("xl/slicerCaches/slicerCache1.xml", cache, "application/vnd.ms-excel.slicerCache+xml")
    slicer = '<slicer name="what" cache="Slicer_what" caption="what" rowHeight="241300"/>'
    slicers = f'<slicers xmlns="{EXCEL_2010}">{slicer}</slicers>'
    edit.add("xl/slicers/slicer1.xml", slicers, "application/vnd.ms-excel.slicer+xml")
    of_2007 = "http://schemas.microsoft.com/office/2007/relationships"
    to_cache = edit.relate(edit.workbook, f"{of_2007}/slicerCache", "xl/slicerCaches/slicerCache1.xml")
    to_slicer = edit.relate(page, f"{of_2007}/slicer", "xl/slicers/slicer1.xml")
    edit.insert(
        edit.workbook, "calcPr", '<definedNames><definedName name="Slicer_what">#N/A</definedName></definedNames>'
    )
    edit.insert(
        edit.workbook,
        "extLst",
        f'<extLst><ext uri="{{46BE6895-7355-4a93-B00E-2C351335B9C9}}" xmlns:x15="{EXCEL_2013}"><x15:slicerCaches '
        f'xmlns:x14="{EXCEL_2010}"><x14:slicerCache r:id="{to_cache}"/></x15:slicerCaches></ext></extLst>',
    )
    edit.insert(
        page,
        "extLst",
        f'<extLst><ext uri="{{3A4CF648-6AED-40f4-86FF-DC5316D8AED3}}" xmlns:x15="{EXCEL_2013}">'
        f'<x14:slicerList xmlns:x14="{EXCEL_2010}"><x14:slicer r:id="{to_slicer}"/></x14:slicerList></ext></extLst>',
    )
    edit.add(drawing, anchored(_choice("sle15", _SLICER_SHAPE, _FALLBACK_SHAPE), 1))
    edit.save()


_SLICER_SHAPE = (
    '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="what"/><xdr:cNvGraphicFramePr/>'
    '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData '
    'uri="http://schemas.microsoft.com/office/drawing/2010/slicer">'
    '<sle:slicer xmlns:sle="http://schemas.microsoft.com/office/drawing/2010/slicer" name="what"/></a:graphicData>'
    "</a:graphic></xdr:graphicFrame>"
)
_FALLBACK_SHAPE = (
    '<xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="0" name=""/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr><a:xfrm>'
    '<a:off x="2400000" y="200000"/><a:ext cx="1800000" cy="1100000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
    '</a:prstGeom><a:solidFill><a:srgbClr val="CCDDEE"/></a:solidFill></xdr:spPr><xdr:txBody><a:bodyPr/><a:lstStyle/>'
    "<a:p><a:r><a:t>a shape that needs a later Excel</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
)


def _choice(requires: str, chosen: str, fallback: str) -> str:
    space = "http://schemas.microsoft.com/office/drawing/2012/slicer"
    return (
        f'<mc:AlternateContent xmlns:mc="{COMPATIBILITY}"><mc:Choice xmlns:{requires}="{space}" Requires="{requires}">'
        f"{chosen}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


def pivot_book(path: Path) -> None:
    """A pivot table with its cache and records."""
    plain_book(path)
    edit = Edit(path)
    page, folder = edit.sheets["Another page"], "xl/pivotCache"
    names = "".join(f'<s v="{name}"/>' for name in ("chassis", "arm", "wheel"))
    fields = f'<cacheField name="what"><sharedItems count="3">{names}</sharedItems></cacheField>'
    fields += '<cacheField name="weight"><sharedItems containsString="0" containsNumber="1"/></cacheField>'
    records = "".join(f'<r><x v="{n}"/><n v="{10 / (n + 1)}"/></r>' for n in range(3))
    edit.add(
        f"{folder}/pivotCacheRecords1.xml",
        f'<pivotCacheRecords xmlns="{MAIN}" count="3">{records}</pivotCacheRecords>',
        f"{SPREADSHEET}.pivotCacheRecords+xml",
    )
    key = edit.relate(f"{folder}/pivotCacheDefinition1.xml", "pivotCacheRecords", f"{folder}/pivotCacheRecords1.xml")
    edit.add(
        f"{folder}/pivotCacheDefinition1.xml",
        f'<pivotCacheDefinition xmlns="{MAIN}" xmlns:r="{OFFICE_RELATIONSHIPS}" r:id="{key}" recordCount="3"><cacheSource '
        f'type="worksheet"><worksheetSource ref="A1:B4" sheet="My data"/></cacheSource><cacheFields count="2">{fields}'
        "</cacheFields></pivotCacheDefinition>",
        f"{SPREADSHEET}.pivotCacheDefinition+xml",
    )
    items = "".join(f'<item x="{n}"/>' for n in range(3)) + '<item t="default"/>'
    edit.add(
        "xl/pivotTables/pivotTable1.xml",
        f'<pivotTableDefinition xmlns="{MAIN}" name="weights" cacheId="7" dataCaption="Values"><location ref="A3:B7" '
        'firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/><pivotFields count="2"><pivotField axis="axisRow" showAll="0">'
        f'<items count="4">{items}</items></pivotField><pivotField dataField="1" showAll="0"/></pivotFields><rowFields '
        'count="1"><field x="0"/></rowFields><dataFields count="1"><dataField name="Sum of weight" fld="1"/></dataFields>'
        "</pivotTableDefinition>",
        f"{SPREADSHEET}.pivotTable+xml",
    )
    cache = edit.relate(edit.workbook, "pivotCacheDefinition", f"{folder}/pivotCacheDefinition1.xml")
    edit.relate(page, "pivotTable", "xl/pivotTables/pivotTable1.xml")
    edit.relate("xl/pivotTables/pivotTable1.xml", "pivotCacheDefinition", f"{folder}/pivotCacheDefinition1.xml")
    edit.insert(edit.workbook, "extLst", f'<pivotCaches><pivotCache cacheId="7" r:id="{cache}"/></pivotCaches>')
    edit.save()


def comments_book(path: Path) -> None:
    """Comments in threads, beside the notes that earlier programs see of them."""
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("My data")
        page.write("A1", "see the comment")
        page.write_comment("A1", "[Threaded comment] is that the mass with the driver?")
    edit = Edit(path)
    space = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
    person, first, answer = (f"{{{digit * 8}-1111-2222-3333-444444444444}}" for digit in "ABC")
    edit.add(
        "xl/persons/person.xml",
        f'<personList xmlns="{space}"><person displayName="A user" id="{person}" userId="1" providerId="None"/></personList>',
        "application/vnd.ms-excel.person+xml",
    )
    edit.add(
        "xl/threadedComments/threadedComment1.xml",
        f'<ThreadedComments xmlns="{space}"><threadedComment ref="A1" dT="2024-05-01T12:00:00.00" personId="{person}" '
        f'id="{first}"><text>is that the mass with the driver?</text></threadedComment><threadedComment ref="A1" '
        f'dT="2024-05-01T13:00:00.00" personId="{person}" id="{answer}" parentId="{first}"><text>yes</text>'
        "</threadedComment></ThreadedComments>",
        "application/vnd.ms-excel.threadedcomments+xml",
    )
    of_2017 = "http://schemas.microsoft.com/office/2017/10/relationships"
    edit.relate(edit.workbook, f"{of_2017}/person", "xl/persons/person.xml")
    edit.relate(edit.sheets["My data"], f"{of_2017}/threadedComment", "xl/threadedComments/threadedComment1.xml")
    edit.save()


def controls_book(path: Path) -> None:
    """A button and a check box among the form controls, and check boxes in cells."""
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("My data")
        page.insert_button("D2", {"caption": "Go"})
        page.insert_checkbox("A1", boolean=True)
        page.insert_checkbox("A2", boolean=False)
    edit = Edit(path)
    page = edit.sheets["My data"]
    edit.add(
        "xl/ctrlProps/ctrlProp1.xml",
        f'<formControlPr xmlns="{EXCEL_2010}" objectType="Button" lockText="1"/>',
        "application/vnd.ms-excel.controlproperties+xml",
    )
    key = edit.relate(page, "ctrlProp", "xl/ctrlProps/ctrlProp1.xml")
    control = f'<control shapeId="1025" r:id="{key}" name="Button 1"><controlPr print="0" autoFill="0"/></control>'
    choice = f'<mc:AlternateContent xmlns:mc="{COMPATIBILITY}"><mc:Choice xmlns:x14="{EXCEL_2010}" Requires="x14">'
    edit.insert(page, "tableParts extLst", f"{choice}<controls>{control}</controls></mc:Choice></mc:AlternateContent>")
    edit.save()


def smart_art_book(path: Path) -> None:
    """A diagram with its data, layout, style, colours and the drawing of it that Excel keeps at hand."""
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("My data").insert_textbox("A20", "of the user")
    edit = Edit(path)
    drawing, diagram = "xl/drawings/drawing1.xml", f"{DRAWINGS}/diagram"
    roots = {"Data": "dataModel", "Layout": "layoutDef", "QuickStyle": "styleDef", "Colors": "colorsDef"}
    keys = {}
    for kind, root in roots.items():
        part = f"xl/diagrams/{kind}1.xml"
        inner = "<dgm:ptLst/>" if kind == "Data" else ""
        content_type = f"application/vnd.openxmlformats-officedocument.drawingml.diagram{kind}+xml"
        edit.add(part, f'<dgm:{root} xmlns:dgm="{diagram}">{inner}</dgm:{root}>', content_type)
        keys[kind] = edit.relate(drawing, f"diagram{kind}", part)
    shown = "http://schemas.microsoft.com/office/drawing/2008/diagram"
    edit.add(
        "xl/diagrams/drawing1.xml",
        f'<dsp:drawing xmlns:dsp="{shown}"/>',
        "application/vnd.ms-office.drawingml.diagramDrawing+xml",
    )
    edit.relate(
        drawing, "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing", "xl/diagrams/drawing1.xml"
    )
    frame = (
        '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Diagram 1"/><xdr:cNvGraphicFramePr/>'
        '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData '
        f'uri="{diagram}"><dgm:relIds xmlns:dgm="{diagram}" r:dm="{keys["Data"]}" r:lo="{keys["Layout"]}" '
        f'r:qs="{keys["QuickStyle"]}" r:cs="{keys["Colors"]}"/></a:graphicData></a:graphic></xdr:graphicFrame>'
    )
    edit.add(drawing, anchored(frame, 1))
    edit.save()


def dynamic_book(path: Path) -> None:
    """Formulas that spill over, which Excel 365 marks by metadata."""
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("My data")
        page.write_dynamic_array_formula("A1:A3", "=SEQUENCE(3)", None, 1)
        page.write_column("A2", [2, 3])
        page.write_formula("B1", '=LET(x,A1,x+1)&""', None, "2")
        page.write_array_formula("C1:C3", "{=A1:A3*2}", None, 2)


def linked_book(path: Path) -> None:
    """Links to another workbook, in a formula and a name, and a query of a database."""
    plain_book(path)
    edit = Edit(path)
    link = "xl/externalLinks/externalLink1.xml"
    key = edit.relate(link, "externalLinkPath", "file:///C:/cars/other%20book.xlsx", external=True)
    cells = '<sheetData sheetId="0"><row r="1"><cell r="A1"><v>42</v></cell></row></sheetData>'
    edit.add(
        link,
        f'<externalLink xmlns="{MAIN}"><externalBook xmlns:r="{OFFICE_RELATIONSHIPS}" r:id="{key}"><sheetNames>'
        f'<sheetName val="Data"/></sheetNames><sheetDataSet>{cells}</sheetDataSet></externalBook></externalLink>',
        f"{SPREADSHEET}.externalLink+xml",
    )
    to_link = edit.relate(edit.workbook, "externalLink", link)
    edit.insert(
        edit.workbook,
        "definedNames calcPr",
        f'<externalReferences><externalReference r:id="{to_link}"/></externalReferences>'
        "<definedNames><definedName name=\"elsewhere\">'[1]Data'!$A$1</definedName></definedNames>",
    )
    edit.add(
        "xl/connections.xml",
        f'<connections xmlns="{MAIN}"><connection id="1" name="cars" type="5" refreshedVersion="8"><dbPr '
        'connection="Provider=None" command="parts"/></connection></connections>',
        f"{SPREADSHEET}.connections+xml",
    )
    edit.relate(edit.workbook, "connections", "xl/connections.xml")
    page, row = edit.sheets["My data"], b'<row r="9"><c r="A9"><f>[1]Data!A1*2</f><v>84</v></c></row>'
    edit.parts[page] = edit.parts[page].replace(b"</sheetData>", row + b"</sheetData>")
    edit.save()


def printed_book(path: Path) -> None:
    """Everything that decides how pages are printed, a printer's own settings and views of several people."""
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("My data")
        page.set_landscape()
        page.set_paper(9)
        page.repeat_rows(0, 1)
        page.repeat_columns("A:A")
        page.print_area("A1:L80")
        page.set_h_pagebreaks([20, 45])
        page.set_v_pagebreaks([6])
        page.set_header("&L&A&C&F&R&D", {"margin": 0.4})
        page.set_footer("&Csheet &A")
        page.set_print_scale(80)
        page.print_row_col_headers()
        page.hide_gridlines(0)
        for row in range(80):
            page.write_row(row, 0, [row * column for column in range(12)])
    edit = Edit(path)
    page = edit.sheets["My data"]
    edit.default("bin", f"{SPREADSHEET}.printerSettings")
    edit.add("xl/printerSettings/printerSettings1.bin", bytes(range(256)))
    edit.relate(page, "printerSettings", "xl/printerSettings/printerSettings1.bin")
    view = 'guid="{AAAAAAAA-1111-2222-3333-444444444444}"'
    edit.insert(
        edit.workbook,
        "pivotCaches extLst",
        f'<customWorkbookViews><customWorkbookView name="of a user" {view} windowWidth="900" windowHeight="600" '
        'activeSheetId="1"/></customWorkbookViews>',
    )
    edit.insert(
        page, "mergeCells printOptions pageMargins", f"<customSheetViews><customSheetView {view}/></customSheetViews>"
    )
    edit.save()


def signed_macros_book(path: Path) -> None:
    """A macro project with the three signatures that Excel gives it, which cover the project and nothing else."""
    feature_book(path)
    edit = Edit(path)
    project = "xl/vbaProject.bin"
    for name, kind in (
        ("Signature", "2006/relationships/vbaProjectSignature"),
        ("SignatureAgile", "2014/relationships/vbaProjectSignatureAgile"),
        ("SignatureV3", "2020/07/relationships/vbaProjectSignatureV3"),
    ):
        part = f"xl/vbaProject{name}.bin"
        edit.add(part, f"signed {name}".encode(), f"application/vnd.ms-office.vbaProject{name}")
        edit.relate(project, f"http://schemas.microsoft.com/office/{kind}", part)
    edit.save()


def labelled_book(path: Path) -> None:
    """What a company adds: a sensitivity label, a ribbon of its own, an add-in, custom XML; and a data model."""
    plain_book(path)
    edit = Edit(path)
    label = "http://schemas.microsoft.com/office/2020/02/relationships/classificationlabels"
    edit.add(
        "docMetadata/LabelInfo.xml",
        '<clbl:labelList xmlns:clbl="http://schemas.microsoft.com/office/2020/mipLabelMetadata"/>',
        "application/vnd.ms-office.classificationlabels+xml",
    )
    edit.relate("", label, "docMetadata/LabelInfo.xml")
    edit.add("customUI/customUI14.xml", '<customUI xmlns="http://schemas.microsoft.com/office/2009/07/customui"/>')
    edit.relate(
        "", "http://schemas.microsoft.com/office/2007/relationships/ui/extensibility", "customUI/customUI14.xml"
    )
    panes = "http://schemas.microsoft.com/office/webextensions/taskpanes/2010/11"
    edit.add(
        "xl/webextensions/taskpanes.xml",
        f'<wetp:taskpanes xmlns:wetp="{panes}"/>',
        "application/vnd.ms-office.webextensiontaskpanes+xml",
    )
    edit.relate(
        "",
        "http://schemas.microsoft.com/office/2011/relationships/webextensiontaskpanes",
        "xl/webextensions/taskpanes.xml",
    )
    edit.default("data", "application/vnd.openxmlformats-officedocument.model+data")
    edit.add("xl/model/item.data", bytes(reversed(range(256))) * 20)
    edit.relate(
        edit.workbook, "http://schemas.microsoft.com/office/2011/relationships/powerPivotData", "xl/model/item.data"
    )
    edit.add("customXml/item1.xml", "<of-the-user xmlns='urn:user'>&#228;</of-the-user>")
    edit.relate(edit.workbook, "customXml", "customXml/item1.xml")
    edit.save()


MADE: dict[str, Callable[[Path], None]] = {
    "features.xlsx": feature_book,
    "macros.xlsm": feature_book,
    "signed-macros.xlsm": signed_macros_book,
    "openpyxl.xlsx": openpyxl_book,
    "streamed.xlsx": feature_book,
    "slicers.xlsx": slicer_book,
    "pivot-made.xlsx": pivot_book,
    "comments.xlsx": comments_book,
    "controls.xlsx": controls_book,
    "smart-art.xlsx": smart_art_book,
    "dynamic.xlsx": dynamic_book,
    "linked.xlsx": linked_book,
    "printed.xlsx": printed_book,
    "labelled.xlsx": labelled_book,
}
BOOKS = [*MADE, *(path.name for path in WILD)]


def make(name: str, folder: Path) -> Path:
    """One of the workbooks with a small model in it, as sheetmbs has never seen it."""
    path = folder / name
    if name in MADE:
        MADE[name](path)
    else:
        [wild] = [wild for wild in WILD if wild.name == name]
        shutil.copyfile(wild, path)
    add_model(path)
    if name == "streamed.xlsx":
        stream(path)
    return path
