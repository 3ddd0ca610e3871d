"""What a user changes on our sheets, and what he hangs on them, survives the next run; only the data behind it change."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import xlsxwriter
from lxml import etree

from sheetmbs.model import Chart
from sheetmbs.schema.table import Table
from sheetmbs.workbook.charts import chartdata, native_charts
from sheetmbs.workbook.sheets import thinning
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing.write import write_results
from tests.excel import chart_parts, drawing_part, edit, link, save_as_excel
from tests.sample_results import (
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


@pytest.fixture
def book(tmp_path):
    """A workbook with results, as Excel has saved it."""
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Model")
        made.add_worksheet("Mine")
    write_results(path, None, slider_crank())
    save_as_excel(path)
    return path


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


def test_a_saved_chart_shows_a_longer_run_to_its_end(book):
    results = longer(slider_crank(rows=101))
    problems = []
    write_results(book, None, results, tell=problems.append)
    assert problems == []
    assert titles(book) == TITLES
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)
    assert ends(chart(book, "mbs chart 2"))[0] == ("0.0", "0.8")


def test_a_shorter_run_shrinks_the_ranges(book):
    results = slider_crank(rows=4)
    write_results(book, None, results)
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)


def test_one_row_grows_to_many_in_a_saved_chart(book):
    write_results(book, None, slider_crank(rows=2))
    for part in chart_parts(book).values():
        text = read_parts(book)[part].decode()
        change_part(book, part, text, re.sub(r"\$3:\$[A-Z]+\$4<", "$3<", text))
    single = slider_crank(rows=2)
    write_results(book, None, replace(single, tables=tuple(replace(t, values=t.values[:1]) for t in single.tables)))
    write_results(book, None, slider_crank(rows=9))
    assert "$A$3:$A$11" in read_parts(book)[chart_parts(book)["mbs chart 2"]].decode()


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


def test_a_restyled_chart_differs_from_what_it_was_in_nothing_but_its_data(book):
    part = restyle(book)

    def styled() -> str:
        text = etree.tostring(etree.fromstring(read_parts(book)[part]), method="c14n").decode()
        return re.sub(r"<c:pt .*?</c:pt>|<c:ptCount [^>]*></c:ptCount>|\$\d+</c:f>", "", text)

    before = styled()
    results = longer(slider_crank(rows=101))
    write_results(book, None, results)
    found = chart(book, "mbs chart 3")
    assert_shows(book, found, results)
    assert lines(found) == ["pin.i.fx", "pin.i.m"]
    assert ends(found)[0] == ("0.0", "0.25")
    # the second axis across, which is hidden, must reach as far as the first
    changed = before.replace('<c:max val="0.4"></c:max>', '<c:max val="0.25"></c:max>')
    assert styled() == changed
    write_results(book, None, results)
    assert styled() == changed


def test_position_size_shapes_and_the_parts_of_a_style_stay(book):
    drawing = drawing_part(book)
    edit(book, drawing, ("</xdr:wsDr>", f"{SHAPE}</xdr:wsDr>"), ("<xdr:col>0</xdr:col>", "<xdr:col>2</xdr:col>"))
    before = read_parts(book)
    write_results(book, None, slider_crank(rows=99))
    after = read_parts(book)
    kept = [name for name in before if re.search(r"drawings/|charts/(_rels|style|colors)", name)]
    assert len(kept) == 2 + 15
    for name in kept:
        assert after[name] == before[name], name


def test_what_the_user_writes_on_the_sheet_of_charts_stays(book):
    sheet = sheet_part(book, "mbs Charts")
    note = '<row r="90"><c r="A90" t="inlineStr"><is><t>Mine</t></is></c><c r="B90"><f>1+1</f><v>2</v></c></row>'
    edit(book, sheet, ("</sheetData>", f"{note}</sheetData>"), ('width="8"', 'width="9"'))
    write_results(book, None, slider_crank(rows=9))
    loaded = openpyxl.load_workbook(book)["mbs Charts"]
    assert (loaded["A1"].value, loaded["A90"].value, loaded["B90"].value) == ("Charts", "Mine", "=1+1")
    assert loaded.column_dimensions["H"].hidden
    assert loaded.column_dimensions["H"].width == 9


@pytest.mark.parametrize("place", [1, 3, 9])
def test_lines_follow_their_columns_to_other_places(book, place):
    restyle(book)
    results = with_column(with_column(slider_crank(rows=20), "mbs Bodies", "arm.x", place), "mbs Joints", "arm.i.m", 1)
    write_results(book, None, results)
    assert titles(book) == [*TITLES[:2], "Forces", *TITLES[3:]]
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)


def boxes(path: Path) -> list[tuple[float, float]]:
    """Top and bottom, in rows, of what is drawn on the sheet of charts."""
    found = []
    for anchor in etree.fromstring(read_parts(path)[drawing_part(path)]):
        low, at = anchor.find("{*}to"), anchor.find("{*}pos")
        if low is not None:
            found.append((int(anchor.findtext("{*}from/{*}row")), int(low.findtext("{*}row")) + 1))
        else:
            top = int(at.get("y")) / 190_500
            found.append((top, top + int(anchor.find("{*}ext").get("cy")) / 190_500))
    return found


def test_new_columns_get_new_charts_below_those_that_are_there(book):
    restyle(book)
    results = with_column(slider_crank(), "mbs Drivers", "lift.force", 3, "N")
    lift = Chart("Force of lift", "time", ("lift.force",))
    more = replace(slider_crank().charts[2], y=("pin.i.fx", "pin.i.fy", "pin.i.m", "lift.force"))
    results = replace(results, charts=(*results.charts[:2], more, *results.charts[3:], lift))
    write_results(book, None, results)
    assert titles(book) == [*TITLES[:2], "Forces", *TITLES[3:], "Reactions in pin", "Force of lift"]
    assert [lines(chart(book, f"mbs chart {number}")) for number in (6, 7)] == [["lift.force"], ["lift.force"]]
    *old, left, right = boxes(book)
    assert min(left[0], right[0]) >= max(low for _, low in old)
    before = read_parts(book)
    write_results(book, None, results)
    assert {n: p for n, p in read_parts(book).items() if "chart" in n} == {
        n: p for n, p in before.items() if "chart" in n
    }


def test_a_chart_that_was_saved_but_not_restyled_takes_up_new_columns_itself(book):
    results = with_column(slider_crank(), "mbs Bodies", "arm.phi", 9)
    angles = replace(results.charts[1], y=("crank.phi", "rod.phi", "arm.phi"))
    results = replace(results, charts=(results.charts[0], angles, *results.charts[2:]))
    place = re.findall(r"<xdr:twoCellAnchor.*?</xdr:to>", read_parts(book)[drawing_part(book)].decode(), re.DOTALL)
    write_results(book, None, results)
    assert titles(book) == TITLES
    assert lines(chart(book, "mbs chart 2")) == ["crank.phi", "rod.phi", "arm.phi"]
    assert_shows(book, chart(book, "mbs chart 2"), results)
    after = re.findall(r"<xdr:twoCellAnchor.*?</xdr:to>", read_parts(book)[drawing_part(book)].decode(), re.DOTALL)
    assert after == place


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


def test_a_chart_that_the_user_deleted_stays_away(book):
    delete(book, "mbs chart 2", "mbs chart 4")
    for rows in (9, 51, 101):
        write_results(book, None, slider_crank(rows=rows))
        assert titles(book) == ["Path of rod", "Reactions in pin", "Springs"]
        said = [row[0] for row in openpyxl.load_workbook(book)["mbs Charts"].iter_rows(max_row=4, values_only=True)]
        assert said[1].startswith("3 charts")
        assert said[2] == "Not drawn, for you deleted them: 'Angles', 'Moment of motor'."
    write_results(book, None, slider_crank(springs=False))
    assert titles(book) == ["Path of rod", "Reactions in pin"]


def test_once_all_charts_are_deleted_none_comes_back_until_their_sheet_is_deleted(book):
    parts = read_parts(book)
    drawing, sheet = drawing_part(book), sheet_part(book, "mbs Charts")
    gone = [name for name in parts if "/charts/" in name or "/drawings/" in name]
    parts = {name: content for name, content in parts.items() if name not in gone}
    parts[sheet] = re.sub(rb"<drawing [^>]*>", b"", parts[sheet])
    del parts[sheet.replace("worksheets/", "worksheets/_rels/") + ".rels"]
    types = parts["[Content_Types].xml"].decode()
    for name in gone:
        types = re.sub(f'<Override PartName="/{name}"[^>]*/>', "", types)
    parts["[Content_Types].xml"] = types.encode()
    write_parts(book, parts)
    assert drawing not in read_parts(book)
    write_results(book, None, slider_crank(rows=9))
    assert chart_parts(book) == {}
    results = with_column(slider_crank(), "mbs Drivers", "lift.force", 3, "N")
    results = replace(results, charts=(*results.charts, Chart("Force of lift", "time", ("lift.force",))))
    write_results(book, None, results)
    assert titles(book) == ["Force of lift"]
    change_part(book, "xl/workbook.xml", "'mbs Charts'!$A$1", "#REF!$A$1")
    change_part(book, "xl/workbook.xml", 'name="mbs Charts"', 'name="Charts of old"')
    write_results(book, None, slider_crank())
    assert titles(book) == TITLES


def test_a_chart_that_is_asked_for_on_the_sheet_charts_comes_back(book):
    delete(book, "mbs chart 2")
    asked = [replace(each, cell="Charts!A2") for each in slider_crank().charts]
    write_results(book, None, replace(slider_crank(), charts=tuple(asked)))
    assert sorted(titles(book)) == sorted(TITLES)


def test_charts_that_are_no_longer_wanted_go_unless_they_were_restyled(book):
    restyle(book)
    wanted = Chart("Only this", "time", ("rod.x",), cell="Charts!A2")
    write_results(book, None, replace(slider_crank(), charts=(wanted,)))
    assert sorted(titles(book)) == ["Forces", "Only this"]


def test_a_restyled_chart_without_columns_waits_for_them(book):
    part = chart_parts(book)["mbs chart 5"]
    edit(book, part, ("0072B2", "FF00AA"))
    restyle(book)
    gone = without(slider_crank(), "buffer.force", "pin.i.fx")
    write_results(book, None, gone)
    assert titles(book) == [*TITLES[:2], "Forces", *TITLES[3:]]
    for name in chart_parts(book):
        assert "#REF!" not in read_parts(book)[chart_parts(book)[name]].decode()
    loaded = openpyxl.load_workbook(book)
    assert [cell.value for cell in loaded["mbs Springs"][1]] == ["time", "buffer.force"]
    assert [cell.value for cell in loaded["mbs Joints"][1]] == ["time", "pin.i.fy", "pin.i.m", "pin.i.fx"]
    assert loaded["mbs Joints"]["D3"].value is None
    assert loaded["mbs Charts"]["A3"].value == "Empty, for this run has no such results: 'Springs'."
    springs = read_parts(book)[part].decode()
    assert all(said in springs for said in (">time [s]<", ">buffer.force [N]<", '<c:max val="0.4"/>'))
    before = read_parts(book)
    write_results(book, None, gone)
    assert {n: p for n, p in read_parts(book).items() if "chart" in n} == {
        n: p for n, p in before.items() if "chart" in n
    }
    results = slider_crank(rows=33)
    write_results(book, None, results)
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)
    assert "FF00AA" in read_parts(book)[part].decode()
    assert openpyxl.load_workbook(book)["mbs Joints"].max_column == 4


def test_charts_without_columns_that_nobody_restyled_go_and_come_back(book):
    write_results(book, None, without(slider_crank(), "buffer.force", "pin.i.fx"))
    assert titles(book) == TITLES[:4]
    assert lines(chart(book, "mbs chart 3")) == ["pin.i.fy", "pin.i.m"]
    assert "mbs Springs" not in sheet_names(book)
    write_results(book, None, slider_crank())
    assert titles(book) == TITLES


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
    monkeypatch.setattr(chartdata, "MOST_DRAWN", 20)
    monkeypatch.setattr(thinning, "DRAWN", 24)


def test_a_restyled_chart_draws_fewer_rows_once_its_series_are_long_and_all_once_they_are_short(book, monkeypatch):
    restyle(book)
    before = references(chart(book, "mbs chart 3"))
    results = slider_crank()
    with monkeypatch.context() as patch:
        patch.setattr(chartdata, "MOST_DRAWN", 20)
        patch.setattr(thinning, "DRAWN", 24)
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
