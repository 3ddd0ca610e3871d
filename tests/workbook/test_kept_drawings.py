"""Charts that users or programs have changed, lost or made themselves: kept, known again, and long ones thinned."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import xlsxwriter
from lxml import etree

from sheetmbs.model.model import Chart
from sheetmbs.workbook.charts import chartdata, native_charts
from sheetmbs.workbook.sheets import decimation
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing.write import write_results
from tests.support.excel import book_of_excel, chart_parts, drawing_part, edit, link, save_as_excel
from tests.support.sample_results import (
    change_part,
    convert,
    needs_libreoffice,
    read_parts,
    sheet_names,
    sheet_part,
    slider_crank,
    table,
    write_parts,
)
from tests.workbook.chart_parts_read import (
    SHAPE,
    TITLES,
    C,
    assert_shows,
    chart,
    delete,
    ends,
    lines,
    longer,
    restyle,
    titles,
    with_column,
    without,
)


@pytest.fixture
def book(tmp_path):
    """A workbook with results, as Excel has saved it."""
    return book_of_excel(tmp_path / "book.xlsx")


def test_charts_that_no_program_has_saved_since_are_made_anew(tmp_path, monkeypatch):
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Model")
    write_results(path, None, slider_crank())
    monkeypatch.setattr(native_charts, "PALETTE", ("#123456",))
    write_results(path, None, slider_crank())
    assert all(b"123456" in read_parts(path)[part] for part in chart_parts(path).values())
    save_as_excel(path)
    monkeypatch.setattr(native_charts, "PALETTE", ("#654321",))
    write_results(path, None, slider_crank())
    assert all(b"123456" in read_parts(path)[part] for part in chart_parts(path).values())


def add_chart(book: Path, sheet: str, formula: str, names: str = "c:") -> str:
    """A chart of the user's on a sheet of ours that has none; returns its part."""
    parts = read_parts(book)
    space = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    declared = f'xmlns:{names[:-1]}="{space}"' if names else f'xmlns="{space}"'
    n = names
    parts["xl/charts/chart91.xml"] = (
        f"<{n}chartSpace {declared}><{n}chart><{n}plotArea><{n}lineChart><{n}ser><{n}val><{n}numRef><{n}f>{formula}"
        f"</{n}f><{n}numCache><{n}formatCode>0.0</{n}formatCode><{n}ptCount val='1'/></{n}numCache></{n}numRef></{n}val>"
        f"</{n}ser></{n}lineChart></{n}plotArea></{n}chart></{n}chartSpace>"
    ).encode()
    drawing = read_parts(book)[drawing_part(book)].decode()
    frame = re.findall(r"<xdr:twoCellAnchor.*?</xdr:twoCellAnchor>", drawing, re.DOTALL)[0]
    frame = re.sub(r'name="mbs chart \d+"', 'name="Chart 1"', frame)
    root = re.match(r"(<\?.*?\?>\s*)?<xdr:wsDr[^>]*>", drawing)[0]
    parts["xl/drawings/drawing91.xml"] = f"{root}{SHAPE}{frame}</xdr:wsDr>".encode()
    part = sheet_part(book, sheet)
    parts[part] = parts[part].replace(b"</worksheet>", b'<drawing r:id="rId7"/></worksheet>')
    write_parts(book, parts)
    link(book, part, "drawing", "../drawings/drawing91.xml", "rId7")
    link(book, "xl/drawings/drawing91.xml", "chart", "../charts/chart91.xml", "rId1")
    return "xl/charts/chart91.xml"


@pytest.mark.parametrize("names", ["c:", "", "x:"])
def test_a_chart_and_a_shape_on_a_sheet_of_results_stay_and_follow(book, names):
    part = add_chart(book, "mbs Joints", "'mbs Joints'!$C$3:$C$53", names)
    results = with_column(slider_crank(rows=99), "mbs Joints", "arm.i.m", 1)
    write_results(book, None, results)
    parts = read_parts(book)
    root = etree.fromstring(parts[part])
    reference = root.find(f".//{C}numRef")
    assert reference.findtext(f"{C}f") == "'mbs Joints'!$D$3:$D$101"
    assert reference.findtext(f"{C}numCache/{C}formatCode") == "0.0"
    held = [float(point.findtext(f"{C}v")) for point in reference.iter(f"{C}pt")]
    np.testing.assert_allclose(held, results.tables[1].values[:, 3], rtol=1e-8)
    assert b"Look here" in parts["xl/drawings/drawing91.xml"]
    assert drawing_part(book, "mbs Joints") == "xl/drawings/drawing91.xml"
    write_results(book, None, slider_crank(rows=5))
    assert b"$C$3:$C$7" in read_parts(book)[part]


