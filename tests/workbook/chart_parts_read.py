"""What a chart of the workbook shows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
from lxml import etree

from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from tests.support.excel import chart_parts, drawing_part, edit
from tests.support.sample_results import read_parts, write_parts

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
TITLES = ["Path of rod", "Angles", "Reactions in pin", "Moment of motor", "Springs"]
SHAPE = (
    "<xdr:twoCellAnchor><xdr:from><xdr:col>30</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>60</xdr:row><xdr:rowOff>0"
    "</xdr:rowOff></xdr:from><xdr:to><xdr:col>34</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>64</xdr:row><xdr:rowOff>0"
    '</xdr:rowOff></xdr:to><xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="77" name="TextBox 1"/><xdr:cNvSpPr/>'
    "</xdr:nvSpPr><xdr:spPr/><xdr:txBody><a:bodyPr/><a:p><a:r><a:t>Look here</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    "<xdr:clientData/></xdr:twoCellAnchor>"
)
TREND = '<c:trendline><c:trendlineType val="linear"/><c:dispRSqr val="0"/><c:dispEq val="0"/></c:trendline>'


def longer(results: ResultSheets, by: float = 2.0) -> ResultSheets:
    """The same with a later end."""
    return replace(
        results,
        tables=tuple(
            replace(t, values=np.column_stack([t.values[:, 0] * by, t.values[:, 1:]])) for t in results.tables
        ),
    )


def with_column(results: ResultSheets, sheet: str, name: str, place: int, unit: str = "deg") -> ResultSheets:
    """The same with a column of ones inserted."""
    tables = []
    for t in results.tables:
        if t.name == sheet:
            names, units = list(t.columns), list(t.units)
            names.insert(place, name)
            units.insert(place, unit)
            t = Table(t.name, tuple(names), tuple(units), np.insert(t.values, place, 1.0, axis=1))  # noqa: PLW2901
        tables.append(t)
    return replace(results, tables=tuple(tables))


def without(results: ResultSheets, *names: str) -> ResultSheets:
    """The same without some columns, and their charts without them."""
    tables = []
    for t in results.tables:
        kept = [place for place, name in enumerate(t.columns) if name not in names]
        columns, units = ([each[place] for place in kept] for each in (t.columns, t.units))
        if len(columns) > 1:
            tables.append(Table(t.name, tuple(columns), tuple(units), t.values[:, kept]))
    asked = [replace(chart, y=tuple(y for y in chart.y if y not in names)) for chart in results.charts]
    return replace(results, tables=tuple(tables), charts=tuple(c for c in asked if c.y and c.x not in names))


def chart(path: Path, name: str, sheet: str = "mbs Charts") -> etree._Element:
    return etree.fromstring(read_parts(path)[chart_parts(path, sheet)[name]])


def title(found: etree._Element) -> str:
    return "".join(found.find(f"{C}chart/{C}title").itertext(f"{A}t"))


def titles(path: Path) -> list[str]:
    return [title(chart(path, name)) for name in chart_parts(path)]


def lines(found: etree._Element) -> list[str]:
    """Names of the lines as the chart holds them."""
    return [line.findtext(f"{C}tx//{C}v") for line in found.iter(f"{C}ser")]


def ends(found: etree._Element) -> list[tuple[str | None, str | None]]:
    """Limits of the axes."""
    scales = [axis.find(f"{C}scaling") for axis in found.iter(f"{C}valAx")]
    return [
        tuple(None if s.find(f"{C}{end}") is None else s.find(f"{C}{end}").get("val") for end in ("min", "max"))
        for s in scales
    ]


def assert_shows(path: Path, found: etree._Element, results: ResultSheets) -> None:
    """Every line refers to the cells of the column it names, all rows of them, and holds the same numbers."""
    values = {name: t.values[:, place] for t in results.tables for place, name in enumerate(t.columns)}
    loaded = openpyxl.load_workbook(path)
    count = 0
    for line in found.iter(f"{C}ser"):
        name = line.findtext(f"{C}tx//{C}v")
        for part in ("xVal", "yVal"):
            reference = line.find(f"{C}{part}/{C}numRef")
            sheet, _, cells = reference.findtext(f"{C}f").rpartition("!")
            column = [cell.value for [cell] in loaded[sheet.strip("'")][cells.replace("$", "")]]
            head = loaded[sheet.strip("'")][f"{cells.split('$')[1]}1"].value
            assert head == name or part == "xVal"
            assert column == values[head].tolist()
            held = [float(point.findtext(f"{C}v")) for point in reference.iter(f"{C}pt")]
            np.testing.assert_allclose(held, values[head], rtol=1e-8)
            count += 1
    assert count


def restyle(book: Path) -> str:
    """Change what can be changed in `Reactions in pin`, and return its part."""
    part = chart_parts(book)["mbs chart 3"]
    edit(book, part, ("Reactions in pin", "Forces"), ("0072B2", "FF00AA"), ("0.05", "0.02"), ('"22225"', '"50800"'))
    edit(book, part, ('<c:max val="0.4"/>', '<c:max val="0.25"/>'), ("<c:xVal>", f"{TREND}<c:xVal>"), count=1)
    edit(book, part, ('<c:legendPos val="b"/>', '<c:legendPos val="t"/>'), ('sz="1200"', 'sz="2000"'))
    text = read_parts(book)[part].decode()
    second = re.findall(r"<c:ser>.*?</c:ser>", text, re.DOTALL)[1]
    edit(book, part, (second, ""))
    return part


def delete(book: Path, *names: str) -> None:
    """Delete charts as Excel does."""
    parts, gone = read_parts(book), chart_parts(book)
    drawing = drawing_part(book)
    root = etree.fromstring(parts[drawing])
    for anchor in list(root):
        if anchor.find(".//{*}cNvPr").get("name") in names:
            root.remove(anchor)
    parts[drawing] = etree.tostring(root)
    for name in names:
        del parts[gone[name]]
    rels = drawing.replace("drawings/", "drawings/_rels/") + ".rels"
    for name in names:
        parts[rels] = re.sub(rf"<Relationship [^>]*{gone[name].rpartition('/')[2]}\"/>".encode(), b"", parts[rels])
        parts["[Content_Types].xml"] = re.sub(
            rf'<Override PartName="/{gone[name]}"[^>]*/>'.encode(), b"", parts["[Content_Types].xml"]
        )
    write_parts(book, parts)
