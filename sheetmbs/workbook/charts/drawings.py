"""Drawings on our sheets: which charts are on them, where they end, and their charts renewed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape

from lxml import etree

from sheetmbs.schema.cell import MAX_ROWS
from sheetmbs.workbook.charts.chartxml import ChartXml
from sheetmbs.workbook.charts.moves import moved, shown_columns, shows_several_columns
from sheetmbs.workbook.charts.native_charts import EMU, HEIGHT, WIDTH
from sheetmbs.workbook.charts.panels import PanelColumn
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.package import MAIN, OFFICE_RELATIONSHIPS, Package
from sheetmbs.workbook.package.partxml import sound_xml
from sheetmbs.workbook.package.printing import NOT_XML
from sheetmbs.workbook.package.references import Range
from sheetmbs.workbook.sheets.newsheet import Drawing
from sheetmbs.workbook.sheets.page_contents import Box, Spot
from sheetmbs.workbook.sheets.previous_results import PreviousResults

PLACES = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
SHAPES = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
POINT = 12_700
"""EMU of a point"""
USUAL_HEIGHT = 15.0
MAX_SHEET_HEIGHT = 1e12
"""EMU that a sheet is high, with room to spare"""
ANCHORS = tuple(f"{PLACES}{kind}Anchor" for kind in ("twoCell", "oneCell", "absolute"))
NO_DRAWING = f'<xdr:wsDr xmlns:xdr="{PLACES[1:-1]}" xmlns:a="{SHAPES[1:-1]}">'


@dataclass(frozen=True)
class Placed:
    """A chart on a sheet. key: of the relationship that leads to it. frame: what holds it in the drawing."""

    package: Package
    key: str
    part: str
    frame: etree._Element

    @cached_property
    def chart(self) -> ChartXml:
        """Chart of the frame."""
        return ChartXml(self.package.read(self.part))

    @property
    def name(self) -> str:
        """Name of the chart in the drawing."""
        found = self.frame.find(f"{PLACES}nvGraphicFramePr/{PLACES}cNvPr")
        return "" if found is None else found.get("name", "")

    @property
    def anchor(self) -> etree._Element | None:
        """The anchor of a chart, if it anchors nothing else."""
        parent = self.frame.getparent()
        stands_alone = (
            parent is not None and parent.tag in ANCHORS and parent.getparent() == parent.getroottree().getroot()
        )
        return parent if stands_alone else None

    def remove(self) -> None:
        """Take it out of the drawing."""
        parts.detach(self.frame if self.anchor is None else self.anchor)


def placed_charts(package: Package, drawing: str, root: etree._Element) -> Iterator[Placed]:
    """The charts of a drawing, of the kinds with and without extensions."""
    arrows = package.relationships(drawing)
    for frame in root.iter(f"{PLACES}graphicFrame"):
        for element in frame.iterfind(f"{SHAPES}graphic/{SHAPES}graphicData/*"):
            arrow = arrows.get(element.get(f"{{{OFFICE_RELATIONSHIPS}}}id", ""))
            part = package.find(arrow.target) if arrow and not arrow.external else None
            if arrow and part and arrow.kind.casefold() in ("chart", "chartex"):
                yield Placed(package, arrow.id, part, frame)


def columns_of(chart: ChartXml, before: PreviousResults) -> Iterator[tuple[str, str]]:
    """Sheet and name of every result column that a chart shows."""
    for reference in chart.references():
        yield from shown_columns(reference.text or "", before)


def wide_ranges_of(chart: ChartXml) -> Iterator[tuple[str, Range]]:
    """Sheet and cells of ranges of several columns that a chart shows: they cannot follow names."""
    for reference in chart.references():
        yield from shows_several_columns(reference.text or "")


def charts_on(sheet: str, before: PreviousResults) -> list[Placed]:
    """All charts on one of our sheets."""
    drawing = drawing_of(sheet, before)
    root = sound_xml(before.package.read(drawing)) if drawing else None
    return list(placed_charts(before.package, drawing, root)) if drawing and root is not None else []


def drawing_of(sheet: str, before: PreviousResults) -> str | None:
    """The part that holds what is drawn on one of our sheets."""
    return before.package.related(before.own[sheet].part, "drawing") if sheet in before.own else None


def renewed_drawing(
    sheet: str,
    before: PreviousResults,
    columns: Mapping[str, PanelColumn],
    find: Callable[[ChartXml], Mapping[str, PanelColumn]],
    contents: dict[str, bytes],
) -> Drawing | None:
    """The user's drawing on a result sheet, its charts renewed; None if there is none.

    columns: see `result_columns`. find: gives for a chart what `moved` takes as drawn. contents: see `ChartXml.renew`.
    """
    if not drawing_of(sheet, before):
        return None
    charts = {}
    for each in charts_on(sheet, before):
        if any(columns_of(each.chart, before)):
            move = partial(moved, before=before, columns=columns, drawn=find(each.chart))
            charts[each.key] = each.chart.renew(move, contents)
    return Drawing(charts=charts)


def anchor(shape: int, name: str, title: str, key: str, x: int, y: int) -> str:
    """The XML that places a chart where no font and no width of a column moves it. x, y: EMU."""
    place = f'<xdr:pos x="{x}" y="{y}"/><xdr:ext cx="{WIDTH * EMU}" cy="{HEIGHT * EMU}"/>'
    return f"<xdr:absoluteAnchor>{place}{_frame(shape, name, title, key)}<xdr:clientData/></xdr:absoluteAnchor>"


def cell_anchor(shape: int, name: str, described: str, key: str, box: Box | Spot) -> str:
    """The XML that places a chart over cells, whatever their size, or from a row on."""
    frame = f"{_frame(shape, name, described, key)}<xdr:clientData/>"
    if isinstance(box, Spot):
        place = _corner("from", box.row - 1, 0, box.left * EMU)
        size = f'<xdr:ext cx="{box.width * EMU}" cy="{box.height * EMU}"/>'
        return f"<xdr:oneCellAnchor>{place}{size}{frame}</xdr:oneCellAnchor>"
    top, left, bottom, right = box
    place = _corner("from", top - 1, left - 1) + _corner("to", bottom, right)
    return f"<xdr:twoCellAnchor>{place}{frame}</xdr:twoCellAnchor>"


def picture_anchor(shape: int, name: str, key: str, spot: Spot) -> str:
    """The XML that places a picture from a row on. key: of the relationship that leads to it."""
    size = f'cx="{spot.width * EMU}" cy="{spot.height * EMU}"'
    told = escape(NOT_XML.sub("", name))
    return (
        f"<xdr:oneCellAnchor>{_corner('from', spot.row - 1, 0, spot.left * EMU)}<xdr:ext {size}/>"
        f'<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="{shape}" name="{told}"/><xdr:cNvPicPr/></xdr:nvPicPr>'
        f'<xdr:blipFill><a:blip xmlns:r="{OFFICE_RELATIONSHIPS}" r:embed="{key}"/>'
        "<a:stretch><a:fillRect/></a:stretch></xdr:blipFill>"
        f'<xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {size}/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr>'
        "</xdr:pic><xdr:clientData/></xdr:oneCellAnchor>"
    )


def _corner(end: str, row: int, column: int, beside: int = 0) -> str:
    return (
        f"<xdr:{end}><xdr:col>{column}</xdr:col><xdr:colOff>{beside}</xdr:colOff>"
        f"<xdr:row>{row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:{end}>"
    )


def _frame(shape: int, name: str, described: str, key: str) -> str:
    told = escape(NOT_XML.sub("", described))
    return (
        f'<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="{shape}" name="{name}" descr="{told}"/>'
        "<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>"
        '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>'
        f'<a:graphic><a:graphicData uri="{CHART}"><c:chart xmlns:c="{CHART}" xmlns:r="{OFFICE_RELATIONSHIPS}"'
        f' r:id="{key}"/></a:graphicData></a:graphic></xdr:graphicFrame>'
    )


def new_shape(root: etree._Element) -> int:
    """A number that no shape of a drawing has."""
    return max((index(str(shape.get("id", ""))) for shape in root.iter("{*}cNvPr")), default=1) + 1


def bottom(root: etree._Element, sheet: etree._Element) -> int:
    """The lower edge of a drawing, EMU from the top of its sheet."""
    return max((_end(place, sheet) for place in root.iter(*ANCHORS)), default=0)


def _end(place: etree._Element, sheet: etree._Element) -> int:
    last, first = place.find(f"{PLACES}to"), place.find(f"{PLACES}from")
    if last is not None:
        return _edge(last, sheet)
    size, position = place.find(f"{PLACES}ext"), place.find(f"{PLACES}pos")
    high = _number(size.get("cy")) if size is not None else 0.0
    top = _number(position.get("y")) if position is not None else 0.0
    return round(high + (top if first is None else _edge(first, sheet)))


def _edge(corner: etree._Element, sheet: etree._Element) -> int:
    """The height of a corner that is given by its cell, EMU from the top of the sheet."""
    row = min(index(corner.findtext(f"{PLACES}row", "0")), MAX_ROWS)
    usual = sheet.find(f"{{{MAIN}}}sheetFormatPr")
    height = _number(usual.get("defaultRowHeight")) if usual is not None else USUAL_HEIGHT
    above = [
        0.0 if found.get("hidden") in ("1", "true") else _number(found.get("ht", str(height)))
        for found in sheet.iterfind(f"{{{MAIN}}}sheetData/{{{MAIN}}}row")
        if 0 < index(str(found.get("r", ""))) <= row
    ]
    return round((sum(above) + (row - len(above)) * height) * POINT + _number(corner.findtext(f"{PLACES}rowOff")))


def _number(text: str | None) -> float:
    """A length as it is given; what is none counts as 0."""
    try:
        number = float(text or "0")
    except ValueError:
        return 0.0
    return number if abs(number) < MAX_SHEET_HEIGHT else 0.0