def test_a_chart_over_several_columns_keeps_them_side_by_side(book):
    part = add_chart(book, "mbs Joints", "'mbs Joints'!$B$3:$C$53")
    write_results(book, None, with_column(slider_crank(rows=99), "mbs Joints", "arm.i.m", 2))
    assert b"'mbs Joints'!$B$3:$C$101" in read_parts(book)[part]
    names = [cell.value for cell in openpyxl.load_workbook(book)["mbs Joints"][1]]
    assert names == ["time", "pin.i.fx", "pin.i.fy", "arm.i.m", "pin.i.m"]


def test_a_sheet_on_which_the_user_has_drawn_stays_without_results(book):
    add_chart(book, "mbs Springs", "'mbs Springs'!$B$3:$B$53")
    write_results(book, None, slider_crank(springs=False))
    assert drawing_part(book, "mbs Springs") == "xl/drawings/drawing91.xml"
    assert openpyxl.load_workbook(book)["mbs Springs"]["B1"].value == "buffer.force"


def test_widths_and_hidden_columns_follow_their_names(book):
    part = sheet_part(book, "mbs Bodies")
    edit(book, part, ('<col min="4" max="4" width="12.35"', '<col min="4" max="4" width="31" hidden="1"'))
    write_results(book, None, with_column(slider_crank(rows=7), "mbs Bodies", "arm.x", 1))
    looks = openpyxl.load_workbook(book)["mbs Bodies"].column_dimensions
    assert (looks["E"].width, looks["E"].hidden) == (31, True)
    assert not looks["D"].hidden
    assert looks["B"].width == 11


def test_charts_whose_names_a_program_has_lost_are_known_by_their_titles(book):
    text = read_parts(book)[drawing_part(book)].decode()
    change_part(book, drawing_part(book), text, re.sub(r'name="mbs chart (\d)"', r'name="Chart \1"', text))
    write_results(book, None, slider_crank(rows=9))
    assert titles(book) == TITLES


def test_columns_that_a_program_has_saved_are_drawn_over_new_modes_and_not_twice(book):
    def modes(count: int) -> ResultSheets:
        numbers = {"mode": ("", np.arange(1.0, count + 1)), "frequency": ("Hz", 3.0 * np.arange(1.0, count + 1))}
        bars, path = Chart("Frequencies", "mode", ("frequency",), "bar"), slider_crank().charts[0]
        return replace(
            slider_crank(), tables=(table("mbs Modes", numbers), *slider_crank().tables), charts=(bars, path)
        )

    path = book.with_name("modes.xlsx")
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Model")
    write_results(path, None, modes(2))
    save_as_excel(path)
    write_results(path, None, modes(5))
    assert titles(path) == ["Frequencies", "Path of rod"]
    held = chart(path, "mbs chart 1").find(f".//{C}val/{C}numRef")
    assert [point.findtext(f"{C}v") for point in held.iter(f"{C}pt")] == ["3", "6", "9", "12", "15"]


@pytest.mark.parametrize("broken", [("mbs chart {", "mbs chart {{"), ("sheetmbs chart", "something")])
def test_where_the_record_is_lost_every_chart_is_the_users(book, broken):
    text = read_parts(book)["xl/sharedStrings.xml"].decode()
    change_part(book, "xl/sharedStrings.xml", text, text.replace(*broken))
    edit(book, chart_parts(book)["mbs chart 3"], ("0072B2", "FF00AA"))
    edit(book, chart_parts(book)["mbs chart 2"], ("Angles", "My angles"))
    results = longer(slider_crank(rows=9))
    write_results(book, None, results)
    assert titles(book) == ["Path of rod", "My angles", *TITLES[2:], "Angles"]
    assert b"FF00AA" in read_parts(book)[chart_parts(book)["mbs chart 3"]]
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)


@pytest.mark.parametrize("unsound", ["</c:chart>", "</c:chartSpace>"])
def test_a_chart_that_cannot_be_read_stays_as_it_is(book, unsound):
    part = chart_parts(book)["mbs chart 2"]
    edit(book, part, (unsound, ""))
    before = read_parts(book)[part]
    write_results(book, None, slider_crank(rows=9))
    assert read_parts(book)[part] == before
    assert b"$A$11<" in read_parts(book)[chart_parts(book)["mbs chart 3"]]


@pytest.mark.parametrize("unsound", ["</xdr:wsDr>", "</worksheet>"])
def test_a_sheet_of_charts_that_cannot_be_read_is_made_anew(book, unsound):
    edit(book, drawing_part(book) if "xdr" in unsound else sheet_part(book, "mbs Charts"), (unsound, ""))
    write_results(book, None, slider_crank(rows=9))
    assert titles(book) == TITLES


def test_a_drawing_that_cannot_be_read_stays_as_it_is(book):
    add_chart(book, "mbs Joints", "'mbs Joints'!$C$3:$C$53")
    edit(book, "xl/drawings/drawing91.xml", ("</xdr:wsDr>", ""))
    before = read_parts(book)["xl/drawings/drawing91.xml"]
    write_results(book, None, slider_crank(rows=9))
    assert drawing_part(book, "mbs Joints") == "xl/drawings/drawing91.xml"
    assert read_parts(book)["xl/drawings/drawing91.xml"] == before


def test_numbers_of_the_users_own_sheets_in_a_chart_stay(book):
    part = chart_parts(book)["mbs chart 2"]
    own = '<c:f>Mine!$A$1:$A$2</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="2"/>'
    own += '<c:pt idx="0"><c:v>4</c:v></c:pt></c:numCache>'
    text = read_parts(book)[part].decode()
    line = re.findall(r"<c:ser>.*?</c:ser>", text, re.DOTALL)[0]
    mine = re.sub(r"(?<=<c:numRef>)<c:f>.*?</c:numCache>", own, line, flags=re.DOTALL)
    edit(book, part, (line, line + mine))
    write_results(book, None, slider_crank(rows=9))
    assert read_parts(book)[part].decode().count(own) == mine.count(own) > 0


def test_long_series_are_looked_up_rather_than_held(book, monkeypatch):
    monkeypatch.setattr(native_charts, "CACHED_ROWS", 60)
    write_results(book, None, slider_crank(rows=61))
    found = chart(book, "mbs chart 2")
    assert "$D$63" in found.findtext(f".//{C}yVal//{C}f")
    assert found.find(f".//{C}yVal//{C}numCache") is None


def references(found: etree._Element) -> list[tuple[str, str, list[float]]]:
    """Of every line: what x and y refer to, and the numbers of y that the chart holds."""
    return [
        (
            line.findtext(f"{C}xVal//{C}f"),
            line.findtext(f"{C}yVal//{C}f"),
            [float(point.findtext(f"{C}v")) for point in line.find(f"{C}yVal").iter(f"{C}pt")],
        )
        for line in found.iter(f"{C}ser")
    ]


def column_at(path: Path, reference: str) -> tuple[str, list[float]]:
    """Name and numbers of the column that a reference names."""
    sheet, _, cells = reference.replace("$", "").rpartition("!")
    loaded = openpyxl.load_workbook(path)[sheet.strip("'")]
    first, _, last = cells.partition(":")
    column = loaded[f"{first}:{last or first}"]
    return loaded[f"{first.rstrip('0123456789')}1"].value, [cell.value for [cell] in column]


@pytest.fixture
def few(monkeypatch):
    """Charts draw no more than 20 rows one by one."""
    monkeypatch.setattr(chartdata, "MAX_DRAWN_ROWS", 20)
    monkeypatch.setattr(decimation, "DECIMATED_ROWS", 24)


def test_a_restyled_chart_draws_fewer_rows_once_its_series_are_long_and_all_once_they_are_short(book, monkeypatch):
    restyle(book)
    before = references(chart(book, "mbs chart 3"))
    results = slider_crank()
    with monkeypatch.context() as patch:
        patch.setattr(chartdata, "MAX_DRAWN_ROWS", 20)
        patch.setattr(decimation, "DECIMATED_ROWS", 24)
        for rows in (51, 61):
            results = slider_crank(rows=rows)
            write_results(book, None, results)
            found = chart(book, "mbs chart 3")
            assert lines(found) == ["pin.i.fx", "pin.i.m"]
            for (across, up, held), name in zip(references(found), lines(found), strict=True):
                assert across.startswith("'mbs Chart Data'!")
                assert up.startswith("'mbs Chart Data'!")
                (x, times), (y, numbers) = column_at(book, across), column_at(book, up)
                assert (x, y) == ("time", name)
                assert len(times) == len(numbers) < rows
                assert numbers == pytest.approx(held, rel=1e-12)
                [table] = [table for table in results.tables if table.name == "mbs Joints"]
                all_numbers = table.values[:, table.columns.index(name)]
                assert {max(all_numbers), min(all_numbers)} <= set(numbers)
            once = book.read_bytes()
            write_results(book, None, results)
            assert book.read_bytes() == once
    write_results(book, None, slider_crank())
    assert "mbs Chart Data" not in sheet_names(book)
    assert references(chart(book, "mbs chart 3")) == before


@pytest.mark.usefixtures("few")
def test_a_long_chart_takes_no_more_columns_than_it_shows_though_programs_saved_it(book):
    write_results(book, None, slider_crank())
    shown = sum(
        len(dict.fromkeys(part for line in references(chart(book, name)) for part in line[:2]))
        for name in chart_parts(book)
    )
    assert openpyxl.load_workbook(book)["mbs Chart Data"].max_column == shown
    said = [cell.value for cell in openpyxl.load_workbook(book)["mbs Charts"]["A"]]
    assert any("mbs Chart Data" in text for text in said if text)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("was_long", [False, True])
def test_a_long_restyled_chart_without_columns_waits_for_them(book, was_long):
    results = slider_crank()
    if was_long:
        with xlsxwriter.Workbook(book) as made:
            made.add_worksheet("Model")
        write_results(book, None, results)
        save_as_excel(book)
    restyle(book)
    write_results(book, None, results)
    names = ("pin.i.fx", "pin.i.m")
    write_results(book, None, without(results, *names))
    for (_, up, held), name in zip(references(chart(book, "mbs chart 3")), names, strict=True):
        found, numbers = column_at(book, up)
        assert (found, set(numbers), held) == (name, {None}, [])
    write_results(book, None, results)
    for (_, up, held), name in zip(references(chart(book, "mbs chart 3")), names, strict=True):
        assert column_at(book, up)[0] == name
        assert len(held) > 10


@pytest.mark.usefixtures("few")
def test_a_users_own_copy_of_a_long_chart_follows_its_columns(book):
    results = slider_crank()
    write_results(book, None, results)
    [(_, up, _)] = references(chart(book, "mbs chart 4"))
    name, _ = column_at(book, up)
    part = add_chart(book, "mbs Joints", up)
    write_results(book, None, replace(results, charts=results.charts[4:]))
    [reference] = re.findall(r"'mbs Chart Data'![^<]*", read_parts(book)[part].decode())
    assert reference != up
    assert column_at(book, reference)[0] == name == "motor.moment"


def test_other_kinds_of_charts_are_kept_with_their_references(book):
    """A box plot of Excel 2016 is a part of another kind."""
    parts = read_parts(book)
    space = "http://schemas.microsoft.com/office/drawing/2014/chartex"
    parts["xl/charts/chartEx1.xml"] = (
        f'<cx:chartSpace xmlns:cx="{space}"><cx:chartData><cx:data id="0"><cx:numDim type="val"><cx:f>'
        "'mbs Joints'!$B$3:$B$53</cx:f><cx:lvl ptCount='1'><cx:pt idx='0'>1</cx:pt></cx:lvl></cx:numDim></cx:data>"
        "</cx:chartData></cx:chartSpace>"
    ).encode()
    frame = (
        "<xdr:twoCellAnchor><xdr:from><xdr:row>70</xdr:row></xdr:from><xdr:to><xdr:row>80</xdr:row></xdr:to>"
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x"'
        f' xmlns:x="urn:x"><xdr:graphicFrame><a:graphic><a:graphicData><cx:chart xmlns:cx="{space}"'
        ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId50"/></a:graphicData>'
        "</a:graphic></xdr:graphicFrame></mc:Choice></mc:AlternateContent></xdr:twoCellAnchor></xdr:wsDr>"
    )
    drawing = drawing_part(book)
    parts[drawing] = parts[drawing].replace(b"</xdr:wsDr>", frame.encode())
    rels = drawing.replace("drawings/", "drawings/_rels/") + ".rels"
    arrow = '<Relationship Id="rId50" Type="http://schemas.microsoft.com/office/2014/relationships/chartEx"'
    arrow += ' Target="../charts/chartEx1.xml"/></Relationships>'
    parts[rels] = parts[rels].replace(b"</Relationships>", arrow.encode())
    write_parts(book, parts)
    write_results(book, None, slider_crank(rows=9))
    box = read_parts(book)["xl/charts/chartEx1.xml"]
    assert b"'mbs Joints'!$B$3:$B$11" in box
    assert b"cx:lvl" not in box
    assert chart_parts(book)


@needs_libreoffice
def test_libreoffice_keeps_what_tells_our_charts_apart(book, tmp_path):
    saved = convert(book, "xlsx", tmp_path / "saved")
    delete(saved, "mbs chart 4")
    edit(saved, chart_parts(saved)["mbs chart 1"], ("0072b2", "ff00aa"))
    results = longer(without(slider_crank(rows=81), "buffer.force"))
    write_results(saved, None, results)
    assert titles(saved) == ["Path of rod", "Angles", "Reactions in pin"]
    for name in chart_parts(saved):
        assert_shows(saved, chart(saved, name), results)
    assert b"ff00aa" in read_parts(saved)[chart_parts(saved)["mbs chart 1"]]
    assert ends(chart(saved, "mbs chart 2"))[0] == ("0.0", "0.8")
    again = convert(saved, "xlsx", tmp_path / "again")
    assert titles(again) == titles(saved)
